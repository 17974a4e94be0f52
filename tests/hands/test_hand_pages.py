"""The hand page without a browser: hands typed into the line, previews, and refusals that lose nothing."""

import re

import pytest

from tests.factories import correct, enter, enter_all, make_event, rows_of, table_of
from tests.fixtures import module_event
from tests.pages.at_desk import HTMX, in_cards, organiser, preview, referee, send, table_url, values
from tests.pages.html_reader import text, texts
from tournament.events.models import Event
from tournament.tables.history import read_payload

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

# East 1 to South 4, where the dealer wins once and plays on
NINE = ("2r3 340", "3r4 340", "4r1 340", "1r2 340", "2r3 340", "3r4 340", "4r1 340", "4t 230", "1r4 340")
CLIENT_ID = "7d444840-9dc0-11d1-b245-5ffdce74fad2"


made = module_event(slug="cup", tables=2, rounds=1)


def scores(page) -> list[str]:
    return texts(page, ".seat-score")


# ---------------------------------------------------------------- the riichi tile


OFFER = "Won on the riichi tile of Cyan: the riichi stick goes back"


def test_a_ron_off_a_player_with_riichi_is_asked_about_and_enter_alone_changes_nothing(event: Event):
    client = referee(event)
    shown = preview(client, event, "2r3 340/23", expected_seq=0)
    assert OFFER in text(shown, ".choices")
    assert 'data-choice="2r3 340/2"' in shown.content.decode()
    assert "data-choices-for" not in shown.content.decode()  # Enter sends the hand, as before
    send(client, event, "2r3 340/23")
    assert read_payload(rows_of(table_of(event))[0].payload).riichi == (1, 2)
    assert scores(client.get(table_url(event))) == ["30,000", "36,200", "23,800", "30,000"]


@pytest.mark.states("riichi_tile_asked")
def test_one_key_gives_the_deposit_back(event: Event):
    client = referee(event)
    assert texts(preview(client, event, "2r3 340/23b", expected_seq=0), ".choices") == []
    send(client, event, "2r3 340/23b")
    assert scores(client.get(table_url(event))) == ["30,000", "35,200", "24,800", "30,000"]


@pytest.mark.parametrize("line", ["2r3 340/2", "2t 230/3", "d3/3", "2r3 340/33"])
def test_other_hands_are_not_asked_about(event: Event, line: str):
    assert texts(preview(referee(event), event, line, expected_seq=0), ".choices") == []


def test_rules_that_keep_the_deposit_do_not_ask(event: Event):
    event.rules = {**event.rules, "deposit_back_on_ron": False}
    event.save()
    client = referee(event)
    assert texts(preview(client, event, "2r3 340/23", expected_seq=0), ".choices") == []
    assert "/23b" not in texts(client.get(table_url(event)), "dt")


# ---------------------------------------------------------------- entering


def test_an_empty_table_says_what_to_do(event: Event):
    page = organiser(event).get(table_url(event))
    assert text(page, "h1") == "Table 1 Round 1"
    assert text(page, ".now") == "East 1"
    assert text(page, ".empty") == "No hands yet The first hand typed above appears here, with what it moved."
    assert text(page, "#understood") == "What the desk understood is read back here before it is sent."
    assert texts(page, ".seat-name") == ["Akelei", "Birk", "Cyan", "Distel"]


def test_a_hand_typed_is_entered_and_the_browser_goes_back_to_the_page(event: Event):
    client = referee(event)
    answer = send(client, event, "2r3 340/2")
    assert (answer.status_code, answer["Location"]) == (302, table_url(event))
    page = client.get(table_url(event))
    assert scores(page) == ["30,000", "35,200", "24,800", "30,000"]
    assert texts(page, ".hand-what") == ["Birk (2, South) ron from Cyan (3, West) 3 han 40 fu, 5,200 Riichi: Birk"]
    assert values(page, "line") == [""]
    assert values(page, "expected_seq")[0] == "1"


