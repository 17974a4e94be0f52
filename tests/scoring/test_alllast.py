"""All-last: goals worked out by hand, and against every value tried one by one."""

import functools
import random
from collections.abc import Sequence
from typing import Any

import pytest

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.alllast import (
    Goal,
    Need,
    Price,
    SeatGoals,
    after_wins,
    all_last,
    legal_prices,
    may_be_last,
    nearest_common,
)
from scoring.entries import Draw, Ron, Tsumo, Win
from scoring.fu import possible_fu
from scoring.game import play
from scoring.placement import finish, places_of
from scoring.state import TableState
from tests.scoring.table import state

SHORT, LONG = 30, 2000  # states a book
SUBSETS = {
    size: [tuple(seat for seat in range(size) if bits >> seat & 1) for bits in range(1 << size)] for size in (3, 4)
}


def goal(key: str, seat: int, place: int, riichi: tuple[int, ...] = (), **changes: Any) -> Goal:
    return all_last(state(key, **changes), load(key), riichi=riichi)[seat].goals[place - 1]


def pays(need: Need | None) -> Any:
    return need and need.price.as_json()["pays"]


LAST: dict[str, Any] = {"round": 1, "dealer": 3}


@pytest.mark.parametrize(
    ("key", "seat", "scores", "riichi", "more", "tsumo", "ron"),
    [
        # a gap of 9,800 between two who do not deal: two each way; 10,000 from the side; a mangan by tsumo
        ("ema-2025", 1, (34800, 25000, 30200, 30000), (), {}, [2000, 4000], {0: 5200, 2: 12000, 3: 12000}),
        # a gap of 7,000: 1,300/2,600 is 500 short, 1,500/2,900 is not (EMA 4.1.2)
        ("ema-2025", 1, (38000, 31000, 28000, 23000), (), {}, [1500, 2900], {0: 3900, 2: 7100, 3: 7100}),
        # against the dealer a tsumo closes 4,000 more: 1,000/2,000 closes 4,000 + 2,000
        ("ema-2025", 0, (30000, 25000, 29100, 35900), (), {}, [1000, 2000], {1: 6400, 2: 6400, 3: 3200}),
        # two counters: 600 by ron, 800 by tsumo (EMA 3.4.4); 4,500 would pass the leader and not seat 2
        ("ema-2025", 1, (34800, 25000, 30200, 30000), (), {"honba": 2}, [1800, 3600], {0: 5200, 2: 12000, 3: 12000}),
        # three deposits on the table
        ("ema-2025", 1, (34800, 25000, 30200, 27000), (), {"sticks": 3}, [1500, 2900], {0: 3900, 2: 7100, 3: 7100}),
        # the leader's own riichi: a deposit comes and he is 1,000 poorer; 3,900 would pass him and not seat 2
        ("ema-2025", 1, (34800, 25000, 30200, 30000), (0,), {}, [1600, 3200], {0: 4500, 2: 8000, 3: 8000}),
        # the dealer in seat 3 is behind by 12,300: 3,200 from each of three closes 12,800; a mangan is 300 short
        ("ema-2025", 3, (40000, 20000, 32300, 27700), (), {}, [3200], {0: 6800, 1: 18000, 2: 18000}),
        # three players, tsumo loss (S0): 10,000 behind, a mangan closes 8,000 and ties the dealer at 10,000
        ("sanmatsuri-2026", 0, (27000, 26000, 37000), (), {"dealer": 2}, [2000, 4000], {1: 12000, 2: 5200}),
    ],
)  # fmt: skip
def test_first_place_worked_by_hand(
    key: str,
    seat: int,
    scores: tuple[int, ...],
    riichi: tuple[int, ...],
    more: dict[str, int],
    tsumo: list[int],
    ron: dict[int, int],
):
    found = goal(key, seat, 1, riichi, **{**LAST, "scores": scores, **more})
    assert (pays(found.tsumo), {loser: pays(need) for loser, need in found.ron.items()}) == (tsumo, ron)


def test_a_tie_is_called_a_tie_and_what_clears_it_is_named():
    found = goal("sanmatsuri-2026", 0, 1, scores=(27000, 26000, 37000), round=1, dealer=2).tsumo
    assert found is not None
    assert found.as_json() == {
        "han": 4,
        "fu": 30,
        "pays": [2000, 4000],
        "tied": True,
        "clear": {"han": 6, "fu": 30, "pays": [3000, 6000]},
    }


