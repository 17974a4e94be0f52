"""The wishes of a draw as an organiser types them: texts in, `Asked` and problems out, and back to the same texts.

A line names players by number, by name, or by both; what cannot be read is said by line, and nothing typed is lost.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.problems import Problem, error, shown
from tournament.draws.wishes import ALWAYS, PLAIN, Asked, whole_order
from tournament.seating.uneven import Way
from web.words.draw import say_wish

MOST_TEXT: Final = 20_000
MOST_LINES: Final = 1000
MOST_SHOWN: Final = 60
PICKS: Final = 4  # players that one press of "Add" can put into a line
_PARTS: Final = re.compile(r"[,;、，；]")
_NUMBERED: Final = re.compile(r"(?:no\.?\s*|#)?(\d{1,6})(?:[\s.:)]+(.*))?", re.IGNORECASE)
_ROUND: Final = re.compile(r"\D*(\d{1,4})\s*[:：]\s*(.+)")
_ROOM: Final = re.compile(r"(\d{1,6})(?:\s*[-–—]\s*(\d{1,6}))?\s*[:：]?\s*(.*)")


@dataclass(frozen=True, slots=True)
class DrawForm:
    """What stands in the form, as texts; `clubs`, `countries` and `families_until` as `Asked` has them."""

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
    way: str = Way.FULL.value

    @property
    def seed_number(self) -> int:
        """The seed as a number, -1 for what is none."""
        text = self.seed.strip()
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 10 else -1


def read_form(data: QueryDict) -> DrawForm:
    """Return what a form says."""
    texts = {name: data.get(name, "")[:MOST_TEXT] for name in ("families", "together", "fixed", "rooms", "seeds")}
    return DrawForm(
        order=whole_order(data.getlist("order")),
        clubs=_until(data.get("clubs", "")),
        countries=_until(data.get("countries", "")),
        families_until=_until(data.get("families_until", "")) or ALWAYS,
        shared=data.get("shared", "").strip()[:6],
        seed=data.get("seed", "").strip()[:12],
        way=data.get("way", Way.FULL.value)[:20],
        **texts,
    )


def form_of(asked: Asked, names: Mapping[int, str], *, seed: str = "", way: str = Way.FULL.value) -> DrawForm:
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
    """Return the form with what was picked for a wish as one more line of its text."""
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


def asked_by(form: DrawForm, names: Mapping[int, str]) -> tuple[Asked, list[Problem]]:
    """Return the wishes of a form, and what of it cannot be read."""
    reader = _Reader(names, [])
    asked = Asked(
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
    """A line of the form, for what is said about it."""

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
        """Yield each player once, the first time; a list of bare numbers may be parted in any way."""
        bare = re.fullmatch(r"[\d\s,;.、]*", text)
        parts = re.findall(r"\d+", text) if bare else [part for part in re.split(r"[,;、\n]", text) if part.strip()]
        seen: set[int] = set()
        for line, part in enumerate(parts[:MOST_LINES], start=1):
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
            self.problems.append(error("wish.one_alone", what=at.what, line=at.line))
        return ()

    def _player(self, at: _At, text: str) -> int:
        """Return a player's number, 0 with a problem where nobody is meant for sure."""
        whole = [number for number, name in self.names.items() if _plain(name) == _plain(text)]
        if len(whole) == 1:
            return whole[0]
        numbered = _NUMBERED.fullmatch(text)
        if numbered and not whole:
            return self._numbered(at, int(numbered[1]), (numbered[2] or "").strip())
        found = whole or [number for number, name in self.names.items() if _plain(text) in _plain(name)]
        if len(found) != 1:
            value = shown(text, MOST_SHOWN)
            if found:
                self.problems.append(error("wish.several_called", what=at.what, line=at.line, value=value))
            else:
                self.problems.append(error("wish.nobody_called", what=at.what, line=at.line, value=value))
            return 0
        return found[0]

    def _numbered(self, at: _At, number: int, name: str) -> int:
        there = self.names.get(number)
        if there is not None and name and _plain(name) not in _plain(there):
            value = shown(name, MOST_SHOWN)
            self.problems.append(
                error("wish.other_name", what=at.what, line=at.line, value=value, number=number, name=there)
            )
            return 0
        return number

    def _unreadable(self, at: _At, value: str, wanted: str) -> None:
        self.problems.append(
            error("wish.line_unreadable", what=at.what, line=at.line, value=shown(value, MOST_SHOWN), wanted=wanted)
        )


def _lines(key: str, text: str) -> Iterator[tuple[_At, str]]:
    for number, line in enumerate(text.splitlines()[:MOST_LINES], start=1):
        if line.strip():
            yield _At(key, number), line.strip()


def _labelled(number: int, names: Mapping[int, str]) -> str:
    """Return number and name as they stand in a line, without what parts one player from the next."""
    name = re.sub(r"[,;:、，；：]+", " ", names.get(number, ""))
    return f"{number} {' '.join(name.split())}".strip()


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[,;:、，；：]+", " ", name).casefold().split())


def _until(text: str) -> int:
    if text == "always":
        return ALWAYS
    return int(text[:4]) if text.isascii() and text.isdigit() else 0
