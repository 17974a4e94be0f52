"""The form of a draw's wishes: read it as `DrawWishes` and problems by line, and write them back as the same texts.

A line names players by number, by name, or by both.
"""

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.problems import Problem, ProblemType, printable_excerpt
from tournament.events.models import Event
from tournament.seating.messages import PRESETS, say_cost, say_rounds, say_way, say_wish
from tournament.seating.plan import ALWAYS, PLAIN, DrawWishes, Entrant, groups_by, whole_order
from tournament.seating.search.draw import UnevenOption, UnevenSeating, options_for
from tournament.seating.search.schedule import SeatingError

WISH_LINE_UNREADABLE = ProblemType("wish.line_unreadable", "{what}, line {line}: “{value}” cannot be read. {wanted}")
WISH_NOBODY_CALLED = ProblemType("wish.nobody_called", "{what}, line {line}: nobody here is called “{value}”.")
WISH_SEVERAL_CALLED = ProblemType(
    "wish.several_called", "{what}, line {line}: “{value}” could be several players; give the number."
)
WISH_OTHER_NAME = ProblemType("wish.other_name", "{what}, line {line}: number {number} is {name}, not “{value}”.")
WISH_ONE_ALONE = ProblemType("wish.one_alone", "{what}, line {line}: only one player; a group has two or more.")

MAX_TEXT: Final = 20_000
MAX_LINES: Final = 1000
MAX_SHOWN: Final = 60
PICKS: Final = 4  # players that one press of "Add" can put into a line
TEXTS: Final = ("families", "together", "fixed", "rooms", "seeds")
UNTIL: Final = {"clubs": "clubs", "countries": "countries", "families": "families_until"}
PICKED: Final = {"families": PICKS, "together": PICKS, "fixed": 1, "seeds": 1}
GROUPED: Final = {"clubs": "club", "countries": "country"}
OPEN_TO_ALL: Final = frozenset({"repeats", "winds", "tables"})  # wishes that every draw has
_PARTS: Final = re.compile(r"[,;、，；]")
_NUMBERED: Final = re.compile(r"(?:no\.?\s*|#)?(\d{1,6})(?:[\s.:)]+(.*))?", re.IGNORECASE)
_ROUND: Final = re.compile(r"\D*(\d{1,4})\s*[:：]\s*(.+)")
_ROOM: Final = re.compile(r"(\d{1,6})(?:\s*[-–—]\s*(\d{1,6}))?\s*[:：]?\s*(.*)")


@dataclass(frozen=True, slots=True)
class DrawForm:
    """The form's fields as typed; `clubs`, `countries` and `families_until` as in `DrawWishes`."""

    order: tuple[str, ...] = PLAIN.order
    clubs: int = 0
    countries: int = 0
    families: str = ""
    families_until: int = ALWAYS
    together: str = ""
    fixed: str = ""
    rooms: str = ""
    seeds: str = ""
    shared: str = ""
    seed: str = ""
    way: str = UnevenSeating.FULL.value


