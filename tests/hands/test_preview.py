"""The preview of the hand page: what a line says and what can come next."""

import re

import pytest

from tests.factories import enter_all, make_event, rows_of, table_of
from tests.fixtures import module_event
from tests.pages.at_desk import preview, referee, send, table_url, values
from tests.pages.html_reader import text, texts
from tournament.events.models import Event

# East 1 to South 4, where the dealer wins once and plays on
NINE = ("2r3 340", "3r4 340", "4r1 340", "1r2 340", "2r3 340", "3r4 340", "4r1 340", "4t 230", "1r4 340")

pytestmark = [pytest.mark.once, pytest.mark.django_db]


made = module_event(slug="cup", tables=2, rounds=1)


# ---------------------------------------------------------------- preview


def test_a_preview_reads_back_who_what_and_how_much(event: Event):
    answer = preview(referee(event), event, "2r3 340/2")
    assert (
        text(answer, ".understood-say") == "Birk (2, South) ron from Cyan (3, West): 3 han 40 fu, 5,200. Riichi: Birk"
    )
    assert text(answer, ".pays") == "Seat 1 0 Seat 2 +5,200 Seat 3 −5,200 Seat 4 0"
    assert texts(answer, ".small") == [
        "Birk → table 1,000 (riichi stick) Cyan → Birk 5,200 (hand) table → Birk 1,000 (riichi stick)"
    ]
    assert rows_of(table_of(event)) == []


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("", "What the desk understood is read back here before it is sent."),
        ("2", "Birk wins: r and the discarder is a ron, t a tsumo"),
        ("2r", "Birk wins by ron: from whom?"),
        ("2r3", "Birk ron from Cyan: now han and fu (340), m, h…"),
        ("2r3 3", "Birk ron from Cyan: now the fu"),
        ("d1/", "Who had riichi?"),
        ("c", "Chombo: of whom?"),
        ("2r3 34", "34 is not a hand: han go up to 13. Did you mean 340?"),
    ],
)
def test_a_line_half_typed_is_no_error(event: Event, line: str, hint: str):
    answer = preview(referee(event), event, line)
    assert text(answer, ".is-hint") == hint
    assert texts(answer, ".note") == []


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("2", ["r ron", "t tsumo"]),
        ("2r", ["1 Akelei", "3 Cyan", "4 Distel"]),
        ("2r3 34", ["0 40 fu"]),
        ("2r3 340", ["+ another winner", "/2 riichi Birk", "/1 riichi Akelei", "/3 riichi Cyan", "/4 riichi Distel"]),
        ("d1", ["2 Birk", "3 Cyan", "4 Distel", "/1 riichi Akelei", "/2 riichi Birk"]),
    ],
)
def test_the_next_keys_are_shown_with_what_they_say(event: Event, line: str, keys: list[str]):
    assert texts(preview(referee(event), event, line), ".step")[:5] == keys


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/42r3", "Can't read “/42r3”: expected a player number, d for a draw or c for a chombo"),
        ("2r5", "Can't read “5”: expected the number of the discarder"),
        ("2r3 3q", "Can't read “q”: expected the fu"),
        ("6", "Can't read “6”: expected a player number, d for a draw or c for a chombo"),
    ],
)
def test_a_wrong_key_is_named_with_what_was_expected(event: Event, line: str, said: str):
    assert texts(preview(referee(event), event, line), ".problem") == [said]


def test_of_a_hand_that_there_is_not_the_nearest_two_are_offered(event: Event):
    client = referee(event)
    assert text(preview(client, event, "2r3 25"), ".choices").startswith("12 han 50 fu22 han 25 fu")
    offered = preview(client, event, "2r3 337/2")
    assert 'data-choice="2r3 340/2"' in offered.content.decode()
    assert 'data-choice="2r3 330/2"' in offered.content.decode()
    refused = send(client, event, "2r3 34")
    assert refused.status_code == 422
    assert "Did you mean 340?" in text(refused, "#understood")
    assert rows_of(table_of(event)) == []


def test_a_nagashi_that_wants_a_closed_hand_is_a_yes_or_no_and_leaves_no_warning():
    event = make_event("rakkii-nomi-2026", slug="closed", tables=1, rounds=1)
    client = referee(event)
    asked = preview(client, event, "n2 d1 #late")
    assert "was the hand of Birk (player 2) closed?" in text(asked, ".note")
    assert text(asked, ".choices").startswith("1yes, closed2no: a draw")
    choices = re.findall('data-choice="(.*?)"', asked.content.decode())
    assert choices == ["n2c d1 #late", "d1 #late"]
    assert texts(asked, ".reason-wanted") == []
    yes, no = (preview(client, event, line) for line in choices)
    assert [(texts(each, ".note"), texts(each, ".choices")) for each in (yes, no)] == [([], [])] * 2
    sent = send(client, event, choices[0])
    assert sent.status_code in (200, 302)
    (row,) = rows_of(table_of(event))
    kind = '"closed":true,"kind":"nagashi","note":"late","tenpai":[0],"winners":[{"seat":1}]'
    assert (row.payload, row.reason) == (f"{{{kind}}}", "")


def test_several_winners_are_named_with_their_values_and_a_liable_player_is_named(event: Event):
    client = referee(event)
    said = text(preview(client, event, "2r3 340+4 m"), ".understood-say")
    assert said.endswith(": Birk 3 han 40 fu, 5,200; Distel 5 han, mangan, 8,000")
    assert "Cyan is liable" in text(preview(client, event, "2t y p3"), ".understood-say")
    send(client, event, "2t y p3")
    assert "Cyan is liable" in text(client.get(table_url(event)), ".hand-what")


def test_a_preview_says_errors_and_warnings_at_once(event: Event):
    client = referee(event)
    assert texts(preview(client, event, "2r2 340"), ".note") == [
        "Error Birk (player 2) cannot win by ron from their own discard."
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
