"""Every row and clause of the shared list of hands that must not pass, through command, API and page, with the words.

Which hands they are stands in wrong_entries and wrong_tiles. Row 23, the sheet, and row 24, hostile JSON, have forms
of their own and stand here, as does what a page is sent beside a hand.
"""

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client

from bootstrap import REPO
from scoring.entries import from_json, to_json
from scoring.problems import InvalidInput
from scoring.shorthand import parse, write
from tests.cases.wrong_entries import ENTRIES
from tests.cases.wrong_hand import EMA, SAN, Wrong
from tests.cases.wrong_tiles import TILES
from tests.factories import NAMES, enter_all, make_event, rows_of, sign, table_of
from tests.pages.at_desk import organiser, send, table_url, values
from tests.pages.html_reader import texts
from tests.shared_fixtures import made_once, program_environment, run_folder
from tests.table_test import tabled
from tournament.events.models import Event
from web.management.commands.replay import replay
from web.management.json_lines import answer_lines

pytestmark = pytest.mark.once
WRONG = (*ENTRIES, *TILES)
NEEDS_REASON = "A warning needs a reason: say why the entry is right anyway."
OTHER_SHAPE = {"19.2", "23.1", "23.2", "24.1"}  # tested below
IDS = [f"{wrong.row}-{wrong.rules}-{next(iter(wrong.said))}-{at}" for at, wrong in enumerate(WRONG)]


def sent(wrong: Wrong) -> dict[str, Any]:
    """Return the entry that a program sends: as it is written down, or as the line says it."""
    return dict(wrong.entry) if wrong.entry is not None else to_json(parse(wrong.line))


def sendable(wrong: Wrong) -> bool:
    """Tell whether a program can send it at all: a line that nobody can read has no entry."""
    return wrong.entry is not None or "shorthand.unreadable" not in wrong.said


# By the API is sent what cannot be typed, and of what can the first of each clause: the command is sent all of them.
TO_API = {
    *(case for case, wrong in zip(IDS, WRONG, strict=True) if sendable(wrong) and not wrong.line),
    *{wrong.row: case for case, wrong in [*zip(IDS, WRONG, strict=True)][::-1] if sendable(wrong)}.values(),
}


def line_of(wrong: Wrong) -> str:
    """Return the line that says the entry; empty where the notation has no room for it."""
    if wrong.line or wrong.entry is None:
        return wrong.line
    try:
        line = write(from_json(wrong.entry))
        return line if parse(line) == from_json(wrong.entry) else ""
    except InvalidInput:
        return ""


# ---------------------------------------------------------------- the list is whole


def test_every_row_and_clause_of_the_list_has_a_case(cases: Path) -> None:
    text = (cases / "wrong-hands.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (.+?) \|[^|]*\|$", text, flags=re.MULTILINE)
    clauses = {f"{number}.{at}" for number, row in rows for at, _ in enumerate(row.split(";"), start=1)}
    assert [int(number) for number, _ in rows] == list(range(1, 25))
    assert clauses == {wrong.row for wrong in WRONG} - {"-"} | OTHER_SHAPE


def test_every_row_can_be_tried_on_the_page_or_is_of_programs_alone() -> None:
    typed = {wrong.row for wrong in WRONG if line_of(wrong)}
    by_program = {wrong.row for wrong in WRONG} - typed
    # yaku by name, a value beside tiles, winds and honba with tiles
    assert by_program == {"3.6", "8.1", "10.1", "10.2", "10.3", "10.4", "10.6", "18.1", "21.3"}


def test_warnings_are_as_marked_in_the_list() -> None:
    assert {wrong.row for wrong in WRONG if wrong.warned} == {"13.1", "15.1", "16.2", "20.1"}


# ---------------------------------------------------------------- command