def test_a_tie_for_a_better_place_is_no_tie():
    """33,300 behind 35,900 with 2 honba and a stick: 1,000 ties for the first place, so it has the second and third."""
    table: dict[str, Any] = {**LAST, "scores": (35900, 33300, 32800, 17000), "honba": 2, "sticks": 1}
    first, second, third, _ = all_last(state("rakkii-nomi-2026", **table), load("rakkii-nomi-2026"))[1].goals
    assert [pays(first.ron[2]), first.ron[2] and first.ron[2].tied] == [1000, True]
    for better in (second, third):
        needs = [better.tsumo, *better.ron.values()]
        assert [(need.least, need.tied, need.clear == need.price) for need in needs if need] == [
            (True, False, True)
        ] * 4
    assert (len(second.draw) < 16, len(third.draw), third.draw_tied) == (True, 16, ())


def test_where_seats_part_a_tie_nothing_is_tied():
    found = goal("tenhou-yonma", 0, 1, scores=(25000, 26000, 25000, 24000), round=1, dealer=3).ron[1]
    assert found is not None
    assert (found.price.as_json()["pays"], found.tied) == (1000, False)


def test_not_even_a_yakuman():
    found = goal("wrc-2025", 0, 1, scores=(-20000, 20000, 100000, 20000), **LAST)
    assert (found.tsumo, found.ron[1], found.ron[3]) == (None, None, None)
    assert found.ron[2] is None
    # seat 3 stands at 20,000, 30,000 away: a sanbaiman off seat 1 is too little; by tsumo it ties seat 1 at 14,000
    reached = goal("wrc-2025", 0, 2, scores=(-10000, 20000, 90000, 20000), **LAST)
    assert pays(reached.ron[1]) == 32000
    assert pays(reached.tsumo) == [6000, 12000]


def test_one_yakuman_is_named_where_han_do_not_say_it():
    """EMA has no counted yakuman (4.2): 13 han are a sanbaiman."""
    found = goal("ema-2025", 0, 1, scores=(0, 30000, 60000, 30000), **LAST).ron[2]
    assert found is not None
    assert found.price.as_json() == {"han": 13, "fu": 0, "yakuman": 1, "pays": 32000}
    tenhou = goal("tenhou-yonma", 0, 1, scores=(0, 25000, 50000, 25000), **LAST).ron[2]
    assert tenhou is not None
    assert tenhou.price.as_json() == {"han": 13, "fu": 30, "pays": 32000}


def test_draws_that_do():
    """A gap of 3,500: one tenpai against three and three against one move 4,000, two and two 3,000 (EMA 3.4.2)."""
    table: dict[str, Any] = {**LAST, "scores": (33500, 30000, 28500, 28000)}
    assert goal("ema-2025", 1, 1, **table).draw == ((1,), (1, 2, 3))
    # with a riichi of one's own, 4,500 are missing
    assert goal("ema-2025", 1, 1, (1,), **table).draw == ()


def test_a_riichi_player_is_tenpai_at_every_draw():
    found = goal("ema-2025", 0, 4, (2,), scores=(30000,) * 4, **LAST)
    assert [tenpai for tenpai in found.draw if 2 not in tenpai] == []
    assert len(found.draw) == 8


def test_riichi_by_tsumo_is_two_han():
    cheapest = goal("ema-2025", 0, 4, (0,), scores=(30000,) * 4, **LAST).tsumo
    assert cheapest is not None
    assert cheapest.price.han == 2


def test_two_han_from_four_counters():
    """The sanma rule book (S4 10): no hand of one han wins from four counters on."""
    plain, fourth = (
        goal("sanma-rule-book", 0, 3, scores=(35000,) * 3, round=1, dealer=2, honba=honba).ron[1] for honba in (3, 4)
    )
    assert plain is not None
    assert fourth is not None
    assert (plain.price.han, fourth.price.han) == (1, 2)


# ---------------------------------------------------------------- against every value there is


