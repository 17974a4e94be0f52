"""Rows of public pages: selector rows with addresses and words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.entries import Chombo
from tournament.events.models import Event
from tournament.events.queries import EventRow
from tournament.pages.addresses import numbered_address
from tournament.penalties.messages import charge_text, say_kind
from tournament.penalties.models import PenaltyKind
from tournament.players.queries import ClubColour, PlayerRow, colour_clubs
from tournament.public.queries import GameRow, SeatAhead
from tournament.publication.messages import say_held
from tournament.publication.names import Said, say_entry
from tournament.publication.queries import get_public_view
from tournament.rulesets.messages import say_second_rules
from tournament.seating.messages import say_carried
from tournament.sheets.queries import ReopenedTable
from tournament.standings.columns import Column, StandingRow, Value, cells_of, columns_for
from tournament.standings.queries import Standings
from tournament.tables.messages import say_by, say_game, say_since
from tournament.tables.queries import HandRow, LoadedTable, SeatGame
from tournament.tables.round_queries import RoundRow, SeatResult, TableResult, planned_start
from tournament.tables.rows import PenaltyRow, SeatedPlayer
from tournament.tables.table_queries import Substitute
from tournament.text.hands import gains, hand_number, say_brief, shown_wins
from tournament.text.languages import join_and, join_commas, join_spaced, plural_text, sentences
from tournament.text.names import fold
from tournament.text.numbers import p, points, say_place, seat_wind, side, signed_p
from tournament.text.readback import Readback, hand_name, honba_and_sticks, read_back

NEAR = 2  # neighbours shown above and below the own row
TIE_BREAK_WORDS = {
    "first_places": lambda: _("by first places"),
    "best_result": lambda: _("by best round"),
}


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One row of ui/standings.html; `cells` are its columns, each with its value, penalties as negative points.

    `cut` is set on the first row below a cut, `club` where the player's has a colour.
    """

    row: StandingRow
    cells: tuple[tuple[Column, Value], ...]
    url: str = ""
    club: ClubColour | None = None
    out: str = ""
    carried: str = ""
    cut: bool = False
    mine: bool = False


@dataclass(frozen=True, slots=True)
class CompassSeat:
    """One seat of the compass of public/phone.html."""

    name: str
    wind: int
    side: str
    me: bool


@dataclass(frozen=True, slots=True)
class PublicHand:
    """One valid hand: in one line, its readback, whether it was corrected, what a chombo costs, and the tiles shown.

    `number` is as in "E1", `gains` are points won, `yaku` the names of what was entered.
    """

    number: str
    brief: str
    gains: Sequence[int]
    yaku: str
    read: Readback
    corrected: bool
    note: str
    wins: Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class HandStep:
    """A hand among those of a table: its number from 1, and those before and after it, 0 for none."""

    hand: PublicHand
    number: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class EventCard:
    """An event on the list of events; for a reader with a `role` there its `url` opens the desk."""

    row: EventRow
    role: str
    url: str
    facts: tuple[str, ...]
    tone: str
    icon: str
    state: str


@dataclass(frozen=True, slots=True)
class PenaltyItem:
    """A penalty as points off the total, 0 or less, without the referee."""

    round: int | None
    word: str
    off: int
    reason: str


@dataclass(frozen=True, slots=True)
class RoundItem:
    """A planned round; `public` where its seats are."""

    number: int
    state: str
    public: bool
    tables: int
    planned: datetime | None


@dataclass(frozen=True, slots=True)
class LiveRow:
    """A player's score at a live table, and the club of who plays where it has a colour."""

    player: SeatedPlayer
    wind: str
    score: int
    substitute: Substitute | None
    club: ClubColour | None


