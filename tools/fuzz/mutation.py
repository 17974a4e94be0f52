"""Ways to damage what a parser reads: texts, JSON values, bytes and workbooks, from a seed that is sound.

Every choice is drawn from the Random that is handed in, so that a case can be made again from its number.
"""

import io
import zipfile
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

LONGEST = 300_000
ODD_TEXTS = (
    *("", " ", "\0", "\t", "\n", "\r\n", "\u0085", "\u2028", "\ufeff", "\u202e", "\u200b", "\ud800", "\x1b[0m"),
    *("0", "-1", "1", "9", "00", "+7", "1e9", "0x1", "1_000", "٣", "７", "²", "½", "−5", "1.5", "NaN"),
    *("9" * 9, "9" * 20, "9" * 400, "(" * 40, "[" * 1200, "{" * 40, ";" * 50, "a" * 300, ",,,,"),
    *("null", "true", "東", "南場", "ß", "İ", "ǆ", "e\u0301" * 5, "🀄", "👩‍👩‍👧", "<b>&amp;"),
    *('"', "'", "\\", "`", "%s", "{0}", "$(x)"),
    *("=1+1", "@x", "../..", "|", "::", "--", "/*", "#"),
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 3, 4, 7, 255, 2**31, 2**63, -(2**63), 10**30, 10_000_001, 1.5, -0.0, 1e308),
    *([], {}, [[]], [None], {"": None}, [0] * 300, ["x"] * 201, {"kind": "ron"}, {"0": 1}),
    *ODD_TEXTS,
)


def mutate_text(text: str, others: Sequence[str], chance: Random) -> str:
    """Damage a text once to four times, now and then by joining it with another seed."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 4))):
        text = chance.choice(TEXT_WAYS)(text, others, chance)
    return text[:LONGEST]


def _piece(text: str, chance: Random) -> tuple[int, int]:
    first = chance.randint(0, len(text))
    return first, min(len(text), first + chance.choice((0, 1, 1, 2, 3, 8, 40, len(text))))


def _cut(text: str, _others: Sequence[str], chance: Random) -> str:
    first, last = _piece(text, chance)
    return text[:first] + text[last:]


def _double(text: str, _others: Sequence[str], chance: Random) -> str:
    first, last = _piece(text, chance)
    return text[:last] + text[first:]


def _blow_up(text: str, _others: Sequence[str], chance: Random) -> str:
    """Repeat a piece until it is long: what takes time in the square of its length shows itself."""
    first, last = _piece(text, chance)
    piece = text[first:last] or "1"
    times = max(1, chance.choice((30, 300, 3_000, 30_000)) // len(piece))
    return text[:first] + piece * times + text[last:]


def _put_in(text: str, _others: Sequence[str], chance: Random) -> str:
    first, last = _piece(text, chance)
    return text[:first] + chance.choice(ODD_TEXTS) + text[chance.choice((first, last)) :]


def _one_character(text: str, _others: Sequence[str], chance: Random) -> str:
    at = chance.randint(0, len(text))
    kept = [chance.choice(text)] if text else []
    new = chance.choice([chr(chance.randint(32, 126)), chr(chance.randint(0, 0xFFFF)), *kept])
    return text[:at] + new + text[at + 1 :]


def _join(text: str, others: Sequence[str], chance: Random) -> str:
    other = chance.choice(others) if others else text
    return text[: chance.randint(0, len(text))] + other[chance.randint(0, len(other)) :]


TEXT_WAYS: tuple[Callable[[str, Sequence[str], Random], str], ...] = (
    *(_cut, _double, _put_in, _put_in, _one_character, _one_character, _one_character, _join, _blow_up),
)


def mutate_bytes(data: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    """Damage bytes: as text of one byte a character, whose odd pieces are written in UTF-8."""
    text = mutate_text(data.decode("latin-1"), [other.decode("latin-1") for other in others], chance)
    return b"".join(
        bytes([ord(character)]) if ord(character) < 256 else character.encode("utf-8", "surrogatepass")
        for character in text
    )


def mutate_json(value: Any, chance: Random) -> Any:
    """Return a JSON value with one to three places damaged; the original stays as it is."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        value = _at_some_place(value, chance, depth=0)
    return value


def _at_some_place(value: Any, chance: Random, depth: int) -> Any:
    if isinstance(value, dict | list) and value and chance.random() < 0.85:
        inside = dict(value) if isinstance(value, dict) else dict(enumerate(value))
        key = chance.choice(list(inside))
        inside[key] = _at_some_place(inside[key], chance, depth + 1)
        if chance.random() < 0.15:
            _disturb(inside, key, chance)
        return inside if isinstance(value, dict) else list(inside.values())
    return _odd(value, chance)


def _disturb(inside: dict[Any, Any], key: Any, chance: Random) -> None:
    """Drop a key, or add one that nobody asked for."""
    if chance.random() < 0.5:
        del inside[key]
    else:
        inside[chance.choice(ODD_TEXTS)] = inside[key]


def _odd(value: Any, chance: Random) -> Any:
    """Return something else instead of a value: a neighbour, nothing like it, or itself many times or deep down."""
    if type(value) is int and chance.random() < 0.5:
        return chance.choice((value + 1, value - 1, -value, value * 100, str(value)))
    if isinstance(value, str) and chance.random() < 0.5:
        return mutate_text(value, (), chance)[:2_000]
    if chance.random() < 0.1:
        for _ in range(chance.choice((3, 25, 400))):
            value = [value]
        return value
    if chance.random() < 0.1:  # what is large already is doubled and no more: the case, too, has to be made
        return [value] * chance.choice((2, 5, 300) if len(repr(value)) < 500 else (2, 3))
    return chance.choice(ODD_VALUES)


def mutate_workbook(data: bytes, chance: Random) -> bytes:
    """Damage one part inside an xlsx file and pack it again, or now and then the bytes of the whole."""
    if chance.random() < 0.3:
        return mutate_bytes(data, (), chance)
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as book, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as copy:
        names = book.namelist()
        hit = chance.choice([name for name in names if name.endswith(".xml")])
        for name in names:
            if name != hit:
                copy.writestr(name, book.read(name))
            elif chance.random() < 0.9:
                copy.writestr(name, mutate_bytes(book.read(name), (), chance))
    return made.getvalue()
