"""The day's line: how far the round has come, what is missing, and what to press next, in words."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournament.calls.queries import OpenCall
from tournament.events.models import Event, Hold
from tournament.players.queries import Presence
from tournament.publication.queries import get_public_view
from tournament.rounds.messages import say_tables
from tournament.rounds.missing import MissingPlayer
from tournament.sheets.queries import WaitingSheet
from tournament.tables.models import Round
from tournament.tables.round_queries import RoundRow, Tile
from tournament.text.languages import join_and, join_spaced

MAX_NAMED = 8  # numbers and runs in one sentence; for more it says how many


@dataclass(frozen=True, slots=True)
class Day:
    """The state of the day: the event, its rounds, the shown one with its tables and open calls.

    `viewer` is the reader's uid, `typed` are the tables whose sheet one person has typed, `missing` who has a seat at
    an open table and is not here.
    """

    event: Event
    rounds: Sequence[RoundRow]
    shown: Round | None
    tiles: Sequence[Tile]
    presence: Presence
    calls: Mapping[int, OpenCall]
    viewer: str
    organiser: bool
    typed: Mapping[int, WaitingSheet] = field(default_factory=dict)
    missing: Sequence[MissingPlayer] = ()

    @property
    def full(self) -> bool:
        """Whether the players fill the tables, or seats are drawn."""
        return bool(self.rounds) or (self.presence.players > 0 and self.short == 0)

    @property
    def short(self) -> int:
        """How many players the last table lacks."""
        return -self.presence.players % self.event.ruleset.players

    @property
    def begun(self) -> bool:
        """Whether anybody plays: by the clock, or by a hand that is entered."""
        clock = self.shown is not None and self.shown.started_at is not None
        return clock or bool(self.typed) or any(tile.stage != "waiting" for tile in self.tiles)

    def at(self, *stages: str) -> list[int]:
        """List the tables at these stages."""
        return [tile.number for tile in self.tiles if self.stage_of(tile) in stages]

    def stage_of(self, tile: Tile) -> str:
        """Return a table's stage; sent back ("back"), typed once ("second") and typed differently ("differs") count."""
        waiting = self.typed.get(tile.number)
        if waiting is not None and not tile.sent_back:
            return "differs" if waiting.differs else "second"
        return "back" if tile.sent_back else tile.stage

    @property
    def not_ready(self) -> list[int]:
        """List the tables that are not ticked as ready."""
        return [tile.number for tile in self.tiles if not tile.ready]

    @property
    def unconfirmed(self) -> list[int]:
        """List the signed tables that wait for a second person; none where the event needs none."""
        return [t.number for t in self.tiles if t.stage == "signed" and not t.confirmed] if self.event.confirms else []

    @property
    def mine_to_confirm(self) -> list[int]:
        """List the unconfirmed tables that the reader may confirm."""
        waiting = set(self.unconfirmed)
        return [tile.number for tile in self.tiles if tile.number in waiting and tile.signed_by != self.viewer]

    @property
    def mine_to_type(self) -> list[int]:
        """List the tables whose sheet the reader should type: somebody else typed it, or two entries differ."""
        return sorted(n for n, each in self.typed.items() if each.differs or each.of(self.viewer) is None)

    @property
    def complete(self) -> bool:
        """Whether the round can be released."""
        return bool(self.tiles) and all(tile.stage == "signed" for tile in self.tiles) and not self.unconfirmed


