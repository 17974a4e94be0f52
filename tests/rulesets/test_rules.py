"""The form of all rules: each control of each book there and back, errors at their fields, a change during play."""

import functools
import json
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from rules.books import book_keys, load
from rules.ruleset import rule_fields
from tests.factories import DAY, enter, fresh, make_account, make_event, play_round, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import client_of, organiser
from tests.pages.html_reader import text, texts
from tests.rulesets.rules_fields import fields_of
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.penalties.queries import list_penalties
from tournament.rulesets.actions import change_rules
from tournament.rulesets.forms import kind_of
from tournament.tables.queries import load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/settings/rules/"
MANGAN = "1r2 430"  # 4 han 30 fu: a mangan where the rules round up


def errors_at(response: Any) -> dict[str, str]:
    """Return rule → what is said at its control."""
    return {
        field.name: " ".join(found)
        for field in rule_fields()
        if (found := _inside(response, f'id="rule-{field.name}"'))
    }


def _inside(response: Any, mark: str) -> list[str]:
    part = response.content.decode().partition(mark)[2].partition('<div class="rule-control')[0]
    if 'class="error"' not in part:
        return []
    fragment = type("Part", (), {"content": part.partition("</section>")[0].encode()})
    return texts(fragment, ".error")


made = module_event(slug="cup", tables=1, rounds=2)


@pytest.fixture
def client(event: Event) -> Client:
    return organiser(event)


@pytest.fixture(scope="module")
def came(made: Event) -> dict[str, Any]:
    """Return the form's fields before anybody changed anything."""
    return fields_of(organiser(made).get(URL))


def post(client: Client, **changed: Any) -> Any:
    """Send the form as the page has it, with some fields changed; None leaves one out."""
    data = {**fields_of(client.get(URL)), **changed}
    return client.post(URL, {name: value for name, value in data.items() if value is not None})


def unseated(key: str) -> tuple[Event, Client]:
    by = make_account("Organiser")
    return create_event(name="Cup", date=DAY, rules_key=key, rounds=3, slug="cup", by=by), client_of(by)


@functools.cache
def typed_in(key: str) -> dict[str, Any]:
    """Return the fields of the form of an event by this rule set that has no players yet."""
    with transaction.atomic():
        by = make_account("Organiser")
        create_event(name="Typed", date=DAY, rules_key=key, rounds=3, slug="typed", by=by)
        fields = fields_of(client_of(by).get("/desk/typed/settings/rules/"))
        transaction.set_rollback(True)
    return fields


# ---------------------------------------------------------------- there and back


@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize("key", book_keys())
def test_a_form_sent_as_it_came_changes_nothing(key: str):
    event, client = unseated(key)
    answer = client.post(URL, typed_in(key))
    assert (answer.status_code, answer["Location"]) == (302, "/desk/cup/settings/rule-set/")
    if key == "ema-2025":  # it says the same of each
        assert texts(client.get("/desk/cup/settings/"), ".note") == [
            "Note Nothing was changed: the rules are the same."
        ]
    event.refresh_from_db()
    assert (event.rules, event.version) == (load(key).as_json(), 0)


# every book into one of three players, and one of each size into one of four
@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize(
    ("key", "before"),
    [
        *((key, "sanma-rule-book") for key in book_keys()),
        ("sanma-rule-book", "tenhou-yonma"),
        ("ema-2025", "tenhou-yonma"),
    ],
)
def test_every_field_of_every_book_can_be_typed_into_an_event_of_another(key: str, before: str):
    event, client = unseated(before)
    assert client.post(URL, {**typed_in(key), "seen": ""}).status_code == 302
    event.refresh_from_db()
    own = {"key": event.rules["key"], "title": event.rules["title"]}
    assert event.rules == {**load(key).as_json(), **own}


