"""The fold: next dealer, honba, rounds, end of the game; chombo, corrections and totals change none of these."""

import dataclasses
from typing import Any

import pytest

from rules.books import load
from scoring.entries import Entry
from scoring.game import fold, judge, play
from scoring.shorthand import parse
from scoring.state import TableState, opening
from tests.scoring.table import played, state
from tests.table_test import tabled


def game(key: str, *lines: str, start: int | None = None) -> Any:
    """Fold the lines as a game."""
    return fold([parse(line) for line in lines], load(key), start=start)


def hands_of(key: str, *lines: str) -> list[str]:
    """Return the hands as they began: wind, number, counters."""
    return [f"{h.before.round_wind}{h.before.kyoku}.{h.before.honba}" for h in game(key, *lines).hands]


# ---------------------------------------------------------------- rotation and counters


def test_eight_hands_of_four_that_nobody_repeats() -> None:
    lines = ["2t 230", "3t 230", "4t 230", "1t 230"] * 2
    assert hands_of("ema-2025", *lines) == ["E1.0", "E2.0", "E3.0", "E4.0", "S1.0", "S2.0", "S3.0", "S4.0"]
    assert [hand.after.ended for hand in game("ema-2025", *lines).hands] == [False] * 7 + [True]


@pytest.mark.states("rotation_3")
def test_six_hands_of_three_that_nobody_repeats() -> None:
    lines = ["2t 230", "3t 230", "1t 230"] * 2
    assert hands_of("sanmatsuri-2026", *lines) == ["E1.0", "E2.0", "E3.0", "S1.0", "S2.0", "S3.0"]
    assert [hand.after.ended for hand in game("sanmatsuri-2026", *lines).hands] == [False] * 5 + [True]


@pytest.mark.states("counters")
@pytest.mark.parametrize("key", ["ema-2025", "wrc-2025", "rakkii-nomi-2026", "sanmatsuri-2026"])
def test_counters_come_and_go(key: str) -> None:
    lines = [
        "1r2 330",  # East wins: stays, one more
        "d",  # noten East: passes, one more
        "2t 330",  # the new East wins
        "d2",  # East tenpai
        "c1",  # nothing happens
        "d3",  # East noten
        "1r2 330",  # another wins: counters go
    ]
    assert hands_of(key, *lines, "d") == ["E1.0", "E1.1", "E2.2", "E2.3", "E2.4", "E2.4", "E3.5", next_after_e3(key)]


def next_after_e3(key: str) -> str:
    """Name the hand after East 3 without counters."""
    return "S1.0" if load(key).players == 3 else "E4.0"


def test_deposits_are_carried_until_somebody_wins() -> None:
    played_hands = game("ema-2025", "d/1", "d/23", "3r1 330/4", "d").hands
    assert [hand.before.sticks for hand in played_hands] == [0, 1, 3, 0]
    # player 3 deals and wins in East 3 with two counters: 5,800 + 600, and four deposits
    assert played_hands[2].deltas == (-6400, 0, 5800 + 600 + 4000, -1000)


@pytest.mark.parametrize(
    ("dealer", "winds"), [(0, "ESWN"), (1, "NESW"), (2, "WNES"), (3, "SWNE")], ids=["1", "2", "3", "4"]
)
def test_the_winds_of_four(dealer: int, winds: str) -> None:
    table = TableState((0, 0, 0, 0), dealer=dealer)
    assert "".join(table.wind_of(seat) for seat in range(4)) == winds


@pytest.mark.states("winds_3")
@pytest.mark.parametrize(("dealer", "winds"), [(0, "ESW"), (1, "WES"), (2, "SWE")], ids=["1", "2", "3"])
def test_the_winds_of_three(dealer: int, winds: str) -> None:
    table = TableState((0, 0, 0), dealer=dealer)
    assert "".join(table.wind_of(seat) for seat in range(3)) == winds


@pytest.mark.states("opening")
def test_the_opening_of_a_game() -> None:
    assert opening(load("sanmatsuri-2026")) == TableState((30_000,) * 3)
    assert opening(load("tenhou-sanma")) == TableState((35_000,) * 3)
    assert opening(load("ema-2025"), 25_000) == TableState((25_000,) * 4)
    assert game("ema-2025", start=25_000).state.scores == (25_000,) * 4


