"""The hand page without a browser: hands sent by line and form, refusals that lose nothing, corrections, the sheet."""

import re
from typing import Any
from uuid import uuid4

import pytest

from tests.factories import correct, enter, enter_all, last_seq, make_event, rows_of, sign, table_of, void
from tests.web.at_desk import HTMX, organiser, preview, referee, send, table_url, ticked, values
from tests.web.shown import text, texts
from tournament.models import Event

pytestmark = pytest.mark.django_db

# East 1 to South 4, where the dealer wins once and plays on
NINE = ("2r3 340", "3r4 340", "4r1 340", "1r2 340", "2r3 340", "3r4 340", "4r1 340", "4t 230", "1r4 340")
CLIENT_ID = "7d444840-9dc0-11d1-b245-5ffdce74fad2"


@pytest.fixture
def event() -> Event:
    return make_event(slug="cup", tables=2, rounds=1)


def scores(page) -> list[str]:
    return texts(page, ".seat-score")


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
    assert texts(page, ".hand-what") == ["Birk (2, South) wins off Cyan (3, West) 3 han 40 fu, 5,200 Riichi: Birk"]
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
            "East 1 Birk (2, South) wins off Cyan (3, West) 3 han 40 fu, 5,200 Riichi: Birk Seat 1 0 30,000 "
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
    assert "Birk (2, South) wins off Cyan (3, West)" in texts(answer, ".is-new")[0]
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
        "Error This page was sent before with something else, which was kept. "
        "Nothing new is written: look, then send again."
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
        ("2r2 340", "Error Birk (player 2) cannot win off their own discard."),
        ("2r3 3", "Error 3 han needs its fu."),
        ("5r1 340", "Error Player 5 is not at the table: there are 4 players."),
        ("c", "Error A chombo needs an offender."),
        ("ak", "Error The abortive draw 'kyuushu_kyuuhai' is not played under these rules; played are: none."),
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
        "Draw, tenpai: Akelei (1, East) and Cyan (3, West) Riichi: Birk · Ruled a dead hand"
    ]


def test_a_page_that_is_behind_is_shown_what_came_between_and_keeps_the_line(event: Event):
    client, other = referee(event), referee(event, "Otto")
    send(other, event, "1t 230")
    answer = send(client, event, "2r3 340", client_id=CLIENT_ID)
    assert answer.status_code == 409
    assert text(answer, ".note") == (
        "Meanwhile at this table 1. Akelei (1, East) wins by tsumo: 2 han 30 fu, 1,000 all (Otto) "
        "Nothing of yours is lost: look, change it if need be, and send again."
    )
    assert values(answer, "line") == ["2r3 340"]
    assert text(answer, ".understood-say") == "Birk (2, South) wins off Cyan (3, West): 3 han 40 fu, 5,200"
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


# ---------------------------------------------------------------- preview


def test_a_preview_reads_back_who_what_and_how_much(event: Event):
    answer = preview(referee(event), event, "2r3 340/2")
    assert (
        text(answer, ".understood-say") == "Birk (2, South) wins off Cyan (3, West): 3 han 40 fu, 5,200. Riichi: Birk"
    )
    assert text(answer, ".pays") == "Seat 1 0 Seat 2 +5,200 Seat 3 −5,200 Seat 4 0"
    assert texts(answer, ".small") == [
        "Birk → table 1,000 (deposit) Cyan → Birk 5,200 (hand) table → Birk 1,000 (deposit)"
    ]
    assert rows_of(table_of(event)) == []


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("", "What the desk understood is read back here before it is sent."),
        ("2", "“2” cannot be read yet."),
        ("2r", "“2r” cannot be read yet."),
        ("2r3", "“2r3” cannot be read yet."),
        ("2r3 3", "3 han needs its fu."),
        ("d1/", "“/” cannot be read yet."),
        ("c", "A chombo needs an offender."),
    ],
)
def test_a_line_half_typed_is_no_error(event: Event, line: str, hint: str):
    answer = preview(referee(event), event, line)
    assert text(answer, ".is-hint") == hint
    assert texts(answer, ".note") == []


