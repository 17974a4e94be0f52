"""Sample events for a trial: invented people, random valid hands, real actions; two in mid-play, more for a demo.

The same moment gives the same sample.
"""

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from rules.books import load
from rules.ruleset import Ruleset
from scoring.check import problems
from scoring.count import count
from scoring.drill_hands import winning_hands
from scoring.entries import Chombo, Draw, Entry, Ron, Tsumo, Win
from scoring.fu import possible_fu
from scoring.game import fold, judge, play
from scoring.hand import WINDS, hand_problems, to_json
from scoring.problems import InvalidInput
from scoring.state import TableState, opening
from scoring.tiles import EAST
from scoring.value import MANGAN_HAN
from tournament.accounts.actions import get_site_organiser
from tournament.accounts.models import Account
from tournament.core.now import clock_at
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.penalties.actions import cancel_penalty, give_penalty
from tournament.players.actions import NewPlayer, add_players
from tournament.rounds.actions import publish_rounds, release_round, start_round
from tournament.seating.actions import draw_seats
from tournament.sheets.actions import sign_table
from tournament.tables.actions import HandRequest, write_hand
from tournament.tables.models import Round, Table

HANDS_IN_TIME = 9  # about what a table plays before the signal
RUNNING_SINCE = timedelta(minutes=42)
PAUSE = timedelta(minutes=20)


@dataclass(frozen=True, slots=True)
class Sample:
    """The facts of a sample event, from sample.toml.

    Its `playing`th round is being played, or it is over, `days_ago`; `demo`: only a demo has it.
    """

    slug: str
    name: str
    place: str
    rules_key: str
    people: Sequence[NewPlayer]
    rounds: int = 6
    playing: int = 3
    days_ago: int = 0
    seed: int = 2026
    demo: bool = False

    @property
    def is_over(self) -> bool:
        """Whether all rounds are released."""
        return self.playing > self.rounds

    @property
    def rounds_begun(self) -> int:
        """How many rounds have been started."""
        return min(self.playing, self.rounds)


def _read_samples() -> Iterator[Sample]:
    with Path(__file__).with_name("sample.toml").open("rb") as file:
        for values in tomllib.load(file)["sample"]:
            lines = ([cell.strip() for cell in line.split("|")] for line in values.pop("people").strip().splitlines())
            people = [
                NewPlayer(name, country=country, club=club, ema_number=number) for name, country, club, number in lines
            ]
            yield Sample(**values, people=people)


SAMPLES = tuple(_read_samples())
SLUGS = tuple(sample.slug for sample in SAMPLES if not sample.demo)
DEMO_SLUGS = tuple(sample.slug for sample in SAMPLES)


@dataclass(frozen=True, slots=True, order=True)
class PlannedAct:
    """One verb at a moment; `order` sorts verbs of the same moment."""

    at: datetime
    order: int
    verb: Callable[[], object]


def load_samples(*, now: datetime, by: Account | None = None, only: Collection[str] = SLUGS) -> list[Event]:
    """Make the sample events of `only`, as they would be at `now`, unless they exist; return the new ones.

    In mid-play, two rounds are released, the third is running, the fourth is published, the last two are drawn. Without
    `by` the site's organiser is the writer.
    """
    writer = by or get_site_organiser()
    made = []
    for sample in SAMPLES:
        if sample.slug in only and not Event.objects.filter(slug=sample.slug).exists():
            with transaction.atomic():
                made.append(_make(sample, now, writer))
    return made


def _make(sample: Sample, now: datetime, by: Account) -> Event:
    rng = Random(f"{sample.slug} {sample.seed}")  # noqa: S311 - the same sample every time
    rules = load(sample.rules_key)
    a_round = timedelta(minutes=rules.minutes) + PAUSE
    last = now - timedelta(days=sample.days_ago) - RUNNING_SINCE
    begins = [last - a_round * before for before in reversed(range(sample.rounds_begun))]
    event = _set_up(sample, begins[0] - PAUSE, by)
    rounds = {round_.number: round_ for round_ in event.rounds.select_related("event")}
    day = PlannedDay(event, sample, rules, rng, by)
    acts = [act for number, start in enumerate(begins, start=1) for act in day.acts_of(rounds[number], start)]
    for act in sorted(acts):
        with clock_at(act.at):
            act.verb()
    event.refresh_from_db()
    return event


