"""Two sample events in mid-play, for trying the desk out: invented people, made-up hands, real verbs.

It writes no row itself; all that is in a sample could have been typed at a desk. The same moment gives the same sample.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from random import Random
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from rules.books import load
from rules.ruleset import Ruleset
from scoring.entries import Chombo, Entry, Ron
from scoring.game import fold, judge
from scoring.state import opening
from tournament.models import Account, Event, Round, Table
from tournament.services.access.access import get_site_organiser
from tournament.services.core.clock import clock_at
from tournament.services.core.events import create_event
from tournament.services.draws.draw import draw_seats, publish_rounds, release_round, start_round
from tournament.services.files.sample_hands import made_up_game
from tournament.services.files.sample_people import RAKKII_NOMI, SANMATSURI
from tournament.services.people.people import NewPlayer, add_players
from tournament.services.tables.hands import correct_hand, enter_hand
from tournament.services.tables.penalties import cancel_penalty, give_penalty
from tournament.services.tables.sheets import sign_table

ROUNDS = 6
SEED = 2026
HANDS_IN_TIME = 9  # about what a table plays before the signal
RUNNING_SINCE = timedelta(minutes=42)
PAUSE = timedelta(minutes=20)


@dataclass(frozen=True, slots=True)
class Sample:
    """What a sample event is made of."""

    slug: str
    name: str
    place: str
    rules_key: str
    people: Sequence[NewPlayer]


SAMPLES = (
    Sample("sanmatsuri-sample", "SanMatsuri 2026 (sample)", "Lantern Hall, Brightport", "sanmatsuri-2026", SANMATSURI),
    Sample(
        "rakkii-nomi-sample", "Rakkii Nomi Spring 2026 (sample)", "Old Tram Shed, Vale", "rakkii-nomi-2026", RAKKII_NOMI
    ),
)
SLUGS = tuple(sample.slug for sample in SAMPLES)


@dataclass(frozen=True, slots=True, order=True)
class Act:
    """One verb that happens at a moment; `order` parts what happens at the same one."""

    at: datetime
    order: int
    verb: Callable[[], object]


def load_samples(*, now: datetime, by: Account | None = None, only: Collection[str] = SLUGS) -> list[Event]:
    """Make the sample events, `only` some, as they would stand at `now`, each unless it is there; return those made.

    Two rounds are released, the third has been running for a while, the fourth is published, the last two are drawn.
    Without `by`, whoever runs this desk has entered everything.
    """
    writer = by or get_site_organiser()
    made = []
    for sample in SAMPLES:
        if sample.slug in only and not Event.objects.filter(slug=sample.slug).exists():
            with transaction.atomic():
                made.append(_make(sample, now, writer))
    return made


def _make(sample: Sample, now: datetime, by: Account) -> Event:
    chance = Random(sample.slug)  # noqa: S311 - the same sample every time
    rules = load(sample.rules_key)
    a_round = timedelta(minutes=rules.minutes) + PAUSE
    begins = [now - RUNNING_SINCE - a_round * before for before in (2, 1, 0)]
    event = _set_up(sample, begins[0] - PAUSE, by)
    rounds = {round_.number: round_ for round_ in event.rounds.select_related("event")}
    day = Day(event, rules, chance, by)
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
            rounds=ROUNDS,
            place=sample.place,
            slug=sample.slug,
            by=by,
        )
        add_players(event=event, players=sample.people, by=by)
    with clock_at(at):
        draw_seats(event=event, seed=SEED, by=by)
    return event


@dataclass(frozen=True, slots=True)
class Day:
    """What happens at an event, worked out before it is written."""

    event: Event
    rules: Ruleset
    chance: Random
    by: Account

    def acts_of(self, round_: Round, start: datetime) -> Iterator[Act]:
        """Yield all acts of a round: publish and start it, play its tables, and end it if it is not the running one."""
        end = start + timedelta(minutes=self.rules.minutes + 8)
        running = round_.number == 3
        publish = partial(publish_rounds, event=self.event, numbers=[round_.number], by=self.by)
        yield Act(start - PAUSE / 2, 0, publish)
        yield Act(start, 0, partial(start_round, round_=round_, by=self.by))
        tables = list(round_.tables.select_related("round__event"))
        for index, table in enumerate(tables):
            span = (RUNNING_SINCE if running else end - start) - timedelta(minutes=2, seconds=index)
            play = self._running_table(table, index) if running else self._timed_table(table)
            yield from play.acts(start, span)
        if running:
            following = partial(publish_rounds, event=self.event, numbers=[round_.number + 1], by=self.by)
            yield Act(start + timedelta(minutes=30), 0, following)
        else:
            yield Act(end, 9, partial(release_round, round_=round_, by=self.by))
            yield Act(start + timedelta(minutes=4), 8, partial(self._penalise, round_))
        if round_.number == 1:
            yield Act(start + timedelta(minutes=11), 8, partial(self._take_back, round_))

    def _timed_table(self, table: Table) -> "TablePlay":
        most = HANDS_IN_TIME + self.chance.randrange(-2, 2)
        return TablePlay(self, table, made_up_game(self.rules, self.chance, most=most), signed=True)

    def _running_table(self, table: Table, index: int) -> "TablePlay":
        """Return the play at a table of the running round: two are signed, one is over, the last has not begun."""
        if index < 3:
            return TablePlay(self, table, self._whole_game(), signed=index < 2)
        if index == 3:
            return self._corrected(table)
        if index == 4:
            entries = made_up_game(self.rules, self.chance, most=4)
            slip = Chombo(offenders=(self.chance.randrange(self.rules.players),), note="Ron called without a yaku")
            return TablePlay(self, table, [*entries[:2], slip, *entries[2:]])
        return TablePlay(self, table, made_up_game(self.rules, self.chance, most=max(0, 5 * (7 - index) - 4)))

    def _whole_game(self) -> list[Entry]:
        """Make up a quick game that ended by the rules."""
        while True:
            entries = made_up_game(self.rules, self.chance)
            if len(entries) <= HANDS_IN_TIME + 2:
                return entries

    def _corrected(self, table: Table) -> "TablePlay":
        """Return a table at which the second hand was first entered with the wrong discarder."""
        while True:
            entries = made_up_game(self.rules, self.chance, most=5)
            wrong = self._wrong_discarder(entries[1]) if len(entries) == 5 else None
            if wrong and not judge([entries[0], wrong, *entries[2:4]], opening(self.rules), self.rules):
                return TablePlay(self, table, entries, wrong=wrong)

    def _wrong_discarder(self, entry: Entry) -> Entry | None:
        if not isinstance(entry, Ron):
            return None
        away = {entry.loser, *(win.seat for win in entry.winners)}
        others = [seat for seat in range(self.rules.players) if seat not in away]
        return replace(entry, loser=self.chance.choice(others)) if others else None

    def _penalise(self, round_: Round) -> None:
        players = list(self.event.players.order_by("number"))
        give_penalty(
            player=players[self.chance.randrange(len(players))],
            points=5000 if round_.number == 1 else 10_000,
            reason="Late to the table" if round_.number == 1 else "Telephone used during play",
            client_id=self.next_id(),
            round_=round_,
            by=self.by,
        )

    def _take_back(self, round_: Round) -> None:
        reason = "The tram was late, as a referee saw"
        cancel_penalty(penalty=self.event.penalties.get(round=round_), reason=reason, by=self.by)

    def next_id(self) -> UUID:
        """Return an identifier from the sample's own chance."""
        return UUID(int=self.chance.getrandbits(128), version=4)


