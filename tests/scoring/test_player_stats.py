"""Player statistics, head to head and records: small games by hand, and properties of any game."""

import dataclasses
import datetime as dt
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.entries import Totals
from scoring.game import Game, fold
from scoring.player_stats import (
    SOURCES,
    Flow,
    HeadToHead,
    Moment,
    Part,
    PlayerStats,
    add_head_to_head,
    has_hands,
    head_to_head,
    player_stats,
    score_steps,
)
from scoring.records import EventGame, Record, RecordPlace, records_of
from scoring.shorthand import parse
from tests.scoring.strategies import games

pytestmark = pytest.mark.whole_run

NOON = dt.datetime(2026, 9, 12, 12, tzinfo=dt.UTC)
NOTHING = Flow(0, 0)

#  hand  before            1       2       3       4
#  0     E1                0   +5200   -5200       0    5,200 off 3, riichi stick back
#  1     E2            +2000   -1000    -500    -500    500/1,000
#  2     E3             +500   -1500   +1500   -1500    1 and 3 tenpai, 1 has riichi: its stick stays
#  3     E3 1 counter                                   chombo of 4
#  4     E3 1 counter      0       0  +13300  -12300    12,000, a counter, the stick of hand 2
#  5     E3 2 counters     0       0   -2600   +2600    1,000, two counters, the stick of 3
#  6     E4            +1000   -1000       0       0    a correction
#  7     E4            +2000   -1000   -1000   -1000    1 tenpai with riichi: the stick stays
#  end                 35500   30700   35500   17300    the stick is split: 500 each to 1 and 3
YONMA = ("2r3 340/2", "1t 230", "d13/1", "c4", "3r4 m", "4r3 130/3", "=+1000,-1000,0,0 miscounted", "d1/1")

#  hand  before            1       2       3
#  0     E1            +4000   -2000   -2000    2,000 all
#  1     E1 1 counter  -2200   +2200       0    2,000 and a counter, its own stick back
#  2     E2            -2000   -4000   +6000    nagashi mangan of 3, paid as a tsumo
#  3     E3                0   +1000   -2000    1 and 2 tenpai, 1 has riichi
#  4     S1 1 counter -16100   -8100  +25200    a yakuman by tsumo, and the stick
SANMA = ("1t 330", "2r1 230/2", "n3 d13", "d12/1", "3t y")


def game_of(key: str, lines: Sequence[str]) -> Game:
    return fold([parse(line) for line in lines], load(key))


def told(key: str, lines: Sequence[str], seat: int) -> PlayerStats:
    return player_stats([Part(game_of(key, lines), seat)], load(key))


def flows(**moved: tuple[int, int]) -> tuple[Flow, ...]:
    return tuple(Flow(*moved.get(source, (0, 0))) for source in SOURCES)


# ---------------------------------------------------------------- by hand


def test_the_games_below_are_what_their_tables_say():
    yonma, sanma = game_of("ema-2025", YONMA), game_of("sanmatsuri-2026", SANMA)
    assert [hand.deltas for hand in yonma.hands] == [
        (0, 5200, -5200, 0), (2000, -1000, -500, -500), (500, -1500, 1500, -1500), (0, 0, 0, 0),
        (0, 0, 13300, -12300), (0, 0, -2600, 2600), (1000, -1000, 0, 0), (2000, -1000, -1000, -1000),
    ]  # fmt: skip
    assert [hand.deltas for hand in sanma.hands] == [
        (4000, -2000, -2000), (-2200, 2200, 0), (-2000, -4000, 6000), (0, 1000, -2000), (-16100, -8100, 25200),
    ]  # fmt: skip


def test_a_seat_with_four_players():
    assert told("ema-2025", YONMA, 2) == PlayerStats(
        games=1,
        hands=6,
        ron_wins=1,
        tsumo_wins=0,
        win_points=12000,
        deal_ins=2,
        deal_in_points=6200,
        tenpai=1,
        noten=1,
        nagashi=0,
        riichi=1,
        riichi_won=0,
        dealer_turns=1,
        dealer_hands=3,
        chombo=0,
        sources=flows(
            ron=(12000, 6200), tsumo=(0, 500), draw=(1500, 1000), honba=(300, 600), riichi_sticks=(1500, 1000)
        ),
        best=Moment(0, 4, 13300),
        worst=Moment(0, 0, -5200),
        longest=Moment(0, 2, 3),
    )


