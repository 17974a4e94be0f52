"""`season`: a season a line, in exact numbers; any line that anybody may send."""

from collections.abc import Callable
from typing import Any

Lines = Callable[..., list[Any]]

RULE = {"unit": "game", "measure": "points", "gather": "sum", "best": None, "least": 2}
GAMES = [{"Ann": 30.5, "Bo": -10.5, "Cy": -20}, {"Ann": -3, "Bo": "1/2", "Dee": 2.5}]


def test_a_season_is_answered_in_the_form_of_the_contract(run_lines: Lines):
    line = {
        "id": "s1",
        "rule": RULE,
        "carried": {"Bo": 12.25},
        "events": [{"name": "First", "weight": "1/2", "games": GAMES}],
    }
    assert run_lines("season", line) == [
        {
            "id": "s1",
            "ok": True,
            "rows": [
                {"rank": 1, "person": "Ann", "figure": 13.75, "games": 2, "counted": 2, "spread": None},
                {"rank": 2, "person": "Bo", "figure": 7.25, "games": 2, "counted": 2, "spread": None},
                {"rank": None, "person": "Dee", "figure": 1.25, "games": 1, "counted": 1, "spread": None},
                {"rank": None, "person": "Cy", "figure": -10, "games": 1, "counted": 1, "spread": None},
            ],
        }
    ]


def test_a_mean_has_its_spread(run_lines: Lines):
    games = [{"Ann": points, "Bo": -points} for points in (10, 20, 60)]
    (answer,) = run_lines("season", {"events": [{"games": games}], "rule": {"gather": "mean"}})
    assert [(row["figure"], row["spread"]) for row in answer["rows"]] == [(30, 25.127790061), (-30, 25.127790061)]


def test_a_bad_line_says_what_is_wrong_and_stops_no_other(run_lines: Lines):
    good = {"events": [{"games": GAMES}]}
    answers = run_lines(
        "season",
        {"id": 1, **good},
        {"id": 2, "events": [{"games": [{"Ann": "many"}]}], "rule": {"best": 0}},
        b'{"id": 3, "events": [{"games": [{"Ann": 1, "Ann": 2}]}]}',
        b'{"id": 4, "events": [{"games": [{"Ann": NaN}]}]}',
        b'{"id": 5, "events": [{"games": [{"Ann": 1e400}]}]}',
        b'{"id": 6, "events": [{"games": [{"Ann": 0.1234567890123456789012345}]}]}',
        b'{"id": 7.5, "events": []}',
        {"id": 8, **good},
    )
    assert [answer["ok"] for answer in answers] == [True, *[False] * 6, True]
    assert [[problem["code"] for problem in answer["problems"]] for answer in answers[1:-1]] == [
        ["season.best_none", "season.not_a_number"],
        ["json.duplicate_key"],
        ["json.not_a_number"],
        ["json.not_decimal"],
        ["json.not_decimal"],
        ["line.wrong_id"],
    ]
    assert [answer["id"] for answer in answers] == [1, 2, 3, 4, 5, 6, None, 8]


def test_a_decimal_is_exact(run_lines: Lines):
    games = [{"Ann": 0.1, "Bo": 0.3}, {"Ann": 0.2, "Bo": 0}]
    (answer,) = run_lines("season", {"events": [{"games": games}], "rule": {"gather": "sum"}})
    assert [(row["rank"], row["figure"]) for row in answer["rows"]] == [(1, 0.3), (1, 0.3)]


def test_a_number_is_read_as_any_program_writes_it(run_lines: Lines):
    numbers = b"[0.30000000000000004, -0.00012345678901234567, 2.842170943040401e-14, 1.5e1, 1E+2, -0.0]"
    games = b", ".join(b'{"Ann": %s}' % number.strip() for number in numbers[1:-1].split(b","))
    (answer,) = run_lines("season", b'{"events": [{"games": [%s]}], "rule": {"gather": "sum"}}' % games)
    assert answer["rows"][0]["figure"] == 115.299876543


def test_a_season_that_has_not_begun_has_an_empty_table(run_lines: Lines):
    answers = run_lines("season", {"events": []}, {"events": [{"games": []}, {"games": GAMES}, {"games": []}]})
    assert [len(answer["rows"]) for answer in answers] == [0, 4]


def test_a_decimal_is_refused_where_points_are_whole(run_lines: Lines):
    (answer,) = run_lines("replay", b'{"id": "g", "rules": "ema-2025", "start": 0.5, "entries": []}')
    assert [problem["code"] for problem in answer["problems"]] == ["json.float"]


def test_a_season_may_be_longer_than_a_line_of_other_commands(run_lines: Lines):
    people = [f"Player {number}" for number in range(400)]
    games = [{people[(at + step) % 400]: 30 - 20 * step for step in range(4)} for at in range(3000)]
    (answer,) = run_lines("season", {"id": "long", "events": [{"games": games}], "rule": {"gather": "sum"}})
    assert (answer["ok"], len(answer["rows"])) == (True, 400)
