"""A season's table against its rule restated in plain words, for seasons made by chance, and worked by hand."""

import statistics
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import InvalidInput
from scoring.seasons import (
    GameColumns,
    SeasonEvent,
    SeasonRow,
    SeasonRule,
    figures_by_event,
    halved_weights,
    printed,
    read_number,
    read_season,
    replay_wins,
    season_table,
)

Table = list[SeasonRow[str]]

people = st.permutations("abcdefg").map(lambda order: order[:4])
some_points = st.integers(-9, 9) | st.fractions(-20, 20, max_denominator=10)
games = st.builds(
    lambda who, points: dict(zip(who, points, strict=True)), people, st.lists(some_points, min_size=4, max_size=4)
)
weights = st.sampled_from([1, Fraction(1, 2), Fraction(3, 4), 2])
seasons = st.lists(st.builds(SeasonEvent, st.lists(games, min_size=1, max_size=3), weights), min_size=1, max_size=6)
rules = st.builds(
    SeasonRule,
    unit=st.sampled_from(["game", "evening"]),
    measure=st.sampled_from(["points", "base_rank"]),
    gather=st.sampled_from(["sum", "mean"]),
    best=st.none() | st.integers(1, 4),
    least=st.integers(0, 5),
)
starts = st.dictionaries(st.sampled_from("abcz"), some_points, max_size=3)


def values_of(person: str, events: list[SeasonEvent[str]], rule: SeasonRule) -> list[Fraction]:
    """Return what counts of a person, one value for each game or evening in which he played."""
    found = []
    for event in events:
        units = list(event.games)
        if rule.unit == "evening":
            here = {who for game in event.games for who in game}
            units = [{who: sum(Fraction(game.get(who, 0)) for game in event.games) for who in here}]
        for unit in units:
            if person not in unit:
                continue
            if rule.measure == "points":
                found.append(Fraction(unit[person]) * event.weight)
            else:
                better = sum(other > unit[person] for other in unit.values())
                found.append(1000 - Fraction(1000 * better, len(unit) - 1))
    return found


@given(events=seasons, rule=rules, carried=starts)
def test_a_table_is_what_its_rule_says(events: list[SeasonEvent[str]], rule: SeasonRule, carried: dict[str, Fraction]):
    rows = season_table(events, rule, carried)
    played = {who for event in events for game in event.games for who in game}
    assert sorted(row.person for row in rows) == sorted(played)
    figures = {}
    for row in rows:
        values = values_of(row.person, events, rule)
        best = sorted(values)[-rule.best :] if rule.best else values
        figure = sum(best) + Fraction(carried.get(row.person, 0))
        figures[row.person] = figure / len(best) if rule.gather == "mean" else figure
        own = sum(row.person in game for event in events for game in event.games)
        assert (row.figure, row.counted, row.games) == (figures[row.person], len(best), own)
        if rule.gather == "sum" or len(values) == 1:
            assert row.spread is None
        else:
            assert row.spread == pytest.approx(1.645 * statistics.stdev(values) / len(values) ** 0.5)
    ranked = [row for row in rows if row.games >= rule.least]
    assert rows[: len(ranked)] == ranked
    assert [row.rank for row in ranked] == [
        1 + sum(figures[other.person] > row.figure for other in ranked) for row in ranked
    ]
    assert [row.rank for row in rows[len(ranked) :]] == [None] * (len(rows) - len(ranked))
    for group in (ranked, rows[len(ranked) :]):
        assert [row.figure for row in group] == sorted((row.figure for row in group), reverse=True)


@given(events=seasons, rule=rules, carried=starts)
def test_neither_the_order_of_events_nor_that_of_games_changes_a_figure(
    events: list[SeasonEvent[str]], rule: SeasonRule, carried: dict[str, Fraction]
):
    def lines(table: Table) -> list[tuple[object, ...]]:
        return sorted((row.person, row.rank, row.figure, row.games, row.counted) for row in table)

    turned = [event._replace(games=event.games[::-1]) for event in events[::-1]]
    assert lines(season_table(turned, rule, carried)) == lines(season_table(events, rule, carried))


