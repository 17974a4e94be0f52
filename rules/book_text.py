"""The size of a rule set's text, checked before it is parsed: a long key takes tomllib the square of its parts."""

import re
from typing import Final

from rules.ruleset import Fault

MAX_BYTES: Final = 64 * 1024
MAX_LINES: Final = 2000
MAX_PARTS: Final = 6  # of a key: a book's have two

# Strings with both kinds of quotes, of several lines and of one, and comments; an open one goes to its end
_TEXT = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"{3,5}|\\?\Z)'
    r"|'''.*?(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+(?:"|\\?$)'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL | re.MULTILINE,
)
_PART = r"(?:[\w-]++|\"\")"
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MAX_PARTS}}}")


def find_size_fault(text: str) -> Fault | None:
    """Return why a text is too large to be parsed, None where it is not.

    >>> find_size_fault("a.b.c.d.e.f.g = 1")
    Fault(says='a key has more than 6 parts', field='', line=1)
    """
    if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
        return Fault(f"larger than {MAX_BYTES // 1024} kB")
    if text.count("\n") >= MAX_LINES:
        return Fault(f"longer than {MAX_LINES:,} lines")
    keys = _TEXT.sub(_blank, text)
    long = _LONG_KEY.search(keys)
    return Fault(f"a key has more than {MAX_PARTS} parts", line=keys.count("\n", 0, long.start()) + 1) if long else None


def _blank(match: re.Match[str]) -> str:
    """Return an empty string in place of one, nothing for a comment, with as many lines."""
    found = match[0]
    return ("" if found.startswith("#") else '""') + "\n" * found.count("\n")
