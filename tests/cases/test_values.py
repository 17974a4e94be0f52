"""Real wins: han and fu to base points and payments, and the list of possible fu, against what was really paid.

The tiles of these hands are not read here; han and fu are taken from the record.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.books import load
from scoring.entries import Entry, Ron, Tsumo, Win
from scoring.fu import possible_fu
from scoring.payments import deltas_of, transfers_of
from scoring.state import opening
from scoring.value import base_points

# file: hands, those whose base points are given and follow from what is known of them, those with fu
FILES = {
    "hands-4p.jsonl": (1200, 1198, 1194),
    "hands-3p.jsonl": (40, 37, 32),
    "hands-3p-engine.jsonl": (300, 259, 299),
}


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def as_entry(line: dict[str, Any]) -> Entry:
    """Return the win as an entry at a table where the first seat deals; the next player pays a ron."""
    expect, players = line["expect"], load(line["rules"]).players
    seat = "ESWN".index(line["hand"]["seat_wind"])
    by_han = (
        {"han": expect["han"], "fu": expect["fu"] or 0} if not expect["yakuman"] else {"yakuman": expect["yakuman"]}
    )
    win = Win(seat=seat, **by_han)
    return Tsumo(winners=(win,)) if line["hand"]["tsumo"] else Ron(loser=(seat + 1) % players, winners=(win,))


@pytest.mark.parametrize("name", FILES)
def test_base_points_and_payments_are_as_they_were(cases: Path, name: str) -> None:
    lines = lines_of(cases / name)
    known = [line for line in lines if "base" in line["expect"] and is_known(line["expect"])]
    assert [(line["hand"]["id"], *got) for line in known if (got := computed(line)) != wanted(line)] == []
    assert (len(lines), len(known)) == FILES[name][:2]


def is_known(expect: dict[str, Any]) -> bool:
    """Tell whether han and fu are enough: a record of four han may only say that it was a mangan."""
    return bool(expect["yakuman"] or expect["fu"] or expect["han"] >= 5)


def computed(line: dict[str, Any]) -> tuple[int, int]:
    """Return base points, and what the winner got in all."""
    rules, entry = load(line["rules"]), as_entry(line)
    [win] = entry.winners  # type: ignore[attr-defined]
    return base_points(win, rules), deltas_of(transfers_of(entry, opening(rules), rules), rules.players)[win.seat]


def wanted(line: dict[str, Any]) -> tuple[int, int]:
    """Return the same from the record; where it does not give what was paid, only the base points are compared."""
    return line["expect"]["base"], line["expect"].get("value", computed(line)[1])


@pytest.mark.parametrize("name", FILES)
def test_no_fu_that_really_came_is_called_impossible(cases: Path, name: str) -> None:
    seen, refused = 0, []
    for line in lines_of(cases / name):
        expect, rules = line["expect"], load(line["rules"])
        if expect["yakuman"] or not expect["fu"]:
            continue
        seen += 1
        if expect["fu"] not in possible_fu(expect["han"], rules, tsumo=line["hand"]["tsumo"]):
            refused.append((line["hand"]["id"], expect))
    assert refused == []
    assert seen == FILES[name][2]