def test_a_preview_says_errors_and_warnings_at_once(event: Event):
    client = referee(event)
    assert texts(preview(client, event, "2r2 340"), ".note") == [
        "Error Birk (player 2) cannot win off their own discard."
    ]
    warned = preview(client, event, "d1/2", reason="as ruled")
    assert texts(warned, ".note")[0].startswith("Warning Birk (player 2) had riichi")
    assert text(warned, ".reason-wanted") == "A hand with a warning is entered with a reason, which is kept."
    assert values(warned, "reason") == []  # a preview must not take the field away under the typist


def test_a_preview_of_a_correction_says_which_later_hand_would_not_fit(event: Event):
    enter_all(table_of(event), *NINE)
    fits = preview(referee(event), event, "4t 330", hand="8")
    assert (text(fits, ".understood-say"), texts(fits, ".note")) == (
        "Distel (4, East) wins by tsumo: 3 han 30 fu, 2,000 all", []
    )  # fmt: skip
    ends = preview(referee(event), event, "1t 230", hand="8")
    assert texts(ends, ".note") == ["Error Hand 9 would no longer fit: the game would be over before it."]


# ---------------------------------------------------------------- by form


FORM: dict[str, Any] = {"how": "form"}


def test_the_form_offers_what_the_rules_know(event: Event):
    page = organiser(event).get(table_url(event))
    assert texts(page, ".hand-kind") == ["What happened Ron Tsumo Draw Chombo"]
    tenhou = make_event("tenhou-yonma", tables=1, rounds=1)
    page = organiser(tenhou).get(table_url(tenhou))
    assert texts(page, ".hand-kind") == ["What happened Ron Tsumo Draw Nagashi mangan Abortive draw Chombo"]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"kind": "ron", "loser": "2", "winner": "1", "han-1": "3", "fu-1": "40", "riichi": "1"}, "2r3 340/2"),
        (
            {"kind": "ron", "loser": "2", "winner": ["0", "1"], "han-0": "5", "han-1": "3", "fu-1": "40"},
            "1r3 5+2 340",
        ),
        ({"kind": "tsumo", "winner": "0", "han-0": "y1", "pao-0": "2"}, "1t y p3"),
        ({"kind": "draw", "tenpai": ["0", "2"], "riichi": "2", "note": " slow  table "}, "d13/3 #slow table"),
        ({"kind": "draw"}, "d"),
        ({"kind": "nagashi", "winner": "3", "tenpai": ["0", "3"], "riichi": ["0", "3"]}, "n4 d14/14"),
        ({"kind": "chombo", "offenders": ["1", "3"]}, "c24"),
    ],
)
def test_the_form_enters_what_the_line_enters(fields: dict[str, Any], line: str):
    event = make_event("rakkii-nomi-2026", tables=2, rounds=1)
    assert send(referee(event), event, **FORM, **fields, reason="as seen").status_code == 302
    enter(table_of(event, 2), line, reason="as seen")
    assert rows_of(table_of(event))[0].payload == rows_of(table_of(event, 2))[0].payload


def test_what_the_kind_does_not_need_is_not_read(event: Event):
    fields: dict[str, Any] = {
        "kind": "draw",
        "tenpai": "0",
        "winner": "1",
        "han-1": "3",
        "loser": "2",
        "offenders": "3",
    }
    send(referee(event), event, **FORM, **fields)
    assert rows_of(table_of(event))[0].payload == '{"kind":"draw","tenpai":[0]}'


def test_a_refused_form_keeps_what_was_ticked(event: Event):
    fields: dict[str, Any] = {
        "kind": "ron",
        "loser": "2",
        "winner": ["1", "3"],
        "han-1": "3",
        "fu-1": "25",
        "pao-1": "0",
        "note": "loud",
    }
    answer = send(referee(event), event, **FORM, **fields)
    assert answer.status_code == 422
    assert text(answer, ".note") == "Error Distel (player 4) wins: choose the han."
    assert ticked(answer) == {
        "kind": ["ron"], "loser": ["2"], "winner": ["1", "3"], "han-1": ["3"], "fu-1": ["25"], "pao-1": ["0"],
    }  # fmt: skip
    assert values(answer, "note") == ["loud"]
    assert '<details class="by-form" open>' in answer.content.decode()


