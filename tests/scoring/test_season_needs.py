"""What the last evening gives, against every way that it can end."""

from fractions import Fraction
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from scoring.season_needs import MOST_POINTS, STEP, EveningFigures, evening_figures, place_gives, points_needs
from scoring.seasons import Points, SeasonEvent, SeasonRule, season_table

points = st.integers(-9, 9).map(lambda each: each * 100)
evenings = st.lists(
    st.builds(
        lambda who, scores: SeasonEvent([dict(zip(who, scores, strict=False))]),
        st.permutations("abcdef").map(lambda order: order[:4]),
        st.lists(points, min_size=4, max_size=4),
    ),
    max_size=4,
)
by_rank = st.builds(
    SeasonRule,
    unit=st.just("evening"),
    measure=st.just("base_rank"),
    gather=st.sampled_from(["sum", "mean"]),
    best=st.none() | st.integers(1, 3),
    least=st.integers(0, 5),
)
by_points = st.builds(
    SeasonRule,
    unit=st.sampled_from(["game", "evening"]),
    gather=st.sampled_from(["sum", "mean"]),
    best=st.none() | st.integers(1, 3),
    least=st.integers(0, 4),
)
players = st.sets(st.sampled_from("abcdefg"), min_size=1, max_size=5).map(sorted)
starts = st.dictionaries(st.sampled_from("abg"), points, max_size=2)


def every_end(
    past: list[SeasonEvent[str]], tonight: list[str], rule: SeasonRule, carried: dict[str, int]
) -> list[tuple[dict[str, int], dict[str, int | None]]]:
    """Return the places of the evening and the ranks of the season, of every order in which it can end."""
    ends = []
    for order in permutations(tonight):
        last = SeasonEvent([{person: -place for place, person in enumerate(order)}])
        ranks = {row.person: row.rank for row in season_table([*past, last], rule, carried)}
        ends.append(({person: place for place, person in enumerate(order, start=1)}, ranks))
    return ends


@given(evenings, players, by_rank, starts)
def test_a_place_gives_the_ranks_of_every_order_of_the_others(
    past: list[SeasonEvent[str]], tonight: list[str], rule: SeasonRule, carried: dict[str, int]
):
    me = tonight[0]
    figures = evening_figures(past, dict.fromkeys(tonight, 1), rule, carried)
    given_ = place_gives(figures, me)
    ends = every_end(past, tonight, rule, carried)
    if ends[0][1][me] is None:
        assert given_ == []
        return
    assert [each.place for each in given_] == list(range(1, len(tonight) + 1))
    for place, best, worst, unless in given_:
        mine = [(places, ranks[me]) for places, ranks in ends if places[me] == place]
        found = [rank for _places, rank in mine if rank is not None]
        assert (min(found), max(found)) == (best, worst)
        if unless:
            for places, rank in mine:
                assert (rank != best) == any(places[person] <= at for person, at in unless)


def test_second_is_enough_unless_one_wins():
    past = [SeasonEvent([{"a": 4, "b": 3, "c": 2, "d": 1}]), SeasonEvent([{"b": 4, "a": 3, "d": 2, "c": 1}])]
    rule = SeasonRule(unit="evening", measure="base_rank", gather="sum")
    given_ = place_gives(evening_figures(past, dict.fromkeys("abcd", 1), rule), "a")
    assert [(each.best, each.worst, each.unless) for each in given_] == [
        (1, 1, ()),
        (1, 2, (("b", 1),)),
        (1, 2, (("b", 2),)),
        (2, 2, ()),
    ]


def test_who_stays_at_home_is_ahead_or_behind_in_any_case():
    figures = EveningFigures({"a": (900, 400), "b": None}, (1000, 500))
    assert [(each.best, each.worst) for each in place_gives(figures, "a")] == [(2, 2), (3, 3)]
    assert place_gives(figures, "b") == []


@given(
    evenings, by_points, starts, st.integers(1, 3), st.lists(points, max_size=2), st.sampled_from([1, Fraction(1, 2)])
)
def test_points_needed_are_the_least_that_do(
    past: list[SeasonEvent[str]],
    rule: SeasonRule,
    carried: dict[str, int],
    left: int,
    already: list[int],
    weight: Points,
):
    me = "a"
    so_far = SeasonEvent([{me: each, "b": -each} for each in already], weight)
    others = [
        row.figure for row in season_table([*past, so_far], rule, carried) if row.rank is not None and row.person != me
    ]
    mine = [
        SeasonEvent([{me: game[me]} for game in event.games if me in game], event.weight) for event in [*past, so_far]
    ]

    def rank(more: int) -> int:
        games = [*so_far.games, *[{me: Fraction(more, left)} for _game in range(left)]]
        rows = season_table([*past, SeasonEvent(games, weight)], rule, carried)
        row = next(row for row in rows if row.person == me)
        return 0 if row.rank is None else 1 + sum(each > row.figure for each in others)

    needs = points_needs(mine, me, left, rule, others, carried.get(me, 0))
    for need in needs:
        assert rank(need.points) <= need.rank < rank(need.points - STEP)
    now = rank(0)
    least = [need.points for need in needs]
    assert least == sorted(set(least), reverse=True)
    for wanted in range(max(1, now - 2), now + 1):
        movable = rank(-MOST_POINTS) > wanted >= rank(MOST_POINTS)
        named = [need.points for need in needs if need.rank <= wanted]
        assert bool(named) >= movable
        if movable:
            assert rank(named[-1]) <= wanted < rank(named[-1] - STEP)


def test_the_leader_may_lose_so_much_and_a_weight_makes_it_dearer():
    mine = [SeasonEvent([{"a": 30_000}]), SeasonEvent(list[dict[str, int]]())]
    rule = SeasonRule(gather="sum")
    assert points_needs(mine, "a", 2, rule, [12_300]) == [(1, -17_700)]
    half = [mine[0], SeasonEvent(mine[1].games, Fraction(1, 2))]
    assert points_needs(half, "a", 2, rule, [40_000, 35_000]) == [(1, 20_000), (2, 10_000)]
