"""The JSON Schemas of docs/schema: written from the code, true of every event's file and entry that the tests have."""

import json
import lzma
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from scoring.entries import from_json
from scoring.problems import InvalidInput
from scripts import write_schemas
from tests.archive.archive_acts import full_event
from tests.factories import make_event, play_round
from tests.table_test import tabled
from tournament.archive.event_file import DATE, FLAG, HASH, MOMENT, NUMBER, UID, WRITER, Form, or_null
from tournament.archive.queries import get_event_file
from tournament.standings.queries import read_standings

pytestmark = pytest.mark.whole_run

DATA = Path(__file__).resolve().parents[1] / "data"
GOLDEN = sorted((DATA / "golden").glob("*.event.json.xz"))
GAMES = sorted(DATA.glob("games-*.jsonl"))
HANDS = sorted(DATA.glob("hands-*.jsonl"))
SCHEMAS = {
    name: Draft202012Validator(json.loads((write_schemas.FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")))
    for name in write_schemas.SCHEMAS
}
STRANGER = write_schemas.FOLDER.parent / "standings.py"


def faults(name: str, value: Any) -> list[str]:
    """Return the worst that a schema says of a value, with its place; nothing if it is right."""
    found = best_match(SCHEMAS[name].iter_errors(value))
    return [f"{found.json_path}: {found.message[:200]}"] if found else []


def faults_of_file(file: dict[str, Any]) -> list[str]:
    return faults("event", file) + [found for entry in entries_of(file) for found in faults("entry", entry)]


def entries_of(file: dict[str, Any]) -> Iterator[Any]:
    for table in (table for each in file["content"]["rounds"] for table in each["tables"]):
        yield from (json.loads(row["payload"]) for row in table["ledger"] if row["payload"])


def golden(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(lzma.decompress(path.read_bytes()))
    return read


def test_the_files_are_written_from_the_code() -> None:
    for path, text in write_schemas.pages().items():
        assert path.read_text(encoding="utf-8") == text, "run scripts/write_schemas.py"
        Draft202012Validator.check_schema(json.loads(text))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name.partition(".")[0])
def test_files_of_earlier_versions_are_as_the_schema_says(path: Path) -> None:
    file = golden(path)
    assert faults_of_file(file) == []
    assert sum(1 for _entry in entries_of(file)) > 100


@pytest.mark.django_db
def test_a_file_with_everything_in_it_is_as_the_schema_says() -> None:
    for key in ("ema-2025", "sanmatsuri-2026"):
        file = json.loads(get_event_file(full_event(key, slug=key)))
        assert faults_of_file(file) == []
        assert any(file["content"]["wall"])
        assert any(file["content"]["cuts"])


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_entries_of_recorded_games_are_as_the_schema_says(path: Path) -> None:
    games = [json.loads(line)["game"] for line in path.read_text(encoding="utf-8").splitlines()]
    entries = [entry for game in games for entry in game["entries"]]
    assert [found for entry in entries for found in faults("entry", entry)] == []
    assert len(entries) >= len(games)


@pytest.mark.parametrize("path", HANDS, ids=lambda path: path.stem)
def test_recorded_hands_with_tiles_are_as_the_schema_says(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        hand = json.loads(line)["hand"]
        win = {"seat": 0, "han": 1, "hand": hand}
        assert faults("entry", {"kind": "tsumo", "winners": [win]}) == [], hand


RIGHT: dict[str, dict[str, Any]] = {
    "a win": {"kind": "tsumo", "winners": [{"seat": 0, "han": 13}], "riichi": [0], "note": "x", "stops": True},
    "yakuman": {"kind": "ron", "loser": 1, "winners": [{"seat": 0, "yakuman": 2, "pao": 2, "chips": 0}]},
    "a draw": {"kind": "draw", "tenpai": [], "dead": [3], "announced": {"0": -3000}},
    "nagashi": {"kind": "nagashi", "winners": [{"seat": 3}], "tenpai": [1]},
    "an abort": {"kind": "abort", "reason": "four_winds"},
    "a chombo": {"kind": "chombo", "offenders": [2]},
    "a correction": {"kind": "correction", "deltas": [1000, -1000, 0, 0], "reason": "misprint"},
    "totals": {"kind": "totals", "scores": [30000, 30000, 30000, 30000], "leftover": 0},
}
WRONG: dict[str, dict[str, Any]] = {
    "nothing": {},
    "another kind": {"kind": "redeal"},
    "no loser": {"kind": "ron", "winners": [{"seat": 0, "han": 1}]},
    "a fourth key": {"kind": "draw", "tenpai": [], "dealer": 1},
    "seat 4": {"kind": "draw", "tenpai": [4]},
    "a fraction": {"kind": "tsumo", "winners": [{"seat": 0, "han": 1.5}]},
    "text for a flag": {"kind": "draw", "tenpai": [], "stops": "yes"},
    "two winners by tsumo": {"kind": "tsumo", "winners": [{"seat": 0, "han": 1}, {"seat": 1, "han": 1}]},
}


# the form is right, and the check of the whole hand refuses it
FOR_THE_CHECK = {"seat 4", "two winners by tsumo"}


@tabled("entry", {**RIGHT, **WRONG})
def test_the_schema_of_an_entry_takes_what_the_desk_reads(entry: str) -> None:
    value = {**RIGHT, **WRONG}[entry]
    assert (faults("entry", value) == []) is (entry in RIGHT)
    if entry in WRONG.keys() - FOR_THE_CHECK:
        with pytest.raises(InvalidInput):
            from_json(value)
    else:
        assert from_json(value).kind == value["kind"]


VALUES: dict[str, tuple[Form, tuple[Any, ...], tuple[Any, ...]]] = {
    "number": (NUMBER, (0, -(2**31) + 1), (2**31, True, "1", None)),
    "flag": (FLAG, (True,), (1, "true")),
    "moment": (MOMENT, ("2026-09-12T09:30:00.000000Z",), ("2026-09-12T09:30:00Z", "2026-09-12", "", 5)),
    "date": (DATE, ("2026-09-12",), ("12.9.2026", "2026-09-12T00:00", 20260912)),
    "uid": (UID, ("97993083-f498-485e-8463-036be8cecd13",), ("97993083", "", "97993083-F498-485e-8463-036be8cecd13")),
    "writer": (WRITER, ("", "97993083-f498-485e-8463-036be8cecd13"), ("Ada", None)),
    "hash": (HASH, ("0" * 64,), ("0" * 63, "G" * 64, None)),
    "number or null": (or_null(NUMBER), (None, 5), ("", 2**31)),
}


@tabled("form", VALUES)
def test_the_schema_of_a_value_says_what_its_form_takes(form: str) -> None:
    declared, right, wrong = VALUES[form]
    schema = Draft202012Validator(dict(declared.schema))
    for value in right:
        assert declared.fits(value)
        assert schema.is_valid(value)
    for value in wrong:
        assert not declared.fits(value)
        assert not schema.is_valid(value), value


@pytest.mark.django_db
def test_a_stranger_reads_the_standings() -> None:
    """Run the thirty lines of docs/schema on files of every version, and on one of today with a tie."""
    standings = runpy.run_path(str(STRANGER))["standings"]
    for path in GOLDEN:
        wanted = json.loads(path.with_name(path.name.replace("event.json.xz", "standings.json")).read_bytes())
        found = [[rank, name, points] for rank, points, name in standings(golden(path)["content"])]
        assert sorted(found) == sorted(wanted["sanmatsuri-sample"])
    event = make_event("m-league", slug="cup")
    play_round(event, 1, "2r3 340", "d12")
    file = json.loads(get_event_file(event))
    wanted = [(row.rank, row.total, row.name) for row in read_standings(event).rows]
    assert sorted(standings(file["content"])) == sorted(wanted)
    assert len({rank for rank, _points, _name in wanted}) < len(wanted)
