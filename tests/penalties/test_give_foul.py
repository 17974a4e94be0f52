"""Giving a foul at the desk: who, what and yes as pages, what is found, what is said, what is refused."""

import json
import uuid
from typing import Any

import pytest

from rules.fouls import ACTS
from tests.factories import enter, fresh, make_event, rows_of, sign, table_of
from tests.fixtures import module_event
from tests.pages.at_desk import HTMX, client_of, referee, ticked, values
from tests.pages.html_reader import text, texts
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.penalties.foul_views import foul_rows, search_fouls
from tournament.penalties.messages import NOW, SHORT, say_now
from tournament.penalties.models import Penalty
from tournament.penalties.queries import Offence, get_catalogue, get_proposal
from tournament.tables.history import standing_entries

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/penalties/give/"
AMOUNTS = "/desk/cup/penalties/amounts/"
TABLE = "/desk/cup/rounds/1/tables/1/"


made = module_event("rakkii-nomi-2026", slug="cup", tables=2, rounds=1)


def ask(event: Event, *, htmx: str = "", **fields: Any) -> Any:
    """Ask a step of the page of the first table; `htmx` names the fragment that a script wants."""
    headers = {**HTMX, "HX-Target": htmx} if htmx else {}
    return referee(event).get(URL, {"round": 1, "table": 1} | fields, headers=headers)


def form(**fields: Any) -> dict[str, Any]:
    return {"client_id": str(uuid.uuid4()), "expected_seq": 0, "player": 2, "round": 1, "table": 1} | fields


def errors(answer: Any) -> list[str]:
    return [line.removeprefix("Error ") for line in texts(answer, ".is-error")]


def codes(answer: Any) -> list[str]:
    return [line.split(" ")[0] for line in texts(answer, ".foul-hit")]


# ---------------------------------------------------------------- found


def test_the_page_of_a_table_offers_its_players_and_the_sections(event: Event):
    page = ask(event)
    assert text(page, "h1") == "Give a penalty Round 1, table 1"
    assert text(page, ".ticks") == "1 Akelei 2 Birk 3 Cyan 4 Distel"
    assert texts(page, ".foul-sections")[0].startswith("1 Shuffling and drawing 2 Speed of play 3 Calls")
    assert values(page, "table")[-1] == "1"


def test_without_a_table_every_player_of_the_event_can_be_chosen(event: Event):
    page = referee(event).get(URL)
    assert text(page, "h1") == "Give a penalty"
    assert page.content.decode().count("<option") == 1 + 8


def test_a_panel_for_the_hand_page_is_a_fragment(event: Event):
    panel = ask(event, htmx="penalty-panel")
    assert texts(panel, "h1") == []
    assert texts(panel, "label")[-1] == "What happened"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tsumo after disc", ["3f", "3g"]),
        ("disc tsumo AFTER", ["3f", "3g"]),
        ("6m", ["6m"]),
        ("12.3.7", ["7a", "7b", "7c"]),
        ("7", ["9a"]),
        ("late 12", ["9b"]),
        ("false ten", ["6m"]),
        ("zebra", []),
    ],
)
def test_a_few_letters_a_code_a_clause_or_minutes_find_a_foul(event: Event, query: str, found: list[str]):
    answer = ask(event, htmx="foul-found", player=2, q=query)
    assert codes(answer)[: len(found) or None] == found
    assert texts(answer, "h1") == []


def test_what_nothing_answers_to_is_said_and_the_sections_stay(event: Event):
    answer = ask(event, player=2, q="zebra", look=1)
    assert errors(answer) == ["No foul matches all these words."]
    assert len(texts(answer, ".foul-sections")) == 1


def test_more_hits_than_are_shown_are_counted(event: Event):
    answer = ask(event, htmx="foul-found", player=2, q="hand")
    assert len(codes(answer)) == 12
    assert texts(answer, "p")[-1].endswith("more: type another letter.")


@pytest.fixture(scope="module", params=["rakkii-nomi-2026", "wrc-2025", "ema-2025", "sanmatsuri-2026"])
def of_a_book(request: pytest.FixtureRequest, rows_of_module: None) -> Event:
    """Return an event by each of the books that name fouls."""
    return make_event(request.param, tables=1, rounds=1)


