"""A penalty that was given keeps its amount when the rules change, unless the organiser changes the given ones, too."""

import json
from typing import Any
from uuid import uuid4

import pytest

from tests.factories import correct, enter, fresh, last_seq, make_event, play_round, round_of, table_of, writer_of
from tests.fixtures import module_event
from tests.penalties.foul_acts import give, points, shown
from tournament.archive.verify import verify_event
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.penalties.actions import cancel_penalty
from tournament.rounds.actions import release_round
from tournament.rulesets.actions import ConfirmationRequiredError, change_rules
from tournament.rulesets.queries import list_rule_changes
from tournament.standings.queries import get_standings

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


made = module_event("rakkii-nomi-2026", tables=1, rounds=2)


def asked(event: Event, **values: Any) -> ConfirmationRequiredError:
    event.refresh_from_db()
    with pytest.raises(ConfirmationRequiredError) as found:
        change_rules(event=event, values=values, reason="misprint", by=writer_of(event))
    return found.value


def change(event: Event, *, given: bool = False, **values: Any) -> None:
    """Change rules as somebody who has looked, with the given penalties or without."""
    effects = asked(event, **values)
    mark = (effects.with_given if given else effects.effects).mark
    change_rules(event=event, values=values, reason="misprint", confirmed=mark, given=given, by=writer_of(event))
    event.refresh_from_db()


def amounts(found: ConfirmationRequiredError) -> list[tuple[int, int, int]]:
    return [(each.number, each.before, each.after) for each in found.with_given.given if each.changes]


def give_one_of_each(event: Event) -> None:
    """Give the event's chombo, a chombo of another amount, an amended one, lateness; type a chombo as a hand."""
    give(event, 1, foul="noten_riichi")
    give(event, 2, foul="tenpai_early_shown")
    give(event, 3, foul="noten_riichi", points=12_000, amount_reason="agreed")
    give(event, 4, foul="late", minutes=3, at=None)
    give(event, 4, foul="draw_from_opponent", decision="chombo")
    enter(table_of(event), "c2")


GIVEN = {1: 20_000, 2: 50_000, 3: 12_000, 4: 23_000}


@pytest.mark.states("given_kept")
def test_given_penalties_keep_their_amounts(event: Event):
    give_one_of_each(event)
    assert points(event) == GIVEN
    found = asked(event, chombo_points=25_000, late_points=2000)
    assert amounts(found) == [(1, 20_000, 25_000), (4, 3000, 6000), (4, 20_000, 25_000), (2, 20_000, 25_000)]
    before = sorted(shown(event))
    change(event, chombo_points=25_000, late_points=2000)
    assert (points(event), sorted(shown(event))) == (GIVEN, before)
    give(event, 1, foul="noten_riichi")
    enter(table_of(event), "c3")
    assert points(event) == {**GIVEN, 1: 45_000, 3: 37_000}


@pytest.mark.states("given_changed")
def test_given_penalties_change_where_the_organiser_says_so(event: Event):
    give_one_of_each(event)
    change(event, given=True, chombo_points=25_000, late_points=2000)
    assert points(event) == {1: 25_000, 2: 55_000, 3: 12_000, 4: 31_000}
    assert event.kept_amounts == []
    assert verify_event(event).problems == []


def test_what_was_kept_twice_may_still_be_changed(event: Event):
    enter(table_of(event), "c1")
    change(event, chombo_points=25_000)
    enter(table_of(event), "c1")
    change(event, chombo_points=30_000)
    enter(table_of(event), "c1")
    assert points(event) == {1: 75_000}
    assert amounts(asked(event, chombo_points=10_000)) == [
        (1, 20_000, 10_000),
        (1, 25_000, 10_000),
        (1, 30_000, 10_000),
    ]
    change(event, given=True, chombo_points=10_000)
    assert points(event) == {1: 30_000}


def test_a_chombo_costs_what_it_cost_when_the_hand_became_one(event: Event):
    table = table_of(event)
    enter(table, "c1")
    enter(table, "1t 230")
    change(event, chombo_points=30_000)
    correct(table, 1, "c12")  # of player 1 since before the change, of player 2 since now
    correct(table, 2, "c3")
    assert points(event) == {1: 20_000, 2: 30_000, 3: 30_000}


def test_a_cancelled_chombo_shows_and_tells_what_it_cost(event: Event):
    (row,) = give(event, 1, foul="noten_riichi").rows
    change(event, chombo_points=30_000)
    cancel_penalty(penalty=row, reason="it was not so", by=writer_of(event))
    assert (points(event), shown(event)) == ({}, [(1, "chombo", 20_000, True)])
    assert json.loads(event.audit.latest("seq").details)["points"] == 20_000


def test_the_trail_and_the_players_page_say_what_became_of_them(event: Event):
    enter(table_of(event), "c1")
    change(event, chombo_points=25_000)
    assert json.loads(event.audit.latest("seq").details)["kept"] == [{"player": 1, "points": 20_000}]
    change(event, given=True, chombo_points=30_000)
    given = {"player": 1, "before": 20_000, "after": 30_000}
    assert json.loads(event.audit.latest("seq").details)["given"] == [given]
    assert [row.given for row in list_rule_changes(event)] == ["changed", "kept"]


def test_who_agreed_to_keep_has_not_agreed_to_change(event: Event):
    enter(table_of(event), "c1")
    event.refresh_from_db()
    keep = asked(event, chombo_points=25_000).effects.mark
    with pytest.raises(ConfirmationRequiredError):
        change_rules(
            event=event, values={"chombo_points": 25_000}, reason="x", confirmed=keep, given=True, by=writer_of(event)
        )


def replace(event: Event) -> None:
    put_substitute_in(
        table=table_of(event),
        player=event.players.get(number=2),
        replacement=Replacement(when="before", reason="ill"),
        client_id=uuid4(),
        by=writer_of(event),
    )


@pytest.mark.parametrize("book", ["rakkii-nomi-2026", "ema-2025"])
def test_what_being_replaced_costs_is_kept_as_well(book: str):
    event = make_event(book, tables=1, rounds=1)
    play_round(event, 1, "1t 230")
    release_round(round_=round_of(event), by=writer_of(event))
    replace(event)
    assert amounts(asked(event, replaced_points=10_000)) == [(2, 30_000, 10_000)]
    before = get_standings(event).rows
    change(event, replaced_points=10_000)
    assert get_standings(event).rows == before
    change(event, given=True, replaced_points=5000)
    assert [row.total for row in before if row.number == 2] == [-30_000]
    assert [row.total for row in get_standings(event).rows if row.number == 2] == [-5000]


def test_nothing_is_asked_where_nothing_was_given(event: Event):
    enter(table_of(event), "1t 230")
    assert last_seq(table_of(event)) == 1
    assert change_rules(event=fresh(event), values={"chombo_points": 25_000}, reason="misprint", by=writer_of(event))
