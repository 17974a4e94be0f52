"""Which tables are in their last hand, what they need, and what of it the public may see."""

import datetime as dt

import pytest
import time_machine

from scoring.entries import Tsumo
from tests.factories import (
    enter,
    enter_all,
    last_seq,
    make_event,
    play_round,
    round_of,
    sign,
    table_of,
    writer_of,
)
from tests.fixtures import module_event
from tournament.alllast.queries import (
    TableNeeds,
    get_needs,
    get_rank_needs,
    list_last_tables,
    list_needs,
    needs_marks,
    public_needs,
)
from tournament.events.models import Event, LiveOthers
from tournament.rounds.actions import start_round
from tournament.standings.queries import get_desk_standings
from tournament.tables.queries import LoadedTable, get_table
from tournament.tables.round_queries import get_clock, list_tiles

pytestmark = [pytest.mark.once, pytest.mark.django_db]

# each of the first seven deals goes to the next player
TO_SOUTH_4 = ("2r1 330", "3r2 330", "4r3 m", "1r4 240", "2r1 230", "3t 330", "2r3 340")


def loaded(event: Event, number: int = 1, round_: int = 1) -> LoadedTable:
    found = get_table(event, round_, number)
    assert found is not None
    return found


def last_numbers(event: Event, round_: int = 1) -> list[int]:
    row = round_of(event, round_)
    return [needs.number for needs in list_needs(row)]


def show_needs(event: Event, **changes: object) -> None:
    Event.objects.filter(pk=event.pk).update(show_needs=True, **changes)
    event.refresh_from_db()


made = module_event()


@pytest.mark.once
def test_a_table_is_in_its_last_hand_from_the_last_deal_to_the_end(event: Event):
    table = table_of(event)
    enter_all(table, *TO_SOUTH_4[:-1])
    assert last_numbers(event) == []
    enter(table, TO_SOUTH_4[-1])
    assert last_numbers(event) == [1]
    clock = get_clock(round_of(event))
    assert list_last_tables(list_tiles(event, 1), clock) == [1]
    # the dealer keeps the deal, then loses it
    enter(table, "4t 230")
    assert last_numbers(event) == [1]
    enter(table, "1r2 230")
    assert last_numbers(event) == []


def test_with_three_players_the_last_deal_is_the_third():
    event = make_event("sanmatsuri-2026")
    enter_all(table_of(event), "2r1 330", "3r2 330", "1r3 230", "2r1 230", "3r2 230")
    assert last_numbers(event) == [1]


def test_what_is_needed_is_of_the_table_as_it_stands(event: Event):
    enter_all(table_of(event), *TO_SOUTH_4)
    table = loaded(event)
    needs = get_needs(table, get_clock(round_of(event)), riichi=(0,))
    assert needs is not None
    assert (needs.state, needs.riichi, needs.by_time) == (table.state, (0,), False)
    assert [goals.seat for goals in needs.goals] == [0, 1, 2, 3]
    assert all(0 in tenpai for goals in needs.goals for goal in goals.goals for tenpai in goal.draw)


def test_the_clock_makes_a_hand_the_last_one(event: Event):
    with time_machine.travel(dt.datetime(2026, 9, 12, 9, tzinfo=dt.UTC), tick=False) as clock:
        start_round(round_=round_of(event), by=writer_of(event))
        enter(table_of(event), "2r1 330")
        assert last_numbers(event) == []
        # after 75 minutes this hand and one more are played
        clock.shift(dt.timedelta(minutes=76))
        assert last_numbers(event) == []
        enter(table_of(event), "3r2 330")
        assert last_numbers(event) == [1]
        needs = get_needs(loaded(event), get_clock(round_of(event)))
        assert needs is not None
        assert needs.by_time
        enter(table_of(event), "4r3 330")
        assert last_numbers(event) == []


# ---------------------------------------------------------------- the standings


