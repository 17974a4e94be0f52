"""Hands corrected, made void and brought back, and the sheet that closes a table; without a browser."""

import re
from uuid import uuid4

import pytest

from rules.books import load
from tests.factories import enter, enter_all, fresh, last_seq, make_event, rows_of, sign, table_of, void
from tests.fixtures import module_event
from tests.pages.at_desk import in_cards, referee, send, table_url, values
from tests.pages.html_reader import text, texts
from tournament.events.models import Event
from tournament.hands.views import sum_context

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

# East 1 to South 4, where the dealer wins once and plays on
NINE = ("2r3 340", "3r4 340", "4r1 340", "1r2 340", "2r3 340", "3r4 340", "4r1 340", "4t 230", "1r4 340")


made = module_event(slug="cup", tables=2, rounds=1)


def scores(page) -> list[str]:
    return texts(page, ".seat-score")


# ---------------------------------------------------------------- correcting and making void


@pytest.fixture(scope="module")
def made_played(rows_of_module: None) -> Event:
    event = make_event(slug="played", tables=2, rounds=1)
    enter_all(table_of(event), "2r3 340/2", "1t 230", "d13")
    return event


@pytest.fixture
def played(made_played: Event) -> Event:
    return fresh(made_played)


def test_correcting_puts_the_hand_back_into_line_and_cards(played: Event):
    page = referee(played).get(table_url(played) + "?correct=1")
    assert values(page, "line") == ["2r3 340/2"]
    assert values(page, "hand") == ["1"]
    cards = in_cards(page)
    assert (cards["line"], cards["kind"], cards["loser"], cards["riichi"]) == ("2r3 340/2", "ron", "3", "2")
    assert cards["winners"] == [{"seat": "2", "value": "340", "pao": "", "chips": ""}]
    assert "Correct hand 1" in text(page, ".line")
    assert (
        texts(page, ".understood-say")[0] == "Birk (2, South) ron from Cyan (3, West): 3 han 40 fu, 5,200. Riichi: Birk"
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
        "Birk (2, South) ron from Cyan (3, West) 4 han 40 fu, mangan, 8,000 Riichi: Birk · corrected · misheard"
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
    assert text(page, "h1") == "Void hand 1 of table 1?"
    assert "Birk (2, South) ron from Cyan (3, West): 3 han 40 fu, 5,200. Riichi: Birk" in texts(page, "p")
    data = {"act": "void", "hand": 1, "client_id": values(page, "client_id")[0], "expected_seq": 3}
    refused = client.post(table_url(played), data)
    assert refused.status_code == 422
    assert text(refused, "h1") == "Void hand 1 of table 1?"
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
    assert text(answer, "h1") == "Void hand 3 of table 1?"
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


def test_a_correction_that_a_later_hand_does_not_survive_goes_on_to_that_hand(event: Event):
    enter_all(table_of(event), *NINE)
    answer = send(referee(event), event, "1t 230", hand=8, expected_seq=9, reason="wrong winner")
    assert answer.status_code == 422
    assert texts(answer, ".note") == ["Error Hand 9 would no longer fit: the game would be over before it."]
    assert texts(answer, "label")[-2] == "What is hand 9 now? Enter continues; nothing is saved yet"
    assert (values(answer, "line"), values(answer, "reason")) == (["1r4 340"], ["wrong winner"])
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
            ["Error The sheet leaves 1,000 points of riichi sticks on the table, the hands leave 0."],
        ),
        (
            ("", "32.75", 25_800, 28_000),
            "",
            [
                "Error The number of Akelei (player 1) is missing.",
                "Error '32.75' of Birk (player 2) cannot be read: write 45200 or 45.2.",
            ],
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


def test_the_sum_of_a_sheet_is_said_while_it_is_typed_and_the_wrong_field_is_marked(played: Event):
    client, url = referee(played), table_url(played, end="sign/")
    for totals, said in (
        (("33.5", "32700", "x", ""), "66,200 so far, 2 numbers to type."),
        (("33.5", "32700", "25.8", "28.0"), "The sum is right."),
        (("33.5", "32700", "25.8", "27.0"), "The sum is 119,000: −1,000"),
        (("33.5", "32700", "25.8", "26.0"), "The sum is 118,000: −2,000"),
    ):
        assert text(client.get(url, sheet(played, *totals)), "p") == said
    answer = client.post(url, sheet(played, "33.5", "32.7", "25.8", "27.9"))
    marked = re.findall(r'name="(total-\d)"[^>]*aria-invalid', answer.content.decode())
    assert marked == ["total-3"]
    assert client.post(url, sheet(played, "33.5", "32.7", "25.8", "28.0")).status_code == 302


@pytest.mark.parametrize(
    ("rules", "totals", "leftover", "gap"),
    [
        ("ema-2025", (41_000, 30_000, 28_000, 20_000), 1_000, 0),
        ("ema-2025", (42_000, 30_000, 28_000, 20_000), 1_000, 0),  # the first has it already, and it is named beside
        ("ema-2025", (42_000, 30_000, 28_000, 20_000), 0, 0),
        ("ema-2025", (33_333, 33_333, 33_333, 20_000), 1_000, 0),  # three have a share, and one point is dropped
        ("ema-2025", (42_000, 30_000, 28_000, 21_000), 1_000, 2_000),
        ("wrc-2025", (42_000, 30_000, 28_000, 20_000), 1_000, 1_000),  # nobody has it
        ("wrc-2025", (41_000, 30_000, 28_000, 20_000), 1_000, 0),
    ],
)
def test_the_sum_of_a_sheet_is_right_where_it_can_be_signed(rules: str, totals, leftover: int, gap: int):
    fields = {f"total-{seat}": str(total) for seat, total in enumerate(totals)} | {"leftover": str(leftover)}
    assert sum_context(fields, load(rules), "totals")["gap"] == gap


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


@pytest.mark.postgresql
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
