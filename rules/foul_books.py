"""Load the catalogues of fouls from `rules/books/fouls/KEY.toml`, strictly, and fill in what a rule set states.

docs/developer/fouls.md explains the files.
"""

import dataclasses
import functools
import string
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.books import FIELD_TYPES, book_keys, load
from rules.fouls import ACTS, TAKES, Act, Case, Catalogue, Foul, FoulError, Penalty, Repeat
from rules.ruleset import Ruleset, rule_fields

FOULS = Path(__file__).parent / "books" / "fouls"
EVERY_BOOK = "every-book"  # the fouls that follow from a rule, whatever the book
MAX_SECTIONS = 10  # a foul's code has one digit for its section


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A foul of a file, before a rule set fills it in.

    It is listed where the rules have the values of `where`, and no foul `unless` is listed. `like` is the foul whose
    penalty it has.
    """

    foul: Foul
    penalty: Penalty
    where: Mapping[str, Any]
    unless: str = ""
    like: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoulFile:
    """A file of fouls as it is written, with what it takes over."""

    title: str
    source: str
    beside: str
    derived: str
    under: str
    rows: Mapping[str, Row]


def catalogue_keys() -> list[str]:
    """List the keys of the books with fouls, sorted.

    >>> 'ema-2025' in catalogue_keys()
    True
    """
    return sorted({path.stem for path in FOULS.glob("*.toml")} & set(book_keys()))


def catalogue(rules: Ruleset | str) -> Catalogue:
    """Return the fouls that a rule set, or the book with this key, has; empty for a book without fouls.

    The rule set says what a chombo and lateness cost, and which fouls there are. Raises FoulError for an invalid file.

    >>> catalogue('ema-2025').penalties['noten_riichi'].cases[0].points
    20000
    """
    if isinstance(rules, Ruleset):
        return _filled(rules) if rules.key in catalogue_keys() else Catalogue(key=rules.key)
    return _filled(load(rules)) if rules in catalogue_keys() else Catalogue(key=rules)


@functools.lru_cache(maxsize=64)
def _filled(rules: Ruleset) -> Catalogue:
    """Return a catalogue with this rule set's values, and the official column with its own book's."""
    file = _read(rules.key)
    rows = [row for row in file.rows.values() if is_listed(row.where, rules)]
    rows += _of_every_book(rules, rows)
    penalties = {row.foul.key: _with_rules(row.penalty, rules) for row in rows}
    likes = {row.foul.key: penalties[row.like].cases for row in rows if row.like}
    penalties |= {key: dataclasses.replace(penalties[key], cases=cases) for key, cases in likes.items()}
    return Catalogue(
        key=rules.key,
        title=file.title,
        source=file.source,
        beside=file.beside,
        derived=file.derived,
        under=file.under,
        fouls=tuple(dataclasses.replace(row.foul, what=_printed_cases(row.foul.what, rules)) for row in rows),
        penalties=types.MappingProxyType(penalties),
        official=catalogue(file.beside).penalties if file.beside else {},
    )


def _of_every_book(rules: Ruleset, listed: list[Row]) -> list[Row]:
    """Return the fouls that follow from a rule and that the book does not list itself, in its last section."""
    section = min(max(row.foul.section for row in listed) + 1, MAX_SECTIONS)
    titles, known = {row.foul.section: row.foul.section_title for row in listed}, {row.foul.key for row in listed}
    found = [row for row in _read(EVERY_BOOK).rows.values() if is_listed(row.where, rules)]
    return [
        dataclasses.replace(row, foul=dataclasses.replace(row.foul, section=section, section_title=title))
        for row in found
        if not {row.foul.key, row.unless} & known
        for title in [titles.get(section, row.foul.section_title)]
    ]


def is_listed(where: Mapping[str, Any], rules: Ruleset) -> bool:
    """Return whether the rules have these values; true and false stand for any number but 0, and for 0."""
    values = ((getattr(rules, name), wanted) for name, wanted in where.items())
    return all((bool(value) if isinstance(wanted, bool) else value) == wanted for value, wanted in values)


def _with_rules(penalty: Penalty, rules: Ruleset) -> Penalty:
    """Return a penalty with the numbers and words that the rule set states."""
    cases = tuple(
        dataclasses.replace(
            case, when=_printed_cases(case.when, rules), **{name: getattr(rules, rule) for name, rule in case.taken}
        )
        for case in penalty.cases
    )
    return dataclasses.replace(penalty, cases=cases, note=_printed_cases(penalty.note, rules))


def _printed_cases(text: str, rules: Ruleset) -> str:
    return text.format_map(rules.as_json()) if "{" in text else text


@functools.cache
def _read(key: str) -> FoulFile:
    return read_fouls(FOULS / f"{key}.toml")


def read_fouls(path: Path) -> FoulFile:
    """Read one file of fouls; a chombo without an amount gets 0 points and `event_chombo`.

    Raises FoulError with file and foul for anything unknown, missing or ill-typed.
    """
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise FoulError(f"{path.name}: not readable as TOML: {error}") from error
    head = check_fields(data, _HEAD, path.name, needed=("title", "source", "clause"))
    under = head.get("beside") or head.get("extends")
    base = read_fouls(path.with_name(f"{under}.toml")).rows if under else {}
    rows = _column(head, base, path.name) if "beside" in head else _changed(head, base, path.name)
    last = max((row.foul.section for row in base.values()), default=0)
    for cell in head.get("foul", []):
        row = _row(cell, head, last, path.name)
        if row.foul.key in rows:
            raise FoulError(f"{path.name}: foul '{row.foul.key}' stands there twice")
        rows[row.foul.key] = row
    return FoulFile(
        title=head["title"],
        source=head["source"],
        beside=head.get("beside", ""),
        derived=head.get("derived", ""),
        under=head.get("beside", "") or ("" if "derived" in head else head.get("extends", "")),
        rows=types.MappingProxyType(_noted(rows, head.get("note", {}), path.name)),
    )


_Known = Mapping[str, type | tuple[type, ...]]
_NUMBER = (int, str)  # a number, or "@RULE" for that of the rule set
_TEXTS = dict.fromkeys(("title", "source", "clause", "beside", "extends", "derived"), str)
_HEAD: _Known = {**_TEXTS, "sections": list, "foul": list, "penalty": dict, "note": dict, "leave_out": list}
_REPEAT: _Known = {"does": list, "points": int, "from": int}
_CASE: _Known = {
    **dict.fromkeys(("key", "when", "per"), str),
    **dict.fromkeys(("points", "units"), _NUMBER),
    "most": int,
    "does": list,
    "each_player": bool,
    "repeated": dict,
}
_PENALTY: _Known = {"clause": str, "note": str, "ours": str, "bracketed": bool, "cases": list}
_FOUL: _Known = {
    **dict.fromkeys(("key", "what", "words", "chapter", "like", "unless"), str),
    "section": int,
    "where": dict,
}


def check_fields(cell: Any, known: _Known, where: str, needed: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a TOML table after checking that its keys are known, rightly typed and not empty."""
    if not isinstance(cell, dict):
        raise FoulError(f"{where}: must be a table, not {cell!r}")
    for name in needed:
        if name not in cell:
            raise FoulError(f"{where}: key '{name}' is missing")
    for name, value in cell.items():
        if name not in known:
            raise FoulError(f"{where}: unknown key '{name}'")
        kinds = known[name]
        kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        if type(value) not in kinds or value in ("", []):
            raise FoulError(f"{where}: key '{name}' must be of type {kinds[0].__name__} and not empty")
        for text in _texts(value):
            _check_text(text, where)
    return cell