def test_every_case_of_a_book_has_a_code_of_its_own_that_finds_it(of_a_book: Event):
    fouls = get_catalogue(of_a_book)
    rows = foul_rows(fouls)
    assert len({row.code for row in rows}) == len(rows) == sum(len(each.cases) for each in fouls.penalties.values())
    assert [search_fouls(fouls, row.code) for row in rows] == [[row] for row in rows]


def test_a_section_lists_its_fouls_with_what_the_book_beside_says(event: Event):
    answer = ask(event, player=2, section=7)
    assert texts(answer, ".foul-hit") == [
        "7a Incorrect all-last sheet 8,000 points RK 4, WRC 2025 12.3.7 (1)",
        "7b Incorrect report sheet 2,000 points for each player of the table RK 4, WRC 2025 12.3.7 (2)",
        "7c Unsigned report sheet nothing RK 4, WRC 2025 12.3.7",
    ]
    answer = ask(event, player=2, section=3)
    assert "Empty call for a win, voice only dead hand RK 4, WRC 2025 12.3.3 (1) · WRC: chombo 30,000" in str(
        texts(answer, ".foul-hit")
    )


@pytest.mark.usefixtures("others_aside")
def test_a_rule_set_without_fouls_sends_to_giving_by_hand():
    event = make_event(slug="cup", tables=1, rounds=1)
    Event.objects.filter(pk=event.pk).update(rules={**event.rules, "key": "house"})
    page = referee(event).get(URL)
    assert text(page, ".empty").startswith("No catalogue of fouls The rules of this event list none.")
    assert texts(referee(event).get("/desk/cup/penalties/"), "summary") == ["By hand, with amount and reason"]


def test_a_table_that_is_not_there_is_no_page(event: Event):
    assert ask(event, table=9).status_code == 404


# ---------------------------------------------------------------- what it comes to


@pytest.mark.parametrize(
    ("pick", "now"),
    [
        ("riichi_not_said", ["A warning, kept so that a repeat is known."]),
        ("empty_call", ["Dead hand: no call and no win in this hand, noten at a draw."]),
        ("riichi_open_hand", [
            "The riichi stick of this declaration goes back.",
            "Dead hand: no call and no win in this hand, noten at a draw.",
        ]),
        ("deal_big", ["The hand is dealt again, nobody pays."]),
        ("noten_riichi", ["Chombo: 20,000 points, the hand is dealt again."]),
        ("tenpai_early_voice.others_showed", ["Chombo: 30,000 points, the hand is dealt again."]),
        ("all_last_sheet", ["8,000 points off the total, play goes on."]),
        ("report_sheet", ["2,000 points off the total of each player of the table."]),
        ("unsigned_sheet", ["No penalty: play goes on."]),
        ("late.7", ["7 minutes late: 7,000 points off the total."]),
        ("late.11", ["30,000 points off the total, play goes on.", "A substitute takes the seat."]),
        ("late_over", ["30,000 points off the total, play goes on.", "A substitute takes the seat."]),
        ("riichi_few_tiles", ["This is allowed: play goes on."]),
        ("tiles_revealed", ["The referee decides."]),
        ("cheating", ["Disqualification."]),
        ("call_after_end", ["A warning, kept so that a repeat is known.", "The call does not count."]),
    ],
)  # fmt: skip
def test_what_the_table_must_do_now_is_said_before_it_is_given(event: Event, pick: str, now: list[str]):
    page = ask(event, player=2, pick=pick)
    assert [line for line in texts(page, "li") if line in now] == now
    assert text(page, "h3").startswith("Birk: ")


def test_every_case_of_every_book_says_what_the_table_must_do_now(of_a_book: Event):
    event = fresh(of_a_book)
    player, fouls = event.players.get(number=1), get_catalogue(event)
    for foul in fouls.fouls:
        for case in fouls.penalties[foul.key].cases:
            proposal = get_proposal(event, player, Offence(foul=foul.key, case=case.key, minutes=3))
            assert all(say_now(proposal)), foul.key
            assert len(say_now(proposal)) == len(proposal.case.acts)
    assert set(SHORT) == set(ACTS) == {*NOW, "points", "chombo"}


def test_being_late_without_minutes_asks_for_them_by_one_button_each(event: Event):
    page = ask(event, player=2, pick="late")
    assert text(page, ".foul-minutes") == "Minutes late, begun ones included 1 2 3 4 5 6 7 8 9 10 > 10"