def in_columns(event: SeasonEvent[str]) -> SeasonEvent[str]:
    """Return an event with its games in columns, with seats in which nobody sits."""
    people = [person for game in event.games for person in (*game, None)]
    points = [points for game in event.games for points in (*game.values(), 0)]
    return event._replace(games=GameColumns(people, points, [len(game) + 1 for game in event.games]))


@given(events=seasons, rule=rules, carried=starts)
def test_games_in_columns_count_as_others(
    events: list[SeasonEvent[str]], rule: SeasonRule, carried: dict[str, Fraction]
):
    columns = [in_columns(event) for event in events]
    assert [list(event.games) for event in columns] == [event.games for event in events]
    assert season_table(columns, rule, carried) == season_table(events, rule, carried)
    assert figures_by_event(columns, rule, "ab", carried) == figures_by_event(events, rule, "ab", carried)
    last = figures_by_event(events, rule, "abcdefg", carried)
    assert {row.person: row.figure for row in season_table(events, rule, carried)} == {
        person: figures[-1] for person, figures in last.items() if figures[-1] is not None
    }
    assert replay_wins(columns, rule, carried, times=3) == replay_wins(events, rule, carried, times=3)


FIRST = SeasonEvent([{"a": 30, "b": 10, "c": -10, "d": -30}, {"a": -20, "b": 40, "c": 0, "d": -20}])
FINAL = SeasonEvent([{"a": 15, "b": -5, "c": -5, "e": -5}])


def figures(table: Table) -> list[tuple[int | None, str, str]]:
    return [(row.rank, row.person, str(row.figure)) for row in table]


def test_half_of_a_phase_is_carried_into_the_next_one_as_its_weight_or_as_a_head_start():
    rule = SeasonRule(gather="sum")
    first, final = halved_weights([1, 2])
    weighed = season_table([FIRST._replace(weight=first), FINAL._replace(weight=final)], rule)
    assert figures(weighed) == [(1, "a", "20"), (1, "b", "20"), (3, "e", "-5"), (4, "c", "-10"), (5, "d", "-25")]
    starts = {row.person: Fraction(row.figure) / 2 for row in season_table([FIRST], rule)}
    started = season_table([FINAL], rule, starts)
    assert figures(started) == [(1, "a", "20"), (1, "b", "20"), (3, "e", "-5"), (4, "c", "-10")]


def test_a_base_rank_is_of_all_who_came_that_evening_and_no_weight_changes_it():
    rule = SeasonRule(unit="evening", measure="base_rank", gather="sum")
    table = season_table([FIRST._replace(weight=2), FINAL], rule)
    # 50, 10, -10, -50 by evening, then one ahead of three who share the second place
    assert figures(table) == [
        (1, "a", "5000/3"),
        (1, "b", "5000/3"),
        (3, "c", "1000"),
        (4, "e", "2000/3"),
        (5, "d", "0"),
    ]


@pytest.mark.parametrize(
    ("figure", "wanted"),
    [
        (Fraction(7), 7),
        (Fraction(-1, 8), -0.125),
        (Fraction(2, 3), 0.666666667),
        (Fraction(1, 2 * 10**9), 0.000000001),
        (Fraction(-1, 2 * 10**9), -0.000000001),
        (Fraction(1, 3 * 10**9), 0),
        (Fraction(-1, 3 * 10**9), 0),
    ],
)
def test_a_figure_is_printed_exactly_or_to_nine_decimals(figure: Fraction, wanted: float):
    assert (printed(figure), type(printed(figure))) == (wanted, type(wanted))