def event_card(row: EventRow, role: str = "", free: int | None = None) -> EventCard:
    """Return an event as a card of the list; `free` places where it takes sign-ups, 0 for a waiting list."""
    if row.is_over:
        tone, icon, state = "idle", "released", _("Finished")
    elif row.is_open and row.tables:
        play = plural_text("%(count)s table plays", "%(count)s tables play", row.tables)
        tone, icon, state = "ok", "playing", play
    elif row.playing:
        tone, icon, state = "ok", "playing", _("Round %(n)d of %(all)d") % {"n": row.playing, "all": row.rounds}
    elif row.released and row.is_open:
        tone, icon, state = "idle", "", _("No table plays.")
    elif row.released:
        tone, icon, state = "idle", "", _("After round %(n)d of %(all)d") % {"n": row.released, "all": row.rounds}
    elif free is not None:
        places = ngettext("%(n)d place free", "%(n)d places free", free) % {"n": free} if free else _("waiting list")
        tone, icon, state = "ok", "person", f"{_('Sign up')} · {places}"
    else:
        tone, icon, state = "idle", "waiting", _("Not begun")
    people = ngettext("%(n)d player", "%(n)d players", row.players) % {"n": row.players}
    if row.is_open:
        length = plural_text("%(count)d game", "%(count)d games", row.released) if row.released else ""
    else:
        length = ngettext("%(n)d round", "%(n)d rounds", row.rounds) % {"n": row.rounds}
    rules = _("Rules: %(rules)s") % {"rules": row.rules_title}
    facts = tuple(fact for fact in (row.place, rules, people if row.players else "", length) if fact)
    url = reverse("desk:grid" if role else "public:phone", args=[row.slug])
    return EventCard(row, role, url, facts, tone, icon, state)


def standings_context(
    event: Event, standings: Standings, people: Iterable[PlayerRow] = (), *, cells: bool = True
) -> dict[str, Any]:
    """Return rows, columns, rounds and clubs for ui/standings.html; `people` add country, club and who has withdrawn.

    `clubs` is as of `colour_clubs`, `near_columns` are those of the rows near a phone's player. Without `cells` the
    rows have none, for a list that has columns of its own.
    """
    # a night has more tables than a page has room for columns
    rounds = range(1, 1 if event.is_open else max(standings.rounds, default=0) + 1)
    known = {person.number: person for person in people}
    clubs = colour_clubs({number: person.club for number, person in known.items()})
    shown = [
        replace(row, country=person.country) if (person := known.get(row.number)) and person.country else row
        for row in standings.rows
    ]
    columns = columns_for("screen", shown, rounds)
    groups = [row.group for row in shown]
    rows, url_of = [], numbered_address("public:player", event.slug)
    for row, before in zip(shown, groups[:1] + groups, strict=False):
        person = known.get(row.number)
        rows.append(
            StandingLine(
                row,
                _cells(row, columns if cells else ()),
                url=url_of(row.number),
                club=clubs.get(row.number),
                out=_("withdrawn") if person and person.withdrawn else "",
                carried=say_carried(row.carried),
                cut=row.group > before,
            )
        )
    near = columns_for("phone", shown)
    return {"rows": rows, "columns": columns, "rounds": rounds, "near_columns": near, "clubs": clubs}


def mark_mine(lines: Sequence[StandingLine], number: int | None) -> list[StandingLine]:
    """Return the rows, that of the player with this number marked as the reader's own."""
    return [replace(line, mine=True) if line.row.number == number else line for line in lines]


def rows_near(lines: Sequence[StandingLine], columns: Sequence[Column] = ()) -> list[StandingLine]:
    """Return the reader's row with four neighbours, fewer only in a short list, in the columns of a phone.

    >>> def line(n): return StandingLine(StandingRow(n, False, n, "", 0, 0, 0, ()), ())
    >>> [near.row.rank for near in rows_near(mark_mine([line(n) for n in range(1, 11)], 9))]
    [6, 7, 8, 9, 10]
    """
    mine = next((index for index, line in enumerate(lines) if line.mine), None)
    if mine is None:
        return []
    first = max(0, min(mine - NEAR, len(lines) - 2 * NEAR - 1))
    return in_columns(lines[first : first + 2 * NEAR + 1], columns)


def in_columns(lines: Iterable[StandingLine], columns: Sequence[Column]) -> list[StandingLine]:
    """Return the rows with the values of these columns."""
    return [replace(line, cells=_cells(line.row, columns)) for line in lines]


def how_fresh(event: Event, standings: Standings, reopened: Sequence[ReopenedTable] = ()) -> str:
    """Return a line with the rounds the standings count, held results, and tables being corrected."""
    held = say_held(get_public_view(event)).rstrip(".") if standings.rounds else ""
    return " · ".join(part for part in (_how_far(event, standings), held, correcting(reopened)) if part)