@pytest.mark.states("red_form")
def test_red_fives_are_any_number_of_each(client: Client, event: Event):
    # the sanma rule book 1.1: two of circles and one of bamboos
    assert post(client, red_fives_1="2", red_fives_2="1").status_code == 302
    event.refresh_from_db()
    assert event.ruleset.red_fives == ("5p", "5p", "5s")
    assert [fields_of(client.get(URL))[f"red_fives_{at}"] for at in range(3)] == ["0", "2", "1"]
    assert "2 × 5 of circles, 5 of bamboos" in text(client.get(f"/e/{event.slug}/rules/"), "main")


def test_more_red_fives_than_fives_are_refused(client: Client, event: Event):
    answer = post(client, red_fives_1="5")
    assert (answer.status_code, list(errors_at(answer))) == (422, ["red_fives"])
    event.refresh_from_db()
    assert event.ruleset.red_fives == ()


def test_each_kind_of_value_has_its_control(client: Client):
    kinds = {
        kind: [field.name for field in rule_fields() if kind_of(field.name) == kind]
        for kind in ("counts", "several", "order")
    }
    assert kinds == {
        "counts": ["red_fives"],
        "several": ["whole_wait_yaku", "pao", "abortive_draws"],
        "order": ["equal_totals"],
    }
    fields = fields_of(client.get(URL))
    assert [fields.get(name) for name in ("start_points", "dealer_on_draw", "bust", "kiriage_mangan")] == [
        "30000", "tenpai", None, ["on"],
    ]  # fmt: skip
    assert [fields[f"uma_{place}"] for place in range(4)] == ["15000", "5000", "-5000", "-15000"]
    assert (fields["tanyao_0"], fields["tanyao_1"], fields["limits_0"], fields["limits_1"]) == ("1", "1", "5", "2000")
    assert fields["equal_totals"] == "first_places,best_result"


def test_numbers_are_read_as_people_type_them(client: Client, event: Event):
    typed = {"start_points": "25,000", "return_points": "25 000", "uma_2": "−5.000"}
    assert post(client, **typed).status_code == 302
    event.refresh_from_db()
    rules = event.ruleset
    assert (rules.start_points, rules.return_points, rules.uma) == (25_000, 25_000, (15_000, 5000, -5000, -15_000))


@pytest.mark.follows("rules.md")
def test_a_change_writes_one_row_and_marks_what_differs(client: Client, event: Event):
    before = event.audit.count()
    assert (
        post(client, minutes="60", red_fives_0="1", red_fives_1="1", bust="on", kiriage_mangan=None).status_code == 302
    )
    event.refresh_from_db()
    assert event.audit.count() == before + 1
    assert [change["field"] for change in json.loads(event.audit.latest("seq").details)["changes"]] == [
        "bust", "red_fives", "kiriage_mangan", "minutes",
    ]  # fmt: skip
    page = client.get(URL)
    assert [words.partition(" changed ")[0] for words in texts(page, ".is-changed")] == [
        "A game ends when somebody falls below zero",
        "Red fives in the set",
        "4 han 30 fu and 3 han 60 fu count as mangan",
        "Minutes from the start to the signal",
    ]
    assert texts(page, ".is-changed")[3].endswith(
        "EMA 2025: 75 minutes book E25 7.4: a session of 90 minutes with the signal 15 before its end"
    )


def test_the_number_of_players_cannot_be_typed_once_they_are_seated(client: Client, event: Event):
    assert "players" not in fields_of(client.get(URL))
    assert post(client, players="3").status_code == 302
    event.refresh_from_db()
    assert event.ruleset.players == 4