def day_line(day: Day) -> list[dict[str, Any]]:
    """Return the steps from players to released: name, note, url ("" without one), and done, now, todo or blocked."""
    event, shown, tables = day.event, day.shown, len(day.tiles)
    signed, played = len(day.at("signed")), len(day.at("over", "signed"))
    ready = tables - len(day.not_ready)
    confirmed = signed - len(day.unconfirmed)
    published = bool(shown and shown.published_at)
    seating = reverse("desk:seating", args=[event.slug]) if day.organiser else ""
    drawn = ngettext("%(count)d round", "%(count)d rounds", len(day.rounds)) % {"count": len(day.rounds)}

    here, players = day.presence.here, day.presence.players
    here_note = _("%(here)d of %(all)d here") % {"here": here, "all": players} if here else str(players)
    if players and not day.full:
        here_note += " · " + _("%(count)d missing") % {"count": day.short}
    players_url = reverse("desk:check_in", args=[event.slug]) if players else ""
    if day.organiser:
        players_url = players_url or reverse("desk:players", args=[event.slug])

    def of_all(some: int) -> str:
        return _("%(some)d of %(all)d") % {"some": some, "all": tables} if tables else ""

    steps = [
        (_("Players"), day.full, here_note, players_url),
        (_("Seats drawn"), bool(day.rounds), drawn if day.rounds else "", seating),
        (_("Published"), published, "", seating),
        (_("Ready"), published and (day.begun or ready == tables > 0), of_all(ready) if ready else "", ""),
        (_("Playing"), bool(tables) and played == tables, "", ""),
        (_("Sheets in"), bool(tables) and signed == tables, of_all(signed), ""),
        (_("Confirmed"), day.complete, of_all(confirmed), ""),
        (_("Released"), bool(shown and shown.released_at), "", ""),
    ]
    if not event.confirms:
        del steps[6]
    now = next((index for index, step in enumerate(steps) if not step[1]), len(steps))
    states = ["done" if index < now else "now" if index == now else "todo" for index in range(len(steps))]
    if not day.full and day.presence.players:
        states[0] = "blocked"
    return [
        {"name": name, "note": note, "url": url, "state": state}
        for (name, _done, note, url), state in zip(steps, states, strict=True)
    ]


def missing_words(day: Day) -> str:
    """Say in one line what the round waits for."""
    shown = day.shown
    if shown is None:
        return _("No seats are drawn yet.")
    if shown.released_at:
        return _("Round %(number)d is released.") % {"number": shown.number}
    if shown.published_at is None:
        return _("The seats are drawn and not published yet.")
    if day.begun:
        words = join_spaced(_playing_parts(day))
    elif not day.not_ready:
        words = _("all tables are ready: the clock can start")
    elif len(day.not_ready) == len(day.tiles):
        words = _("no table is ready yet")
    else:
        words = _tables_say("not_ready", day.not_ready)
    if words:
        return pgettext("one sentence of several clauses", "%(clauses)s.") % {"clauses": words[0].upper() + words[1:]}
    if day.event.confirms:
        return _("All sheets are confirmed: the round can be released.")
    return _("All tables are signed: the round can be released.")


def next_acts(day: Day) -> list[dict[str, Any]]:
    """Return the buttons to press next, at most one of them `main`; those with `posts` are forms."""
    shown = day.shown
    slug = day.event.slug
    if shown is None and day.full and day.presence.here < day.presence.players:
        return [_act(_("Check players in"), reverse("desk:check_in", args=[slug]))]
    if shown is None:
        label, name = (_("Draw the seats"), "desk:seating") if day.full else (_("Players"), "desk:players")
        return [_act(label, reverse(name, args=[slug]))] if day.organiser else []
    if shown.released_at:
        return _after_release(day)
    if shown.published_at is None:
        return [_act(_("View the draw"), reverse("desk:seating", args=[slug]))] if day.organiser else []
    return [*_missing_acts(day, shown), *_start_acts(day, shown), *_sheet_acts(day, shown)]


# ---------------------------------------------------------------- what is missing


def _playing_parts(day: Day) -> list[str]:
    """Say what the tables of a round in play wait for."""
    waiting = day.at("waiting")
    none_yet = len(waiting) == len(day.tiles)
    return [
        _("no hand is entered yet: open a table") if none_yet else _tables_say("waiting", waiting),
        *(_tables_say(stage, day.at(stage)) for stage in ("playing", "over", "second", "differs", "back")),
        _tables_say("unconfirmed", day.unconfirmed),
        _tables_say("called", sorted(day.calls)),
    ]


