"""The sample events: whole, honest, and with something of everything."""

import datetime as dt
from collections import Counter

import pytest
from django.db import transaction

from scoring.entries import Chombo, Draw, Ron, Tsumo
from tests.factories import make_account
from tournament.archive.queries import get_event_file
from tournament.archive.verify import verify_all
from tournament.core.models import AuditRow
from tournament.demo.sample import DEMO_SLUGS, SAMPLES, SLUGS, load_samples
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.penalties.models import Penalty
from tournament.standings.queries import read_standings
from tournament.tables.queries import list_hands, load_tables

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NOW = dt.datetime(2026, 9, 12, 14, 30, tzinfo=dt.UTC)


@pytest.mark.once
def test_both_samples_are_whole():
    """One test: to make them takes longer than all that is asked of them."""
    by = make_account()
    load_samples(now=NOW, by=by, only=SLUGS[:1])
    (missing,) = load_samples(now=NOW, by=by)
    events = list(Event.objects.order_by("pk"))
    assert missing == events[1]
    for holds in (
        both_stand_in_mid_play,
        the_running_round_shows_tables_at_every_stage,
        hands_are_of_every_kind_and_nothing_is_wrong_with_any,
        standings_of_two_rounds_are_there,
        everything_happened_before_now_and_in_order,
        loading_again_does_nothing,
    ):
        holds(events)


@pytest.mark.once
def test_a_demo_has_an_event_in_its_last_round_and_one_that_ended_close():
    evening, cup = load_samples(now=NOW, by=make_account(), only=set(DEMO_SLUGS) - set(SLUGS))
    assert [round_.state for round_ in evening.rounds.all()] == [*["released"] * 3, "running"]
    assert [round_.state for round_ in cup.rounds.all()] == ["released"] * 4
    first, second, third = [row.total for row in read_standings(cup).rows[:3]]
    assert first - second < 1000 < second - third
    assert cup.substitutions.count() == 1
    hands = [hand.entry for table in load_tables(cup) for hand in table.game.hands]
    with_tiles = [hand for hand in hands if any(win.hand for win in getattr(hand, "winners", ()))]
    assert 0.1 < len(with_tiles) / len(hands) < 0.5
    assert verify_all().problems == []


@pytest.mark.once
def test_an_event_at_the_address_of_a_sample_is_left_alone():
    mine = create_event(name="Mine", date=NOW.date(), rules_key="ema-2025", rounds=1, slug=SLUGS[0], by=make_account())
    assert load_samples(now=NOW, only=SLUGS[:1]) == []
    assert list(Event.objects.all()) == [mine]


def both_stand_in_mid_play(events: list[Event]) -> None:
    assert tuple(event.slug for event in events) == SLUGS == ("sanmatsuri-sample", "rakkii-nomi-sample")
    assert [event.ruleset.key for event in events] == ["sanmatsuri-2026", "rakkii-nomi-2026"]
    assert [event.players.count() for event in events] == [24, 32]
    for event in events:
        states = [round_.state for round_ in event.rounds.all()]
        assert states == ["released", "released", "running", "published", "drawn", "drawn"]
        assert event.rounds_planned == 6


def the_running_round_shows_tables_at_every_stage(events: list[Event]) -> None:
    for event in events:
        tables = load_tables(event, rounds=[3])
        stages = [table.stage for table in tables]
        assert stages == ["signed", "signed", "over", *["playing"] * 4, "waiting"]
        assert [row.rows for row in list_hands(tables[3])] == [1, 2, 1, 1, 1]
        chombo = [table.number for table in tables if any(isinstance(h.entry, Chombo) for h in table.game.hands)]
        assert chombo == [5]


def hands_are_of_every_kind_and_nothing_is_wrong_with_any(events: list[Event]) -> None:
    hands = [hand for event in events for table in load_tables(event) for hand in table.game.hands]
    kinds = Counter(type(hand.entry) for hand in hands)
    assert kinds[Ron] > kinds[Tsumo] > kinds[Draw] > 20
    assert any(hand.before.honba for hand in hands)
    assert any(hand.entry.riichi for hand in hands)
    report = verify_all()
    assert report.problems == []
    assert report.entries > 300


def standings_of_two_rounds_are_there(events: list[Event]) -> None:
    for event in events:
        standings = read_standings(event)
        assert standings.rounds == (1, 2)
        assert {row.games for row in standings.rows} == {2}
        assert sum(row.penalties for row in standings.rows) == 10_000
        cancelled = [bool(penalty.cancelled_at) for penalty in Penalty.objects.filter(event=event)]
        assert sorted(cancelled) == [False, True]


def everything_happened_before_now_and_in_order(events: list[Event]) -> None:
    for event in events:
        moments = list(AuditRow.objects.filter(event=event).order_by("seq").values_list("at", flat=True))
        assert moments == sorted(moments)
        assert NOW - dt.timedelta(minutes=10) < moments[-1] < NOW
        running = event.rounds.get(number=3)
        assert running.started_at == NOW - dt.timedelta(minutes=42)


def loading_again_does_nothing(_events: list[Event]) -> None:
    before = AuditRow.objects.count()
    assert load_samples(now=NOW + dt.timedelta(days=1)) == []
    assert (Event.objects.count(), AuditRow.objects.count()) == (2, before)


@pytest.mark.nightly
@pytest.mark.once
@pytest.mark.parametrize("slug", SLUGS)
def test_the_same_moment_gives_the_same_bytes(slug: str):
    by = make_account()
    files = []
    for only in ([slug], SLUGS):
        with transaction.atomic():
            load_samples(now=NOW, by=by, only=only)
            files.append(get_event_file(Event.objects.get(slug=slug)))
            transaction.set_rollback(True)
    assert files[0] == files[1]
    assert len(files[0]) > 50_000


def test_names_are_fit_to_try_a_page_with():
    for sample in (sample for sample in SAMPLES if not sample.demo):
        people = sample.people
        names = [person.preferred_name for person in people]
        assert len({name.casefold() for name in names}) == len(names)
        assert max(map(len, names)) == 40
        assert sum(any("぀" <= letter <= "鿿" for letter in name) for name in names) >= 3
        assert all(person.ema_number == "" or person.ema_number.startswith("99") for person in people)
        assert all(len(person.country) == 3 for person in people)