def correcting(reopened: Sequence[ReopenedTable]) -> str:
    """Say which tables of released rounds are being corrected, "" for none."""
    where = [_("table %(table)d of round %(round)d") % {"table": each.table, "round": each.round} for each in reopened]
    if not where:
        return ""
    verb = ngettext("%(tables)s is being corrected", "%(tables)s are being corrected", len(where))
    return verb % {"tables": join_and(where)}


def is_final(event: Event, standings: Standings) -> bool:
    """Tell whether the standings count every round of the event."""
    return bool(standings.rounds) and event.ends_with(standings.rounds[-1])


def _how_far(event: Event, standings: Standings) -> str:
    if not standings.rounds:
        return ""
    last, planned = standings.rounds[-1], event.rounds_planned
    if event.is_open:
        count = len(standings.rounds)
        return ngettext("After %(n)d table", "After %(n)d tables", count) % {"n": count}
    if len(standings.rounds) != last:
        return _("After rounds %(numbers)s of %(all)d") % {
            "numbers": join_commas(map(str, standings.rounds)),
            "all": planned,
        }
    if is_final(event, standings):
        return ngettext("Final, after %(n)d round", "Final, after %(n)d rounds", last) % {"n": last}
    return _("After round %(n)d of %(all)d") % {"n": last, "all": planned}


def tie_break_line(event: Event) -> str:
    """Say how the event ranks equal totals."""
    words = [TIE_BREAK_WORDS[name]() for name in event.ruleset.equal_totals]
    said = _("Equal totals share a place.")
    if words:
        said = _("Equal totals share a place and are listed %(how)s.") % {"how": _(", then ").join(words)}
    if not event.second_rules:
        return said
    added = _("Each game counts by the rules of its table (%(rules)s); the points of all are added.")
    return sentences([said, added % {"rules": say_second_rules(event)}])


def compass(ahead: SeatAhead, dealer: int = 0) -> list[CompassSeat]:
    """Return the table of a seat ahead from above, as its player sees it, with the winds while `dealer` deals."""
    return [
        CompassSeat(
            name=(seat.substitute.name if seat.substitute else "") or seat.player.name,
            wind=seat_wind(seat.player.seat, dealer, len(ahead.others)),
            side=side(seat.player.seat, ahead.seat),
            me=seat.player.seat == ahead.seat,
        )
        for seat in ahead.others
    ]


def say_game_place(game: GameRow) -> str:
    """Return the place of a released game in words."""
    return say_place(game.place, game.shared) if game.place else _("replaced")


def note_game(game: GameRow) -> str:
    """Return the points and the uma of a released game in words, or what is said of a substitute."""
    if game.substitute:
        return f"{say_since(game.substitute.when, game.hand)}; {say_by(game.substitute)}"
    return _("%(points)s points, uma %(uma)s") % {"points": points(game.score), "uma": signed_p(game.uma)}


def penalty_items(penalties: Iterable[PenaltyRow], say: Said) -> list[PenaltyItem]:
    """Return penalties with reason, clause and the reason of an unusual amount; notes without points are left out.

    Why somebody was replaced is not said.
    """
    items = []
    for row in penalties:
        if row.kind == PenaltyKind.OTHER and not row.points:
            continue
        word = _("Penalty") if row.kind in (PenaltyKind.POINTS, PenaltyKind.OTHER) else say_kind(row.kind)
        if row.replaced:
            reason = _("replaced by a substitute")
        else:
            reason = f"{row.reason} · {row.clause}" if row.clause else row.reason
            if row.amount_reason:
                reason = _("%(said)s; amount: %(why)s") % {"said": reason, "why": row.amount_reason}
            reason = join_spaced([reason, charge_text(row)])
        items.append(PenaltyItem(row.round, word, -row.points, say(reason)))
    return items


def round_items(event: Event, rounds: Iterable[RoundRow]) -> list[RoundItem]:
    """Return all planned rounds; of an open event those that there are, the newest first."""
    drawn = {row.number: row for row in rounds}
    held = get_public_view(event).held_rounds
    items = []
    numbers = range(1, max([event.rounds_planned, *drawn]) + 1)
    for number in sorted(drawn, reverse=True) if event.is_open else numbers:
        row = drawn.get(number)
        public = row is not None and row.state != "drawn"
        state = "held" if number in held else row.state if row else "drawn"
        tables = row.tables if row and public else 0
        items.append(RoundItem(number, state, public, tables, planned_start(event, number)))
    return items