def _set_up(sample: Sample, at: datetime, by: Account) -> Event:
    """Create the event, its players and its seats in the hour before the first round."""
    with clock_at(at - PAUSE):
        day = timezone.localdate(at)
        event = create_event(
            name=sample.name,
            date=day,
            rules_key=sample.rules_key,
            rounds=sample.rounds,
            place=sample.place,
            slug=sample.slug,
            by=by,
        )
        add_players(event=event, players=sample.people, by=by)
    with clock_at(at):
        draw_seats(event=event, seed=sample.seed, by=by)
    return event


@dataclass(frozen=True, slots=True)
class PlannedDay:
    """The acts of an event, planned before they are written."""

    event: Event
    sample: Sample
    rules: Ruleset
    rng: Random
    by: Account

    def acts_of(self, round_: Round, start: datetime) -> Iterator[PlannedAct]:
        """Yield all acts of a round: publish and start it, play its tables, and end it unless it is the running one."""
        end = start + timedelta(minutes=self.rules.minutes + 8)
        running = round_.number == self.sample.playing
        publish = partial(publish_rounds, event=self.event, numbers=[round_.number], by=self.by)
        yield PlannedAct(start - PAUSE / 2, 0, publish)
        yield PlannedAct(start, 0, partial(start_round, round_=round_, by=self.by))
        tables = list(round_.tables.select_related("round__event"))
        for index, table in enumerate(tables):
            span = (RUNNING_SINCE if running else end - start) - timedelta(minutes=2, seconds=index)
            play = self._running_table(table, index) if running else self._timed_table(table)
            yield from play.acts(start, span)
        if running and round_.number < self.sample.rounds:
            following = partial(publish_rounds, event=self.event, numbers=[round_.number + 1], by=self.by)
            yield PlannedAct(start + timedelta(minutes=30), 0, following)
        if not running:
            yield PlannedAct(end, 9, partial(release_round, round_=round_, by=self.by))
        if round_.number in (1, 2):
            yield PlannedAct(start + timedelta(minutes=4), 8, partial(self._penalise, round_))
        if round_.number == 1:
            yield PlannedAct(start + timedelta(minutes=11), 8, partial(self._cancel_penalty, round_))
        if round_.number == 2 and self.sample.is_over:
            yield PlannedAct(start + timedelta(minutes=1), 8, partial(self._replace, tables[-1]))

    def _timed_table(self, table: Table) -> "TablePlay":
        most = HANDS_IN_TIME + self.rng.randrange(-2, 2)
        return TablePlay(self, table, random_game(self.rules, self.rng, most=most), signed=True)

    def _running_table(self, table: Table, index: int) -> "TablePlay":
        """Return the play at a table of the running round: two are signed, one is over, the last has not begun."""
        if index < 3:
            return TablePlay(self, table, self._whole_game(), signed=index < 2)
        if index == 3:
            while True:  # the second hand was first entered with the wrong discarder
                entries = random_game(self.rules, self.rng, most=5)
                wrong = self._wrong_discarder(entries[1]) if len(entries) == 5 else None
                if wrong and not judge([entries[0], wrong, *entries[2:4]], opening(self.rules), self.rules):
                    return TablePlay(self, table, entries, wrong=wrong)
        if index == 4:
            entries = random_game(self.rules, self.rng, most=4)
            slip = Chombo(offenders=(self.rng.randrange(self.rules.players),), note="Ron called without a yaku")
            return TablePlay(self, table, [*entries[:2], slip, *entries[2:]])
        return TablePlay(self, table, random_game(self.rules, self.rng, most=max(0, 5 * (7 - index) - 4)))

    def _whole_game(self) -> list[Entry]:
        """Return a quick random game that ends by the rules."""
        while True:
            entries = random_game(self.rules, self.rng)
            if len(entries) <= HANDS_IN_TIME + 2:
                return entries

    def _wrong_discarder(self, entry: Entry) -> Entry | None:
        if not isinstance(entry, Ron):
            return None
        away = {entry.loser, *(win.seat for win in entry.winners)}
        others = [seat for seat in range(self.rules.players) if seat not in away]
        return replace(entry, loser=self.rng.choice(others)) if others else None

    def _penalise(self, round_: Round) -> None:
        players = list(self.event.players.order_by("number"))
        give_penalty(
            player=players[self.rng.randrange(len(players))],
            points=5000 if round_.number == 1 else 10_000,
            reason="Late to the table" if round_.number == 1 else "Telephone used during play",
            client_id=self.next_id(),
            round_=round_,
            by=self.by,
        )

    def _cancel_penalty(self, round_: Round) -> None:
        reason = "The tram was late, as a referee saw"
        cancel_penalty(penalty=self.event.penalties.get(round=round_), reason=reason, by=self.by)

    def _replace(self, table: Table) -> None:
        """Put a substitute in for a round, for a player who missed the train."""
        seat = table.seats.select_related("player").order_by("seat")[1]
        put_substitute_in(
            table=Table.objects.select_related("round__event").get(pk=table.pk),  # its round was planned, and is public
            player=seat.player,
            replacement=Replacement(when="before", reason="Missed the train; back for round 3", name="A referee"),
            client_id=self.next_id(),
            by=self.by,
        )

    def next_id(self) -> UUID:
        """Return an identifier from the sample's own generator."""
        return UUID(int=self.rng.getrandbits(128), version=4)


