"""The recorded data is what its README and the project's README say of it."""

import csv
import json
import lzma
import re
from typing import Any

import pytest

from bootstrap import REPO
from tests.conftest import DATA


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def hands_of(name: str) -> int:
    """Count the hands of a file of games that are scored one by one."""
    return sum(len(line["expect"]["hands"]) for line in lines_of(name))


def event_of(name: str) -> tuple[int, ...]:
    """Count players, rounds and tables of an event's results."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    facts = json.loads((DATA / name).with_suffix(".json").read_text(encoding="utf-8"))
    assert {row["player"] for row in rows} == {row["player"] for row in facts["standings"]}
    tables = {(row["round"], row["table"]) for row in rows}
    counted = len({row["player"] for row in rows}), len({row["round"] for row in rows})
    assert counted == (facts["players"], facts["rounds"])
    return *counted, len(tables)


def rows_of_readme() -> list[tuple[list[str], list[int]]]:
    """Return the files of each row of the tables, and its numbers."""
    text = (DATA / "README.md").read_text(encoding="utf-8")
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return [(re.findall("`(.+?)`", row[0]), [int(cell) for cell in row if cell.isdigit()]) for row in cells]


def test_the_readme_names_every_file() -> None:
    named = [name for names, _ in rows_of_readme() for name in names]
    there = (
        path.relative_to(DATA).as_posix() for path in DATA.rglob("*") if path.is_file() and path.parent.name != "golden"
    )
    assert sorted([*named, "README.md", "files.toml", "sentences.toml", "statements.toml", "wrong-hands.md"]) == sorted(
        there
    )


@pytest.mark.parametrize(("names", "numbers"), rows_of_readme(), ids=lambda each: str(each[0]))
def test_the_readme_counts_what_is_there(names: list[str], numbers: list[int]) -> None:
    if names[0].startswith("events"):
        assert numbers == list(event_of(names[0]))
    elif names[0].startswith("online"):
        games = [json.loads(line) for line in lzma.decompress((DATA / names[0]).read_bytes()).splitlines()]
        hands = sum(event["type"] == "end_kyoku" for game in games for event in game)
        assert numbers == [len(games), hands]
    elif names[0].startswith("games"):
        assert numbers == [len(lines_of(names[0])), hands_of(names[0])]
    else:
        assert numbers == [len(lines_of(names[0]))]


def test_nobody_has_a_name() -> None:
    for path in (DATA / "events").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            assert all(re.fullmatch(r"Player \d{3}", row["player"]) for row in csv.DictReader(file))


def test_the_projects_readme_tells_the_same_numbers() -> None:
    told = " ".join((REPO / "README.md").read_text(encoding="utf-8").split())
    games = ["games-4p.jsonl", "games-3p.jsonl", "games-3p-engine.jsonl"]
    four, three, simulated = (len(lines_of(name)) for name in games)
    hands = sum(map(hands_of, games))
    kinds = f"{four} real games of four players, {three} real and {simulated} simulated ones of three"
    assert f"every hand of {four + three + simulated} games ({hands:,} hands: {kinds})" in told
    real, sanma, engine = (len(lines_of(f"hands-{name}.jsonl")) for name in ("4p", "3p", "3p-engine"))
    assert f"{real + sanma:,} real wins and {engine} of another engine" in told
    assert "](tests/data/README.md)" in told