def test_the_form_asks_for_the_reason_of_a_warning(event: Event):
    client = referee(event)
    answer = send(client, event, **FORM, kind="draw", tenpai="0", riichi="1")
    assert text(answer, ".reason-wanted") == "A warning needs a reason: say why the entry is right all the same."
    assert re.search(r'id="form-reason"[^>]* required autofocus data-keep-focus', answer.content.decode())
    assert send(client, event, **FORM, kind="draw", tenpai="0", riichi="1", reason="dead").status_code == 302


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Choose what happened: ron, tsumo, draw…"),
        ({"kind": "pon"}, "Choose what happened: ron, tsumo, draw…"),
        ({"kind": "ron"}, "Choose who discarded the winning tile."),
        ({"kind": "ron", "loser": "1"}, "There is no winner."),
        ({"kind": "tsumo"}, "A tsumo has one winner, not 0."),
        ({"kind": "chombo"}, "A chombo needs an offender."),
    ],
)
def test_a_form_half_filled_is_a_hint_while_filling_and_an_error_when_sent(
    event: Event, fields: dict[str, Any], said: str
):
    client = referee(event)
    early = preview(client, event, **FORM, **fields)
    assert (text(early, ".is-hint"), texts(early, ".note")) == (said, [])
    assert texts(send(client, event, **FORM, **fields), ".note") == [f"Error {said}"]


@pytest.mark.parametrize("value", ["x", "-1", "99999999", "１"])
def test_a_form_that_no_browser_sends_is_refused_in_words(event: Event, value: str):
    answer = send(referee(event), event, **FORM, kind="draw", tenpai=value)
    assert texts(answer, ".note") == [f"Error '{value}' is not a whole number."]


# ---------------------------------------------------------------- correcting and making void


@pytest.fixture
def played(event: Event) -> Event:
    enter_all(table_of(event), "2r3 340/2", "1t 230", "d13")
    return event


def test_correcting_puts_the_hand_back_into_line_and_form(played: Event):
    page = referee(played).get(table_url(played) + "?correct=1")
    assert values(page, "line") == ["2r3 340/2"]
    assert values(page, "hand") == ["1", "1"]
    assert ticked(page) == {
        "kind": ["ron"], "loser": ["2"], "winner": ["1"], "riichi": ["1"], "han-1": ["3"], "fu-1": ["40"],
    }  # fmt: skip
    assert "Correct hand 1" in text(page, ".line")
    assert (
        texts(page, ".understood-say")[0] == "Birk (2, South) wins off Cyan (3, West): 3 han 40 fu, 5,200. Riichi: Birk"
    )


def test_an_earlier_hand_is_corrected_with_a_reason_and_all_after_it_worked_out_anew(played: Event):
    client = referee(played)
    refused = send(client, played, "2r3 440/2", hand=1, expected_seq=3)
    assert refused.status_code == 422
    assert text(refused, ".problem") == "Changing any hand but the last needs a reason."
    assert values(refused, "line") == ["2r3 440/2"]
    assert send(client, played, "2r3 440/2", hand=1, expected_seq=3, reason="misheard").status_code == 302
    page = client.get(table_url(played))
    assert texts(page, ".hand-what")[-1] == (
        "Birk (2, South) wins off Cyan (3, West) 4 han 40 fu, mangan, 8,000 Riichi: Birk · corrected · misheard"
    )
    assert scores(page) == ["33,500", "35,500", "23,000", "28,000"]
    assert [row.supersedes for row in rows_of(table_of(played))] == [None, None, None, 1]


def test_the_last_hand_is_corrected_without_a_reason(played: Event):
    assert send(referee(played), played, "d12", hand=3, expected_seq=3).status_code == 302
    assert [row.supersedes for row in rows_of(table_of(played))] == [None, None, None, 3]