def replay_all(folder: Path) -> None:
    """Send every wrong hand to one `manage.py replay`, each in a line of its own, and keep what it answers."""
    lines = []
    for case, wrong in zip(IDS, WRONG, strict=True):
        if sendable(wrong):
            before = [to_json(parse(line)) for line in wrong.hands_before]
            lines.append(json.dumps({"id": case, "rules": wrong.rules, "entries": [*before, sent(wrong)]}))
    done = subprocess.run(
        [sys.executable, "manage.py", "replay"],
        cwd=REPO,
        env=program_environment(folder / "data"),
        input="\n".join(lines).encode(),
        capture_output=True,
        check=True,
    )
    assert len(done.stdout.decode().splitlines()) == len(lines)
    (folder / "answers").write_bytes(done.stdout)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the answers of the command by case."""
    said = made_once(run_folder(tmp_path_factory), "wrong hands", replay_all) / "answers"
    found = [json.loads(line) for line in said.read_text(encoding="utf-8").splitlines()]
    return {answer["id"]: answer for answer in found}


def values_of(params: dict[str, Any]) -> str:
    """Return the values of a problem, those of a list one by one."""
    listed = (value if isinstance(value, list) else [value] for value in params.values())
    return " ".join(str(each) for values in listed for each in values)


def messages_of(answers: dict[str, Any], case: str, wrong: Wrong) -> list[str]:
    """Return what the command says of a hand, or of a line that it cannot be sent."""
    if case not in answers:
        return [f"'{said}' cannot be read (from character 1 on)." for said in wrong.said.values()]
    return [each["message"] for each in answers[case]["warnings" if wrong.warned else "problems"]]


@tabled("case, wrong", zip(IDS, WRONG, strict=True))
def test_the_command_says_it(answers: dict[str, Any], case: str, wrong: Wrong) -> None:
    if not sendable(wrong):
        assert case not in answers
        return
    answer = answers[case]
    assert answer["ok"] is wrong.warned
    found = answer["warnings" if wrong.warned else "problems"]
    assert {problem["at"] for problem in found} == {len(wrong.hands_before)}
    assert [(each["code"], values_of(each["params"])) for each in found] == list(
        zip(wrong.codes, wrong.said.values(), strict=True)
    )


# ---------------------------------------------------------------- API and page


def post(client: Client, event: Event, body: object, *, seq: int = 0, **more: object) -> Any:
    """Send an entry to the API; a text goes as it is."""
    whole = {"client_id": str(uuid4()), "expected_seq": seq, "entry": body, **more}
    url = f"/api/v1/events/{event.slug}/rounds/1/tables/1/entries"
    text = body if isinstance(body, str) else json.dumps(whole)
    return client.post(url, data=text, content_type="application/json")


def named(sentence: str) -> str:
    """Return a sentence as the page says it, which knows who sits where."""
    return re.sub(
        r"Player ([1-4])(?! is not at)", lambda found: f"{NAMES[int(found[1]) - 1]} (player {found[1]})", sentence
    )


def kept(page: Any, line: str) -> bool:
    """Tell whether what was sent is still on the page: in the line or, where none takes it, as text."""
    return values(page, "line") == [line] or f"You typed {line}" in texts(page, "p")


@pytest.fixture(scope="class")
def events(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, tuple[Event, Client]]]:
    """Make an event of every rule set once for all tests of the class; what each of them writes is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        made = {rules: make_event(rules, tables=1, rounds=1) for rules in sorted({wrong.rules for wrong in WRONG})}
        yield {rules: (event, organiser(event)) for rules, event in made.items()}
        transaction.set_rollback(True)


