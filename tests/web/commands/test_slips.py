"""`slips`: games that do not give the paper's scores, and any line that anybody may send."""

from collections.abc import Callable
from typing import Any

import pytest

Lines = Callable[..., list[Any]]

RON = {"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 3, "fu": 40}], "riichi": [1]}
DRAW = {"kind": "draw", "tenpai": [0, 1], "riichi": [0]}
SAID = {**RON, "winners": [{"seat": 1, "han": 3, "fu": 30}], "announced": {"1": 5200}}


def game(*entries: object, **more: object) -> dict[str, object]:
    return {"id": "g", "rules": "ema-2025", "entries": list(entries), **more}


def test_the_likely_slip_is_answered_in_the_form_of_the_contract(run_lines: Lines):
    typed = {**RON, "loser": 3}
    (answer,) = run_lines("slips", game(typed, DRAW, scores=[30500, 36700, 23300, 28500]))
    assert (answer["id"], answer["ok"]) == ("g", True)
    assert answer["slips"][0] == {
        "kind": "discarder", "at": 0, "entries": [RON, DRAW], "scores": [30500, 36700, 23300, 28500],
    }  # fmt: skip


def test_hands_that_give_the_scores_have_no_slips(run_lines: Lines):
    (answer,) = run_lines("slips", game(RON, DRAW, scores=[30500, 36700, 23300, 28500]))
    assert answer == {"id": "g", "ok": True, "slips": []}


def test_an_announcement_does_without_scores_and_stays_with_its_hand(run_lines: Lines):
    (answer,) = run_lines("slips", game(SAID))
    assert answer["slips"][0]["entries"] == [{**RON, "announced": {"1": 5200}}]


def test_a_hand_that_the_rules_refuse_is_a_slip_and_no_bad_line(run_lines: Lines):
    typed = {**RON, "winners": [{"seat": 1, "han": 34}]}
    (answer,) = run_lines("slips", game(typed, scores=[30000, 35200, 24800, 30000]))
    assert (answer["slips"][0]["kind"], answer["slips"][0]["entries"]) == ("digit", [RON])


def test_start_replaces_the_starting_points(run_lines: Lines):
    (answer,) = run_lines("slips", game(RON, start=25000, scores=[25000, 30200, 19800, 25000]))
    assert answer["slips"] == []


@pytest.mark.django_db
def test_a_bad_line_says_what_is_wrong_and_stops_no_other(run_lines: Lines):
    away = {"kind": "ron", "loser": 7, "winners": []}
    scores = [30000] * 4
    answers = run_lines(
        "slips",
        game(RON),
        game(RON, scores=[1, 2]),
        game(RON, scores=["1"] * 4),
        game(away, scores=scores),
        {"id": 1, "rules": "house", "entries": [], "scores": scores},
        game(scores=scores),
    )
    codes = [[problem["code"] for problem in answer.get("problems", ())] for answer in answers]
    assert codes == [
        ["entry.missing_key"],
        ["points.not_for_each_seat"],
        ["entry.wrong_type"],
        ["seat.not_at_table"],
        ["event.rules_unknown"],
        [],
    ]
    assert [answer["ok"] for answer in answers] == [False] * 5 + [True]
