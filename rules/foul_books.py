"""Load the catalogues of fouls from `rules/books/fouls/KEY.toml`, strictly.

A chombo without an amount in the book costs what a chombo costs in the event.
"""

import dataclasses
import functools
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rules.books import load
from rules.fouls import ACTS, TAKES, Act, Case, Catalogue, Foul, FoulError, Penalty, Repeat

FOULS = Path(__file__).parent / "books" / "fouls"


def catalogue_keys() -> list[str]:
    """List the keys of the books with fouls, sorted.

    >>> 'ema-2025' in catalogue_keys()
    True
    """
    return sorted(path.stem for path in FOULS.glob("*.toml"))


def catalogue(key: str, *, chombo_points: int | None = None) -> Catalogue:
    """Return the fouls of a rule set by key, empty for a book without fouls.

    `chombo_points`: cost of a chombo without an amount of its own; None for the rule set's value.
    Raises FoulError for an invalid file.

    >>> catalogue('ema-2025').penalties['noten_riichi'].cases[0].points
    20000
    >>> catalogue('tenhou-yonma').fouls
    ()
    """
    if key not in catalogue_keys():
        return Catalogue(key=key)
    return _filled(key, load(key).chombo_points if chombo_points is None else chombo_points)


@functools.lru_cache(maxsize=64)
def _filled(key: str, chombo_points: int) -> Catalogue:
    """Return a catalogue with the event's chombo filled in, and the official column with its own book's chombo."""
    read = _read(key)
    official = catalogue(read.beside).penalties if read.beside else read.official
    penalties = {name: _with_chombo(penalty, chombo_points) for name, penalty in read.penalties.items()}
    return dataclasses.replace(read, penalties=types.MappingProxyType(penalties), official=official)


def _with_chombo(penalty: Penalty, points: int) -> Penalty:
    cases = (dataclasses.replace(case, points=points) if case.event_chombo else case for case in penalty.cases)
    return dataclasses.replace(penalty, cases=tuple(cases))


@functools.cache
def _read(key: str) -> Catalogue:
    return read_catalogue(FOULS / f"{key}.toml")


def read_catalogue(path: Path) -> Catalogue:
    """Read one file of fouls; a chombo without an amount gets 0 points and `event_chombo`.

    Raises FoulError with file and foul for anything unknown, missing or ill-typed.
    """
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise FoulError(f"{path.name}: not readable as TOML: {error}") from error
    head = _fields(data, _HEAD, path.name, needed=("title", "source", "clause"))
    under = head.get("beside") or head.get("extends")
    base = read_catalogue(path.with_name(f"{under}.toml")) if under else Catalogue(key="")
    fouls, penalties = list(base.fouls), {} if "beside" in head else dict(base.penalties)
    for row in head.get("foul", []):
        foul, penalty = _row(row, head, base, path.name)
        if foul.key in (known.key for known in fouls):
            raise FoulError(f"{path.name}: foul '{foul.key}' stands there twice")
        fouls.append(foul)
        penalties[foul.key] = penalty
    if "beside" in head:
        penalties = _column(head, base, path.name)
    return Catalogue(
        key=path.stem,
        title=head["title"],
        source=head["source"],
        beside=head.get("beside", ""),
        under=under or "",
        fouls=tuple(fouls),
        penalties=types.MappingProxyType(_noted(penalties, head.get("note", {}), path.name)),
    )


_TEXTS = dict.fromkeys(("title", "source", "clause", "beside", "extends"), str)
_HEAD = {**_TEXTS, "sections": list, "foul": list, "penalty": dict, "note": dict}
_REPEAT = {"does": list, "points": int, "from": int}
_CASE = {
    **dict.fromkeys(("key", "when", "per"), str),
    **dict.fromkeys(("points", "most", "units"), int),
    "does": list,
    "each_player": bool,
    "repeated": dict,
}
_PENALTY = {"clause": str, "note": str, "ours": str, "bracketed": bool, "cases": list}
_FOUL = {"key": str, "section": int, "row": int, "what": str, "words": str, "chapter": str}