def test_a_seat_with_a_correction_and_one_with_a_chombo():
    first, last = told("ema-2025", YONMA, 0), told("ema-2025", YONMA, 3)
    assert first.sources == flows(tsumo=(2000, 0), draw=(4500, 0), riichi_sticks=(500, 2000), correction=(1000, 0))
    assert (first.difference, first.hands, first.riichi, first.chombo) == (6000, 6, 2, 0)
    assert last.sources == flows(
        ron=(1000, 12000), tsumo=(0, 500), draw=(0, 2500), honba=(600, 300), riichi_sticks=(1000, 0)
    )
    assert (last.difference, last.hands, last.chombo) == (-12700, 6, 1)


def test_a_seat_with_three_players():
    assert told("sanmatsuri-2026", SANMA, 2) == PlayerStats(
        games=1,
        hands=5,
        ron_wins=0,
        tsumo_wins=1,
        win_points=24000,
        deal_ins=0,
        deal_in_points=0,
        tenpai=0,
        noten=1,
        nagashi=1,
        riichi=0,
        riichi_won=0,
        dealer_turns=1,
        dealer_hands=1,
        chombo=0,
        sources=flows(tsumo=(24000, 2000), draw=(6000, 2000), honba=(200, 0), riichi_sticks=(1000, 0)),
        best=Moment(0, 4, 25200),
        worst=Moment(0, 0, -2000),
        longest=Moment(0, 3, 1),
    )


def test_a_deal_that_comes_round_again_is_another_turn():
    story = told("sanmatsuri-2026", SANMA, 0)
    assert (story.dealer_turns, story.dealer_hands, story.longest) == (2, 3, Moment(0, 0, 2))


def test_who_is_liable_pays_for_a_win_and_deals_nothing_in():
    story = told("wrc-2025", ["1r2 yp3"], 2)
    assert (story.deal_ins, story.deal_in_points, story.sources[0]) == (0, 0, Flow(0, 24000))
    discarder = told("wrc-2025", ["1r2 yp3"], 1)
    assert (discarder.deal_ins, discarder.deal_in_points) == (1, 24000)


def test_two_who_win_off_one_are_one_deal_in():
    story = told("ema-2025", ["2r3 340+4 5"], 2)
    assert (story.deal_ins, story.deal_in_points) == (1, 5200 + 8000)


def test_two_games_add_up_and_name_the_part():
    rules = load("ema-2025")
    story = player_stats([Part(game_of("ema-2025", ["1t 230"]), 0), Part(game_of("ema-2025", YONMA), 2)], rules)
    assert (story.games, story.hands, story.best) == (2, 7, Moment(1, 4, 13300))
    assert story.difference == 3000 + 6000  # 1,000 all as dealer


def test_hands_before_and_after_somebody_takes_over_are_apart():
    rules, game = load("ema-2025"), game_of("ema-2025", YONMA)
    before, after = (player_stats([part], rules) for part in (Part(game, 2, 0, 4), Part(game, 2, 4)))
    assert (before.hands, before.difference, before.best) == (3, -4200, Moment(0, 2, 1500))
    assert (after.hands, after.difference, after.best) == (3, 10200, Moment(0, 4, 13300))


@pytest.mark.parametrize("lines", [(), ("*30000,42000,18000,30000,0",), ("=+1000,-1000,0,0 miscounted",)])
def test_a_game_without_hands_tells_nothing(lines: tuple[str, ...]):
    game = game_of("ema-2025", lines)
    assert not has_hands(game)
    story = player_stats([Part(game, 0)], load("ema-2025"))
    assert (story.games, story.hands, story.best, story.worst, story.longest) == (0, 0, None, None, None)
    assert story.sources == (NOTHING,) * len(SOURCES)


