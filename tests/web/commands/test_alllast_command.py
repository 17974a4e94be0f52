"""`alllast`: the form of the contract, and lines that cannot be answered."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from rules.books import book_keys, load
from scoring.entries import Win
from tests.scoring.test_alllast import SUBSETS, every_win
from web.management.commands.alllast import answer_all_last
from web.management.commands.replay import replay
from web.management.json_lines import LineRefused

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


# ---------------------------------------------------------------- against each hand that can be entered


def last_hand(key: str, chance: random.Random) -> dict[str, Any]:
    """Return a game before its last deal, with random scores, at times with honba and riichi sticks."""
    rules = load(key)
    size = rules.players
    entries: list[dict[str, Any]] = []
    for deal in range(size * rules.rounds - 1):
        one = {"seat": (deal + 1) % size, "han": 2 if rules.two_han_from_honba else 1, "fu": 30}
        entries.append({"kind": "ron", "loser": (deal + 2) % size, "winners": [one]})
    before = replay({"rules": key, "entries": entries})
    wanted = [rules.start_points + chance.randrange(-180, 180) * 100 for _ in range(size - 1)]
    wanted.append(sum(before["scores"]) - sum(wanted))
    deltas = [to - now for to, now in zip(wanted, before["scores"], strict=True)]
    entries.append({"kind": "correction", "deltas": deltas, "reason": "a random last hand"})
    kept = {"kind": "draw", "tenpai": [size - 1], "riichi": [size - 1]}
    more = [*entries, *[kept] * chance.randrange(3)]
    line = {"rules": key, "entries": more}
    try:
        kept_it = answer_all_last(line)["hand"]["dealer"] == size - 1
    except LineRefused:
        kept_it = False
    return line if kept_it else {"rules": key, "entries": entries}


def places_after(line: dict[str, Any], entry: dict[str, Any]) -> tuple[int, ...]:
    return tuple(replay({**line, "entries": [*line["entries"], entry], "ended": True})["places"])


def value_of(win: Win) -> dict[str, Any]:
    return {"seat": win.seat, **({"yakuman": 1} if win.yakuman else {"han": win.han, "fu": win.fu})}


def check_last_hand(key: str, chance: random.Random) -> None:
    """Assert for one seat and way that each place has its cheapest value, and for all seats which draws do."""
    rules, line = load(key), last_hand(key, chance)
    answer = answer_all_last(line)
    seat, other = chance.sample(range(rules.players), 2)
    loser = chance.choice([None, other])
    least = 2 if rules.two_han_from_honba and answer["hand"]["honba"] >= rules.two_han_from_honba else 1
    ends: dict[int, tuple[int, bool]] = {}
    for win in every_win(rules, seat, least, tsumo=loser is None, riichi=False):
        kind = {"kind": "tsumo"} if loser is None else {"kind": "ron", "loser": loser}
        hand = replay({**line, "entries": [*line["entries"], {**kind, "winners": [value_of(win)]}], "ended": True})
        places = hand["places"]
        ends[hand["hands"][-1]["deltas"][seat]] = (places[seat], places.count(places[seat]) > 1)
    for goal in answer["seats"][seat]["goals"]:
        need = goal["tsumo"] if loser is None else goal["ron"][str(loser)]
        doing = {
            gain: shared and place == goal["place"] for gain, (place, shared) in ends.items() if place <= goal["place"]
        }
        assert (need is None) == (not doing)
        if need is None:
            continue
        cheapest = min(doing)
        assert need["tied"] == doing[cheapest]
        assert gain_of(need, line, seat, loser) == cheapest
        clear = [gain for gain, tied in doing.items() if not tied]
        assert (need["clear"] is None) == (not clear)
        if clear:
            assert gain_of(need["clear"], line, seat, loser) == min(clear)
    draws = {tenpai: places_after(line, {"kind": "draw", "tenpai": list(tenpai)}) for tenpai in SUBSETS[rules.players]}
    for each in answer["seats"]:
        for goal in each["goals"]:
            wanted = [list(tenpai) for tenpai, places in draws.items() if places[each["seat"]] <= goal["place"]]
            assert sorted(goal["draw"]) == sorted(wanted)


def gain_of(need: dict[str, Any], line: dict[str, Any], seat: int, loser: int | None) -> int:
    value = {"yakuman": 1} if "yakuman" in need else {"han": need["han"], "fu": need["fu"]}
    kind = {"kind": "tsumo"} if loser is None else {"kind": "ron", "loser": loser}
    entry = {**kind, "winners": [{"seat": seat, **value}]}
    return int(replay({**line, "entries": [*line["entries"], entry], "ended": True})["hands"][-1]["deltas"][seat])


@pytest.mark.parametrize("count", [2, pytest.param(200, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("key", book_keys())
def test_each_need_is_the_cheapest_hand_that_replay_places_so(key: str, count: int) -> None:
    chance = random.Random(f"last hand {key}")
    for _ in range(count):
        check_last_hand(key, chance)