def _texts(value: Any) -> Iterator[str]:
    return (text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))


def _check_text(text: str, where: str) -> None:
    """Refuse a text that names a rule which is none."""
    try:
        named = [name for _text, name, _format, _kind in string.Formatter().parse(text) if name is not None]
    except ValueError as error:
        raise FoulError(f"{where}: “{text}” is not readable: {error}") from error
    for name in named:
        _check_rule(name, where)


def _check_rule(name: str, where: str, kind: type | None = None) -> None:
    if name not in {field.name for field in rule_fields()} or kind not in (None, FIELD_TYPES[name]):
        raise FoulError(f"{where}: there is no such rule{' with a number' if kind else ''}: '{name}'")


def _row(cell: Any, head: Mapping[str, Any], last: int, source: str) -> Row:
    """Read one [[foul]] row: the foul and its penalty; `last` is the last section of what the file extends."""
    where = f"{source}: foul '{cell.get('key', '?') if isinstance(cell, dict) else cell}'"
    known = {**{name: kind for name, kind in _CASE.items() if name != "key"}, **_PENALTY, **_FOUL}
    cell = check_fields(cell, known, where, needed=("key", "section", "what", "words"))
    sections = head.get("sections", [])
    if not 1 <= cell["section"] <= len(sections):
        raise FoulError(f"{where}: there is no section {cell['section']}")
    if ("chapter" in cell) == ("clause" in cell):
        raise FoulError(f"{where}: says its chapter or its clause, one of the two")
    foul = Foul(
        key=cell["key"],
        section=cell["section"] + last,
        section_title=sections[cell["section"] - 1],
        what=cell["what"],
        words=cell["words"],
    )
    clause = cell["clause"] if "clause" in cell else f"{head['clause']} {cell['chapter']}"
    like = cell.get("like", "")
    said = {name: value for name, value in cell.items() if name not in _FOUL}
    penalty = _penalty({**said, "does": ["nothing"]} if like else said, clause, "", where)
    conditions = _conditions(cell.get("where", {}), where)
    return Row(foul=foul, penalty=penalty, where=conditions, unless=cell.get("unless", ""), like=like)


