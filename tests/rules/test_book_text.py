"""The size of a rule set's text is checked before it is parsed."""

import tomllib
import tracemalloc
from typing import Any

import pytest

from rules.book_text import MAX_BYTES, MAX_LINES, MAX_PARTS, find_size_fault
from rules.books import BOOKS, parse_book
from rules.ruleset import MAX_FAULTS, RulesetError
from tests.processor_time import count_loops

LONG = ".".join("a" * (MAX_PARTS + 1))
FITS = ".".join("a" * MAX_PARTS)
KEYS = f"a key has more than {MAX_PARTS} parts"


@pytest.mark.parametrize("path", sorted(BOOKS.glob("*.toml")), ids=lambda path: str(path.stem))
def test_our_own_books_fit_many_times(path: Any):
    assert find_size_fault(path.read_text(encoding="utf-8") * 4) is None


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        (f"x = 1\n{LONG} = 1", KEYS, 2),
        (f"[{LONG}]", KEYS, 1),
        (f"[[ {LONG} ]]", KEYS, 1),
        ("\t.\t".join("abcdefg") + "=1", KEYS, 1),
        (".".join(f'"{letter} {letter}"' for letter in "abcdefg") + "=1", KEYS, 1),
        (".".join(f"'{letter}.'" for letter in "abcdefg") + "=1", KEYS, 1),
        (f"x = {{ {LONG} = 1 }}", KEYS, 1),
        (f'x = {{ y = """a"""", {LONG} = 1 }}', KEYS, 1),
        (f"x = {{ y = '''a''''', {LONG} = 1 }}", KEYS, 1),
        (f'x = """\n\n\\""" """ # "\n{LONG} = 1', KEYS, 4),
        (f"x = '\\'\n{LONG} = 1", KEYS, 2),
        (f'x = "\\\\"\n{LONG} = 1', KEYS, 2),
        (f'# "\n{LONG} = 1', KEYS, 2),
        ("x" * (MAX_BYTES + 1), "larger than 64 kB", 0),
        ("\N{HIRAGANA LETTER A}" * (MAX_BYTES // 3 + 1), "larger than 64 kB", 0),
        ("\n" * MAX_LINES, "longer than 2,000 lines", 0),
    ],
)
def test_what_is_too_large_is_named_with_its_line(text: str, says: str, line: int):
    fault = find_size_fault(text)
    assert fault is not None
    assert (fault.says, fault.line) == (says, line)


@pytest.mark.parametrize(
    "text",
    [
        f"{FITS} = 1",
        f"[{FITS}]",
        f'x = "see {LONG}"',
        f"x = '{LONG}'",
        f'x = """\n{LONG}\n"""',
        f"x = '''\n{LONG} = 1\n'''",
        f"x = 1 # {LONG}",
        'x = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]\ny = """a"""""\nz = 1979-05-27T07:32:00.999Z',
    ],
)
def test_dots_in_strings_comments_and_numbers_are_no_keys(text: str):
    tomllib.loads(text)
    assert find_size_fault(text) is None


BOMBS = {
    "dotted key": ".".join(["a"] * 32_000) + "=1",
    "dotted key, quoted": ".".join(['"a"'] * 16_000) + "=1",
    "table": "[" + ".".join(["a"] * 20_000) + "]\nx=1",
    "one long word": "a" * MAX_BYTES,
    "blanks": "a" + " " * (MAX_BYTES - 1),
    "words": "a " * (MAX_BYTES // 2),
    "quotes": '"' * MAX_BYTES,
    "apostrophes": "'" * MAX_BYTES,
    "backslashes": '"' + "\\" * (MAX_BYTES - 1),
    "backslashes in lines": '"""' + "\\" * (MAX_BYTES - 4),
    "comments": "#" * MAX_BYTES,
    "many tables": "".join(f"[{FITS}.b{number}]\n"[2:] for number in range(MAX_LINES - 1)),
    "tables": "".join(f"[t{number}]\nx=1\n" for number in range(MAX_LINES // 2 - 1)),
    "arrays of tables": "[[a]]\n" * (MAX_LINES - 1),
    "inline keys": "x = {" + ",".join(f"{FITS[:9]}.k{number}=1" for number in range(3500)) + "}",
    "nested": "a=" + "[" * 30_000 + "]" * 30_000,
    "digits": "start=" + "9" * 60_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_little_time_and_memory(name: str):
    def refuse() -> None:
        with pytest.raises(RulesetError):
            parse_book(BOMBS[name], key="x", source="text")

    tracemalloc.start()
    try:
        loops = count_loops(refuse)[1]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 40 * 2**20, f"{peak / 2**20:.0f} MB"
    assert loops < 20


def test_so_many_faults_are_listed_and_the_others_counted():
    text = 'title = "x"\nsource = "y"\n' + "".join(f"[t{number}]\nx = 1\n" for number in range(500))
    with pytest.raises(RulesetError) as refused:
        parse_book(text, key="x", source="text")
    assert (len(refused.value.faults), refused.value.more) == (MAX_FAULTS, 500 - MAX_FAULTS)