def test_a_foul_without_a_player_asks_who(event: Event):
    page = ask(event, pick="noten_riichi")
    assert errors(page) == ["Choose the player first."]


def test_a_foul_that_the_book_does_not_have_is_refused_in_words(event: Event):
    assert errors(ask(event, player=2, pick="zebra")) == ["The event's catalogue has no foul “zebra”."]
    assert errors(ask(event, player=2, pick="tsumo_after_discard")) == [
        "Say which case of the foul it is: “” is none of “tsumo_after_discard”."
    ]


# ---------------------------------------------------------------- given


def test_given_at_a_table_one_is_back_at_its_hands(event: Event):
    client = referee(event)
    answer = client.post(URL, form(pick="noten_riichi", note="found by the neighbour"))
    assert (answer.status_code, answer["Location"]) == (302, TABLE)
    page = client.get(TABLE)
    assert texts(page, ".note")[0] == (
        "Done Given to Birk: Noten riichi, found at a win or a draw: found by the neighbour."
    )
    assert [entry.kind for entry in standing_entries(rows_of(table_of(event)))] == ["chombo"]
    assert AuditRow.objects.filter(verb="foul_given").count() == 1


@pytest.mark.postgresql
def test_given_at_the_desk_the_players_table_is_found_and_one_is_back_at_the_register(event: Event):
    client = referee(event)
    answer = client.post(URL, form(round="", table="", player=6, pick="empty_call"))
    assert answer["Location"] == "/desk/cup/penalties/"
    (row,) = Penalty.objects.all()
    assert (row.kind, row.player.number, row.table.number, row.seq) == ("dead_hand", 6, 2, 1)


def test_a_dead_hand_shows_at_its_table_until_the_hand_is_played(event: Event):
    client = referee(event)
    client.post(URL, form(pick="empty_call"))
    bar = texts(client.get(TABLE), "#penalty-bar")[0]
    assert bar.startswith("Dead hand 2 Birk: Empty call for chii, pon or kan. Applied to the next hand automatically.")
    enter(table_of(event), "d1")
    assert texts(client.get(TABLE), "#penalty-bar")[0].startswith("Penalty Alt+P")


def test_a_signed_table_still_takes_penalties_of_its_sheet_and_no_dead_hand(event: Event):
    enter(table_of(event), "1t 230")
    sign(table_of(event))
    client = referee(event)
    assert texts(client.get(TABLE), "#penalty-bar")[0].startswith("Penalty Alt+P")
    refused = client.post(URL, form(pick="empty_call", expected_seq=1))
    assert (refused.status_code, len(errors(refused))) == (422, 1)
    assert client.post(URL, form(pick="report_sheet", expected_seq=1)).status_code == 302
    assert Penalty.objects.count() == 4


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"player": ""}, 422, ["Choose the player first."]),
        ({"player": 99}, 422, ["Choose the player first."]),
        ({"pick": "zebra"}, 422, ["The event's catalogue has no foul “zebra”."]),
        ({"pick": "late"}, 422, ["Say by how many minutes the player is late: 1 to 999."]),
        ({"player": 6}, 422, ["Player 6 does not sit at table 1."]),
        ({"pick": "all_last_sheet", "amount": "lots"}, 422, ["Write points as 20,000 or as 20P."]),
        ({"pick": "all_last_sheet", "amount": "4P"}, 422, ["8,000 points are usual here; 4,000 need a reason."]),
        ({"pick": "all_last_sheet", "amount": "101P", "amount_reason": "x"}, 422,
         ["101,000 points is not possible; 0 to 100,000 are."]),
        ({"pick": "phone", "decision": "points"}, 422, ["Say how many points."]),
        ({"pick": "phone", "decision": "redeal"}, 422, ["“redeal” is not a ruling that a referee can give here."]),
        ({"pick": "noten_riichi", "decision": "warning"}, 422,
         ["“warning” is not a ruling that a referee can give here."]),
        ({"client_id": "x"}, 422, ["This page is too old to be sent: load it again."]),
    ],
)  # fmt: skip
def test_what_cannot_be_given_is_said_and_nothing_is_written(
    event: Event, fields: dict[str, Any], status: int, said: list[str]
):
    answer = referee(event).post(URL, form(pick="noten_riichi") | fields)
    assert (answer.status_code, errors(answer)[: len(said)]) == (status, said)
    assert (Penalty.objects.count(), rows_of(table_of(event))) == (0, [])