def seats_by_name(tables: Iterable[TableResult]) -> list[tuple[SeatResult, int]]:
    """Return every seat of a round with the number of its table, sorted by name."""
    rows = [(seat, table.number) for table in tables for seat in table.seats]
    return sorted(rows, key=lambda row: fold(row[0].player.name))


def public_hands(table: LoadedTable, rows: Iterable[HandRow], say: Said) -> list[PublicHand]:
    """Return the valid hands in words, with every payment."""
    names = [player.name for player in table.seats]
    found = []
    for row in rows:
        if row.hand is None:
            continue
        hand = row.hand._replace(entry=say_entry(row.hand.entry, say))
        wins, note = shown_wins(hand.entry, names, table.rules), ""
        if isinstance(row.entry, Chombo) and table.rules.chombo_points:
            cost = table.chombo_cost(next(each for each in table.items if each.seq == row.seq), row.entry.offenders[0])
            note = _("%(points)s off the total of each, after uma") % {"points": p(cost)}
        found.append(
            PublicHand(
                number=hand_number(hand),
                brief=say_brief(hand, names, table.rules),
                gains=gains(hand),
                yaku=join_spaced(join_commas(yaku["name"] for yaku in win["yaku"]) for win in wins),
                read=read_back(hand, names, table.rules),
                corrected=row.rows > 1,
                note=note,
                wins=wins,
            )
        )
    return found


def hand_step(hands: Sequence[PublicHand], number: int) -> HandStep | None:
    """Return the hand of a number from 1, the last one for a higher number; None for 0 and where there are no hands."""
    at = min(number, len(hands))
    return HandStep(hands[at - 1], at, at - 1, at + 1 if at < len(hands) else 0) if at else None


def closing_lines(table: LoadedTable) -> list[str]:
    """Say what happened to points between the last hand and the final scores."""
    final, state = table.final, table.state
    lines = []
    given = sum(final.scores) - sum(state.scores)
    if given:
        winners = [player.name for player in table.seats if final.scores[player.seat] != state.scores[player.seat]]
        lines.append(
            _("Riichi sticks left on the table: %(points)s to %(who)s.")
            % {"points": points(given), "who": join_commas(winners)}
        )
    if final.leftover:
        lines.append(_("%(points)s points stayed with nobody.") % {"points": points(final.leftover)})
    return lines


def final_rows(table: LoadedTable) -> list[tuple[SeatGame, str]]:
    """Return the games of a finished table, best place first, each with a remark, "" for an ordinary one."""
    games = sorted(table.seat_games, key=lambda game: (game.place or len(table.seats) + 1, game.player.seat))
    return [(game, say_game(table, game) if game.player.ranked else _("not ranked")) for game in games]


def live_rows(table: LoadedTable, clubs: Mapping[int, ClubColour]) -> list[LiveRow]:
    """Return the scores of a table that still plays, or is signed, most points first; `clubs` by player number."""
    state, replaced = table.state, table.replaced
    scores = table.final.scores if table.signed else state.scores
    rows = [
        LiveRow(
            player,
            state.wind_of(player.seat),
            scores[player.seat],
            substitute,
            clubs.get(substitute.person if substitute else player.number),
        )
        for player in sorted(table.seats, key=attrgetter("seat"))
        for substitute in (replaced.get(player.seat),)
    ]
    return sorted(rows, key=lambda row: -row.score)


def hand_now(table: LoadedTable) -> str:
    """Return the hand that a table plays, with honba and riichi sticks; "" once its game is over."""
    state = table.state
    return "" if state.ended else " · ".join(part for part in (hand_name(state), honba_and_sticks(state)) if part)


def _cells(row: StandingRow, columns: Sequence[Column]) -> tuple[tuple[Column, Value], ...]:
    cells = [
        (column, -value if column.kind == "penalty" and isinstance(value, int) else value)
        for column, value in cells_of(row, columns)
    ]
    return tuple(cells)
