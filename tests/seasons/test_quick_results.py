"""What an event gives a season is read from signed sheets: it is what the fold of every table gives, for any event."""

import dataclasses
from collections import defaultdict
from random import Random
from uuid import uuid4

import pytest
from django.core.cache import cache

from rules.books import load
from rules.ruleset import Ruleset
from scoring.entries import Chombo, Entry, Totals, to_json
from scoring.placement import settle
from tests.factories import DAY, make_account, name_of
from tournament.core.hash_chain import canonical
from tournament.core.now import now
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.incidents.models import Substitution
from tournament.penalties.models import Penalty, PenaltyKind
from tournament.penalties.queries import count_points
from tournament.players.models import Person, Player
from tournament.seasons.results import count_events
from tournament.sheets.models import SheetRow
from tournament.standings.queries import games_of
from tournament.tables.models import LedgerEntry, Round, Seat, Table
from tournament.tables.queries import load_tables
from tournament.tables.sheet_games import read_sheet_games

BOOKS = (
    "ema-2025",
    "ema-2016",
    "wrc-2025",
    "tenhou-yonma",
    "m-league",
    "rakkii-nomi-2026",
    "jpml-a",
    "saikouisen-classic",
)
THREE = "kansai-sanma"
ROUNDS, TABLES = 3, 3

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def rules_of(chance: Random) -> Ruleset:
    rules = load(chance.choice(BOOKS))
    match chance.randrange(6):
        case 0:
            return dataclasses.replace(rules, chip_points=2000)
        case 1 if rules.bust:
            return dataclasses.replace(rules, bust_prize=10_000)
        case _:
            return rules


def scores_of(chance: Random, rules: Ruleset) -> tuple[tuple[int, ...], int]:
    """Return scores of a game, often tied or below zero, and the points that nobody got of riichi sticks."""
    sticks = chance.choice((0, 0, 0, 1, 2)) * rules.riichi_deposit
    left = rules.start_points * rules.players - sticks
    some = [chance.choice((-1000, 12_000, 25_000, 30_000, 30_000, 40_000)) for _ in range(rules.players - 1)]
    scores = [*some, left - sum(some)]
    chance.shuffle(scores)
    return settle(scores, sticks, rules)


def make_chance_event(chance: Random, slug: str) -> Event:
    by, at, rules, three = make_account(f"Owner {slug}"), now(), rules_of(chance), load(THREE)
    event = create_event(name=slug, date=DAY, rules_key="ema-2025", rounds=ROUNDS, slug=slug, by=by)
    Event.objects.filter(pk=event.pk).update(rules=rules.as_json(), second_rules=three.as_json())
    players = [
        Player.objects.create(
            event=event,
            person=Person.objects.create(preferred_name=name_of(index)),
            number=index + 1,
            ranked=chance.random() > 0.1,
            shown_by_name=chance.random() > 0.1,
        )
        for index in range(4 * TABLES)
    ]
    for number in range(1, ROUNDS + 1):
        released = None if number == ROUNDS and chance.random() < 0.3 else at
        round_ = Round.objects.create(event=event, number=number, published_at=at, started_at=at, released_at=released)
        chance.shuffle(players)
        for at_table in range(TABLES):
            here = rules if chance.random() < 0.7 else three
            seated = players[4 * at_table : 4 * at_table + here.players]
            table = Table.objects.create(round=round_, number=at_table + 1)
            for seat, player in enumerate(seated):
                Seat.objects.create(round=round_, table=table, seat=seat, player=player)
            play_by_chance(chance, table, here, seated)
    for player in players[:3]:
        Penalty.objects.create(
            event=event, player=player, points=chance.choice((1000, 2500)), kind=PenaltyKind.POINTS, given_at=at,
            given_by="", client_id=uuid4(), round=chance.choice([None, *event.rounds.all()]), reason="late",
        )  # fmt: skip
    event.refresh_from_db()
    return event


def play_by_chance(chance: Random, table: Table, rules: Ruleset, seated: list[Player]) -> None:
    at, (scores, leftover) = now(), scores_of(chance, rules)
    chips = (1, -1, *[0] * (rules.players - 2)) if rules.chip_points else ()
    entries: list[Entry] = [Totals(scores=scores, leftover=leftover, chips=chips)]
    if chance.random() < 0.2:
        entries.insert(0, Chombo(offenders=(chance.randrange(rules.players),)))
    rows = [
        LedgerEntry.objects.create(
            table=table, seq=seq, payload=canonical(to_json(entry)), client_id=uuid4(), by="", at=at, hash=uuid4().hex
        )
        for seq, entry in enumerate(entries, start=1)
    ]
    signed = chance.choice([(True,), (True,), (True,), (True, False), (True, False, True), ()])
    for seq, is_signed in enumerate(signed, start=1):
        SheetRow.objects.create(
            table=table, seq=seq, signed=is_signed, totals=list(scores), ledger_hash=rows[-1].hash, by="", at=at
        )
    if chance.random() < 0.2:
        Substitution.objects.create(
            event=table.round.event, table=table, player=chance.choice(seated), name="Somebody", reason="ill",
            when=chance.choice(("before", "during")), client_id=uuid4(), given_at=at, given_by="",
        )  # fmt: skip


def test_signed_sheets_give_what_the_fold_of_every_table_gives():
    events = [make_chance_event(Random(seed), f"of-{seed}") for seed in range(30)]
    found = count_events(events)
    counted_by_hands = 0
    for event in events:
        people = dict(event.players.values_list("number", "person"))
        rounds = list(event.rounds.exclude(released_at=None).values_list("number", flat=True))
        tables = load_tables(event, rounds=rounds)
        games = [[(people[each.player], each) for each in games_of(table)] for table in tables]
        result = found[event.pk]
        assert list(result.places) == [{pk: each.place for pk, each in game if each.place} for game in games]
        assert list(result.seats) == [len(table.seats) for table in tables]
        penalties = {people[number]: points for number, points in count_points(event, tables, rounds=rounds).items()}
        expected: dict[int, int] = defaultdict(int)
        for pk, each in (pair for game in games for pair in game):
            expected[pk] += each.result
        totals: dict[int, int] = defaultdict(int)
        for pk, points in zip(result.games.people, result.games.numbers, strict=True):
            totals[pk] += points
        assert totals == {pk: points - penalties.get(pk, 0) for pk, points in expected.items()}
        counted_by_hands += any(not table.signed or table.substitutes for table in tables)
    assert counted_by_hands > 0


def test_what_is_read_at_once_is_what_each_event_gives_alone():
    events = [make_chance_event(Random(seed), f"of-{seed}") for seed in range(100, 104)]
    together = count_events(events)
    for event in events:
        cache.clear()
        alone = count_events([event])[event.pk]
        assert (list(alone.games), alone.people, alone.hidden) == (
            list(together[event.pk].games), together[event.pk].people, together[event.pk].hidden
        )  # fmt: skip


def test_a_sheet_of_another_number_of_players_is_counted_by_hands():
    event = make_chance_event(Random(1), "of-one")
    sheet = SheetRow.objects.filter(table__round__event=event, table__round__released_at__isnull=False)[0]
    SheetRow.objects.create(
        table=sheet.table, seq=9, signed=True, totals=[50_000, 50_000], ledger_hash=sheet.ledger_hash, by="", at=now()
    )
    games = read_sheet_games({event.pk: event.rulesets}, {event.pk: range(ROUNDS + 1)})[event.pk]
    assert sheet.table_id in games.untold
    assert len(games.points) == len(games.places) == len(games.players) == 4 * len(games.tables)
