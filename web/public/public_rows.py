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
from tournament.selectors.core.events import EventRow
from tournament.selectors.core.public import seen_by_public
from tournament.selectors.people.players import GameRow, PlayerRow, SeatAhead
from tournament.selectors.public.standings import Standings
from tournament.selectors.rounds.clock import planned_start
from tournament.selectors.rounds.rounds import RoundRow, TableResult
from tournament.selectors.tables.sheets import ReopenedTable
from tournament.selectors.tables.tables import HandRow, LoadedTable
from tournament.sheets.columns import StandingRow
from tournament.sheets.rows import PenaltyRow, SeatedPlayer
from web.words.after_start import say_carried
from web.words.formatting import p, points, side
from web.words.foul import say_kind
from web.words.hand_wins import shown_wins
from web.words.languages import listed
from web.words.name_search import fold
from web.words.people import say_by, say_game, say_since
from web.words.readback import Readback, counters, hand_name, read_back
from web.words.visibility import say_held

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
    number: int
    name: str
    url: str
    country: str
    moved: int | None
    total: int
    penalties: int
    results: tuple[int | None, ...]
    out: str
    tie_break: str
    carried: str = ""
    mine: bool = False


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


def standing_lines(event: Event, standings: Standings, people: Iterable[PlayerRow] = ()) -> list[StandingLine]:
    """Return the standings as rows of the table, nobody's marked; `people` add country and who has withdrawn."""
    known = {person.number: person for person in people}
    return [_standing_line(event, row, known.get(row.number)) for row in standings.rows]


def mark_mine(lines: Sequence[StandingLine], number: int | None) -> list[StandingLine]:
    """Return the rows with that of the player of this number marked as the reader's own."""
    return [replace(line, mine=True) if line.number == number else line for line in lines]


def unranked_items(event: Event, standings: Standings) -> list[dict[str, Any]]:
    """Return who has played and is not ranked, for ui/unranked.html."""
    return [
        {"name": row.name, "games": row.games, "url": reverse("public:player", args=[event.slug, row.number])}
        for row in standings.unranked
    ]


def rows_near(lines: Sequence[StandingLine]) -> list[StandingLine]:
    """Return the own row with its neighbours, as many at either end of the list as in the middle; totals alone.

    >>> def line(n): return StandingLine(n, False, n, "", "", "", None, 0, 0, (), "", "")
    >>> [row.place for row in rows_near(mark_mine([line(n) for n in range(1, 11)], 9))]
    [6, 7, 8, 9, 10]
    """
    mine = next((index for index, line in enumerate(lines) if line.mine), None)
    if mine is None:
        return []
    first = max(0, min(mine - NEAR, len(lines) - 2 * NEAR - 1))
    return [replace(line, results=(), penalties=0) for line in lines[first : first + 2 * NEAR + 1]]


def how_fresh(event: Event, standings: Standings, reopened: Sequence[ReopenedTable] = ()) -> str:
    """Say which rounds the standings count, which results are held, and which tables are being corrected."""
    held = say_held(seen_by_public(event)).rstrip(".") if standings.rounds else ""
    return " · ".join(part for part in (_how_far(event, standings), held, correcting(reopened)) if part)


def correcting(reopened: Sequence[ReopenedTable]) -> str:
    """Say which tables of released rounds are open again; nothing where none is."""
    where = [_("table %(table)d of round %(round)d") % {"table": each.table, "round": each.round} for each in reopened]
    if not where:
        return ""
    verb = ngettext("%(tables)s is being corrected", "%(tables)s are being corrected", len(where))
    return verb % {"tables": listed(where)}


def _how_far(event: Event, standings: Standings) -> str:
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
    """Say what becomes of equal totals in this event."""
    words = [TIE_BREAK_WORDS[name]() for name in event.ruleset.equal_totals]
    if not words:
        return _("Equal totals share a place.")
    return _("Equal totals share a place and are listed %(how)s.") % {"how": _(", then ").join(words)}


def compass(ahead: SeatAhead) -> list[CompassSeat]:
    """Return the table of a seat ahead as it is seen from above by who sits there."""
    return [
        CompassSeat(
            name=(seat.substitute.name if seat.substitute else "") or seat.player.name,
            wind=seat.player.seat,
            side=side(seat.player.seat, ahead.seat),
            me=seat.player.seat == ahead.seat,
        )
        for seat in ahead.others
    ]