def read_seed(text: str) -> int:
    """Read a seed as it is typed; -1 for anything but a number of at most ten digits."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 10 else -1


def new_seed() -> str:
    """Return a random seed of six digits, as forms offer it."""
    return str(secrets.randbelow(900_000) + 100_000)


def read_form(data: QueryDict) -> DrawForm:
    """Read a posted form."""
    texts = {name: data.get(name, "")[:MAX_TEXT] for name in TEXTS}
    return DrawForm(
        order=whole_order(data.getlist("order")),
        clubs=_until(data.get("clubs", "")),
        countries=_until(data.get("countries", "")),
        families_until=_until(data.get("families_until", "")) or ALWAYS,
        shared=data.get("shared", "").strip()[:6],
        seed=data.get("seed", "").strip()[:12],
        way=data.get("way", UnevenSeating.FULL.value)[:20],
        **texts,
    )


def form_of(
    asked: DrawWishes, names: Mapping[int, str], *, seed: str = "", way: str = UnevenSeating.FULL.value
) -> DrawForm:
    """Return the form that asks for these wishes."""

    def group(players: Sequence[int]) -> str:
        return ", ".join(_labelled(number, names) for number in players)

    return DrawForm(
        order=asked.order,
        clubs=asked.clubs,
        countries=asked.countries,
        families="\n".join(group(players) for players in asked.families),
        families_until=asked.families_until,
        together="\n".join(f"{number}: {group(players)}" for number, players in asked.together),
        fixed="\n".join(f"{_labelled(player, names)}: {table}" for player, table in asked.fixed),
        rooms="\n".join(f"{first}–{last} {name}".strip() for first, last, name in asked.rooms),
        seeds=", ".join(map(str, asked.seeds)),
        shared=str(asked.shared) if asked.shared else "",
        seed=seed,
        way=way,
    )


def with_line(form: DrawForm, key: str, data: QueryDict) -> DrawForm:
    """Return the form with the players picked for a wish added as a line of its text."""
    picks = [pick for at in range(PICKS) if (pick := data.get(f"{key}_pick_{at}", "").strip()[:80])]
    number = data.get(f"{key}_number", "").strip()[:6]
    if not picks:
        return form
    if key == "seeds":
        text = ", ".join(
            part for part in (form.seeds.strip().rstrip(","), *(pick.split()[0] for pick in picks)) if part
        )
        return replace(form, seeds=text)
    people = ", ".join(picks)
    if key == "families":
        return replace(form, families=_longer(form.families, people))
    if key == "together":
        return replace(form, together=_longer(form.together, f"{number}: {people}"))
    return replace(form, fixed=_longer(form.fixed, f"{people}: {number}")) if key == "fixed" else form


def _longer(text: str, line: str) -> str:
    return f"{text.rstrip()}\n{line}".lstrip("\n")


def asked_by(form: DrawForm, names: Mapping[int, str]) -> tuple[DrawWishes, list[Problem]]:
    """Return the wishes of a form, and a problem for each line that is unreadable."""
    reader = _Reader(names, [])
    asked = DrawWishes(
        order=form.order,
        clubs=form.clubs,
        countries=form.countries,
        families=tuple(reader.families(form.families)),
        families_until=form.families_until,
        together=tuple(reader.together(form.together)),
        fixed=tuple(reader.fixed(form.fixed)),
        rooms=tuple(reader.rooms(form.rooms)),
        seeds=tuple(reader.seeds(form.seeds)),
        shared=reader.shared(form.shared),
    )
    return asked, reader.problems


@dataclass(frozen=True, slots=True)
class _At:
    """A line of the form, as problems name it."""

    key: str
    line: int

    @property
    def what(self) -> str:
        return say_wish(self.key)


@dataclass(frozen=True, slots=True)
class _Reader:
    names: Mapping[int, str]
    problems: list[Problem]

    def families(self, text: str) -> Iterator[tuple[int, ...]]:
        for at, line in _lines("families", text):
            group = self._group(at, line)
            if group:
                yield group

    def together(self, text: str) -> Iterator[tuple[int, tuple[int, ...]]]:
        for at, line in _lines("together", text):
            found = _ROUND.fullmatch(line)
            group = self._group(at, found[2]) if found else ()
            if found and group:
                yield int(found[1]), group
            elif not found:
                self._unreadable(at, line, _("Write the round, a colon and the players: 1: 3, 17"))

    def fixed(self, text: str) -> Iterator[tuple[int, int]]:
        for at, line in _lines("fixed", text):
            who, _colon, table = line.replace("：", ":").rpartition(":")
            table = re.sub(r"\D", "", table) if re.search(r"\d{1,6}", table) else ""
            if not who or not table or len(table) > 6:
                self._unreadable(at, line, _("Write the player, a colon and the table: 12: 3"))
                continue
            player = self._player(at, who.strip())
            if player:
                yield player, int(table)

    def rooms(self, text: str) -> Iterator[tuple[int, int, str]]:
        for at, line in _lines("rooms", text):
            found = _ROOM.fullmatch(line)
            if found:
                yield int(found[1]), int(found[2] or found[1]), found[3].strip()[:40]
            else:
                self._unreadable(at, line, _("Write the tables and the room: 1–8 Main hall"))

    def seeds(self, text: str) -> Iterator[int]:
        """Yield each player once; a list of bare numbers may have any separators."""
        bare = re.fullmatch(r"[\d\s,;.、]*", text)
        parts = re.findall(r"\d+", text) if bare else [part for part in re.split(r"[,;、\n]", text) if part.strip()]
        seen: set[int] = set()
        for line, part in enumerate(parts[:MAX_LINES], start=1):
            player = int(part[:6]) if bare else self._player(_At("seeds", line), part.strip())
            if player and player not in seen:
                seen.add(player)
                yield player

    def shared(self, text: str) -> int:
        if not text or (text.isascii() and text.isdigit()):
            return int(text or 0)
        self._unreadable(_At("indirect", 1), text, _("Write a number from 0 to 9."))
        return 0

    def _group(self, at: _At, text: str) -> tuple[int, ...]:
        parts = [part.strip() for part in _PARTS.split(text) if part.strip()]
        found = [self._player(at, part) for part in parts]
        players = tuple(dict.fromkeys(player for player in found if player))
        if len(players) > 1:
            return players
        if all(found):
            self.problems.append(WISH_ONE_ALONE(what=at.what, line=at.line))
        return ()

    def _player(self, at: _At, text: str) -> int:
        """Return a player's number; 0 and a problem unless exactly one player fits."""
        whole = [number for number, name in self.names.items() if _plain(name) == _plain(text)]
        if len(whole) == 1:
            return whole[0]
        numbered = _NUMBERED.fullmatch(text)
        if numbered and not whole:
            return self._numbered(at, int(numbered[1]), (numbered[2] or "").strip())
        found = whole or [number for number, name in self.names.items() if _plain(text) in _plain(name)]
        if len(found) != 1:
            value = printable_excerpt(text, MAX_SHOWN)
            if found:
                self.problems.append(WISH_SEVERAL_CALLED(what=at.what, line=at.line, value=value))
            else:
                self.problems.append(WISH_NOBODY_CALLED(what=at.what, line=at.line, value=value))
            return 0
        return found[0]

    def _numbered(self, at: _At, number: int, name: str) -> int:
        there = self.names.get(number)
        if there is not None and name and _plain(name) not in _plain(there):
            value = printable_excerpt(name, MAX_SHOWN)
            self.problems.append(WISH_OTHER_NAME(what=at.what, line=at.line, value=value, number=number, name=there))
            return 0
        return number

    def _unreadable(self, at: _At, value: str, wanted: str) -> None:
        self.problems.append(
            WISH_LINE_UNREADABLE(what=at.what, line=at.line, value=printable_excerpt(value, MAX_SHOWN), wanted=wanted)
        )