@pytest.mark.once
def test_the_ranks_are_those_that_the_standings_have_once_the_hand_is_entered(event: Event):
    play_round(event, 1, *TO_SOUTH_4, "1r2 230")
    first, second = table_of(event, 1, round_=2), table_of(event, 2, round_=2)
    enter_all(second, *TO_SOUTH_4, "3r4 h")
    sign(second)
    enter_all(first, *TO_SOUTH_4)
    event.refresh_from_db()
    table = loaded(event, 1, 2)
    needs = get_rank_needs(event, table)
    assert needs is not None
    assert (needs.playing, needs.unknown) == ((), ())
    found = needs.seats[2]
    assert found is not None
    need = found.goals[0].tsumo
    assert need is not None
    enter(first, Tsumo(winners=(need.price.win(2),)))
    assert last_seq(first) == len(TO_SOUTH_4) + 1
    sign(first)
    event.refresh_from_db()
    rows = {row.number: row for row in get_desk_standings(event).rows}
    row = rows[table.seats[2].number]
    assert row.rank <= found.goals[0].rank
    assert row.shared == need.shared


def test_other_tables_count_as_they_stand_and_nothing_is_told_of_those_without_hands():
    event = make_event(tables=3, rounds=1)
    enter_all(table_of(event, 1), *TO_SOUTH_4)
    enter(table_of(event, 2), "2r1 330")
    unknown = get_rank_needs(event, loaded(event))
    assert unknown is not None
    assert (unknown.seats, unknown.unknown) == ((), ((1, 3),))
    enter(table_of(event, 3), "2r1 330")
    known = get_rank_needs(event, loaded(event))
    assert known is not None
    assert (known.playing, known.unknown, len(known.seats)) == ((2, 3), (), 4)


def test_the_standings_are_told_in_the_last_round_alone():
    event = make_event(rounds=2)
    enter_all(table_of(event), *TO_SOUTH_4)
    assert get_rank_needs(event, loaded(event)) is None


# ---------------------------------------------------------------- the public


def test_the_public_sees_nothing_unless_the_event_shows_it(event: Event):
    enter_all(table_of(event), *TO_SOUTH_4)
    event.refresh_from_db()
    number = loaded(event).seats[0].number
    assert (public_needs(event, number), needs_marks(event, [number])[number]) == ((), "")
    show_needs(event)
    assert [needs.number for needs in public_needs(event, number)] == [1]
    assert needs_marks(event, [number])[number] == "1/1:7"


def test_other_tables_are_hidden_while_the_own_one_is_played(event: Event):
    enter_all(table_of(event, 1), *TO_SOUTH_4)
    enter_all(table_of(event, 2), "2r1 330")
    show_needs(event, live_others=LiveOthers.OWN)
    own, other = loaded(event, 1).seats[0].number, loaded(event, 2).seats[0].number
    assert [needs.number for needs in public_needs(event, own)] == [1]
    assert (public_needs(event, other), public_needs(event, None)) == ((), ())
    sign(table_of(event, 2))
    event.refresh_from_db()
    assert [needs.number for needs in public_needs(event, other)] == [1]
    show_needs(event, live_others=LiveOthers.ALL)
    assert [needs.number for needs in read_again(event, None)] == [1]


def read_again(event: Event, follows: int | None) -> tuple[TableNeeds, ...]:
    """Return what is public at a version of the event that nobody has asked for yet."""
    Event.objects.filter(pk=event.pk).update(version=event.version + 1)
    event.refresh_from_db()
    return public_needs(event, follows)


def test_a_held_round_shows_nothing():
    event = make_event(rounds=1)
    enter_all(table_of(event), *TO_SOUTH_4)
    show_needs(event, hold="last", live_others=LiveOthers.ALL)
    assert public_needs(event, None) == ()
    show_needs(event, hold="nothing")
    assert len(read_again(event, None)) == 1


@pytest.mark.once
def test_the_mark_moves_with_the_hands_of_these_tables_alone(event: Event):
    enter_all(table_of(event, 1), *TO_SOUTH_4)
    show_needs(event, live_others=LiveOthers.ALL)
    before = needs_marks(event, [None])[None]
    enter(table_of(event, 2), "2r1 330")
    event.refresh_from_db()
    assert needs_marks(event, [None])[None] == before
    enter(table_of(event, 1), "4t 230")
    event.refresh_from_db()
    assert needs_marks(event, [None])[None] == "1/1:8"
    enter(table_of(event, 1), "1r2 230")
    event.refresh_from_db()
    assert needs_marks(event, [None])[None] == ""