GAME = {"a": 1, "b": -1}
WRONG = [
    ([], "entry.wrong_type", "season"),
    ({}, "entry.missing_key", "season.events"),
    ({"events": [{}]}, "entry.missing_key", "season.events[0].games"),
    ({"events": [{"games": [GAME, {}]}]}, "season.empty", "season.events[0].games[1]"),
    ({"events": [{"games": [[1]]}]}, "entry.wrong_type", "season.events[0].games[0]"),
    ({"events": [{"games": [{"": 1}]}]}, "season.no_name", "season.events[0].games[0]"),
    ({"events": [{"games": [{"a": "x"}]}]}, "season.not_a_number", "season.events[0].games[0].a"),
    ({"events": [{"games": [{"a": "1/0"}]}]}, "season.not_a_number", "season.events[0].games[0].a"),
    ({"events": [{"games": [{"a": True}]}]}, "season.not_a_number", "season.events[0].games[0].a"),
    ({"events": [{"games": [{"a": float("nan")}]}]}, "season.not_a_number", "season.events[0].games[0].a"),
    ({"events": [{"games": [{"a": "100000000"}]}]}, "season.not_a_number", "season.events[0].games[0].a"),
    ({"events": [{"games": [GAME], "weight": -1}]}, "entry.negative", "season.events[0].weight"),
    ({"events": [{"games": [GAME], "weight": "half"}]}, "season.not_a_number", "season.events[0].weight"),
    ({"events": [{"games": [GAME], "wieght": 1}]}, "entry.unknown_key", "season.events[0].wieght"),
    (
        {"events": [{"games": [dict.fromkeys(map(str, range(1001)), 0)]}]},
        "entry.list_too_long",
        "season.events[0].games[0]",
    ),
    ({"events": [{"games": [GAME]}] * 2001}, "entry.list_too_long", "season.events"),
    ({"events": [{"games": [GAME]}], "carried": [1]}, "entry.wrong_type", "season.carried"),
    ({"events": [{"games": [GAME]}], "carried": {"a": None}}, "season.not_a_number", "season.carried.a"),
    ({"events": [{"games": [GAME]}], "rule": {"unit": "hand"}}, "season.unknown_choice", "season.rule.unit"),
    ({"events": [{"games": [GAME]}], "rule": {"gather": ["sum"]}}, "season.unknown_choice", "season.rule.gather"),
    ({"events": [{"games": [GAME]}], "rule": {"best": 0}}, "season.best_none", "season.rule.best"),
    ({"events": [{"games": [GAME]}], "rule": {"best": -1}}, "entry.negative", "season.rule.best"),
    ({"events": [{"games": [GAME]}], "rule": {"best": "2"}}, "entry.wrong_type", "season.rule.best"),
    ({"events": [{"games": [GAME]}], "rule": {"least": -1}}, "entry.negative", "season.rule.least"),
    ({"events": [{"games": [GAME]}], "rule": {"worst": 1}}, "entry.unknown_key", "season.rule.worst"),
    ({"events": [{"games": [GAME]}], "rules": {}}, "entry.unknown_key", "season.rules"),
]


@pytest.mark.parametrize(("value", "code", "key"), WRONG)
def test_a_season_that_cannot_be_read(value: object, code: str, key: str):
    with pytest.raises(InvalidInput) as refused:
        read_season(value)
    assert (refused.value.problems[0].code, refused.value.problems[0].params["key"]) == (code, key)


def test_numbers_are_whole_decimal_or_fractions_and_what_is_left_out_has_a_default():
    read = read_season({"events": [{"games": [{"a": 3, "b": "-0.25", "c": "1/3", "d": Fraction(5, 2)}]}]})
    assert read.events == [
        SeasonEvent([{"a": 3, "b": Fraction(-1, 4), "c": Fraction(1, 3), "d": Fraction(5, 2)}], weight=1)
    ]
    assert (read.rule, read.carried, read.warnings) == (SeasonRule("game", "points", "mean", None, 1), {}, [])


@pytest.mark.parametrize(
    ("text", "number"),
    [("0.30000000000000004", Fraction(30000000000000004, 10**17)), ("+7", 7), ("-0", 0), ("9/6", Fraction(3, 2))],
)
def test_a_text_is_read_to_as_many_decimals_as_a_number(text: str, number: Fraction):
    assert read_number(text) == number


def test_an_evening_without_games_changes_nothing():
    for rule in (SeasonRule("evening", measure) for measure in ("points", "base_rank")):
        events = [SeasonEvent([GAME]), SeasonEvent([GAME], Fraction(1, 2))]
        between = [events[0], SeasonEvent([]), events[1], SeasonEvent([])]
        assert season_table(between, rule) == season_table(events, rule)
        assert season_table([], rule) == season_table([SeasonEvent([])], rule) == []


def test_a_head_start_of_somebody_who_never_played_is_mentioned():
    read = read_season({"events": [{"games": [GAME]}], "carried": {"z": 5}})
    assert [(each.code, each.severity) for each in read.warnings] == [("season.carried_without_game", "warning")]
