"""Games that were played online: matched with their tables, looked at, entered once, taken back; of Tenhou and mjai."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from scoring.problems import InvalidInput
from tests.factories import enter, fresh, name_of, rows_of, table_of, writer_of
from tests.fixtures import own_event
from tests.online_logs.online_writers import NAMES, mjai, mjlog, simulated, tenhou
from tests.online_logs.test_online_games import zipped
from tests.pages.at_desk import organiser, values
from tests.pages.html_reader import texts
from tournament.archive.verify import verify_event
from tournament.events.models import Event
from tournament.imports.actions import undo_import
from tournament.imports.queries import list_imports
from tournament.online_logs.queries import read_aliases
from tournament.tables.queries import load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PLAYERS = [name_of(index) for index in range(4)]
ALIASES = "\n".join(f"{login.upper()}, {player}" for login, player in zip(NAMES, PLAYERS, strict=True))


event = own_event("tenhou-yonma", tables=1, rounds=3, slug="cup")


@pytest.fixture
def desk(event: Event) -> Client:
    return organiser(event)


def upload(client: Client, data: bytes, name: str = "logs.zip", **more: Any) -> Any:
    return client.post("/desk/cup/imports/games/", {"file": SimpleUploadedFile(name, data), "sign": "on", **more})


def packed(answer: Any) -> str:
    return str(values(answer, "confirmed")[0])


def confirm(client: Client, text: str) -> list[str]:
    answer = client.post("/desk/cup/imports/games/", {"confirmed": text})
    return [note.split(" ", 1)[1] for note in texts(client.get(answer["Location"]), ".note")]


@pytest.mark.follows("during/online-games.md")
def test_logs_become_hands_of_their_tables(event: Event, desk: Client) -> None:
    games = simulated()[-1], *simulated()[1:3]  # the first ends with a riichi stick on the table
    files = {
        "1.json": tenhou(games[0]),
        "2.mjlog": mjlog(games[1], [*NAMES[2:], *NAMES[:2]]),
        "3.jsonl": mjai(games[2]),
    }
    page = upload(desk, zipped(files), aliases=ALIASES)
    assert page.status_code == 200
    assert "Enter 3 games" in page.content.decode()
    assert rows_of(table_of(event)) == []
    assert confirm(desk, packed(page)) == ["3 games are entered."]
    tables = [table_of(event, round_=number) for number in (1, 2, 3)]
    ends = [loaded.final.scores for loaded in load_tables(event)]
    assert all(rows_of(table) and table.sheets.get().signed for table in tables)
    assert [tuple(table.sheets.get().totals) for table in tables] == ends
    # the players sit as the second log has them
    seated = table_of(event, round_=2).seats.order_by("seat").values_list("player__person__preferred_name", flat=True)
    assert list(seated) == [*PLAYERS[2:], *PLAYERS[:2]]
    assert verify_event(fresh(event)).problems == []


def test_the_same_game_comes_once_in_whatever_format(event: Event, desk: Client) -> None:
    game = simulated()[0]
    page = upload(desk, zipped({"a.json": tenhou(game), "b.mjlog": mjlog(game)}), aliases=ALIASES)
    assert "This game appears twice: see a.json." in page.content.decode()
    assert "1 game cannot be entered and is left out" in page.content.decode()
    ready = packed(page)
    assert confirm(desk, ready) == ["1 game is entered."]
    # sent again, and brought again as another file
    (said,) = confirm(desk, ready)
    assert said == "a.json: This file was already imported (a.json). Take it back first to import it again."
    again = upload(desk, mjai(game), "c.jsonl", aliases=ALIASES).content.decode()
    assert "This game was already imported (a.json). Take that import back first." in again
    row = list_imports(event)[0]
    undo_import(event=event, seq=row.seq, reason="wrong log", by=writer_of(event))
    assert load_tables(event)[0].is_empty
    assert confirm(desk, packed(upload(desk, mjai(game), "c.jsonl", aliases=ALIASES))) == ["1 game is entered."]


REFUSED = {
    "unknown names": ({"aliases": "crane_77, Nobody"}, "Not found among the players: crane_77, riverstone"),
    "a number beyond all": ({"aliases": f"crane_77, {'9' * 5000}"}, "Not found among the players: crane_77, river"),
    "a line that is no alias": ({"aliases": "crane_77"}, "Aliases, line 1: “crane_77” is not a name in the log"),
    "two names for one": (
        {"aliases": "\n".join(f"{login}, 1" for login in NAMES)},
        "Two names in the log mean the same player.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_who_is_not_known_keeps_a_game_out(event: Event, desk: Client, case: str) -> None:
    more, wanted = REFUSED[case]
    assert wanted in upload(desk, mjai(simulated()[0]), "a.jsonl", **more).content.decode()
    assert rows_of(table_of(event)) == []


def test_no_half_of_a_game_is_written(event: Event, desk: Client) -> None:
    game = json.loads(json.dumps(simulated()[0]))
    next(each for each in game if each["type"] == "hora")["deltas"] = [4000, -4000, 0, 0]
    page = upload(desk, zipped({"a.jsonl": mjai(game), "b.jsonl": mjai(simulated()[1])}), aliases=ALIASES)
    text = page.content.decode()
    assert "After this hand the log has" in text
    assert "1 game cannot be entered and is left out" in text
    # the game that is left out keeps its table; meanwhile somebody enters a hand at the other one's
    enter(table_of(event, round_=2), "1t 230")
    (said,) = confirm(desk, packed(page))
    assert said == "b.jsonl: Round 2, table 1: something else is entered there already."
    assert [len(rows_of(table_of(event, round_=number))) for number in (1, 2)] == [0, 1]
    assert not event.audit.filter(verb__in=["game_imported", "seats_swapped"]).exists()


@pytest.mark.follows("during/online-games.md")
def test_a_log_without_names_comes_in_at_its_table(event: Event, desk: Client) -> None:
    data = json.dumps(simulated()[0]).encode()
    assert "does not name its players" in upload(desk, data, "a.json").content.decode()
    address = "/desk/cup/rounds/1/tables/1/import/"
    page = desk.post(address, {"file": SimpleUploadedFile("a.json", data)})
    desk.post(address, {"confirmed": packed(page)})
    assert len(rows_of(table_of(event))) == sum(each["type"] == "end_kyoku" for each in simulated()[0])
    other = "/desk/cup/rounds/2/tables/1/import/"
    desk.post(other, {"confirmed": packed(desk.post(other, {"file": SimpleUploadedFile("b.json", data)}))})
    assert rows_of(table_of(event, round_=2)) == []


def test_a_page_that_carries_nothing_of_ours_enters_nothing(event: Event, desk: Client) -> None:
    assert confirm(desk, "x:y:z") == ["The preview is too old: choose the file again."]
    assert upload(desk, b"PK\x03\x04broken").status_code == 422


def test_an_alias_list_is_read_strictly() -> None:
    assert read_aliases("Crane  77;Ada\n\nb\t12\n") == {"crane 77": "Ada", "b": "12"}
    with pytest.raises(InvalidInput) as refused:
        read_aliases("a,b,c\nd,")
    assert [problem.params["line"] for problem in refused.value.problems] == [1, 2]
