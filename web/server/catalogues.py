"""Find the languages of locale/CODE/LC_MESSAGES/django.po, and compile them to the .mo files that Django reads.

They are compiled at a start, where one is stale. No machine needs gettext, and nothing of Django but its table of
languages: web.settings calls it before Django is set up.
"""

import os
import re
import secrets
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf.locale import LANG_INFO

QUOTED = r'"(?:[^"\\]|\\.)*"'
FIELD = re.compile(rf"^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s+({QUOTED}(?:\s*\n{QUOTED})*)", re.MULTILINE)
TEXT = re.compile(r"^msgid ", re.MULTILINE)
LACKING = re.compile(r'^(?:msgstr(?:\[0\])? ""\n(?!")|#,.*\bfuzzy\b)', re.MULTILINE)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
MAGIC, HEAD = 0x950412DE, 28
SAME = 2  # seconds: a USB stick's file system keeps times no finer
WHOLE = 90  # percent; a language with less is a draft
ALL = "all"  # instead of codes of drafts
ENGLISH = "en_GB"  # has each text as its own translation: Django asks up to ten catalogues for one that it lacks
ENGLISH_HEAD = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"


@dataclass(frozen=True, slots=True)
class Translation:
    """A language of locale/: its code as Django has it, its own name, and how many of all texts it has."""

    code: str
    name: str
    done: int
    texts: int

    @property
    def percent(self) -> int:
        """The share of texts that are translated, rounded down."""
        return 100 * self.done // max(self.texts, 1)

    @property
    def is_draft(self) -> bool:
        """Whether too much of it is still English to be offered to everybody."""
        return self.percent < WHOLE


def translations(source: Path) -> tuple[Translation, ...]:
    """Return the languages that have a catalogue, by code."""
    return tuple(_translation(po) for po in sorted(source.glob("*/LC_MESSAGES/django.po")))


def _translation(po: Path) -> Translation:
    language, _, country = po.parent.parent.name.partition("_")
    code = f"{language}-{country}".lower().strip("-")
    name = str(LANG_INFO.get(code, LANG_INFO.get(language, {})).get("name_local", code))
    text = po.read_text(encoding="utf-8")
    texts = len(TEXT.findall(text)) - 1  # one is the head
    return Translation(code, name[:1].upper() + name[1:], texts - len(LACKING.findall(text)), texts)


def offered(found: Collection[Translation], drafts: Collection[str]) -> list[tuple[str, str]]:
    """Return the languages to choose from, as Django's LANGUAGES without English: of drafts those asked for."""
    return [
        (each.code, f"{each.name} (draft)" if each.is_draft else each.name)
        for each in found
        if not each.is_draft or each.code in drafts or ALL in drafts
    ]


def compiled(source: Path, elsewhere: Path) -> Path:
    """Compile what is stale; return the folder of the .mo files: `source`, or `elsewhere` where that is read-only.

    English has the texts of the first catalogue: each has all.
    """
    found = sorted(source.glob("*/LC_MESSAGES/django.po"))
    languages = [*((po, po.parent.parent.name) for po in found), *((po, ENGLISH) for po in found[:1])]
    for folder in (source, elsewhere):
        try:
            for po, language in languages:
                _compile(po, folder / language / "LC_MESSAGES" / "django.mo", in_english=language == ENGLISH)
        except OSError:
            continue
        return folder
    return source


def _compile(po: Path, mo: Path, *, in_english: bool) -> None:
    """Write a .mo with the time of its .po, unless there is one; several processes may do so at once."""
    made = po.stat()
    if mo.exists() and abs(mo.stat().st_mtime - made.st_mtime) < SAME:
        return
    mo.parent.mkdir(parents=True, exist_ok=True)
    draft = mo.with_name(f"{mo.name}.{secrets.token_hex(8)}")
    draft.write_bytes(mo_bytes(po.read_text(encoding="utf-8"), in_english=in_english))
    os.utime(draft, ns=(made.st_atime_ns, made.st_mtime_ns))
    draft.replace(mo)


def mo_bytes(text: str, *, in_english: bool = False) -> bytes:
    """Return the catalogue of a .po file in the binary form that Python's gettext reads, sorted by text."""
    pairs = sorted((key.encode(), value.encode()) for key, value in _messages(text, in_english=in_english))
    keys, values = ([pair[side] for pair in pairs] for side in (0, 1))
    at = HEAD + 16 * len(pairs)
    tables, block = [], b""
    for texts in (keys, values):
        for each in texts:
            tables += [len(each), at + len(block)]
            block += each + b"\0"
    head = (MAGIC, 0, len(pairs), HEAD, HEAD + 8 * len(pairs), 0, 0)
    return struct.pack(f"<{7 + len(tables)}I", *head, *tables) + block


def _messages(text: str, *, in_english: bool) -> Iterator[tuple[str, str]]:
    """Yield each message as gettext keeps it; without a translation are fuzzy ones and those with an empty form."""
    for block in re.split(r"\n\s*\n", text):
        fields = {name: _unquoted(quoted) for name, quoted in FIELD.findall(block)}
        own = [fields[name] or ENGLISH_HEAD for name in ("msgid", "msgid_plural") if name in fields]
        forms = own if in_english else [value for name, value in fields.items() if name.startswith("msgstr")]
        is_fuzzy = not in_english and re.search(r"^#,.*\bfuzzy\b", block, re.MULTILINE)
        if not forms or not all(forms) or is_fuzzy:
            continue
        context = f"{fields['msgctxt']}\x04" if "msgctxt" in fields else ""
        plural = f"\0{fields['msgid_plural']}" if "msgid_plural" in fields else ""
        yield f"{context}{fields['msgid']}{plural}", "\0".join(forms)


def _unquoted(quoted: str) -> str:
    joined = "".join(part[1:-1] for part in re.findall(QUOTED, quoted))
    return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), joined)
