"""Selector rows as public pages print them: addresses added, changes of place, tables from above, hands in words.

It words and arranges and never computes a result.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.entries import Chombo
from tournament.models import Event, PenaltyKind
from tournament.selectors.events import EventRow
from tournament.selectors.penalties import PenaltyRow
from tournament.selectors.players import GameRow, PlayerRow, SeatAhead
from tournament.selectors.rounds import RoundRow, TableResult
from tournament.selectors.standings import StandingRow, Standings
from tournament.selectors.tables import HandRow, LoadedTable, SeatedPlayer
from web.formatting import p, points, side
from web.foul_wording import say_kind
from web.hand_wins import shown_wins
from web.name_search import fold
from web.readback import Readback, read_back

NEAR = 2  # neighbours shown above and below the own row
TIE_BREAK_WORDS = {
    "first_places": lambda: _("by first places"),
    "best_result": lambda: _("by best round"),
}


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One row of ui/standings.html; `penalties` are negative points, or 0."""

    place: int
    tied: bool
    name: str
    url: str
    country: str
    moved: int | None
    total: int
    penalties: int
    results: tuple[int | None, ...]
    mine: bool
    out: str
    tie_break: str


@dataclass(frozen=True, slots=True)
class CompassSeat:
    """One seat of ui/compass.html."""

    name: str
    wind: int
    side: str
    me: bool


@dataclass(frozen=True, slots=True)
class SeatByName:
    """Where one player sits in a round, for the list by name."""

    name: str
    table: int
    wind: int
    url: str
    mine: bool


@dataclass(frozen=True, slots=True)
class PublicHand:
    """One hand that stands: what was read back, whether it was corrected, what a chombo costs, and tiles shown."""

    read: Readback
    corrected: bool
    note: str
    wins: Sequence[dict[str, Any]]


def event_card(row: EventRow) -> dict[str, Any]:
    """Return an event as a card of the list."""
    finished = row.rounds > 0 and row.released >= row.rounds
    if finished:
        state, icon, word = "idle", "released", _("Finished")
    elif row.playing:
        state, icon, word = "ok", "playing", _("Round %(n)d of %(all)d") % {"n": row.playing, "all": row.rounds}
    elif row.released:
        state, icon, word = "idle", "", _("After round %(n)d of %(all)d") % {"n": row.released, "all": row.rounds}
    else:
        state, icon, word = "idle", "waiting", _("Not begun")
    people = ngettext("%(n)d player", "%(n)d players", row.players) % {"n": row.players}
    length = ngettext("%(n)d round", "%(n)d rounds", row.rounds) % {"n": row.rounds}
    return {
        "name": row.name,
        "url": reverse("public:phone", args=[row.slug]),
        "date": row.date,
        "facts": [fact for fact in (row.place, row.rules_title, people, length) if fact],
        "state": state,
        "state_icon": icon,
        "state_word": word,
        "finished": finished,
    }


def standing_lines(
    event: Event, standings: Standings, people: Iterable[PlayerRow] = (), *, me: int | None
) -> list[StandingLine]:
    """Return the standings as rows of the table; `people` add country and who has withdrawn."""
    known = {person.number: person for person in people}
    return [_standing_line(event, row, known.get(row.number), me=me) for row in standings.rows]


def rows_near(lines: Sequence[StandingLine]) -> list[StandingLine]:
    """Return the own row with its neighbours, as many at either end of the list as in the middle; totals alone.

    >>> def line(n): return StandingLine(n, False, "", "", "", None, 0, 0, (), n == 9, "", "")
    >>> [row.place for row in rows_near([line(n) for n in range(1, 11)])]
    [6, 7, 8, 9, 10]
    """
    mine = next((index for index, line in enumerate(lines) if line.mine), None)
    if mine is None:
        return []
    first = max(0, min(mine - NEAR, len(lines) - 2 * NEAR - 1))
    return [replace(line, results=(), penalties=0) for line in lines[first : first + 2 * NEAR + 1]]


def how_fresh(event: Event, standings: Standings) -> str:
    """Say which rounds the standings count."""
    if not standings.rounds:
        return ""
    last, planned = standings.rounds[-1], event.rounds_planned
    if len(standings.rounds) != last:
        return _("After rounds %(numbers)s of %(all)d") % {
            "numbers": ", ".join(str(number) for number in standings.rounds),
            "all": planned,
        }
    if last >= planned:
        return ngettext("Final, after %(n)d round", "Final, after %(n)d rounds", last) % {"n": last}
    return _("After round %(n)d of %(all)d") % {"n": last, "all": planned}


def tie_break_line(event: Event) -> str:
    """Say what parts equal totals in this event."""
    words = [TIE_BREAK_WORDS[name]() for name in event.tie_breaks if name in TIE_BREAK_WORDS]
    if not words:
        return _("Equal totals share a place.")
    return _("Equal totals are parted %(how)s; what is still equal shares a place.") % {"how": _(", then ").join(words)}