def _conditions(cell: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    for name, wanted in cell.items():
        _check_rule(name, where)
        choices = typing.get_args(FIELD_TYPES[name])
        if not isinstance(wanted, bool) and wanted not in choices:
            raise FoulError(
                f"{where}: '{name}' is true, false or one of {', '.join(map(str, choices))}, not {wanted!r}"
            )
    return types.MappingProxyType(dict(cell))


def _column(head: Mapping[str, Any], base: Mapping[str, Row], source: str) -> dict[str, Row]:
    """Read the [penalty] table of a list that prices every foul of `base`, in the order of `base`."""
    stated = head.get("penalty", {})
    odd = sorted(set(stated) ^ set(base))
    if odd:
        raise FoulError(
            f"{source}: states a penalty for each foul of the list beside it and no other; see {', '.join(odd)}"
        )
    column = {}
    for key, row in base.items():
        where = f"{source}: foul '{key}'"
        cell = check_fields(stated[key], {**_CASE, **_PENALTY}, where)
        penalty = _penalty(cell, f"{head['clause']}, {row.penalty.clause}", row.penalty.note, where)
        column[key] = dataclasses.replace(row, penalty=penalty)
    return column


def _changed(head: Mapping[str, Any], base: Mapping[str, Row], source: str) -> dict[str, Row]:
    """Return the fouls that a list takes over, without those left out and with the penalties that it changes."""
    left_out, changes = head.get("leave_out", []), head.get("penalty", {})
    for key in [*left_out, *changes]:
        if key not in base:
            raise FoulError(f"{source}: takes over no foul '{key}'")
    rows = {key: row for key, row in base.items() if key not in left_out}
    for key, row in rows.items():
        penalty = row.penalty
        if "derived" in head and not penalty.clause.startswith(_AS):
            penalty = dataclasses.replace(penalty, clause=f"{_AS}{penalty.clause}")
        if key in changes:
            penalty = _change(changes[key], penalty, f"{source}: foul '{key}'")
        rows[key] = dataclasses.replace(row, penalty=penalty)
    return rows


_AS = "as "  # before the clause of another book


def _change(cell: Any, before: Penalty, where: str) -> Penalty:
    """Read a changed penalty; what it does not say stays as it was."""
    cell = check_fields(cell, {**_CASE, **_PENALTY}, where)
    if set(cell) <= set(_PENALTY) - {"cases"}:
        return dataclasses.replace(before, **cell)
    return _penalty(cell, cell.get("clause", before.clause), before.note, where)


def _noted(rows: dict[str, Row], notes: Mapping[str, Any], source: str) -> dict[str, Row]:
    """Append the notes of a list that extends another one."""
    for key, note in notes.items():
        if key not in rows or not isinstance(note, str):
            raise FoulError(f"{source}: the note on '{key}' belongs to no foul or is no text")
        _check_text(note, f"{source}: foul '{key}'")
        penalty = rows[key].penalty
        noted = dataclasses.replace(penalty, note=f"{penalty.note} {note}".strip())
        rows[key] = dataclasses.replace(rows[key], penalty=noted)
    return rows


def _penalty(cell: Mapping[str, Any], clause: str, note: str, where: str) -> Penalty:
    single = {name: value for name, value in cell.items() if name not in _PENALTY}
    if ("cases" in cell) == bool(single):
        raise FoulError(f"{where}: says what the table does, or lists cases, one of the two")
    cases = tuple(_case(case, where) for case in cell.get("cases", [single]))
    if len(cases) > 1 and len({case.key for case in cases} - {""}) < len(cases):
        raise FoulError(f"{where}: each case needs a key of its own")
    texts = {name: cell[name] for name in ("ours", "bracketed") if name in cell}
    return Penalty(cases=cases, clause=clause, note=cell.get("note", note), **texts)


def _case(cell: Any, where: str) -> Case:
    cell = dict(check_fields(cell, _CASE, where, needed=("does",)))
    acts = _acts(cell.pop("does"), where)
    repeat = cell.pop("repeated", None)
    if cell.get("per", "minute") != "minute":
        raise FoulError(f"{where}: points are taken once, or 'per' minute, not {cell['per']!r}")
    event_chombo = "chombo" in acts and "points" not in cell
    taken = {
        name: _rule_named(cell.pop(name), where) for name in ("points", "units") if isinstance(cell.get(name), str)
    }
    _check_amount(acts, {**cell, **dict.fromkeys(taken, 0)}, where)
    if event_chombo:
        taken["points"] = "chombo_points"
    return Case(
        acts=acts, event_chombo=event_chombo, taken=tuple(taken.items()), repeated=_repeat(repeat, where), **cell
    )


def _rule_named(text: str, where: str) -> str:
    """Read `@RULE`, which takes a number from the rule set."""
    if not text.startswith("@"):
        raise FoulError(f"{where}: a number, or '@' and the name of a rule, not {text!r}")
    _check_rule(text[1:], where, int)
    return text[1:]


def _repeat(cell: Any, where: str) -> Repeat | None:
    if cell is None:
        return None
    cell = check_fields(cell, _REPEAT, where, needed=("does", "from"))
    acts = _acts(cell["does"], where)
    _check_amount(acts, cell, where)
    return Repeat(acts=acts, points=cell.get("points", 0), times=cell["from"])


def _check_amount(acts: tuple[Act, ...], cell: Mapping[str, Any], where: str) -> None:
    """Refuse an amount without an act for it, an act without its amount, amounts < 0 and `most` < `points`."""
    if "points" in cell and not TAKES & set(acts):
        raise FoulError(f"{where}: has an amount and no act that takes it")
    if "points" in acts and "points" not in cell and "referee" not in acts:
        raise FoulError(f"{where}: takes points and does not say how many")
    points = cell.get("points", 0)
    if points < 0 or cell.get("most", points) < points:
        raise FoulError(f"{where}: {points} to {cell.get('most', points)} points cannot be")


def _acts(names: list[Any], where: str) -> tuple[Act, ...]:
    """Return the acts of a case in the order of ACTS."""
    if any(name not in ACTS for name in names) or len(set(names)) < len(names):
        raise FoulError(f"{where}: acts are {', '.join(ACTS)}, each once, not {names!r}")
    if len(names) > 1 and {"nothing", "legal"} & set(names):
        raise FoulError(f"{where}: nothing is done and yet something: {names!r}")
    return tuple(act for act in ACTS if act in names)