# ---------------------------------------------------------------- what cannot be


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"minutes": "many"}, {"minutes": "Enter a whole number."}),
        ({"minutes": ""}, {"minutes": "This field is required."}),
        ({"minutes": "601"}, {"minutes": "Ensure this value is less than or equal to 600."}),
        ({"tanyao_1": "x"}, {"tanyao": "Enter a whole number."}),
        ({"tanyao_1": ""}, {"tanyao": "This field is required."}),
        ({"uma_0": "15 / x"}, {"uma": "Enter a whole number."}),
        ({"limits_3": ""}, {"limits": "Each limit needs its han and its base value."}),
        ({"ties": "toss"}, {"ties": "Select a valid choice. toss is not one of the available choices."}),
        (
            {"start_points": "25000"},
            {
                "start_points": "This does not go with “points that the first place gets besides the uma”.",
                "return_points": "This does not go with “points that the first place gets besides the uma”.",
                "oka": "Must be 20000: what “points that are subtracted from the final score” (30000) takes beyond "
                "“points each player starts with”.",
            },
        ),
        (
            {"kita_turns_dora": "on", "tanyao_1": "2"},
            {
                "kita": "This does not go with “a kita turns a new indicator”.",
                "kita_turns_dora": "Says something of kita, which “Norths are set aside as dora” does not allow.",
                "tanyao": "Must be worth 0 to 13, and open no more than closed, not [1, 2].",
            },
        ),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_nothing_typed_is_lost(
    client: Client, event: Event, came: dict[str, Any], typed: dict[str, str], said: dict[str, str]
):
    answer = client.post(URL, {**came, "chombo_points": "12,345", **typed})
    assert (answer.status_code, errors_at(answer)) == (422, said)
    kept = fields_of(answer)
    assert kept["chombo_points"] == "12,345"
    assert {name: kept.get(name) for name in typed if name not in ("ties", "kita_turns_dora")} == {
        name: value for name, value in typed.items() if name not in ("ties", "kita_turns_dora")
    }
    assert len(texts(answer, ".rule-wrong")) == 1
    before = event.rules
    event.refresh_from_db()
    assert event.rules == before


@pytest.mark.usefixtures("others_aside")
def test_places_are_filled_from_the_first_on():
    _event, client = unseated("ema-2025")
    answer = post(client, players="3", uma_0="15000", uma_1="0", uma_2="-15000", uma_3="")
    assert "uma" not in errors_at(answer)
    assert errors_at(answer)["chii"] == "Sequences are not called beside “players at a table” (3)."
    assert errors_at(post(client, uma_2=""))["uma"] == "This field is required."


def test_two_organisers_at_once_do_not_undo_one_another(client: Client, event: Event):
    mine = fields_of(client.get(URL))
    change_rules(event=event, values={"extra_hands": 0}, reason="", by=writer_of(event))
    answer = client.post(URL, {**mine, "minutes": "60"})
    assert answer.status_code == 422
    assert texts(answer, ".note") == [
        "Error The rules were changed by somebody else meanwhile: check them, then send again."
    ]
    assert text(answer, ".rule-lines") == (
        "Minutes from the start to the signal: 60 minutes instead of 75 minutes "
        "Hands that are played after the one in play at the signal: 1 hand instead of none"
    )
    assert fields_of(answer)["minutes"] == "60"
    assert client.post(URL, {**fields_of(answer), "extra_hands": "0"}).status_code == 302
    event.refresh_from_db()
    assert (event.ruleset.minutes, event.ruleset.extra_hands) == (60, 0)


def test_the_same_form_sent_twice_changes_rules_once(client: Client, event: Event):
    data = {**fields_of(client.get(URL)), "minutes": "60"}
    assert [client.post(URL, data).status_code for _ in range(2)] == [302, 302]
    event.refresh_from_db()
    assert event.audit.filter(verb="rules_changed").count() == 1


# ---------------------------------------------------------------- during play


@pytest.mark.states("change_rules")
def test_before_play_no_reason_is_asked(client: Client):
    assert "reason" not in fields_of(client.get(URL))


def test_once_play_has_begun_a_change_needs_a_reason(client: Client, event: Event):
    enter(table_of(event), "1t 230")
    answer = post(client, minutes="60")
    assert (answer.status_code, texts(answer, ".rule-save")[0].startswith("Reason")) == (422, True)
    assert "This field is required." in text(answer, ".rule-save")
    assert fields_of(answer)["minutes"] == "60"
    assert post(client, minutes="60", reason="late start").status_code == 302
    event.refresh_from_db()
    assert event.ruleset.minutes == 60