class TestAtADesk:
    @pytest.mark.parametrize(("case", "wrong"), [*zip(IDS, WRONG, strict=True)], ids=IDS)
    def test_api_and_page_say_it_and_write_nothing(
        self, events: dict[str, tuple[Event, Client]], answers: dict[str, Any], db: None, case: str, wrong: Wrong
    ) -> None:
        messages = messages_of(answers, case, wrong)
        event, client = events[wrong.rules]
        enter_all(table_of(event), *wrong.hands_before)
        seq = len(wrong.hands_before)
        if case in TO_API:
            refused = post(client, event, sent(wrong), seq=seq)
            said = [(problem["code"], problem["message"]) for problem in refused.json()["problems"]]
            more = [("entry.reason_needed", NEEDS_REASON)] if wrong.warned else []
            assert said == [*zip(wrong.codes, messages, strict=True), *more]
            assert refused.status_code == 422
        line = line_of(wrong)
        if line:
            # as scripts send it: the answer is the part of the page that says it; row 19 sends a whole page
            page = send(client, event, line, expected_seq=seq, htmx=True)
            level = "Warning" if wrong.warned else "Error"
            assert [note for note in texts(page, ".note") if note.startswith(("Error", "Warning"))] == [
                f"{level} {named(sentence)}" for sentence in messages
            ]
            assert page.status_code == 422
            assert kept(page, line)
        assert len(rows_of(table_of(event))) == seq

    @pytest.mark.parametrize("wrong", [wrong for wrong in WRONG if wrong.warned], ids=lambda wrong: wrong.row)
    def test_a_warning_is_entered_with_a_reason_which_is_kept(
        self, events: dict[str, tuple[Event, Client]], db: None, wrong: Wrong
    ) -> None:
        event, client = events[wrong.rules]
        enter_all(table_of(event), *wrong.hands_before)
        seq = len(wrong.hands_before)
        entered = post(client, event, sent(wrong), seq=seq, reason="seen by the referee")
        assert entered.status_code == 201
        assert [row.reason for row in rows_of(table_of(event))[seq:]] == ["seen by the referee"]

    @pytest.mark.parametrize(
        "wrong", [wrong for wrong in WRONG if wrong.warned and wrong.line], ids=lambda wrong: wrong.line
    )
    def test_a_warning_on_the_page_takes_a_reason_too(
        self, events: dict[str, tuple[Event, Client]], db: None, wrong: Wrong
    ) -> None:
        event, client = events[wrong.rules]
        enter_all(table_of(event), *wrong.hands_before)
        seq = len(wrong.hands_before)
        page = send(client, event, wrong.line, expected_seq=seq, reason="ruled so")
        assert page.status_code == 302
        assert [row.reason for row in rows_of(table_of(event))[seq:]] == ["ruled so"]


# ---------------------------------------------------------------- rows 18 and 19: what a table is and was


@pytest.mark.django_db
def test_row_18_what_a_page_sends_beside_a_hand_is_never_believed() -> None:
    event = make_event(SAN, tables=1, rounds=1)
    claims: dict[str, Any] = {
        "dealer": "2",
        "honba": "5",
        "round_wind": "S",
        "score-1": "99000",
        "sticks": "3",
        "seat_wind": "E",
    }
    client = organiser(event)
    assert send(client, event, "2t 330", **claims).status_code == 302
    assert send(client, event, "d1", expected_seq=1, how="form", kind="ron", **claims).status_code == 302
    assert [row.payload for row in rows_of(table_of(event))] == [
        '{"kind":"tsumo","winners":[{"fu":30,"han":3,"seat":1}]}',
        '{"kind":"draw","tenpai":[0]}',
    ]
    # 2 is no dealer: 1,000 and 2,000; then East 2, and 1 tenpai alone
    assert texts(client.get(table_url(event)), ".seat-score") == ["30,000", "32,000", "28,000"]


@pytest.mark.django_db
def test_row_18_nor_what_a_program_sends_beside_it() -> None:
    event = make_event(EMA, tables=1, rounds=1)
    refused = post(organiser(event), event, {"kind": "draw", "tenpai": [0]}, dealer=2, score=99_000)
    assert [(each["code"], each["message"]) for each in refused.json()["problems"]] == [
        ("entry.derived_key", f"'body.{key}' is not entered: the desk works it out from the hands.")
        for key in ("dealer", "score")
    ]
    assert (refused.status_code, rows_of(table_of(event))) == (422, [])


@pytest.mark.django_db
def test_row_19_a_hand_after_the_table_is_signed() -> None:
    event = make_event(EMA, tables=1, rounds=1)
    enter_all(table_of(event), "2r3 330")
    sign(table_of(event))
    client, said = organiser(event), "Table 1 is signed; reopen it first."
    refused = post(client, event, {"kind": "draw", "tenpai": [0]}, seq=1)
    assert [each["message"] for each in refused.json()["problems"]] == [said]
    page = send(client, event, "d1", expected_seq=1)
    assert (page.status_code, texts(page, ".note")) == (422, [f"Error {said}"])
    assert "You typed d1" in texts(page, "p")
    assert len(rows_of(table_of(event))) == 1