def compass(ahead: SeatAhead) -> list[CompassSeat]:
    """Return the table of a seat ahead as it is seen from above by who sits there."""
    return [
        CompassSeat(
            seat.player.name, seat.player.seat, side(seat.player.seat, ahead.seat), seat.player.seat == ahead.seat
        )
        for seat in ahead.others
    ]


def game_items(event: Event, games: Iterable[GameRow]) -> list[dict[str, Any]]:
    """Return released games with the addresses of their tables."""
    return [{"game": game, "url": reverse("public:table", args=[event.slug, game.round, game.table])} for game in games]


def penalty_items(penalties: Iterable[PenaltyRow]) -> list[dict[str, Any]]:
    """Return penalties as what they take off, without who gave them; a referee's note is none."""
    return [
        {
            "round": row.round,
            "word": _("Penalty") if row.kind in (PenaltyKind.POINTS, PenaltyKind.OTHER) else say_kind(row.kind),
            "off": -row.points,
            "reason": f"{row.reason} ({row.clause})" if row.clause else row.reason,
        }
        for row in penalties
        if row.points or row.kind != PenaltyKind.OTHER
    ]


def round_items(event: Event, rounds: Iterable[RoundRow]) -> list[dict[str, Any]]:
    """Return all planned rounds, those without seats included; only published ones have an address."""
    drawn = {row.number: row for row in rounds}
    items = []
    for number in range(1, max([event.rounds_planned, *drawn]) + 1):
        row = drawn.get(number)
        public = row is not None and row.state != "drawn"
        items.append(
            {
                "number": number,
                "state": row.state if row else "drawn",
                "tables": row.tables if row and public else 0,
                "started_at": row.started_at if row else None,
                "url": reverse("public:round", args=[event.slug, number]) if public else "",
            }
        )
    return items


def seats_by_name(event: Event, tables: Iterable[TableResult], *, me: int | None) -> list[SeatByName]:
    """Return where everybody sits, by name."""
    rows = [
        SeatByName(
            name=seat.player.name,
            table=table.number,
            wind=seat.player.seat,
            url=reverse("public:player", args=[event.slug, seat.player.number]),
            mine=seat.player.number == me,
        )
        for table in tables
        for seat in table.seats
    ]
    return sorted(rows, key=lambda row: fold(row.name))


def public_hands(table: LoadedTable, rows: Iterable[HandRow]) -> list[PublicHand]:
    """Put the hands that stand into words, with every payment."""
    names = [player.name for player in table.seats]
    return [
        PublicHand(
            read_back(row.hand, names, table.rules),
            row.rows > 1,
            _chombo_note(table, row),
            shown_wins(row.hand.entry, names, table.rules),
        )
        for row in rows
        if row.hand is not None
    ]


def closing_lines(table: LoadedTable) -> list[str]:
    """Say what happened to points between the last hand and the final scores."""
    final, state = table.final, table.state
    lines = []
    given = sum(final.scores) - sum(state.scores)
    if given:
        winners = [player.name for player in table.seats if final.scores[player.seat] != state.scores[player.seat]]
        lines.append(
            _("Deposits left on the table: %(points)s to %(who)s.")
            % {"points": points(given), "who": ", ".join(winners)}
        )
    if final.leftover:
        lines.append(_("%(points)s points stayed with nobody.") % {"points": points(final.leftover)})
    return lines


def final_rows(event: Event, table: LoadedTable, *, me: int | None) -> list[dict[str, Any]]:
    """Return the final scores of a table, best place first."""
    final = table.final
    rows = [
        {
            "seat": player.seat,
            "key": player.seat + 1,
            "name": player.name,
            "url": _player_url(event, player),
            "score": final.scores[player.seat],
            "place": final.places[player.seat],
            "tied": final.places.count(final.places[player.seat]) > 1,
            "uma": final.uma[player.seat],
            "result": final.results[player.seat],
            "mine": player.number == me,
        }
        for player in table.seats
    ]
    return sorted(rows, key=lambda row: (row["place"], row["seat"]))


def _player_url(event: Event, player: SeatedPlayer) -> str:
    return reverse("public:player", args=[event.slug, player.number])


def _chombo_note(table: LoadedTable, row: HandRow) -> str:
    if not isinstance(row.entry, Chombo):
        return ""
    return _("%(points)s off the total of each, after uma") % {"points": p(table.rules.chombo_points)}


def _standing_line(event: Event, row: StandingRow, person: PlayerRow | None, *, me: int | None) -> StandingLine:
    words = TIE_BREAK_WORDS.get(row.tie_break or "")
    return StandingLine(
        place=row.rank,
        tied=row.shared,
        name=row.name,
        url=reverse("public:player", args=[event.slug, row.number]),
        country=person.country if person else "",
        moved=row.moved,
        total=row.total,
        penalties=-row.penalties,
        results=row.results,
        mine=row.number == me,
        out=_("withdrawn") if person and person.withdrawn else "",
        tie_break=words() if words else "",
    )
