"""`manage.py seat`: the contract's object on one line, a table for people, words for what is wrong."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from tournament.seating.plan import Entrant, Plan, search
from tournament.seating.search import annealing
from tournament.seating.search.schedule import shuffle_players


def seat(*arguments: str) -> str:
    out = io.StringIO()
    call_command("seat", *arguments, stdout=out)
    return out.getvalue()


SANMA = ("--players", "24", "--table-size", "3", "--rounds", "6")


def test_json_is_the_contract_on_one_line():
    text = seat(*SANMA, "--seed", "7", "--json")
    assert text.count("\n") == 1
    told = json.loads(text)
    assert list(told) == ["players", "table_size", "seed", "rounds", "report"]
    assert (told["players"], told["table_size"], told["seed"]) == (24, 3, 7)
    assert [[len(table) for table in tables] for tables in told["rounds"]] == [[3] * 8] * 6
    report = told["report"]
    assert isinstance(report.pop("seconds"), float)
    assert isinstance(report.pop("method"), str)
    assert report == {"repeats": 0, "repeats_bound": 0, "met_most": 1, "winds_spread": 0, "tables_spread": 1}


def test_the_same_seed_prints_the_same_rounds():
    one, two, other = (json.loads(seat(*SANMA, "--seed", seed, "--json"))["rounds"] for seed in ("7", "7", "8"))
    assert one == two
    assert one != other


def test_fixed_tables_may_be_given_together_or_again():
    told = json.loads(seat(*SANMA, "--fixed-table", "5:0", "6:1", "--fixed-table", "7:7", "--json"))
    for tables in told["rounds"]:
        assert (5 in tables[0], 6 in tables[1], 7 in tables[7]) == (True, True, True)


def test_the_table_for_people_shows_every_round_and_the_report():
    lines = seat("--players", "9", "--table-size", "3", "--rounds", "4").splitlines()
    assert [line for line in lines if line.startswith("Round")] == ["Round 1", "Round 2", "Round 3", "Round 4"]
    assert lines[1].split() == ["table", "East", "South", "West"]
    assert "Repeated meetings: 0 (proven least); the most that two players meet: 1." in lines


UNEVEN = [
    ("13", "4", "substitutes", [4, 4, 4, 4], 0),
    ("13", "4", "other_tables", [4, 3, 3, 3], 0),
    ("13", "4", "rests", [4, 4, 4], 1),
    ("42", "4", "rests", [4] * 10, 2),
    ("43", "4", "substitutes", [4] * 11, 0),
    ("16", "3", "other_tables", [3, 3, 3, 3, 4], 0),
    ("16", "3", "rests", [3] * 5, 1),
]


@pytest.mark.parametrize(("players", "size", "way", "tables", "rests"), UNEVEN)
def test_players_who_do_not_fill_the_tables_are_seated_one_way_or_another(players, size, way, tables, rests):
    chosen = ("--players", players, "--table-size", size, "--rounds", "3", "--way", way, "--time-limit", "0.2")
    told = json.loads(seat(*chosen, "--json"))
    assert list(told) == ["players", "table_size", "seed", "rounds", "report", "way", "substitutes", "resting"]
    assert (told["players"], told["way"]) == (int(players), way)
    assert [[len(table) for table in round_] for round_ in told["rounds"]] == [tables] * 3
    everybody = sorted([*range(int(players)), *told["substitutes"]])
    for round_, resting in zip(told["rounds"], told["resting"], strict=True):
        assert (len(resting), sorted([*(player for table in round_ for player in table), *resting])) == (
            rests,
            everybody,
        )
    assert set(told["report"]) == {
        *("repeats", "repeats_bound", "met_most", "winds_spread", "tables_spread", "method", "seconds")
    }


def test_without_a_way_the_command_seats_substitutes_as_the_page_does():
    asked = ("--players", "23", "--table-size", "4", "--rounds", "2")
    assert json.loads(seat(*asked, "--json"))["substitutes"] == [23]
    assert "Substitutes: 23." in seat(*asked).splitlines()


@pytest.mark.parametrize(("players", "way"), [(13, "rests"), (14, "substitutes"), (15, "substitutes"), (16, "full")])
def test_the_command_repeats_the_draw_that_a_page_makes_without_wishes(players, way, monkeypatch):
    """The clock is held still, so that it cuts no search; the page then deals the numbers to people."""
    monkeypatch.setattr(annealing, "monotonic", lambda: 0.0)
    entrants = tuple(Entrant(number) for number in range(1, players + 1))
    found = search(Plan(entrants, 4, 2, players, seed=7, way=way))
    chosen = [] if way == "full" else ["--way", way]
    asked = ["--players", str(players), "--table-size", "4", "--rounds", "2", "--seed", "7", *chosen, "--json"]
    told = json.loads(seat(*asked))
    numbers = [*shuffle_players(range(1, players + 1), 7), *found.substitutes]
    assert [[[numbers[who] for who in table] for table in tables] for tables in told["rounds"]] == [
        [list(table) for table in tables] for tables in found.rounds
    ]


def test_the_table_for_people_shows_who_rests():
    lines = seat("--players", "13", "--table-size", "4", "--rounds", "2", "--way", "rests", "--time-limit", "0.1")
    assert len([line for line in lines.splitlines() if line.split()[:1] == ["rest"]]) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--players", "3", "--table-size", "4", "--rounds", "6"), "3 players are too few: one table needs 4."),
        ((*SANMA, "--way", "rests"), "24 players cannot be seated in 3s by rests."),
        (("--players", "24", "--table-size", "5", "--rounds", "6"), "Tables seat 3 or 4 players, not 5."),
        ((*SANMA, "--fixed-table", "5:8"), "Player 5 cannot be fixed to table 8: tables are numbered 0 to 7."),
        ((*SANMA, "--fixed-table", "5:1", "5:2"), "Player 5 cannot keep both table 1 and table 2."),
        ((*SANMA, "--fixed-table", "five"), "'five' is not PLAYER:TABLE"),
        ((*SANMA, "--time-limit", "0"), "The time limit must be more than 0 seconds, not 0.0."),
    ],
)
def test_what_is_wrong_is_said_in_words(arguments, words):
    with pytest.raises(CommandError, match=words.replace("(", r"\(")):
        seat(*arguments)