def game_items(event: Event, games: Iterable[GameRow]) -> list[dict[str, Any]]:
    """Return released games with the addresses of their tables, and what was said of a substitute."""
    return [
        {
            "game": game,
            "url": reverse("public:table", args=[event.slug, game.round, game.table]),
            "replaced": _replaced(game),
        }
        for game in games
    ]


def penalty_items(penalties: Iterable[PenaltyRow]) -> list[dict[str, Any]]:
    """Return penalties as what they take off, without who gave them; a referee's note is none."""
    return [
        {
            "round": row.round,
            "word": _("Penalty") if row.kind in (PenaltyKind.POINTS, PenaltyKind.OTHER) else say_kind(row.kind),
            "off": -row.points,
            "reason": _penalty_reason(row),
        }
        for row in penalties
        if row.points or row.kind != PenaltyKind.OTHER
    ]


def _penalty_reason(row: PenaltyRow) -> str:
    """Say what it was for, by which clause, and why another amount than usual; never why somebody was replaced."""
    if row.replaced:
        return _("replaced by a substitute")
    said = f"{row.reason} · {row.clause}" if row.clause else row.reason
    return _("%(said)s; amount: %(why)s") % {"said": said, "why": row.amount_reason} if row.amount_reason else said


def round_items(event: Event, rounds: Iterable[RoundRow]) -> list[dict[str, Any]]:
    """Return all planned rounds, those without seats included; only published ones have an address."""
    drawn = {row.number: row for row in rounds}
    held = seen_by_public(event).held_rounds
    items = []
    for number in range(1, max([event.rounds_planned, *drawn]) + 1):
        row = drawn.get(number)
        public = row is not None and row.state != "drawn"
        items.append(
            {
                "number": number,
                "state": "held" if number in held else row.state if row else "drawn",
                "tables": row.tables if row and public else 0,
                "started_at": row.started_at if row else None,
                "planned": planned_start(event, number),
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
    rows = [
        {
            "seat": game.player.seat,
            "key": game.player.seat + 1,
            "name": game.player.name,
            "url": _player_url(event, game.player),
            "score": game.score,
            "place": game.place,
            "tied": game.shared,
            "uma": game.uma,
            "result": game.result,
            "mine": game.player.number == me,
            "substitute": game.substitute,
            "remark": say_game(table, game) if game.player.ranked else _("not ranked"),
        }
        for game in table.seat_games
    ]
    return sorted(rows, key=lambda row: (row["place"] or len(rows) + 1, row["seat"]))


def live_rows(event: Event, table: LoadedTable, *, me: int | None) -> list[dict[str, Any]]:
    """Return the scores of a table that still plays, most points first; what they come to is not known yet."""
    names = table.replaced
    rows = [
        {
            "key": player.seat + 1,
            "wind": table.state.wind_of(player.seat),
            "name": player.name,
            "url": _player_url(event, player),
            "score": table.state.scores[player.seat],
            "mine": player.number == me,
            "substitute": names.get(player.seat),
        }
        for player in table.seats
    ]
    return sorted(rows, key=lambda row: (-row["score"], row["key"]))


def hand_now(table: LoadedTable) -> str:
    """Say which hand a table plays now, with counters and deposits; "" where its game is over."""
    state = table.state
    return "" if state.ended else " · ".join(part for part in (hand_name(state), counters(state)) if part)


def _replaced(game: GameRow) -> str:
    """Say that somebody else played a game, and from when on; "" where nobody did."""
    if game.substitute is None:
        return ""
    return f"{say_since(game.substitute.when, game.hand)}; {say_by(game.substitute)}"


def _player_url(event: Event, player: SeatedPlayer) -> str:
    return reverse("public:player", args=[event.slug, player.number])


def _chombo_note(table: LoadedTable, row: HandRow) -> str:
    if not isinstance(row.entry, Chombo):
        return ""
    return _("%(points)s off the total of each, after uma") % {"points": p(table.rules.chombo_points)}


def _standing_line(event: Event, row: StandingRow, person: PlayerRow | None) -> StandingLine:
    words = TIE_BREAK_WORDS.get(row.tie_break or "")
    return StandingLine(
        place=row.rank,
        tied=row.shared,
        number=row.number,
        name=row.name,
        url=reverse("public:player", args=[event.slug, row.number]),
        country=person.country if person else "",
        moved=row.moved,
        total=row.total,
        penalties=-row.penalties,
        results=row.results,
        out=_("withdrawn") if person and person.withdrawn else "",
        tie_break=words() if words else "",
        carried=say_carried(row.carried),
    )