# ---------------------------------------------------------------- row 23: the report sheet


SHEETS = [
    (
        "23.1",
        ("30000", "33900", "26100", "30000"),
        "0",
        [
            "Akelei (player 1): the sheet says 30,000, the hands make 27,000.",
            "Birk (player 2): the sheet says 33,900, the hands make 36,900.",
            "The sheet agrees with the desk as it stood before hand 2: is a hand missing on it?",
        ],
    ),
    (
        "23.1",
        ("27000", "36900", "26100", "29000"),
        "0",
        [
            "The sheet sums to 119,000, short by 1,000 (one riichi stick?); the table has 120,000.",
            "Distel (player 4): the sheet says 29,000, the hands make 30,000.",
        ],
    ),
    (
        "23.2",
        ("27000", "36900", "26100", "30000"),
        "1000",
        ["The sheet leaves 1,000 points of riichi sticks on the table, the hands leave 0."],
    ),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("row", "totals", "leftover", "said"), SHEETS)
def test_row_23_a_sheet_that_differs(row: str, totals: tuple[str, ...], leftover: str, said: list[str]) -> None:
    event = make_event(EMA, tables=1, rounds=1)
    enter_all(table_of(event), "2r3 330", "=-3000,+3000,0,0 stick dropped")
    fields = {f"total-{seat}": points for seat, points in enumerate(totals)}
    page = organiser(event).post(table_url(event, end="sign/"), {**fields, "leftover": leftover, "expected_seq": "2"})
    assert (page.status_code, texts(page, ".note")) == (422, [f"Error {sentence}" for sentence in said])
    assert [values(page, name)[0] for name in fields] == list(totals)
    assert table_of(event).sheets.count() == 0


# ---------------------------------------------------------------- row 24: hostile JSON


DEEP = "[" * 10_000 + "]" * 10_000
HOSTILE: list[tuple[str, str, str]] = [
    ("9" * 10_001, "json.number_too_large", "A number of 10001 digits is too large."),
    ("NaN", "json.not_a_number", "NaN is not a number."),
    ("1.5", "json.float", "1.5 is not a whole number; points, han and seats are whole numbers."),
    ("-3", "entry.negative", "'entry.winners.han' must not be negative."),
    ("true", "entry.wrong_type", "'entry.winners.han' must be a whole number."),
    ('3, "colour": 1', "entry.unknown_key", "'entry.winners.colour' is not part of this kind of entry."),
    ('"' + "x" * 10_000_000 + '"', "json.too_long", "The text is too long: at most 200,000 characters are read."),
    (DEEP, "json.too_deep", "The text is nested too deep: at most 20 levels are read."),
]
HOSTILE_IDS = ["digits", "nan", "float", "negative", "boolean", "unknown", "large", "deep"]
AS_HAN = '{"kind": "tsumo", "winners": [{"seat": 0, "fu": 30, "han": HAN}]}'


@pytest.mark.parametrize(("han", "code", "said"), HOSTILE, ids=HOSTILE_IDS)
def test_row_24_hostile_json_to_the_command(han: str, code: str, said: str) -> None:
    line = '{"id": 7, "rules": "ema-2025", "entries": [' + AS_HAN.replace("HAN", han) + "]}"
    (answer,) = answer_lines(io.BytesIO(line.encode()), replay)
    assert (answer["id"], answer["ok"]) == (7, False)
    assert [(each["code"], each["message"]) for each in answer["problems"]] == [(code, said)]


@pytest.mark.django_db
@pytest.mark.parametrize(("han", "code", "said"), HOSTILE, ids=HOSTILE_IDS)
def test_row_24_hostile_json_to_the_api(han: str, code: str, said: str) -> None:
    event = make_event(EMA, tables=1, rounds=1)
    entry = AS_HAN.replace("HAN", han)
    refused = post(organiser(event), event, f'{{"client_id": "{uuid4()}", "expected_seq": 0, "entry": {entry}}}')
    assert [(each["code"], each["message"]) for each in refused.json()["problems"]] == [(code, said)]
    assert (refused.status_code, rows_of(table_of(event))) == (422, [])