def test_htmx_gets_the_fragment_that_the_page_is_made_of(event: Event):
    client = referee(event)
    answer = send(client, event, "2r3 340/2", htmx=True)
    assert answer.status_code == 200
    assert answer["HX-Push-Url"] == table_url(event)
    assert "<html" not in answer.content.decode()
    assert [line for line in texts(answer, "tr") if line.startswith("East 1")] == [
        (
            "East 1 Birk (2, South) ron from Cyan (3, West) 3 han 40 fu, 5,200 Riichi: Birk Seat 1 0 30,000 "
            "Seat 2 +5,200 35,200 Seat 3 −5,200 24,800 Seat 4 0 30,000 Correct East 1 Void East 1"
        )
    ]
    whole = client.get(table_url(event)).content.decode()
    bare = [
        re.sub(r'value="[0-9a-f-]{36}"| is-new|value="[\w]{64}"', "", part) for part in (answer.content.decode(), whole)
    ]
    assert bare[0].strip() in bare[1]


def test_the_newest_hand_is_marked_and_the_line_is_empty(event: Event):
    enter(table_of(event), "1t 230")
    answer = send(referee(event), event, "2r3 340", expected_seq=1, htmx=True)
    assert len(texts(answer, ".is-new")) == 1
    assert "Birk (2, South) ron from Cyan (3, West)" in texts(answer, ".is-new")[0]
    assert values(answer, "line") == [""]


def test_the_same_hand_sent_twice_is_entered_once(event: Event):
    client = referee(event)
    for _ in range(2):
        assert send(client, event, "2r3 340", client_id=CLIENT_ID).status_code == 302
    assert len(rows_of(table_of(event))) == 1


def test_another_hand_from_a_page_that_was_sent_already_is_not_lost(event: Event):
    client = referee(event)
    send(client, event, "2r3 340", client_id=CLIENT_ID)
    answer = send(client, event, "1t 230", client_id=CLIENT_ID)
    assert answer.status_code == 409
    assert text(answer, ".note") == (
        "Error This page was already sent with other content, which was kept. "
        "Nothing new is written: check it, then send again."
    )
    assert values(answer, "line") == ["1t 230"]
    assert values(answer, "client_id")[0] != CLIENT_ID
    again = send(
        client,
        event,
        "1t 230",
        client_id=values(answer, "client_id")[0],
        expected_seq=values(answer, "expected_seq")[0],
    )
    assert again.status_code == 302
    assert len(rows_of(table_of(event))) == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "Error Nothing is typed yet."),
        ("2r", "Error '2r' cannot be read (from character 1 on)."),
        (
            "2r3 337",
            "Error 37 fu cannot go with 3 han by ron; possible are 25, 30, 40, 50, 60, 70, 80, 90, 100 and 110.",
        ),
        ("2r2 340", "Error Birk (player 2) cannot win by ron from their own discard."),
        ("2r3 3", "Error 3 han needs its fu."),
        ("5r1 340", "Error Player 5 is not at the table: there are 4 players."),
        ("c", "Error A chombo needs an offender."),
        (
            "ak",
            "Error This abortive draw (nine terminals and honours) is not played: no abortive draws in this event.",
        ),
    ],
)
def test_a_refused_hand_says_why_and_keeps_the_line(event: Event, line: str, said: str):
    answer = send(referee(event), event, line)
    assert answer.status_code == 422
    assert texts(answer, ".note") == [said]
    assert values(answer, "line") == [line]
    assert rows_of(table_of(event)) == []


def test_a_warning_wants_a_reason_and_takes_one(event: Event):
    client = referee(event)
    answer = send(client, event, "d13/2")
    assert answer.status_code == 422
    assert text(answer, ".note") == ("Warning Birk (player 2) had riichi but is not tenpai: a dead hand, or a chombo?")
    assert text(answer, ".understood-say") == "Draw, tenpai: Akelei (1, East) and Cyan (3, West). Riichi: Birk"
    reason = re.search(r'<input[^>]*id="reason"[^>]*>', answer.content.decode())
    assert reason
    assert " required autofocus data-keep-focus" in reason[0]
    assert "data-keep-focus" not in re.search(r'<input[^>]*id="line"[^>]*>', answer.content.decode())[0]  # type: ignore[index]
    assert send(client, event, "d13/2", reason="Ruled a dead hand").status_code == 302
    assert [row.reason for row in rows_of(table_of(event))] == ["Ruled a dead hand"]
    assert texts(client.get(table_url(event)), ".hand-what") == [
        "Draw, tenpai: Akelei (1, East) and Cyan (3, West) entered against a warning Riichi: Birk · Ruled a dead hand"
    ]