def test_a_refused_amount_keeps_what_was_typed(event: Event):
    data = form(pick="all_last_sheet", amount="4P", note="second table", q="7a")
    answer = referee(event).post(URL, data)
    assert (values(answer, "amount"), values(answer, "note"), values(answer, "client_id")[-1]) == (
        ["4P"], ["second table"], data["client_id"],
    )  # fmt: skip


def test_a_table_that_moved_on_is_told_and_what_was_typed_can_be_sent_again(event: Event):
    client, data = referee(event), form(pick="noten_riichi")
    enter(table_of(event), "1t 230")
    answer = client.post(URL, data)
    assert answer.status_code == 409
    assert "Akelei (1, East) wins by tsumo" in " ".join(errors(answer))
    assert values(answer, "expected_seq") == ["1"]
    assert client.post(URL, data | {"expected_seq": 1}).status_code == 302
    assert Penalty.objects.get().seq == 2


def test_the_same_page_sent_twice_gives_one_and_a_changed_one_is_not_lost(event: Event):
    client, data = referee(event), form(pick="riichi_not_said")
    for _ in range(2):
        assert client.post(URL, data).status_code == 302
    assert Penalty.objects.count() == 1
    answer = client.post(URL, data | {"player": 3})
    assert answer.status_code == 409
    assert errors(answer)[0].startswith("This page was already sent with other content, which was kept.")
    assert values(answer, "client_id")[-1] != data["client_id"]
    assert Penalty.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ({}, ("other", 0)),
        ({"decision": "warning"}, ("warning", 0)),
        ({"decision": "points", "amount": "3P"}, ("points", 3000)),
        ({"amount": "3P"}, ("points", 3000)),
        ({"decision": "dead_hand"}, ("dead_hand", 0)),
        ({"decision": "chombo"}, ("chombo", 0)),
    ],
)
def test_what_the_book_leaves_open_the_referee_decides(event: Event, fields: dict[str, str], kept: tuple[str, int]):
    page = ask(event, player=2, pick="tiles_revealed")
    assert texts(page, ".ticks")[-1] == "Only noted Warning Points Dead hand Chombo"
    assert ticked(page)["decision"] == [""]
    assert referee(event).post(URL, form(pick="tiles_revealed", **fields)).status_code == 302
    row = Penalty.objects.get()
    assert (row.kind, row.points) == kept


def test_somebody_from_outside_finds_no_page(client, event: Event):
    for url in (URL, AMOUNTS):
        assert client.get(url).status_code in (302, 404)
    stranger = client_of(make_event(slug="other").memberships.first().account)
    assert {stranger.get(url).status_code for url in (URL, AMOUNTS)} == {404}


# ---------------------------------------------------------------- sent by the outbox


def test_a_foul_is_an_act_unless_it_writes_a_hand(event: Event):
    page = ask(event, player=2, pick="late.7")
    assert 'data-lane="penalty {player}"' in page.content.decode()
    assert "Given to Birk: Late by 1 to 10 minutes: 7 minutes" in page.content.decode()
    assert "data-lane=" not in ask(event, player=2, pick="noten_riichi").content.decode()


def test_fouls_that_a_laptop_kept_are_given_once_and_undone_once(event: Event):
    first, fields = str(uuid.uuid4()), form(player="2", pick="late.7", amount="7000")
    fields = {name: str(value) for name, value in fields.items()}
    acts = [
        (first, fields),
        (str(uuid.uuid4()), {**fields, "player": "3"}),
        (str(uuid.uuid4()), {"undo": first}),
        (str(uuid.uuid4()), {**fields, "player": "99"}),
        (str(uuid.uuid4()), {**fields, "pick": "nonsense"}),
    ]
    for _ in range(2):
        answer = referee(event).post(URL, {"acts": json.dumps(acts)}, headers={"Accept": "application/json"})
        assert [len(each["problems"]) for each in answer.json()["answers"]] == [0, 0, 0, 1, 1]
    found = Penalty.objects.order_by("pk").values_list("player__number", "points", "cancel_reason")
    assert list(found) == [(2, 7000, "undone at once"), (3, 7000, "")]
