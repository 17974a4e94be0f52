"""What the public may see and when, as a table of settings and rounds; and read from an event, in how many queries."""

import pytest

from tests.factories import (
    correct,
    enter,
    fresh,
    make_event,
    play_round,
    round_of,
    sign,
    table_of,
    writer_of,
)
from tournament.events.actions import Publication as Choice
from tournament.events.actions import set_publication
from tournament.events.models import Event
from tournament.publication.queries import (
    LiveTable,
    Publication,
    PublicView,
    RoundState,
    decide_public_view,
    get_public_view,
    read_public_view,
    would_hold,
)
from tournament.rounds.actions import release_round
from tournament.sheets.actions import reopen_table
from tournament.standings.queries import get_released_standings, get_standings

pytestmark = pytest.mark.once

PLAYED, PLAYS, DRAWN = (True, True), (True, False), (False, False)  # published, released
ONE, TWO, THREE = [PLAYED, PLAYS, PLAYS], [PLAYED, PLAYED, PLAYS], [PLAYED, PLAYED, PLAYED]


def rounds_of(states: list[tuple[bool, bool]]) -> list[RoundState]:
    return [RoundState(number, *state) for number, state in enumerate(states, start=1)]


@pytest.mark.parametrize(
    ("hold", "shown_through", "states", "public", "held", "why"),
    [
        ("nothing", 0, [DRAWN], (), (), ""),
        ("nothing", 0, THREE, (1, 2, 3), (), ""),
        ("last", 0, TWO, (1, 2), (), ""),
        ("last", 0, THREE, (1, 2), (3,), "last"),
        ("last", 2, THREE, (1, 2), (3,), "last"),
        ("last", 3, THREE, (1, 2, 3), (), ""),
        ("before_last", 0, ONE, (1,), (), ""),
        ("before_last", 0, TWO, (1,), (2,), "before_last"),
        ("before_last", 0, THREE, (1,), (2, 3), "before_last"),
        ("before_last", 2, TWO, (1, 2), (), ""),
        ("before_last", 2, THREE, (1, 2, 3), (), ""),
        ("before_last", 0, [PLAYED, PLAYS, PLAYED], (1,), (3,), "before_last"),
    ],
)
def test_what_is_released_and_what_is_held(hold, shown_through, states, public, held, why):
    seen = decide_public_view(Publication("nothing", "own", hold, shown_through, last=3), rounds_of(states))
    assert (seen.rounds, seen.held_rounds, seen.held) == (public, held, why)


@pytest.mark.parametrize(("hold", "public"), [("before_last", (1,)), ("last", ())])
def test_an_event_of_one_round_has_no_second_last(hold: str, public: tuple[int, ...]):
    assert decide_public_view(Publication("nothing", "own", hold, 0, last=1), [RoundState(1, *PLAYED)]).rounds == public


def table(round_: int, number: int, *players: int, signed: bool = False) -> LiveTable:
    return LiveTable(round_, number, frozenset(players), signed, f"{round_}{number}")


PLAYING, SIGNED = table(2, 1, 1, 2), table(2, 2, 3, 4, signed=True)
TABLES = [table(1, 1, 1, 3, signed=True), PLAYING, SIGNED]


@pytest.mark.parametrize(
    ("live", "others", "follows", "looked_at"),
    [
        ("nothing", "all", 1, ()),
        ("signed", "all", None, (SIGNED,)),
        ("hands", "all", None, (PLAYING, SIGNED)),
        ("hands", "all", 1, (PLAYING, SIGNED)),
        ("signed", "own", None, ()),
        ("signed", "own", 1, ()),
        ("signed", "own", 3, (SIGNED,)),
        ("hands", "own", None, ()),
        ("hands", "own", 1, (PLAYING,)),
        ("hands", "own", 3, (PLAYING, SIGNED)),
        ("hands", "own", 5, ()),
    ],
)
def test_which_live_tables_a_phone_sees(live, others, follows, looked_at):
    seen = decide_public_view(Publication(live, others, "nothing", 0, last=3), rounds_of(ONE), TABLES)
    assert seen.live_for(follows) == looked_at
    assert seen.live_mark(follows) == " ".join(f"{each.round}/{each.number}:{each.mark}" for each in looked_at)
    found = [seen.live_table(2, number, follows) for number in (1, 2)]
    assert found == [each if each in looked_at else None for each in (PLAYING, SIGNED)]


@pytest.mark.parametrize(
    ("hold", "shown_through", "lives"), [("before_last", 0, 0), ("before_last", 2, 2), ("last", 0, 2)]
)
def test_nothing_is_live_in_a_round_that_is_held(hold: str, shown_through: int, lives: int):
    seen = decide_public_view(Publication("hands", "all", hold, shown_through, last=3), rounds_of(ONE), TABLES)
    assert len(seen.live) == lives


# ---------------------------------------------------------------- read from an event


@pytest.fixture
def event(db: None) -> Event:
    event = make_event(tables=2, rounds=2)
    play_round(event, 1, "2r3 340/2")
    event.refresh_from_db()
    return event


def test_an_event_shows_what_is_released_unless_it_is_told_otherwise(event: Event, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert read_public_view(event) == PublicView(rounds=(1,), own_only=True)
    assert not would_hold(event, 2)


def test_live_tables_are_those_with_a_hand(event: Event, django_assert_num_queries):
    set_publication(event=event, publication=Choice(live_tables="hands", live_others="all"), by=writer_of(event))
    assert read_public_view(event).live == ()
    enter(table_of(event, 2, round_=2), "1t 230")
    with django_assert_num_queries(3):
        (live,) = read_public_view(event).live
    assert (live.round, live.number, live.signed, live.players) == (2, 2, False, frozenset({6, 7, 8, 1}))
    sign(table_of(event, 2, round_=2))
    (signed,) = read_public_view(event).live
    assert (signed.signed, signed.mark == live.mark) == (True, False)


@pytest.mark.once
def test_the_desk_ranks_what_the_public_does_not_see(event: Event):
    set_publication(event=event, publication=Choice(hold="last"), by=writer_of(event))
    assert would_hold(event, 2)
    assert not would_hold(event, 1)
    play_round(event, 2, "1t 230")
    event.refresh_from_db()
    assert get_public_view(event).held_rounds == (2,)
    assert get_standings(event).rounds == (1,)
    assert get_released_standings(event).rounds == (1, 2)


def test_a_round_that_comes_after_the_plan_is_the_last(event: Event):
    Event.objects.filter(pk=event.pk).update(rounds_planned=1)
    set_publication(event=event, publication=Choice(hold="last"), by=writer_of(event))
    play_round(event, 2, "1t 230")
    event.refresh_from_db()
    assert (event.rounds_planned, read_public_view(event).held_rounds) == (1, (2,))


def test_an_old_reader_keeps_no_standings_under_the_state_that_a_release_makes(event: Event):
    enter(table_of(event, 1, round_=2), "1t 230")
    sign(table_of(event, 1, round_=2))
    enter(table_of(event, 2, round_=2), "1t 230")
    sign(table_of(event, 2, round_=2))
    reopen_table(table=table_of(event, 1, round_=1), reason="misheard", by=writer_of(event))
    correct(table_of(event, 1, round_=1), 1, "2r3 230")
    sign(table_of(event, 1, round_=1))
    old = fresh(event)
    assert get_public_view(old).rounds == (1,)
    release_round(round_=round_of(event, 2), by=writer_of(event))
    get_standings(old)
    assert {row.games for row in get_standings(fresh(event)).rows} == {2}