def _tables_say(what: str, numbers: Sequence[int]) -> str:
    """Say what these tables do, as a clause; "" for no tables."""
    if not numbers:
        return ""
    runs = [
        str(first) if first == last else _("%(first)d to %(last)d") % {"first": first, "last": last}
        for first, last in _runs(numbers)
    ]
    return say_tables(what, len(numbers), join_and(runs) if len(runs) <= MAX_NAMED else "")


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Split numbers into runs of three or more without a gap, and single numbers.

    >>> _runs([1, 2, 4, 5, 6, 9])
    [(1, 1), (2, 2), (4, 6), (9, 9)]
    """
    found: list[tuple[int, int]] = []
    for _step, group in itertools.groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        run = [number for _index, number in group]
        found += [(run[0], run[-1])] if len(run) > 2 else [(number, number) for number in run]
    return found


# ---------------------------------------------------------------- the next act


def _act(
    label: str, url: str, *, main: bool = True, posts: bool = False, fields: Iterable[tuple[str, int]] = ()
) -> dict[str, Any]:
    return {"label": label, "url": url, "main": main, "posts": posts, "fields": list(fields)}


def _missing_acts(day: Day, shown: Round) -> list[dict[str, Any]]:
    count = len(day.missing)
    words = ngettext("%(count)d is not here", "%(count)d are not here", count) % {"count": count}
    return [_act(words, reverse("desk:missing", args=[day.event.slug, shown.number]), main=False)] if count else []


def _start_acts(day: Day, shown: Round) -> list[dict[str, Any]]:
    """Return the buttons before the clock starts; starting it is the main one when all tables are ready or none is."""
    if shown.started_at:
        return []
    address = [day.event.slug, shown.number]
    some = 0 < len(day.not_ready) < len(day.tiles)
    start = _act(
        _("Start the clock"), reverse("desk:start_round", args=address), posts=True, main=not (some or day.begun)
    )
    if day.begun:
        return [start]
    if not day.not_ready:
        ticked = [("not_ready", tile.number) for tile in day.tiles]
        words = _("Take all ready ticks back")
        return [start, _act(words, reverse("desk:ready", args=address), main=False, posts=True, fields=ticked)]
    ticks = [("ready", number) for number in day.not_ready]
    label = _("Mark the rest ready") if some else _("All tables are ready")
    return [_act(label, reverse("desk:ready", args=address), main=False, posts=True, fields=ticks), start]


def _sheet_acts(day: Day, shown: Round) -> list[dict[str, Any]]:
    slug = day.event.slug
    if day.complete:
        words = _("Release round %(number)d") % {"number": shown.number}
        return [_act(words, reverse("desk:release_round", args=[slug, shown.number]))] if day.organiser else []
    mine = day.mine_to_confirm
    if not mine and day.mine_to_type:
        number = day.mine_to_type[0]
        words = _("Type the sheet of table %(number)d") % {"number": number}
        return [_act(words, reverse("desk:totals", args=[slug, shown.number, number]))]
    if not mine:
        return []
    words = _("Confirm table %(number)d") % {"number": mine[0]}
    return [_act(words, reverse("desk:confirm", args=[slug, shown.number, mine[0]]))]


def _after_release(day: Day) -> list[dict[str, Any]]:
    open_round = next((row.number for row in day.rounds if row.state != "released"), None)
    results = reverse("desk:results", args=[day.event.slug])
    if open_round is None:
        return [_act(_("Results"), results)]
    grid = reverse("desk:grid", args=[day.event.slug])
    go_on = _act(_("Continue to round %(number)d") % {"number": open_round}, f"{grid}?round={open_round}")
    holds = day.event.hold != Hold.NOTHING and day.organiser and bool(get_public_view(day.event).held)
    return [go_on, _act(_("Show the held results"), f"{results}#held", main=False)] if holds else [go_on]