def _lines(key: str, text: str) -> Iterator[tuple[_At, str]]:
    for number, line in enumerate(text.splitlines()[:MAX_LINES], start=1):
        if line.strip():
            yield _At(key, number), line.strip()


def _labelled(number: int, names: Mapping[int, str]) -> str:
    """Return number and name as a line has them, without the signs that separate players."""
    name = re.sub(r"[,;:、，；：]+", " ", names.get(number, ""))
    return f"{number} {' '.join(name.split())}".strip()


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[,;:、，；：]+", " ", name).casefold().split())


def _until(text: str) -> int:
    if text == "always":
        return ALWAYS
    return int(text[:4]) if text.isascii() and text.isdigit() else 0


# ---------------------------------------------------------------- the form as it is shown


def wishes_context(
    event: Event, form: DrawForm, entrants: Sequence[Entrant], names: Mapping[int, str], asked: DrawWishes
) -> dict[str, Any]:
    """Return the context of seating/seating.html#wishes, wishes in the organiser's order."""
    options = _options(len(entrants), event)
    return {
        "form": form,
        "wishes": [_item(key, form, event, entrants, asked) for key in form.order],
        "presets": list(PRESETS.items()),
        "ways": [(option, say_way(option), say_cost(option)) for option in options if option.way != UnevenSeating.FULL],
        "odd": bool(options) and options[0].way != UnevenSeating.FULL,
        "people": sorted(names.items()),
        "wishes_used": sorted(asked.used),
    }


def _options(players: int, event: Event) -> Sequence[UnevenOption]:
    try:
        return options_for(players, event.ruleset.players, event.rounds_planned)
    except SeatingError:
        return ()


def _item(key: str, form: DrawForm, event: Event, entrants: Sequence[Entrant], asked: DrawWishes) -> dict[str, Any]:
    until, text = UNTIL.get(key), getattr(form, key) if key in TEXTS else None
    return {
        "key": key,
        "name": say_wish(key),
        "always": key in OPEN_TO_ALL,
        "used": key in asked.used or bool(text and text.strip()),
        "text": text,
        "until_name": until,
        "rounds": _rounds(getattr(form, until), event.rounds_planned, key) if until else [],
        "groups": len(groups_by(entrants, GROUPED[key])) if key in GROUPED else None,
        "picks": range(PICKED.get(key, 0)),
        "numbered": {"together": _("Round"), "fixed": _("Table")}.get(key, ""),
    }


def _rounds(chosen: int, rounds: int, key: str) -> list[tuple[str | int, str, bool]]:
    """Return value, words and whether it is chosen, for each choice of the rounds in which a wish holds."""
    choices: list[tuple[str | int, str, bool]] = [] if key == "families" else [("", _("ignore"), chosen == 0)]
    choices.append(("always", say_rounds(ALWAYS), chosen == ALWAYS))
    return choices + [(value, say_rounds(value), value == chosen) for value in range(1, rounds)]