T = TypeVar("T")

MAX_HANDS = 40
# weights of han by number of players: three players draw more dora, and set Norths aside
HAN = {
    3: {1: 8, 2: 14, 3: 20, 4: 18, 5: 14, 6: 13, 7: 6, 8: 5, 11: 1},
    4: {1: 24, 2: 27, 3: 20, 4: 13, 5: 7, 6: 5, 7: 2, 8: 1},
}
FU = {20: 12, 25: 5, 30: 55, 40: 22, 50: 6, 60: 3, 70: 1}
YAKUMAN_ONE_IN = 250
WITH_TILES = 0.3  # of the hands that one player wins: a referee takes the time for the better ones


def random_game(rules: Ruleset, rng: Random, *, most: int = MAX_HANDS) -> list[Entry]:
    """Return a random game that ends by the rules, or by time after `most` hands."""
    entries: list[Entry] = []
    state = opening(rules)
    while not state.ended and len(entries) < most:
        entry = random_hand(state, rules, rng)
        entries.append(entry)
        state = play(entry, state, rules).after
    return entries


def random_hand(state: TableState, rules: Ruleset, rng: Random) -> Entry:
    """Return a random hand without errors or warnings."""
    while True:
        make = _pick(rng, _MAKERS)
        entry = make(state, rules, rng)
        if not problems(entry, state, rules):
            return entry


def _ron(several: int, state: TableState, rules: Ruleset, rng: Random) -> Entry:
    loser, *winners = rng.sample(range(rules.players), several + 1)
    if several == 1 and rng.random() < WITH_TILES:
        win, riichi = _win_of_tiles(winners[0], state, rules, rng, tsumo=False)
        return Ron(loser=loser, winners=(win,), riichi=riichi)
    wins = tuple(_win(seat, rules, rng, tsumo=False) for seat in sorted(winners))
    return Ron(loser=loser, winners=wins, riichi=_riichi(state, rules, rng, *winners))


def _tsumo(state: TableState, rules: Ruleset, rng: Random) -> Entry:
    seat = rng.randrange(rules.players)
    if rng.random() < WITH_TILES:
        win, riichi = _win_of_tiles(seat, state, rules, rng, tsumo=True)
        return Tsumo(winners=(win,), riichi=riichi)
    return Tsumo(winners=(_win(seat, rules, rng, tsumo=True),), riichi=_riichi(state, rules, rng, seat))


def _draw(state: TableState, rules: Ruleset, rng: Random) -> Entry:
    riichi = _riichi(state, rules, rng)
    tenpai = tuple(seat for seat in range(rules.players) if seat in riichi or rng.random() < 0.4)
    return Draw(tenpai=tenpai, riichi=riichi)