def test_a_hand_that_is_not_there_opens_the_plain_page(played: Event):
    page = referee(played).get(table_url(played) + "?correct=9")
    assert values(page, "hand") == []
    page = referee(played).get(table_url(played) + "?void=9")
    assert text(page, "h1") == "Table 1 Round 1"


def test_making_void_asks_first_and_wants_a_reason_for_an_earlier_hand(played: Event):
    client = referee(played)
    page = client.get(table_url(played) + "?void=1")
    assert text(page, "h1") == "Make hand 1 of table 1 void?"
    assert "Birk (2, South) wins off Cyan (3, West): 3 han 40 fu, 5,200. Riichi: Birk" in texts(page, "p")
    data = {"act": "void", "hand": 1, "client_id": values(page, "client_id")[0], "expected_seq": 3}
    refused = client.post(table_url(played), data)
    assert refused.status_code == 422
    assert text(refused, "h1") == "Make hand 1 of table 1 void?"
    assert texts(refused, ".note") == ["Error Changing any hand but the last needs a reason."]
    assert values(refused, "client_id") == values(page, "client_id")
    for _ in range(2):  # twice by a nervous finger
        assert client.post(table_url(played), {**data, "reason": "entered twice"}).status_code == 302
    assert len(rows_of(table_of(played))) == 4
    row = texts(client.get(table_url(played)), "tr")[-1]
    assert row == "Hand 1 2r3 340/2 void entered twice Bring back Hand 1"


def test_making_void_shows_what_came_between(played: Event):
    client = referee(played)
    enter(table_of(played), "2t 230")
    data = {"act": "void", "hand": 3, "client_id": str(uuid4()), "expected_seq": 3, "reason": "twice"}
    answer = client.post(table_url(played), data)
    assert answer.status_code == 409
    assert text(answer, "h1") == "Make hand 3 of table 1 void?"
    assert texts(answer, ".note")[0].startswith("Meanwhile at this table 4. Birk")
    assert values(answer, "expected_seq") == ["4"]
    assert values(answer, "reason") == ["twice"]


def test_a_void_hand_is_brought_back(played: Event):
    void(table_of(played), 2)
    client = referee(played)
    assert text(client.get(table_url(played) + "?void=2"), "h1") == "Table 1 Round 1"
    page = client.get(table_url(played) + "?correct=2")
    assert "Bring hand 2 back" in text(page, ".line")
    assert values(page, "line") == ["1t 230"]
    assert scores(page) == ["31,500", "33,700", "26,300", "28,500"]
    send(client, played, "1t 230", hand=2, expected_seq=4, reason="it was played")
    page = client.get(table_url(played))
    assert [line for line in texts(page, "tr") if "void" in line] == []
    assert scores(page) == ["33,500", "32,700", "25,800", "28,000"]


def test_a_correction_that_a_later_hand_does_not_survive_is_refused(event: Event):
    enter_all(table_of(event), *NINE)
    answer = send(referee(event), event, "1t 230", hand=8, expected_seq=9, reason="wrong winner")
    assert answer.status_code == 422
    assert texts(answer, ".note") == ["Error Hand 9 would no longer fit: the game would be over before it."]
    assert (values(answer, "line"), values(answer, "reason")[0]) == (["1t 230"], "wrong winner")
    assert len(rows_of(table_of(event))) == 9


# ---------------------------------------------------------------- the sheet


def sheet(
    event: Event, *totals: int | str, leftover: str = "", seq: int | None = None, table: int = 1
) -> dict[str, str]:
    data = {f"total-{seat}": str(total) for seat, total in enumerate(totals)}
    return {**data, "leftover": leftover, "expected_seq": str(last_seq(table_of(event, table)) if seq is None else seq)}