def test_a_game_opens_in_east_1_with_nothing_on_the_table() -> None:
    first = opening(load("ema-2025"))
    assert (first.dealer, first.round, first.honba, first.sticks, first.lost, first.ended) == (0, 0, 0, 0, 0, False)
    assert (first.round_wind, first.kyoku, first.players, first.others(2)) == ("E", 1, 4, (3, 0, 1))


# ---------------------------------------------------------------- the end without target (E25 3.5; WRC 10.2)

LAST = {"dealer": 3, "round": 1}
LAST_OF_THREE = {"dealer": 2, "round": 1}


@tabled("key", ["ema-2025", "wrc-2025", "rakkii-nomi-2026"])
@tabled(
    "line, ended",
    [
        ("4t 230", False),  # no agari-yame: East plays on
        ("4r1 m", False),
        ("d4", False),  # no tenpai-yame
        ("d1234", False),
        ("c4", False),
        ("d", True),  # noten East ends it
        ("d1", True),
        ("1t 230", True),
        ("2r3 230", True),
    ],
)
def test_the_last_hand_of_four(key: str, line: str, ended: bool) -> None:
    assert played(key, line, **LAST).after.ended is ended


@pytest.mark.parametrize(
    ("line", "ended"), [("3t 230", False), ("d3", False), ("n3", False), ("d", True), ("1r2 230", True), ("n1", True)]
)
def test_the_last_hand_of_three(line: str, ended: bool) -> None:
    assert played("sanmatsuri-2026", line, **LAST_OF_THREE).after.ended is ended


@pytest.mark.parametrize("key", ["ema-2025", "sanmatsuri-2026", "wrc-2025", "rakkii-nomi-2026"])
def test_nobody_is_bust(key: str) -> None:
    after = played(key, "2r1 y").after
    assert (after.scores[0], after.ended) == (-2000, False)


# ---------------------------------------------------------------- the end with bust, target, agari-yame, West (Tenhou)

LEADING = (20_000, 20_000, 25_000, 35_000)
SHORT = (25_000, 25_000, 25_000, 25_000)


@tabled(
    "scores, line, ended",
    [
        (LEADING, "4r1 130", True),  # the last dealer wins and leads with 30,000 or more
        (LEADING, "d4", True),  # or is tenpai
        (LEADING, "d34", True),
        (LEADING, "d", True),  # the deal passes, somebody has reached the target
        (LEADING, "ak", False),  # an abortive draw is dealt again
        ((36_500, 20_000, 8500, 35_000), "4r3 130", False),  # 36,500 against 36,500: the first East stays ahead
        ((36_400, 20_000, 8600, 35_000), "4r3 130", True),
        ((40_000, 20_000, 5000, 35_000), "4r3 130", False),  # East wins and is second: plays on
        ((40_000, 20_000, 5000, 35_000), "1t 130", True),
        (SHORT, "4r1 230", False),  # 27,900: East leads short of the target
        (SHORT, "d1", False),  # nobody at 30,000: West
        (SHORT, "2r1 340", True),  # 30,200
        ((25_000, 26_100, 23_900, 25_000), "2r3 330", True),  # 30,000 is enough
        ((25_000, 26_000, 24_000, 25_000), "2r3 330", False),  # 29,900 is not
        ((20_000, 20_000, 32_000, 28_000), "4r3 230", True),  # 30,900 against 29,100
    ],
)
def test_the_last_hand_of_the_south_round(scores: tuple[int, ...], line: str, ended: bool) -> None:
    assert played("tenhou-yonma", line, scores=scores, **LAST).after.ended is ended


def test_the_west_round_begins_with_the_first_dealer() -> None:
    after = played("tenhou-yonma", "d", scores=SHORT, **LAST).after
    assert (after.round_wind, after.kyoku, after.honba, after.ended) == ("W", 1, 1, False)


@pytest.mark.parametrize(
    ("dealer", "line", "ended"),
    [
        (0, "1r2 330", True),  # 30,800: East reaches the target, leads and stops
        (0, "1r2 m", True),
        (0, "1r2 230", False),  # 27,900
        (0, "2r1 330", False),  # 28,900
        (0, "2r1 340", True),
        (0, "d1", False),
        (3, "4r1 230", False),  # West 4: East repeats
        (3, "1r4 230", True),  # West 4 is the last of all, target or not
        (3, "d", True),
    ],
)
def test_the_west_round(dealer: int, line: str, ended: bool) -> None:
    assert played("tenhou-yonma", line, scores=SHORT, dealer=dealer, round=2).after.ended is ended