def random_state(rules: Ruleset, chance: random.Random) -> TableState:
    players, total = rules.players, rules.start_points * rules.players
    sticks = chance.choice([0, 0, 1, 2, 5])
    cuts = [chance.randrange(-200, 600) * 100 for _ in range(players - 1)]
    near = [chance.randrange(-30, 30) * 100 + rules.start_points for _ in range(players - 1)]
    some = chance.choice([cuts, near])
    scores = (*some, total - sticks * 1000 - sum(some))
    return TableState(
        scores,
        dealer=chance.randrange(players),
        round=chance.randrange(rules.rounds),
        honba=chance.choice([0, 0, 1, 2, 4, 7]),
        sticks=sticks,
    )


@functools.lru_cache(maxsize=512)
def every_entry(
    rules: Ruleset, seat: int, loser: int | None, least: int, riichi: tuple[int, ...]
) -> tuple[Ron | Tsumo, ...]:
    """Return each legal win as it is entered."""
    wins = every_win(rules, seat, least, tsumo=loser is None, riichi=seat in riichi)
    if loser is None:
        return tuple(Tsumo(winners=(win,), riichi=riichi) for win in wins)
    return tuple(Ron(loser=loser, winners=(win,), riichi=riichi) for win in wins)


def every_win(rules: Ruleset, seat: int, least: int, *, tsumo: bool, riichi: bool) -> list[Win]:
    """Return each han with each fu that it can have, 13 han at most, and a yakuman."""
    fus = {han: sorted(possible_fu(han, rules, tsumo=tsumo, riichi=riichi)) for han in range(1, 5)}
    wins = [Win(seat=seat, han=han, fu=fu) for han in range(least, 5) for fu in fus[han]]
    wins += [Win(seat=seat, han=han, fu=30) for han in range(5, 14)]
    return [*wins, Win(seat=seat, yakuman=1)]


def check_way(
    table: TableState, rules: Ruleset, seat: int, loser: int | None, riichi: tuple[int, ...], needs: list[Need | None]
) -> None:
    """Assert for each place: what is named does, all that is cheaper does not, and nothing does where none is named."""
    least = 2 if rules.two_han_from_honba and table.honba >= rules.two_han_from_honba else 1
    ends: dict[int, tuple[int, bool]] = {}
    for entry in every_entry(rules, seat, loser, least, riichi):
        hand = play(entry, table, rules)
        assert hand.after.sticks == 0  # so that the scores are final
        places = places_of(hand.after.scores, rules)
        ends[hand.deltas[seat]] = (places[seat], places.count(places[seat]) > 1)
    for place, need in enumerate(needs, start=1):
        # a better place, shared or not, is no tie for this one
        doing = {gain: shared and reached == place for gain, (reached, shared) in ends.items() if reached <= place}
        assert (need is None) == (not doing)
        if need is None:
            continue
        assert gain_of(need.price, table, rules, seat, loser, riichi) == min(doing)
        assert need.tied == doing[min(doing)]
        assert need.least == (min(doing) == min(ends))
        clear = [gain for gain, shared in doing.items() if not shared]
        assert (need.clear is None) == (not clear)
        if need.clear:
            assert gain_of(need.clear, table, rules, seat, loser, riichi) == min(clear)


def gain_of(
    price: Price, table: TableState, rules: Ruleset, seat: int, loser: int | None, riichi: tuple[int, ...]
) -> int:
    winners = (price.win(seat),)
    if loser is None:
        return play(Tsumo(winners=winners, riichi=riichi), table, rules).deltas[seat]
    return play(Ron(loser=loser, winners=winners, riichi=riichi), table, rules).deltas[seat]


def check_draws(table: TableState, rules: Ruleset, riichi: tuple[int, ...], seats: Sequence[SeatGoals]) -> None:
    """Assert for each seat and place that the draws that are named do, and no other."""
    places = {
        tenpai: finish(play(Draw(tenpai=tenpai, riichi=riichi), table, rules).after, rules).places
        for tenpai in SUBSETS[rules.players]
        if set(riichi) <= set(tenpai)
    }
    for one in seats:
        for found in one.goals:
            assert sorted(found.draw) == sorted(
                tenpai for tenpai, reached in places.items() if reached[one.seat] <= found.place
            )
            assert set(found.draw_tied) == {
                tenpai
                for tenpai in found.draw
                if places[tenpai][one.seat] == found.place and places[tenpai].count(found.place) > 1
            }


