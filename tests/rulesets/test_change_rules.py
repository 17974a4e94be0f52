"""A change of rules: refolded before it is written, refused or confirmed, harmless if sent twice, one row of trail."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from rules.books import load
from tests.factories import enter, enter_all, make_event, play_round, rows_of, sign, table_of, void, writer_of
from tests.fixtures import module_event
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError
from tournament.core.transaction import event_transaction
from tournament.events.actions import RULES_CHANGED
from tournament.events.models import Event
from tournament.rulesets.actions import ConfirmationRequiredError, change_rules
from tournament.rulesets.queries import effects_of, list_rule_changes, rules_mark
from tournament.standings.queries import get_standings
from tournament.tables.queries import get_table

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

MANGAN = "1r2 430"  # 4 han 30 fu: a mangan where the rules round up


made = module_event(tables=2, rounds=2)


def change(event: Event, reason: str = "misprint", *, seen: str = "", confirmed: str = "", **values: Any) -> bool:
    done = change_rules(event=event, values=values, reason=reason, seen=seen, confirmed=confirmed, by=writer_of(event))
    event.refresh_from_db()
    return done


def agree(event: Event, **values: Any) -> bool:
    """Change rules as somebody who has looked at what that does."""
    with pytest.raises(ConfirmationRequiredError) as asked:
        change(event, **values)
    return change(event, confirmed=asked.value.effects.mark, **values)


def refusals(event: Event, **values: Any) -> list[tuple[str, Mapping[str, Any]]]:
    event.refresh_from_db()
    before = (event.rules, event.version, event.audit.count())
    with pytest.raises(DomainError) as refused:
        change(event, **values)
    event.refresh_from_db()
    assert (event.rules, event.version, event.audit.count()) == before
    return [(problem.code, dict(problem.params)) for problem in refused.value.problems]


# ---------------------------------------------------------------- what cannot be


def test_every_contradiction_is_named_with_its_field(event: Event):
    assert refusals(event, chii=True, kita=True, oka=1000) == [
        ("rules.contradiction", {"rule": "kita", "why": "Norths are not set aside beside 'players' (4)"}),
        (
            "rules.contradiction",
            {"rule": "oka", "why": "must be 0: what 'return_points' (30000) takes beyond 'start_points'"},
        ),
    ]


def test_what_is_no_value_at_all_is_refused(event: Event):
    ((code, params),) = refusals(event, minutes="many")
    assert (code, params) == ("rules.unusable", {"why": "rule set: key 'minutes' must be of type int, not 'many'"})


def test_three_cannot_become_four_once_they_are_seated(event: Event):
    assert refusals(event, **load("sanmatsuri-2026").as_json()) == [("rules.players_fixed", {})]


def test_an_event_without_seats_may_change_its_number_of_players():
    event = make_event(tables=1, rounds=1, published=False)
    event.rounds.all().delete()
    assert change(event, **load("sanmatsuri-2026").as_json())
    assert event.ruleset.players == 3


def test_a_change_on_rules_that_somebody_else_has_changed_is_refused(event: Event):
    seen = rules_mark(event.ruleset)
    assert change(event, seen=seen, minutes=60)
    assert refusals(event, seen=seen, minutes=90) == [("rules.moved_on", {})]
    assert change(event, seen=rules_mark(event.ruleset), minutes=90)


def test_the_same_change_sent_twice_is_done_once(event: Event):
    seen = rules_mark(event.ruleset)
    assert change(event, seen=seen, minutes=60)
    before = (event.version, event.audit.count())
    assert not change(event, seen=seen, minutes=60)
    assert (event.version, event.audit.count()) == before


# ---------------------------------------------------------------- hands that are entered


def test_a_hand_that_could_not_stand_is_named_and_the_change_refused(event: Event):
    table = table_of(event, 2)
    enter_all(table, "d", "1r3 230+2 230")
    void(table, 1)
    ((code, params),) = refusals(event, multiple_ron="head_bump")
    assert code == "rules.hand_refused"
    assert (params["at_round"], params["at_table"], params["at_hand"]) == (1, 2, 2)
    assert params["because"] == "win.head_bump"


def test_a_change_that_touches_no_hand_needs_no_second_look(event: Event):
    enter(table_of(event), "1t 230")
    assert change(event, kiriage_mangan=False)
    assert effects_of(event, event.ruleset).mark == ""


def test_what_would_change_is_shown_by_table_and_player_before_it_is_written(event: Event):
    play_round(event, 1, MANGAN)
    before = (event.version, event.audit.count())
    with pytest.raises(ConfirmationRequiredError) as asked:
        change(event, kiriage_mangan=False)
    effects = asked.value.effects
    assert [(effect.round, effect.table, effect.stage, effect.reopens) for effect in effects.tables] == [
        (1, 1, "signed", True),
        (1, 2, "signed", True),
    ]
    seats = effects.tables[0].seats
    assert [(seat.name, seat.before.score, seat.after.score) for seat in seats] == [
        ("Akelei", 42_000, 41_600),
        ("Birk", 18_000, 18_400),
        ("Cyan", 30_000, 30_000),
        ("Distel", 30_000, 30_000),
    ]
    assert (seats[0].before.result, seats[0].after.result) == (27_000, 26_600)
    event.refresh_from_db()
    assert (event.version, event.audit.count()) == before


def test_what_was_agreed_to_is_written_with_one_row_in_the_trail(event: Event):
    play_round(event, 1, MANGAN)
    before = (event.version, event.audit.count())
    assert agree(event, kiriage_mangan=False)
    assert (event.version, event.audit.count()) == (before[0] + 1, before[1] + 1)
    row = event.audit.latest("seq")
    assert (row.verb, json.loads(row.details)) == (
        "rules_changed",
        {
            "reason": "misprint",
            "changes": [{"field": "kiriage_mangan", "before": True, "after": False}],
            "reopened": ["1/1", "1/2"],
        },
    )
    assert max(row.total for row in get_standings(event).rows) == 26_600


def test_sheets_that_no_longer_agree_are_reopened_and_those_that_do_stay_signed(event: Event):
    for number, line in ((1, MANGAN), (2, "1r2 230")):
        enter(table_of(event, number), line)
        sign(table_of(event, number))
    agree(event, kiriage_mangan=False)
    assert [get_table(event, 1, number).signed for number in (1, 2)] == [False, True]
    assert verify_event(event).problems == []
    sign(table_of(event))
    assert verify_event(event).problems == []


def test_uma_changes_results_and_leaves_sheets_signed(event: Event):
    play_round(event, 1, MANGAN)
    agree(event, uma=[20_000, 10_000, -10_000, -20_000])
    assert get_table(event, 1, 1).signed
    assert verify_event(event).problems == []


def test_a_table_whose_next_hand_would_be_another_is_shown(event: Event):
    enter(table_of(event), "d")
    with pytest.raises(ConfirmationRequiredError) as asked:
        change(event, dealer_on_draw="always")
    (effect,) = asked.value.effects.tables
    assert ((effect.before.dealer, effect.before.honba), (effect.after.dealer, effect.after.honba)) == ((1, 1), (0, 1))


def test_a_hand_entered_meanwhile_asks_anew(event: Event):
    enter(table_of(event), MANGAN)
    with pytest.raises(ConfirmationRequiredError) as asked:
        change(event, kiriage_mangan=False)
    enter(table_of(event, 2), MANGAN)
    with pytest.raises(ConfirmationRequiredError) as again:
        change(event, confirmed=asked.value.effects.mark, kiriage_mangan=False)
    assert len(again.value.effects.tables) == 2
    assert change(event, confirmed=again.value.effects.mark, kiriage_mangan=False)


def test_no_ledger_row_is_written_by_a_change(event: Event):
    play_round(event, 1, MANGAN)
    before = [row.hash for row in rows_of(table_of(event))]
    agree(event, kiriage_mangan=False)
    assert [row.hash for row in rows_of(table_of(event))] == before


# ---------------------------------------------------------------- what players may read


@pytest.mark.postgresql
def test_changes_since_play_began_are_listed_the_newest_first(event: Event):
    change(event, reason="", minutes=60)
    assert list_rule_changes(event) == []  # still being prepared
    enter(table_of(event), "1t 230")
    event.refresh_from_db()
    change(event, reason="late start", minutes=45)
    change(event, reason="later still", minutes=40, extra_hands=0)
    assert [
        (row.reason, [(one.field, one.before, one.after) for one in row.changes]) for row in list_rule_changes(event)
    ] == [
        ("later still", [("minutes", 45, 40), ("extra_hands", 1, 0)]),
        ("late start", [("minutes", 60, 45)]),
    ]


def test_a_change_before_play_is_announced_by_its_reason(event: Event):
    change(event, reason="", minutes=60)
    change(event, reason="the hall closes at six", minutes=50)
    assert [row.reason for row in list_rule_changes(event)] == ["the hall closes at six"]


def test_a_reason_that_was_typed_before_reasons_were_published_stays_at_the_desk(event: Event):
    with event_transaction(event, RULES_CHANGED, by=writer_of(event)) as row:
        row.details = {"reason": "Anna is ill", "changes": [{"field": "minutes", "before": 60, "after": 50}]}
    assert list_rule_changes(event) == []
    enter(table_of(event), "1t 230")
    event.refresh_from_db()
    assert list_rule_changes(event) == []


def test_a_reason_has_an_end(event: Event):
    enter(table_of(event), "1t 230")
    event.refresh_from_db()
    assert refusals(event, reason="x" * 301, minutes=1) == [("entry.text_too_long", {"key": "reason", "most": 300})]


@pytest.mark.parametrize("tables", [1, 3])
def test_effects_ask_the_same_number_of_questions_whatever_the_size(django_assert_num_queries, tables: int):
    event = make_event(tables=tables, rounds=1)
    play_round(event, 1, MANGAN)
    other = load("ema-2016")
    with django_assert_num_queries(4):
        assert len(effects_of(event, other).tables) == tables