BEHIND = (20_000, 35_000, 25_000, 20_000)  # player 2 has the target, and player 1 deals
REPEATS = [
    (BEHIND, "1r2 130", False),  # 21,500 against 33,500: the dealer wins, and a repeat goes before the target
    ((20_000, 29_500, 25_500, 25_000), "d12", False),  # 31,000 by noten payments, and the dealer is in tenpai
    ((30_000, 25_000, 25_000, 20_000), "d12", True),  # the dealer leads with 31,500
    (BEHIND, "d2", True),  # the deal passes
    (BEHIND, "2r3 130", True),
    (BEHIND, "1r2 m", True),  # 32,000 against 23,000: he leads now
    (BEHIND, "ak", False),
]


@pytest.mark.parametrize(("scores", "line", "ended"), REPEATS)
def test_in_the_west_round_a_repeat_goes_before_the_target(scores: tuple[int, ...], line: str, ended: bool) -> None:
    here, rules = state("tenhou-yonma", scores=scores, round=2), load("tenhou-yonma")
    assert play(parse(line), here, rules).after.ended is ended
    # an event whose rules were stored before: anybody with the target ends it
    before = dataclasses.replace(rules, repeat_before_target=False)
    assert play(parse(line), here, before).after.ended is True


def test_three_players_play_on_in_the_west_round_likewise() -> None:
    scores = (25_000, 45_000, 35_000)
    assert [played("tenhou-sanma", line, scores=scores, round=2).after.ended for line in ("1r2 130", "1r2 b")] == [
        False,
        True,
    ]


def test_without_agari_yame_a_leading_dealer_plays_on_as_well() -> None:
    rules = dataclasses.replace(load("tenhou-yonma"), agari_yame=False)
    assert play(parse("1r2 m"), state("tenhou-yonma", scores=BEHIND, round=2), rules).after.ended is False


@pytest.mark.parametrize(("score", "ended"), [(27_100, True), (27_000, False)])
def test_exactly_the_target_is_enough_in_the_west_round(score: int, ended: bool) -> None:
    # 2 han 30 of East is 2,900
    after = played("tenhou-yonma", "1r2 230", scores=(score, 25_000, 24_000, 23_900), round=2).after
    assert after.ended is ended


def test_the_last_dealer_of_the_east_round_ends_nothing() -> None:
    assert played("tenhou-yonma", "4r1 130", scores=LEADING, dealer=3).after.ended is False


@pytest.mark.parametrize(
    ("scores", "ended"),
    [
        ((36_500, 20_000, 8500, 35_000), False),  # 36,500 against 36,500: nobody is first alone
        ((20_000, 20_000, 25_000, 35_000), True),
        ((20_000, 22_250, 22_250, 35_500), True),
    ],
)
def test_where_places_are_shared_the_last_dealer_must_lead_alone(scores: tuple[int, ...], ended: bool) -> None:
    rules = dataclasses.replace(load("tenhou-yonma"), ties="share")
    assert play(parse("4r3 130"), state("tenhou-yonma", scores=scores, **LAST), rules).after.ended is ended


@pytest.mark.parametrize(
    ("scores", "line", "ended"),
    [
        ((35_000, 35_000, 35_000), "1r2 330", False),  # 38,900 is short of 40,000: West
        ((35_000, 35_000, 35_000), "1r2 340", True),
        ((30_000, 30_000, 45_000), "3t 130", True),  # agari-yame of the third dealer
        ((30_000, 45_000, 30_000), "3t 130", False),
    ],
)
def test_the_last_hand_of_three_under_tenhou(scores: tuple[int, ...], line: str, ended: bool) -> None:
    assert played("tenhou-sanma", line, scores=scores, **LAST_OF_THREE).after.ended is ended


@pytest.mark.parametrize(
    ("score", "line", "ended"),
    [(2900, "1r2 230", False), (2800, "1r2 230", True), (1000, "d1", False), (900, "d1", True), (1000, "d1/2", True)],
)
def test_bust_is_below_zero(score: int, line: str, ended: bool) -> None:
    # player 1 deals: 2 han 30 is 2,900; noten is 1,000
    assert played("tenhou-yonma", line, scores=(30_000, score, 40_000, 26_100)).after.ended is ended


def test_a_bust_ends_the_game_in_the_hand_where_it_happened() -> None:
    after = played("tenhou-yonma", "3r2 y", scores=(30_000, 20_000, 30_000, 20_000)).after
    assert (after.ended, after.dealer, after.round, after.sticks) == (True, 0, 0, 0)