def test_the_warnings_of_a_tile_are_those_of_the_hands_that_stand(event: Event):
    client = referee(event)
    send(client, event, "d13/2", reason="Ruled a dead hand")
    send(client, event, "d13/2", reason="It was so", expected_seq=1)
    assert "2 warnings" in texts(client.get("/desk/cup/"), ".tile-signs")[0]
    first, _second = rows_of(table_of(event))
    correct(table_of(event), first.seq, "d123/2", reason="All three were tenpai")
    tile, page = client.get("/desk/cup/"), client.get(table_url(event))
    assert "1 warning" in texts(tile, ".tile-signs")[0]
    assert [("against a warning" in line) for line in texts(page, ".hand-what")] == [True, False]


def test_a_page_that_is_behind_is_shown_what_came_between_and_keeps_the_line(event: Event):
    client, other = referee(event), referee(event, "Otto")
    send(other, event, "1t 230")
    answer = send(client, event, "2r3 340", client_id=CLIENT_ID)
    assert answer.status_code == 409
    assert text(answer, ".note") == (
        "Meanwhile at this table 1. Akelei (1, East) wins by tsumo: 2 han 30 fu, 1,000 all (Otto) "
        "Your entry is kept: check it, change it if needed, and send again."
    )
    assert values(answer, "line") == ["2r3 340"]
    assert text(answer, ".understood-say") == "Birk (2, South) ron from Cyan (3, West): 3 han 40 fu, 5,200"
    assert values(answer, "expected_seq")[0] == "1"
    assert values(answer, "client_id")[0] == CLIENT_ID
    assert send(client, event, "2r3 340", client_id=CLIENT_ID, expected_seq=1).status_code == 302
    assert [row.seq for row in rows_of(table_of(event))] == [1, 2]


def test_a_page_too_old_to_have_a_number_gets_a_new_one(event: Event):
    answer = send(referee(event), event, "2r3 340", client_id="")
    assert answer.status_code == 422
    assert text(answer, ".note") == "Error This page is too old to be sent: load it again."
    assert values(answer, "line") == ["2r3 340"]
    assert send(referee(event), event, "2r3 340", client_id=values(answer, "client_id")[0]).status_code == 302


def test_chombo_is_dealt_again_and_moves_nothing_at_the_table(event: Event):
    client = referee(event)
    send(client, event, "c2 #called ron without a yaku")
    page = client.get(table_url(event))
    assert texts(page, ".hand-what") == ["Chombo: Birk (2, South). The hand is dealt again called ron without a yaku"]
    assert scores(page) == ["30,000"] * 4
    assert text(page, ".now") == "East 1"


def test_a_hand_after_the_end_is_refused_in_words_and_shown(event: Event):
    enter_all(table_of(event), *NINE)
    answer = send(referee(event), event, "1t 230", expected_seq=9)
    assert answer.status_code == 422
    assert texts(answer, ".note") == ["Error The game is over: no further hand can be entered."]
    assert "You typed 1t 230" in texts(answer, "p")


def test_a_table_that_is_not_there_is_not_found(event: Event):
    assert referee(event).get(table_url(event, 3)).status_code == 404
    assert referee(event).get(table_url(event, 1, round_=2)).status_code == 404


def test_seats_that_are_not_published_take_no_hand():
    event = make_event(tables=1, rounds=1, published=False)
    answer = send(organiser(event), event, "1t 230")
    assert texts(answer, ".note") == ["Error The seats of round 1 are not published yet."]


# ---------------------------------------------------------------- queries and neighbours