def test_a_sheet_that_agrees_signs_the_table(played: Event):
    client = referee(played)
    totals = (33_500, 32_700, 25_800, 28_000)
    assert scores(client.get(table_url(played))) == [f"{total:,}" for total in totals]
    for _ in range(2):
        assert client.post(table_url(played, end="sign/"), sheet(played, *totals)).status_code == 302
    assert table_of(played).sheets.count() == 1
    page = client.get(table_url(played))
    assert text(page, ".now") == "Signed"
    assert [line.replace(" ", "") for line in texts(page, ".sheet-places")] == [
        "1Akelei33,500+18.52Birk32,700+7.73Distel28,000−7.04Cyan25,800−19.2"
    ]
    assert texts(page, ".hand-acts") == []
    assert values(page, "line") == []


@pytest.mark.parametrize(
    ("totals", "leftover", "said"),
    [
        (
            (33_500, 32_700, 25_800, 27_900),
            "",
            [
                "Error The sheet sums to 119,900, short by 100; the table has 120,000.",
                "Error Distel (player 4): the sheet says 27,900, the hands make 28,000.",
            ],
        ),
        (
            (32_700, 33_500, 25_800, 28_000),
            "",
            [
                "Error Akelei (player 1): the sheet says 32,700, the hands make 33,500.",
                "Error Birk (player 2): the sheet says 33,500, the hands make 32,700.",
                "Error The sheet has the right totals, but Akelei (player 1) and Birk (player 2) are swapped.",
            ],
        ),
        (
            (33_500, 32_700, 25_800, 28_000),
            "1000",
            ["Error The sheet leaves 1,000 points of deposits on the table, the hands leave 0."],
        ),
        (
            ("", "32.7", 25_800, 28_000),
            "",
            ["Error The final score of player 1 is missing.", "Error '32.7' is not a score for player 2."],
        ),
    ],
)
def test_a_sheet_that_differs_is_refused_by_name_and_kept(played: Event, totals, leftover: str, said: list[str]):
    answer = referee(played).post(table_url(played, end="sign/"), sheet(played, *totals, leftover=leftover))
    assert answer.status_code == 422
    assert texts(answer, ".note") == said
    assert [values(answer, f"total-{seat}")[0] for seat in range(4)] == [str(total) for total in totals]
    assert values(answer, "leftover") == [leftover]
    assert table_of(played).sheets.count() == 0


def test_a_sheet_names_the_hand_that_is_missing_on_it(played: Event):
    answer = referee(played).post(table_url(played, end="sign/"), sheet(played, 32_000, 34_200, 24_300, 29_500))
    assert texts(answer, ".note")[-1] == (
        "Error The sheet agrees with the desk as it stood before hand 3: is a hand missing on it?"
    )


def test_a_sheet_is_not_signed_over_a_hand_that_nobody_saw(played: Event):
    answer = referee(played).post(table_url(played, end="sign/"), sheet(played, 33_500, 32_700, 25_800, 28_000, seq=2))
    assert answer.status_code == 409
    assert texts(answer, ".note")[0].startswith("Meanwhile at this table 3. Draw, tenpai: Akelei")
    assert values(answer, "expected_seq")[-1] == "3"


def test_a_signed_table_takes_no_hand_and_opens_with_a_reason(played: Event):
    sign(table_of(played))
    client = referee(played)
    refused = send(client, played, "1t 230", expected_seq=3)
    assert (refused.status_code, texts(refused, ".note")) == (422, ["Error Table 1 is signed; reopen it first."])
    assert "You typed 1t 230" in texts(refused, "p")
    empty = client.post(table_url(played, end="reopen/"), {"reason": " "})
    assert (empty.status_code, texts(empty, ".note")) == (422, ["Error Reopening a signed table needs a reason."])
    assert client.post(table_url(played, end="reopen/"), {"reason": "wrong sum"}).status_code == 302
    page = client.get(table_url(played))
    assert texts(page, ".note") == ["Done Table 1 is open again."]
    assert send(client, played, "1t 230", expected_seq=3).status_code == 302


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
    with django_assert_num_queries(12):
        client.get(table_url(event))
    with django_assert_num_queries(8):
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
