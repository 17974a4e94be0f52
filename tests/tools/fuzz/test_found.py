"""What damaged input has brought to light, each held by a case of its own."""

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.test import Client

from bootstrap import REPO
from rules.books import BOOKS, read_book
from rules.ruleset import RulesetError
from scoring.problems import InvalidInput
from scoring.strict_json import _no_twice
from tests.factories import enter, table_of
from tests.fixtures import own_event
from tests.imports.lists import read_players, read_schedule
from tests.pages.at_desk import organiser
from tournament.events.models import Event
from tournament.imports.files import SheetRow
from tournament.imports.listing import kept_guess
from tournament.imports.schedules import is_schedule
from tournament.text.names import find_alike

pytestmark = pytest.mark.once

OPENAPI = json.loads((REPO / "docs/developer/openapi.json").read_text(encoding="utf-8"))
TOO_LARGE = (2_147_483_648, 3577530795658180558848, 10**400)


@pytest.mark.parametrize(
    "damage",
    [lambda text: text.encode() + b"\xff", lambda text: b"x = " + b"9" * 5_000, lambda text: b"x = " + b"[" * 5_000],
    ids=["no UTF-8", "a number too long", "too deep"],
)
def test_a_book_that_cannot_be_read_is_refused_by_name(tmp_path: Path, damage: Any):
    (tmp_path / "a-book.toml").write_bytes(damage((BOOKS / "ema-2025.toml").read_text(encoding="utf-8")))
    with pytest.raises(RulesetError, match=r"^a-book\.toml: not readable as TOML"):
        read_book(tmp_path / "a-book.toml")


def test_a_key_twice_among_thousands_is_found_in_one_pass():
    compared = 0

    class Key(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return super().__eq__(other)

        __hash__ = str.__hash__

    keys = [Key(f"k{number}") for number in range(3_000)]
    with pytest.raises(InvalidInput) as caught:
        _no_twice([(key, 1) for key in (*keys, Key("k2999"))])
    assert caught.value.problems[0].params == {"key": "k2999"}
    assert compared < 4 * len(keys)


def test_a_cell_that_stands_on_every_row_is_guessed_once():
    before = kept_guess.cache_info().misses
    rows = "".join(f"1,{number},1,2,3,hh\n" for number in range(1, 2_001))
    read_schedule(f"Round,Table,East,South,West,North\n{rows}".encode(), "a.csv", entrants=[], table_size=4, planned=1)
    assert kept_guess.cache_info().misses - before < 2_000 + 100  # the tables' own numbers and little more


def test_a_sheet_of_many_rounds_is_walked_a_few_times_and_not_once_a_round():
    class Rows(list[SheetRow]):
        walks = 0

        def __iter__(self) -> Iterator[SheetRow]:
            self.walks += 1
            return super().__iter__()

    rows = Rows(
        SheetRow(at + 1, (f"Round {at // 2 + 1}",) if at % 2 == 0 else ("1", "1", "2", "3", "4")) for at in range(400)
    )
    rows.insert(1, SheetRow(401, ("Table", "E", "S", "W", "N")))
    assert (is_schedule(rows), rows.walks < 5) == (True, True)


@pytest.mark.parametrize("name", ["A" * 20_000, "Ada " * 5_000])
def test_a_name_as_long_as_a_line_takes_no_memory_in_the_square(name: str):
    tracemalloc.start()
    preview = read_players(f"Name\nAkelei\n{name}\n".encode(), "a.csv", existing=[name])
    find_alike([name, "Akelei"])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "import.name_too_long" in {problem.code for problem in preview.all_problems}
    assert peak < 20 * 1024**2


event = own_event(slug="cup", tables=1, rounds=1)


@pytest.mark.parametrize("number", TOO_LARGE)
def test_a_number_that_no_database_holds_names_nothing(event: Event, number: int):
    desk = organiser(event)
    below = (f"rounds/{number}", f"rounds/{number}/tables/1", f"rounds/1/tables/{number}")
    addresses = [f"/api/v1/events/cup/{end}" for end in below]
    addresses += [f"/e/cup/{end}/" for end in (*below, f"players/{number}")]
    addresses += [f"/desk/cup/{end}/" for end in (*below[1:], f"players/{number}", f"seating/drafts/{number}")]
    assert {address: desk.get(address).status_code for address in addresses} == dict.fromkeys(addresses, 404)


@pytest.mark.postgresql
def test_nobody_is_swapped_with_nobody_and_no_round_is_none(event: Event):
    address, two = "/desk/cup/seating/swap/", {"one": "1", "other": "88"}
    assert organiser(event).get(address, {"round": "1", **two}).status_code == 200
    assert organiser(event).post(address, {"round": "1", "reason": "wrong", **two}).status_code == 422
    enter(table_of(event), "d13")  # the only round has begun: there is none to change
    assert organiser(event).post(address, {"reason": "wrong", **two}).status_code == 404


def described(answer: Any, path: str, verb: str) -> bool:
    """Hold an answer against the description of the API."""
    content = OPENAPI["paths"][path][verb]["responses"][str(answer.status_code)]["content"]["application/json"]
    schema = {**content["schema"], "components": OPENAPI["components"]}
    jsonschema.validate(answer.json(), schema, cls=jsonschema.Draft202012Validator)
    return True


def test_programs_are_told_in_json_that_there_is_nothing(event: Event):
    for path, address in (("/{slug}/", "no-such-event/"), ("/{slug}/rounds", "%07/rounds")):
        answer = Client().get(f"/api/v1/events/{address}")
        assert (answer.status_code, described(answer, path, "get")) == (404, True)
    answer = Client().get("/api/v1/events/cup/rounds/1/tables/-1")
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (404, "access.no_such_page")
    page = Client().get("/e/no-such-event/")
    assert (page.status_code, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_programs_are_told_in_json_that_the_token_is_missing(event: Event):
    strict = Client(enforce_csrf_checks=True)
    path = "/{slug}/rounds/{round_number}/tables/{table_number}/entries"
    answer = strict.post("/api/v1/events/cup/rounds/1/tables/1/entries", {}, content_type="application/json")
    assert (answer.status_code, described(answer, path, "post")) == (403, True)
    assert answer.json()["problems"][0]["code"] == "access.no_token"
    page = strict.post("/login/", {})
    assert (page.status_code, page.headers["Content-Type"]) == (403, "text/html; charset=utf-8")
