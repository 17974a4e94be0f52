"""`alllast`: the form of the contract, and lines that cannot be answered."""

from collections.abc import Callable
from typing import Any

import pytest

Lines = Callable[..., list[Any]]
RON = {"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 3, "fu": 40}], "riichi": [1]}
DRAW = {"kind": "draw", "tenpai": [0, 1], "riichi": [0]}


def game(*entries: object, rules: str = "sanmatsuri-2026", **more: object) -> dict[str, object]:
    return {"id": "g", "rules": rules, "entries": list(entries), **more}


def test_an_answer_in_the_form_of_the_contract(run_lines: Lines):
    """After 5,200 from seat 2 to seat 1 (30,000 / 35,200 / 24,800) seat 1 deals; S0: nobody pays for a North."""
    (answer,) = run_lines("alllast", game(RON))
    assert {key: answer[key] for key in ("id", "ok", "hand", "scores")} == {
        "id": "g",
        "ok": True,
        "hand": {"round_wind": "E", "kyoku": 2, "honba": 0, "sticks": 0, "dealer": 1},
        "scores": [30000, 35200, 24800],
    }
    first, second, _ = answer["seats"][0]["goals"]
    assert [seat["place"] for seat in answer["seats"]] == [2, 1, 3]
    # 5,200 behind: 1,300 and 2,600 close 6,500; 1,300 and 700 only 3,300; by ron of seat 1 2,600 tie, 2,900 pass
    assert first == {
        "place": 1,
        "tsumo": {
            "han": 2, "fu": 70, "pays": [1200, 2300], "tied": False,
            "clear": {"han": 2, "fu": 70, "pays": [1200, 2300]},
        },
        "ron": {
            "1": {"han": 2, "fu": 40, "pays": 2600, "tied": True, "clear": {"han": 1, "fu": 90, "pays": 2900}},
            "2": {"han": 3, "fu": 40, "pays": 5200, "tied": True, "clear": {"han": 2, "fu": 90, "pays": 5800}},
        },
        "draw": [],
    }  # fmt: skip
    assert len(second["draw"]) == 8


def test_riichi_of_the_hand_to_come_counts(run_lines: Lines):
    (answer,) = run_lines("alllast", game(RON, riichi=[1]))
    assert answer["seats"][0]["goals"][0]["ron"]["1"]["pays"] == 1600


@pytest.mark.parametrize(
    ("line", "code", "at"),
    [
        (game(RON, rules="house"), "event.rules_unknown", None),
        (game({"kind": "ron", "loser": 1, "winners": [{"seat": 1, "han": 3, "fu": 40}]}), "win.winner_is_discarder", 0),
        (game(RON, ended=True), "game.ended", None),
        (game({"kind": "totals", "scores": [30000, 30000, 30000]}), "game.ended", None),
        (game(RON, riichi=[3]), "seat.not_at_table", None),
        (game(RON, riichi=[1, 1]), "riichi.twice", None),
        (game(RON, riichi="1"), "entry.wrong_type", None),
        (game(RON, dealer=1), "entry.derived_key", None),
    ],
)
@pytest.mark.django_db
def test_a_line_that_cannot_be_answered_says_why(run_lines: Lines, line: dict[str, object], code: str, at: int | None):
    first, second = run_lines("alllast", line, game())
    assert first["ok"] is False
    assert (first["problems"][0]["code"], first["problems"][0]["at"]) == (code, at)
    assert second["ok"] is True


def test_a_warning_stands_beside_and_stops_nothing(run_lines: Lines):
    poor = {"kind": "correction", "deltas": [-29500, 29500, 0], "reason": "loan"}
    (answer,) = run_lines("alllast", game(poor, riichi=[0]))
    assert [warning["code"] for warning in answer["warnings"]] == ["riichi.short"]
    assert answer["ok"] is True


def test_four_players_with_all_that_a_line_may_have(run_lines: Lines):
    (answer,) = run_lines("alllast", game(RON, DRAW, rules="wrc-2025", start=25000, riichi=[2]))
    assert answer["hand"] == {"round_wind": "E", "kyoku": 2, "honba": 1, "sticks": 1, "dealer": 1}
    assert [len(seat["goals"]) for seat in answer["seats"]] == [4, 4, 4, 4]