def test_a_hand_that_could_not_stand_is_named_with_its_table(client: Client, event: Event):
    enter(table_of(event), "1r3 230+2 230")
    answer = post(client, multiple_ron="head_bump", reason="read again")
    assert answer.status_code == 422
    assert text(answer, ".note") == (
        "Error Round 1, table 1: hand 1 would not be valid under these rules. Correct it first. Only the first winner "
        "after the discarder wins under these rules (head bump), not 2. Open the table"
    )
    assert 'href="/desk/cup/rounds/1/tables/1/"' in answer.content.decode()


def test_what_a_change_does_to_released_tables_is_shown_and_must_be_confirmed(client: Client, event: Event):
    play_round(event, 1, MANGAN)
    answer = post(client, kiriage_mangan=None, reason="misprint")
    assert answer.status_code == 422
    shown = text(answer, ".rule-effects")
    assert shown == (
        "1 table would be scored differently "
        "4 han 30 fu and 3 han 60 fu count as mangan: no instead of yes "
        "Player Points Result "
        "Round 1, table 1 is reopened, to be signed again "
        "Akelei 42,000 to 41,600 +27.0 to +26.6 "
        "Birk 18,000 to 18,400 −27.0 to −26.6 "
        "Nothing is saved yet. Results of released rounds change on players' phones at once. "
        "Change the rules anyway"
    )
    event.refresh_from_db()
    assert event.ruleset.kiriage_mangan
    mark = answer.content.decode().partition('name="confirmed" value="')[2].partition('"')[0]
    assert client.post(URL, {**fields_of(answer), "confirmed": mark}).status_code == 302
    event.refresh_from_db()
    assert not event.ruleset.kiriage_mangan


@pytest.mark.parametrize(
    ("button", "cost", "said"),
    [
        ("confirmed", 20_000, "penalties given before keep their amounts"),
        ("with_given", 30_000, "penalties given before change, too"),
    ],
)
def test_given_penalties_are_shown_with_both_amounts_and_change_only_if_asked(
    client: Client, event: Event, button: str, cost: int, said: str
):
    enter(table_of(event), "c2 #too early")
    answer = post(client, chombo_points="30000", reason="misprint")
    assert (answer.status_code, text(answer, ".rule-effects")) == (
        422,
        (
            "1 penalty would cost a different amount "
            "Points a chombo takes from the tournament total, after uma: 30,000 points instead of 20,000 points "
            "Player Reason As given By the new rules "
            "Birk too early Round 1, table 1 20,000 30,000 "
            "Nothing is saved yet. Results of released rounds change on players' phones at once. "
            "Change the rules, keep given penalties Change the rules and given penalties"
        ),
    )
    mark = answer.content.decode().partition(f'name="{button}" value="')[2].partition('"')[0]
    assert client.post(URL, {**fields_of(answer), button: mark}).status_code == 302
    assert [row.points for row in list_penalties(fresh(event), load_tables(fresh(event)))] == [cost]
    assert said in text(client.get("/e/cup/rules/"), ".rule-changes").lower()
    trail = text(client.get("/desk/cup/settings/trail/"), "main")
    assert {20_000: "keep their amounts: player 2: 20,000", 30_000: "player 2: 20,000 to 30,000"}[cost] in trail


def test_an_event_whose_rule_set_is_not_known_here_still_has_its_form(client: Client, event: Event):
    Event.objects.filter(pk=event.pk).update(rules={**event.rules, "key": "house"})
    page = client.get(URL)
    assert page.status_code == 200
    assert texts(page, ".rule-preset") == []
    assert post(client, minutes="60").status_code == 302
    assert client.get("/e/cup/rules/").status_code == 200


@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize("rounds", [1, 3])
def test_the_form_asks_the_same_number_of_questions_whatever_the_size(django_assert_num_queries, rounds: int):
    event = make_event(slug="cup", tables=rounds, rounds=rounds)
    client = organiser(event)
    with django_assert_num_queries(5):
        client.get(URL)