@pytest.mark.parametrize("tables", [1, 3])
@pytest.mark.parametrize("hands", [1, 3])
def test_the_page_asks_the_same_number_of_questions_whatever_its_size(
    django_assert_num_queries, tables: int, hands: int
):
    event = make_event(tables=tables, rounds=1)
    for _ in range(hands):
        enter(table_of(event), "1t 230")
    correct(table_of(event), 1, "1t 330")
    client = referee(event)
    with django_assert_num_queries(9):
        client.get(table_url(event))
    # the session with its account, the event with the table, the role, and the seats: the page has read the hands
    with django_assert_num_queries(4):
        client.get(table_url(event, end="preview/"), {"line": "2r3 340"})


def test_neighbours_are_only_tables_that_are_there():
    event = make_event(tables=3, rounds=1)
    client = referee(event)
    for table, ways in ((1, ["Table 2"]), (2, ["Table 1", "Table 3"]), (3, ["Table 2"])):
        page = client.get(table_url(event, table))
        assert [way for way in texts(page, "a") if way.startswith("Table ")] == ways


def test_three_players_sit_at_a_table_for_three():
    event = make_event("sanmatsuri-2026", tables=1, rounds=1)
    client = referee(event)
    send(client, event, "2r3 340")
    page = client.get(table_url(event))
    assert len(scores(page)) == 3
    assert len(texts(page, ".hand-seat")) == 3
    assert (
        "Player 4 is not at the table: there are 3 players."
        in texts(send(client, event, "4t 230", expected_seq=1), ".note")[0]
    )


def test_the_fragment_is_asked_for_by_htmx_alone(event: Event):
    client = referee(event)
    assert "<html" in client.get(table_url(event)).content.decode()
    assert "<html" not in client.get(table_url(event), headers=HTMX).content.decode()


# ---------------------------------------------------------------- tiles in the line


def test_tiles_in_the_line_are_counted_while_they_are_typed_and_when_they_are_sent(event: Event):
    client = referee(event)
    seen = preview(client, event, "2r3 [234m567p66234s 777z]", expected_seq=0)
    assert text(seen, ".understood-say") == "Birk (2, South) ron from Cyan (3, West): 1 han 30 fu, 1,000"
    send(client, event, "2r3 [234m567p66234s 777z]")
    assert scores(client.get(table_url(event))) == ["30,000", "31,000", "29,000", "30,000"]
    page = client.get(table_url(event), {"correct": 1})
    assert values(page, "line") == ["2r3 [234m567p2366s4s 777z]"]


def test_tiles_not_typed_to_their_end_are_a_hint_and_sent_they_are_refused(event: Event):
    client = referee(event)
    seen = preview(client, event, "2r3 [234m567p66s 777z]", expected_seq=0)
    assert text(seen, ".understood-say") == "11 of 14 tiles (a meld counts as three, a kan too)."
    answer = send(client, event, "2r3 [234m567p66s 777z]")
    assert answer.status_code == 422
    assert values(answer, "line") == ["2r3 [234m567p66s 777z]"]
    assert texts(answer, ".note") == ["Error 11 of 14 tiles (a meld counts as three, a kan too)."]


def test_a_counted_hand_sent_twice_is_entered_once_though_the_table_moved_on(event: Event):
    client = referee(event)
    line = "1t [123m567p44s234p789s]"  # as the dealer; a honba later the same tiles are worth as much
    for _ in range(2):
        answer = send(client, event, line, client_id=CLIENT_ID)
        assert answer.status_code == 302
    assert len(rows_of(table_of(event))) == 1


def test_a_dead_hand_is_said_and_kept_and_cannot_win(event: Event):
    client = referee(event)
    seen = preview(client, event, "d1 x2/2", expected_seq=0)
    assert text(seen, ".understood-say").endswith("Riichi: Birk. Dead hand: Birk")
    send(client, event, "d1 x2/2")
    page = client.get(table_url(event), {"correct": 1})
    assert (values(page, "line"), in_cards(page)["dead"]) == (["d1 x2/2"], "2")
    refused = send(client, event, "2r3 340 x2", expected_seq=1)
    assert texts(refused, ".note") == ["Error Birk (player 2) cannot win: the hand is dead."]