def test_the_line_of_a_game_goes_from_the_start_to_the_final_scores():
    steps = score_steps(game_of("ema-2025", YONMA), load("ema-2025"))
    assert [step[2] for step in steps] == [30000, 24800, 24300, 25800, 25800, 39100, 36500, 36500, 35500, 36000]
    assert len(score_steps(game_of("ema-2025", ["1t 230"]), load("ema-2025"))) == 2


# ---------------------------------------------------------------- two players


def test_two_players_of_a_game():
    game = game_of("ema-2025", YONMA)
    assert head_to_head(game, 2, 3, range(8)) == HeadToHead(
        hands=6, ron_by_one=1, ron_by_other=1, to_one=12300 + 750, to_other=1600
    )
    assert head_to_head(game, 2, 3, range(4)) == HeadToHead(hands=3, to_one=750)
    assert head_to_head(game, 3, 2, range(8)) == HeadToHead(
        hands=6, ron_by_one=1, ron_by_other=1, to_one=1600, to_other=12300 + 750
    )


def test_what_went_between_two_is_added_up():
    assert add_head_to_head([HeadToHead(3, 1, 0, 5200, 0), HeadToHead(2, 0, 2, 700, 9000)]) == HeadToHead(
        5, 1, 2, 5900, 9000
    )
    assert add_head_to_head([]) == HeadToHead()


# ---------------------------------------------------------------- records


def event_game(key: str, lines: Sequence[str], *, round_: int = 1, late: int = 0) -> EventGame:
    game = game_of(key, lines)
    return EventGame(game, load(key), round_, [NOON + dt.timedelta(minutes=late + at) for at in range(len(game.hands))])


def test_the_records_of_one_game():
    assert records_of([event_game("ema-2025", YONMA)]) == [
        Record("largest_hand", 12000, (RecordPlace(0, 4, (2,), 12000),)),
        Record("longest_deal", 3, (RecordPlace(0, 2, (2,), 3),)),
        Record("most_honba", 2, (RecordPlace(0, 5, (2,), 2),)),
        # 1 and 3 share the first place; after hand 0 player 3 had 24,800 and player 2 led with 35,200
        Record("largest_comeback", 10400, (RecordPlace(0, 0, (2,), 10400),)),
        Record("closest_table", 18700, (RecordPlace(0, None, (0, 1, 2, 3), 18700),)),
    ]


def test_the_records_with_three_players_have_a_yakuman():
    found = records_of([event_game("sanmatsuri-2026", SANMA)])
    assert [(record.kind, record.figure) for record in found] == [
        ("largest_hand", 24000),
        ("first_yakuman", 24000),
        ("longest_deal", 2),
        ("largest_comeback", 6000),
        ("closest_table", 43500),
    ]


def test_the_first_yakuman_is_the_first_that_was_entered_in_the_earliest_round():
    tables = [
        event_game("ema-2025", ["1t 230", "2r1 y"], round_=2),
        event_game("ema-2025", ["1t 230", "2r1 y"], late=10),
        event_game("ema-2025", ["3r1 y"], late=10),
    ]
    yakuman = next(record for record in records_of(tables) if record.kind == "first_yakuman")
    assert yakuman.found == (RecordPlace(2, 0, (2,), 32000),)


def test_all_who_share_a_record_are_named():
    tables = [event_game("ema-2025", ["1t 230", "2r1 m"]), event_game("ema-2025", ["3r4 m"])]
    largest = records_of(tables)[0]
    assert largest == Record("largest_hand", 8000, (RecordPlace(0, 1, (1,), 8000), RecordPlace(1, 0, (2,), 8000)))


def test_deposits_taken_count_all_on_the_table_and_one_is_no_record():
    both = records_of([event_game("ema-2025", ["d1/1", "2r1 230/2"])])
    assert Record("most_riichi_sticks", 2, (RecordPlace(0, 1, (1,), 2),)) in both
    one = records_of([event_game("ema-2025", ["2r1 230/2"])])
    assert [record.kind for record in one] == ["largest_hand", "closest_table"]


