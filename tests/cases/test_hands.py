"""Real and simulated wins, tile by tile, against what the server or engine that scored them says of each.

A record does not always give every figure; the count of those that are given is held as well.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.books import load
from scoring.count import count
from scoring.hand import read_hand
from scoring.payments import payment_of

# file: hands, figures that are given
FILES = {
    "hands-4p.jsonl": (1200, 7194),
    "hands-3p.jsonl": (40, 232),
    "hands-3p-engine.jsonl": (300, 1117),
}


def figures_of(line: dict[str, Any]) -> dict[str, Any]:
    """Return all that the record gives of a hand."""
    return {name: figure for name, figure in line["expect"].items() if figure is not None}


def counted(line: dict[str, Any]) -> dict[str, Any]:
    """Count a hand and return its figures as a record has them."""
    rules = load(line["rules"])
    hand = read_hand(line["hand"], rules)
    result = count(hand, rules)
    return {
        "han": result.han,
        "fu": result.fu,
        "yakuman": result.yakuman,
        "yaku": [name for name, _ in sorted(result.yaku)],
        "base": result.base,
        "value": payment_of(result.base, hand, rules).value,
    }


@pytest.mark.parametrize("name", FILES)
def test_every_figure_of_every_hand_is_as_it_was_given(
    cases: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.loads(line) for line in (cases / name).read_text(encoding="utf-8").splitlines()]
    figures = 0
    differing = []
    for line in lines:
        given, ours = figures_of(line), counted(line)
        figures += len(given)
        wrong = {figure: (ours[figure], wanted) for figure, wanted in given.items() if ours[figure] != wanted}
        if wrong:
            differing.append((line["hand"]["id"], wrong))
    with capsys.disabled():
        sys.stdout.write(f"\n{name}: {len(lines)} hands, {figures} figures, {len(differing)} hands differ\n")
    assert differing == []
    assert (len(lines), figures) == FILES[name]