def _win(seat: int, rules: Ruleset, rng: Random, *, tsumo: bool) -> Win:
    if rng.randrange(YAKUMAN_ONE_IN) == 0:
        return Win(seat=seat, yakuman=1)
    han = _pick(rng, HAN[rules.players])
    if han >= MANGAN_HAN:
        return Win(seat=seat, han=han)
    possible = possible_fu(han, rules, tsumo=tsumo)
    return Win(seat=seat, han=han, fu=_pick(rng, {fu: weight for fu, weight in FU.items() if fu in possible}))


def _win_of_tiles(
    seat: int, state: TableState, rules: Ruleset, rng: Random, *, tsumo: bool
) -> tuple[Win, tuple[int, ...]]:
    """Return a win with the tiles of its hand, as they lie in this deal, and the riichi of the table."""
    round_wind, seat_wind = (EAST + WINDS.index(wind) for wind in (state.round_wind, state.wind_of(seat)))
    counted = None
    drawn = winning_hands(rules, rng)
    while counted is None:
        hand = replace(next(drawn), tsumo=tsumo, round_wind=round_wind, seat_wind=seat_wind, honba=state.honba)
        with suppress(InvalidInput):  # without a yaku in this seat, or by this way to win
            counted = None if hand_problems(hand, rules) else count(hand, rules)
    value = {"yakuman": counted.yakuman} if counted.yakuman else {"han": counted.han, "fu": counted.fu}
    win = Win(seat=seat, yaku=tuple(name for name, _han in counted.yaku), hand=to_json(hand), **value)
    others = [other for other in _riichi(state, rules, rng) if other != seat]
    return win, tuple(sorted([*others, seat] if hand.riichi else others))


def _riichi(state: TableState, rules: Ruleset, rng: Random, *winners: int) -> tuple[int, ...]:
    """Draw the riichi: nearly every second winner, every sixth of the others, nobody without the points."""
    able = (seat for seat in range(rules.players) if state.scores[seat] >= rules.riichi_deposit)
    return tuple(seat for seat in able if rng.random() < (0.45 if seat in winners else 0.16))


def _pick(rng: Random, weights: Mapping[T, int]) -> T:
    return rng.choices(list(weights), list(weights.values()))[0]


_MAKERS: Mapping[Callable[[TableState, Ruleset, Random], Entry], int] = {
    partial(_ron, 1): 50,
    _tsumo: 31,
    _draw: 17,
    partial(_ron, 2): 2,
}


@dataclass(frozen=True, slots=True)
class TablePlay:
    """The hands of one table, whether it is signed, and a wrong first entry of the second hand."""

    day: PlannedDay
    table: Table
    entries: Sequence[Entry]
    signed: bool = False
    wrong: Entry | None = None

    def acts(self, start: datetime, span: timedelta) -> Iterator[PlannedAct]:
        """Yield the acts of this table, spread evenly over a span of time."""
        step = span / (len(self.entries) + 1)
        for index, entry in enumerate(self.entries):
            shown = self.wrong if self.wrong and index == 1 else entry
            late = self.wrong is not None and index == 4
            enter = partial(self._enter, shown, expected_seq=index + late)
            yield PlannedAct(start + step * (index + 1), 1, enter)
        if self.wrong:
            yield PlannedAct(start + step * 4.5, 1, self._correct)
        if self.signed:
            yield PlannedAct(start + span, 2, self._sign)

    def _enter(self, entry: Entry, *, expected_seq: int) -> None:
        write_hand(HandRequest(self.table, entry, self.day.next_id(), expected_seq), by=self.day.by)

    def _correct(self) -> None:
        reason = "Wrong discarder was entered; the whole table agrees"
        request = HandRequest(self.table, self.entries[1], self.day.next_id(), 4, hand=2, reason=reason)
        write_hand(request, by=self.day.by)

    def _sign(self) -> None:
        rules = self.day.rules
        game = fold(self.entries, rules)
        sign_table(
            table=self.table,
            totals=game.final(rules).scores,
            leftover=game.state.sticks * rules.riichi_deposit,
            expected_seq=len(self.entries),
            by=self.day.by,
        )