def test_nobody_comes_back_in_a_seat_that_somebody_else_took_over():
    table = dataclasses.replace(event_game("ema-2025", YONMA), taken_over=frozenset({2}))
    comeback = next(r for r in records_of([table]) if r.kind == "largest_comeback")
    assert comeback == Record("largest_comeback", 6600, (RecordPlace(0, 4, (0,), 6600),))  # 32,500 behind 39,100


def test_final_scores_alone_set_no_record():
    assert records_of([event_game("ema-2025", ["*30000,42000,18000,30000,0"])]) == []
    assert records_of([]) == []


# ---------------------------------------------------------------- for any game of any book


def of_all_seats(game: Game, rules: Ruleset) -> list[PlayerStats]:
    return [player_stats([Part(game, seat)], rules) for seat in range(rules.players)]


def the_sources_sum_exactly_to_the_difference_of_the_score(game: Game, rules: Ruleset) -> None:
    final = game.final(rules).scores
    stories = of_all_seats(game, rules)
    if has_hands(game):
        assert [story.difference for story in stories] == [score - rules.start_points for score in final]
    else:
        assert [story.hands for story in stories] == [0] * rules.players
        assert [story.difference for story in stories] == [0] * rules.players


def what_one_wins_another_pays(game: Game, rules: Ruleset) -> None:
    stories = of_all_seats(game, rules)
    for at, source in enumerate(SOURCES):
        moved = [story.sources[at] for story in stories]
        assert all(flow.won >= 0 and flow.paid >= 0 for flow in moved)
        if source != "riichi_sticks":  # those may stay on the table
            assert sum(flow.won for flow in moved) == sum(flow.paid for flow in moved)
    assert sum(story.win_points for story in stories) >= sum(story.deal_in_points for story in stories)


def a_game_cut_in_two_is_the_whole(game: Game, rules: Ruleset, data: st.DataObject) -> None:
    seat, cut = data.draw(st.integers(0, rules.players - 1)), data.draw(st.integers(0, len(game.hands)))
    whole = player_stats([Part(game, seat)], rules)
    first, second = (player_stats([part], rules) for part in (Part(game, seat, 0, cut), Part(game, seat, cut)))
    assert first.difference + second.difference == whole.difference
    for name in ("hands", "wins", "deal_ins", "tenpai", "noten", "riichi", "riichi_won", "dealer_hands", "chombo"):
        assert getattr(first, name) + getattr(second, name) == getattr(whole, name)


def every_hand_is_in_the_counts_of_every_seat(game: Game, rules: Ruleset) -> None:
    stories = of_all_seats(game, rules)
    assert len({story.hands for story in stories}) == 1
    assert sum(story.dealer_hands for story in stories) == stories[0].hands
    assert not any(isinstance(hand.entry, Totals) for hand in game.hands) or stories[0].hands == 0
    pairs = [head_to_head(game, 0, other, range(len(game.hands))) for other in range(1, rules.players)]
    ron_tsumo_draw_counters = sum(flow.net for flow in stories[0].sources[:4])
    if has_hands(game):
        assert sum(pair.to_one - pair.to_other for pair in pairs) == ron_tsumo_draw_counters


def every_record_is_where_it_says(played: list[Game], rules: Ruleset) -> None:
    tables = [EventGame(game, rules, 1, [NOON] * len(game.hands)) for game in played]
    for record in records_of(tables):
        assert record.found
        for found in record.found:
            game = tables[found.table].game
            assert has_hands(game)
            assert found.figure == record.figure
            assert (found.hand is None) is (record.kind == "closest_table")
            assert found.hand is None or 0 <= found.hand < len(game.hands)


@pytest.mark.parametrize("key", book_keys())
@given(data=st.data())
def test_every_law_holds_for_any_games(key: str, data: st.DataObject):
    rules = load(key)
    played = [fold(entries, rules) for entries in data.draw(st.lists(games(key), max_size=3))]
    for game in played:
        the_sources_sum_exactly_to_the_difference_of_the_score(game, rules)
        what_one_wins_another_pays(game, rules)
        a_game_cut_in_two_is_the_whole(game, rules, data)
        every_hand_is_in_the_counts_of_every_seat(game, rules)
    every_record_is_where_it_says(played, rules)