@dataclass(frozen=True, slots=True)
class TablePlay:
    """The hands of one table, whether it is signed, and the wrong form in which the second hand was first entered."""

    day: Day
    table: Table
    entries: Sequence[Entry]
    signed: bool = False
    wrong: Entry | None = None

    def acts(self, start: datetime, span: timedelta) -> Iterator[Act]:
        """Yield the acts of this table, spread evenly over a span of time."""
        step = span / (len(self.entries) + 1)
        for index, entry in enumerate(self.entries):
            shown = self.wrong if self.wrong and index == 1 else entry
            late = self.wrong is not None and index == 4
            enter = partial(self._enter, shown, expected_seq=index + late)
            yield Act(start + step * (index + 1), 1, enter)
        if self.wrong:
            yield Act(start + step * 4.5, 1, self._correct)
        if self.signed:
            yield Act(start + span, 2, self._sign)

    def _enter(self, entry: Entry, *, expected_seq: int) -> None:
        enter_hand(
            table=self.table, entry=entry, client_id=self.day.next_id(), expected_seq=expected_seq, by=self.day.by
        )

    def _correct(self) -> None:
        correct_hand(
            table=self.table,
            hand=2,
            entry=self.entries[1],
            client_id=self.day.next_id(),
            expected_seq=4,
            reason="Wrong discarder was entered; the whole table agrees",
            by=self.day.by,
        )

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