def _fields(cell: Any, known: Mapping[str, type], where: str, needed: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a TOML table after checking that its keys are known, rightly typed and not empty."""
    if not isinstance(cell, dict):
        raise FoulError(f"{where}: must be a table, not {cell!r}")
    for name in needed:
        if name not in cell:
            raise FoulError(f"{where}: key '{name}' is missing")
    for name, value in cell.items():
        if name not in known:
            raise FoulError(f"{where}: unknown key '{name}'")
        if type(value) is not known[name] or value in ("", []):
            raise FoulError(f"{where}: key '{name}' must be of type {known[name].__name__} and not empty")
    return cell


def _row(cell: Any, head: Mapping[str, Any], base: Catalogue, source: str) -> tuple[Foul, Penalty]:
    """Read one [[foul]] row: the foul and its penalty."""
    where = f"{source}: foul '{cell.get('key', '?') if isinstance(cell, dict) else cell}'"
    case_known = {name: kind for name, kind in _CASE.items() if name != "key"}
    needed = ("key", "section", "row", "what", "words")
    cell = _fields(cell, {**case_known, **_PENALTY, **_FOUL}, where, needed=needed)
    sections = head.get("sections", [])
    if not 1 <= cell["section"] <= len(sections):
        raise FoulError(f"{where}: there is no section {cell['section']}")
    foul = Foul(
        key=cell["key"],
        section=cell["section"] + max((foul.section for foul in base.fouls), default=0),
        section_title=sections[cell["section"] - 1],
        row=cell["row"],
        what=cell["what"],
        words=cell["words"],
    )
    if ("chapter" in cell) == ("clause" in cell):
        raise FoulError(f"{where}: says its chapter or its clause, one of the two")
    clause = cell["clause"] if "clause" in cell else f"{head['clause']} {cell['chapter']}"
    return foul, _penalty({name: cell[name] for name in cell if name not in _FOUL}, clause, "", where)


def _column(head: Mapping[str, Any], base: Catalogue, source: str) -> dict[str, Penalty]:
    """Read the [penalty] table of a list that prices every foul of `base`, in the order of `base`."""
    stated = head.get("penalty", {})
    odd = sorted(set(stated) ^ set(base.penalties))
    if odd:
        raise FoulError(f"{source}: states a penalty for each foul of '{base.key}' and no other; see {', '.join(odd)}")
    column = {}
    for key, official in base.penalties.items():
        where = f"{source}: foul '{key}'"
        cell = _fields(stated[key], {**_CASE, **_PENALTY}, where)
        column[key] = _penalty(cell, f"{head['clause']}, {official.clause}", official.note, where)
    return column


def _noted(penalties: dict[str, Penalty], notes: Mapping[str, Any], source: str) -> dict[str, Penalty]:
    """Append the notes of a list that extends another one."""
    for key, note in notes.items():
        if key not in penalties or not isinstance(note, str):
            raise FoulError(f"{source}: the note on '{key}' belongs to no foul or is no text")
        penalties[key] = dataclasses.replace(penalties[key], note=f"{penalties[key].note} {note}".strip())
    return penalties


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
    cell = dict(_fields(cell, _CASE, where, needed=("does",)))
    acts = _acts(cell.pop("does"), where)
    repeat = cell.pop("repeated", None)
    if cell.get("per", "minute") != "minute":
        raise FoulError(f"{where}: points are taken once, or 'per' minute, not {cell['per']!r}")
    _check_amount(acts, cell, where)
    event_chombo = "chombo" in acts and "points" not in cell
    return Case(acts=acts, event_chombo=event_chombo, repeated=_repeat(repeat, where), **cell)


def _repeat(cell: Any, where: str) -> Repeat | None:
    if cell is None:
        return None
    cell = _fields(cell, _REPEAT, where, needed=("does", "from"))
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
