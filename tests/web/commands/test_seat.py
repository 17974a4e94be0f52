"""`manage.py seat`: the contract's object on one line, a table for people, words for what is wrong."""

import io
import json

import pytest
from django.core.management import CommandError, call_command


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


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("--players", "23", "--table-size", "4", "--rounds", "6"),
            "23 players do not fill tables of 4: 3 would be left",
        ),
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