def test_the_dealer_who_would_repeat_may_end_a_game_only_in_the_last_hand() -> None:
    assert (
        played("tenhou-yonma", "3r1 m", scores=(20_000, 20_000, 35_000, 25_000), dealer=2, round=1).after.ended is False
    )


# ---------------------------------------------------------------- chombo, correction, totals

MIDDLE: dict[str, Any] = {"scores": (20_000, 41_000, 37_000), "dealer": 1, "round": 1, "honba": 2, "sticks": 2}


@pytest.mark.parametrize("line", ["c1", "c23", "c2/13"])
def test_a_chombo_is_as_if_the_hand_had_not_been_dealt(line: str) -> None:
    hand = played("sanmatsuri-2026", line, **MIDDLE)
    assert (hand.after, hand.deltas, hand.transfers) == (state("sanmatsuri-2026", **MIDDLE), (0, 0, 0), ())


def test_a_chombo_ends_no_game() -> None:
    assert played("tenhou-yonma", "c4", scores=LEADING, **LAST).after.ended is False


@pytest.mark.states("correction")
def test_a_correction_moves_points_and_nothing_else() -> None:
    hand = played("sanmatsuri-2026", "=+1000,-700,-300 miscounted", **MIDDLE)
    assert hand.deltas == (1000, -700, -300)
    assert hand.after == state("sanmatsuri-2026", **{**MIDDLE, "scores": (21_000, 40_300, 36_700)})


def test_a_correction_after_the_end_leaves_the_game_ended() -> None:
    ended = {**MIDDLE, "ended": True}
    assert played("sanmatsuri-2026", "=+1000,-700,-300 miscounted", **ended).after.ended is True


def test_totals_are_a_whole_game() -> None:
    hand = played("wrc-2025", "*45000,30000,25000,18000,2000")
    assert hand.deltas == (15_000, 0, -5000, -12_000)
    assert hand.after == TableState((45_000, 30_000, 25_000, 18_000), lost=2000, ended=True)


# ---------------------------------------------------------------- the whole


def test_a_hand_knows_what_it_began_and_ended_with() -> None:
    whole = game("sanmatsuri-2026", "2r3 330", "d1", "1t 230")
    assert whole.start == whole.hands[0].before
    assert [hand.before for hand in whole.hands[1:]] == [hand.after for hand in whole.hands[:-1]]
    assert whole.state == whole.hands[-1].after


def test_a_game_without_hands_is_its_start() -> None:
    assert game("ema-2025").state == opening(load("ema-2025"))


def judged(key: str, *lines: str | Entry, at: TableState | None = None) -> list[tuple[int, str]]:
    entries = [parse(line) if isinstance(line, str) else line for line in lines]
    rules = load(key)
    return [(index, problem.code) for index, problem in judge(entries, at or opening(rules), rules)]


def test_a_right_game_is_judged_right() -> None:
    assert judged("ema-2025", "2r3 330/2", "d14/1", "1t m", "c3", "=+100,-100,0,0 dropped stick") == []


@pytest.mark.states("riichi_noten")
def test_judging_stops_at_the_first_entry_with_an_error() -> None:
    assert judged("ema-2025", "d/1", "2r2 137", "9r1 330") == [
        (0, "draw.riichi_noten"),
        (1, "win.winner_is_discarder"),
        (1, "win.fu_impossible"),
    ]


def test_each_entry_is_judged_at_the_state_before_it() -> None:
    # player 2 has 400 points left after paying, and no deposit
    lines = ["1r2 s", "2t m/2"]
    assert judged("tenhou-yonma", *lines, at=opening(load("tenhou-yonma"), 36_400)) == [(1, "riichi.short")]
    assert judged("ema-2025", *lines, at=opening(load("ema-2025"), 36_400)) == [(1, "riichi.short")]
    assert judged("wrc-2025", *lines, at=opening(load("wrc-2025"), 36_400)) == []


def test_no_hand_is_played_after_the_end() -> None:
    lines = ["2t 230", "3t 230", "1t 230"] * 2
    assert judged("sanmatsuri-2026", *lines, "d") == [(6, "game.ended")]
    assert judged("sanmatsuri-2026", *lines, "c1") == [(6, "game.ended")]
    assert judged("sanmatsuri-2026", *lines, "*30000,30000,30000,0") == [(6, "game.ended")]
    assert judged("sanmatsuri-2026", *lines, "=+100,-100,0 dropped stick") == []