def check_states(key: str, count: int, *, ways: int) -> None:
    """Check random states: at each one seat, in so many of its ways (tsumo, and ron from each), and every draw."""
    rules, chance = load(key), random.Random(f"all last {key}")
    for _ in range(count):
        table = random_state(rules, chance)
        riichi = tuple(seat for seat in range(rules.players) if chance.random() < 0.2)
        seats = all_last(table, rules, riichi=riichi)
        one = seats[chance.randrange(rules.players)]
        losers: list[int | None] = [None, *(loser for loser in range(rules.players) if loser != one.seat)]
        for loser in chance.sample(losers, min(ways, len(losers))):
            needs = [goal.tsumo if loser is None else goal.ron[loser] for goal in one.goals]
            check_way(table, rules, one.seat, loser, riichi, needs)
        check_draws(table, rules, riichi, seats)


@pytest.mark.states("all_last")
@pytest.mark.parametrize("key", book_keys())
def test_every_value_tried_one_by_one(key: str):
    check_states(key, SHORT, ways=1)


@pytest.mark.nightly
@pytest.mark.parametrize("key", book_keys())
def test_every_value_tried_one_by_one_at_length(key: str):
    check_states(key, LONG, ways=4)


# ---------------------------------------------------------------- which hand may be the last


@pytest.mark.parametrize("key", book_keys())
def test_the_last_hand_is_one_after_which_the_game_can_be_over(key: str):
    """Every hand of a game, with everybody far from zero and above the target: some win or draw ends it, or none."""
    rules = load(key)
    for wind in range(rules.rounds + rules.extra_rounds):
        for dealer in range(rules.players):
            table = TableState(tuple(range(60000, 60000 + rules.players)), dealer=dealer, round=wind)
            hands = [
                play(Ron(loser=loser, winners=(Win(seat=seat, han=1, fu=30),)), table, rules)
                for seat in range(rules.players)
                for loser in table.others(seat)
            ]
            hands += [play(Draw(tenpai=tenpai), table, rules) for tenpai in SUBSETS[rules.players]]
            assert may_be_last(table, rules) == any(hand.after.ended for hand in hands)


def test_after_the_last_hand_there_is_none():
    assert not may_be_last(TableState((30000,) * 4, dealer=3, round=1, ended=True), load("ema-2025"))


def test_a_seat_is_told_in_the_form_of_the_contract() -> None:
    told = all_last(state("ema-2025", scores=(38000, 31000, 28000, 23000), **LAST), load("ema-2025"))[1].as_json()
    assert (told["seat"], told["place"], [goal["place"] for goal in told["goals"]]) == (1, 2, [1, 2, 3, 4])
    first = told["goals"][0]
    assert (first["tsumo"]["pays"], {loser: need["pays"] for loser, need in first["ron"].items()}) == (
        [1500, 2900],
        {"0": 3900, "2": 7100, "3": 7100},
    )
    assert first["draw"] == []  # 7,000 behind, and no draw moves more than 4,000 between two


ENOUGH = 20  # needs whose nearest common hand is another one


@pytest.mark.parametrize("key", book_keys())
def test_the_nearest_common_hand_is_enough_as_well(key: str):
    rules, chance = load(key), random.Random(key)
    looked = 0
    for _ in range(SHORT):
        if looked > ENOUGH:
            break
        table = random_state(rules, chance)
        for each in all_last(table, rules):
            tsumo: list[tuple[int, int | None, Need | None]] = [(goal.place, None, goal.tsumo) for goal in each.goals]
            ron = [(goal.place, loser, goal.ron[loser]) for goal in each.goals for loser in goal.ron]
            for place, loser, need in [*tsumo, *ron]:
                if need is None:
                    continue
                prices = legal_prices(each.seat, table, rules, tsumo=loser is None, riichi=False)
                common = nearest_common(need.price, prices)
                ends = dict(after_wins(each.seat, loser, table, rules, ()))
                looked += common != need.price
                assert places_of(ends[common], rules)[each.seat] <= place
    assert looked > 0
