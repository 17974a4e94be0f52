"""The form of the wishes: lines that name players by number, by name or both; what cannot be read is said by line."""

import pytest
from django.http import QueryDict

from tournament.seating.forms import DrawForm, asked_by, form_of, read_form, with_line
from tournament.seating.plan import ALWAYS, DrawWishes
from tournament.text.problems import problem_text

NAMES = {1: "Ada Moss", 2: "Ben", 3: "朝霧すずめ", 4: "Moss, Cy", 5: "7 Dots", 6: "Benno", 12: "Zed"}


def asked(**texts: str) -> DrawWishes:
    found, problems = asked_by(DrawForm(**texts), NAMES)  # type: ignore[arg-type]
    assert problems == []
    return found


def said(**texts: str) -> list[str]:
    return [problem_text(problem) for problem in asked_by(DrawForm(**texts), NAMES)[1]]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "line", ["1, 2", "1;2", "Ada Moss, Ben", "ada, 2 Ben", "No. 1, #2", "1 Ada Moss、2", " 1. Ada ,, 2 ", "1, 2, 1"]
)
def test_a_line_names_players_in_any_of_these_ways(line: str):
    assert asked(families=f"\n{line}\n").families == ((1, 2),)


def test_names_that_look_like_numbers_or_lists_are_found_whole():
    assert asked(families="7 Dots, 4 Moss Cy").families == ((5, 4),)
    assert asked(families="朝霧, 12").families == ((3, 12),)


def test_tables_rounds_rooms_and_seeds_are_read():
    assert asked(fixed="12 Zed: 3\nAda Moss: table 2").fixed == ((12, 3), (1, 2))
    assert asked(together="Round 2: 1, 3\n1：2、12").together == ((2, (1, 3)), (1, (2, 12)))
    assert asked(rooms="1–8 Main hall\n9 Gallery\n10-12: Attic").rooms == (
        (1, 8, "Main hall"), (9, 9, "Gallery"), (10, 12, "Attic"),
    )  # fmt: skip
    assert asked(seeds="12 3\n1,1").seeds == (12, 3, 1)
    assert asked(seeds="Zed, 3 朝霧すずめ").seeds == (12, 3)
    assert asked(shared="2").shared == 2


@pytest.mark.parametrize(
    ("texts", "sentences"),
    [
        ({"families": "1, 2\nNobody, 2"}, ["Families and pairs apart, line 2: nobody here is called “Nobody”."]),
        (
            {"families": "Moss, 2"},
            ["Families and pairs apart, line 1: “Moss” could be several players; give the number."],
        ),
        ({"families": "1 Ben, 2"}, ["Families and pairs apart, line 1: number 1 is Ada Moss, not “Ben”."]),
        ({"families": "1"}, ["Families and pairs apart, line 1: only one player; a group has two or more."]),
        (
            {"fixed": "12"},
            ["Players who keep a table, line 1: “12” cannot be read. Write the player, a colon and the table: 12: 3"],
        ),
        (
            {"together": "1, 2"},
            [
                (
                    "At one table in a given round, line 1: “1, 2” cannot be read. "
                    "Write the round, a colon and the players: 1: 3, 17"
                )
            ],
        ),
        (
            {"rooms": "Main hall"},
            [
                (
                    "Rooms: nobody always in one, nobody always moving, line 1: “Main hall” cannot be read. "
                    "Write the tables and the room: 1–8 Main hall"
                )
            ],
        ),
        (
            {"shared": "many"},
            [
                (
                    "Opponents in common for those who never meet, line 1: “many” cannot be read. "
                    "Write a number from 0 to 9."
                )
            ],
        ),
    ],
)
def test_what_cannot_be_read_is_said_by_line(texts: dict[str, str], sentences: list[str]):
    assert said(**texts) == sentences


def test_wishes_come_back_as_they_were_typed():
    wishes = DrawWishes(
        clubs=3, countries=ALWAYS, families=((1, 4), (2, 3)), families_until=2, together=((2, (1, 3)),),
        fixed=((12, 3),), rooms=((1, 8, "Main hall"), (9, 9, "")), seeds=(12, 3), shared=2,
    )  # fmt: skip
    form = form_of(wishes, NAMES)
    assert form.families == "1 Ada Moss, 4 Moss Cy\n2 Ben, 3 朝霧すずめ"
    assert asked_by(form, NAMES) == (wishes, [])


def test_what_is_picked_becomes_a_line():
    data = QueryDict(mutable=True)
    data.update({"families": "1, 2", "families_pick_0": "3 朝霧すずめ", "families_pick_1": "12 Zed", "order": "clubs"})
    form = with_line(read_form(data), "families", data)
    assert form.families == "1, 2\n3 朝霧すずめ, 12 Zed"
    assert form.order[:2] == ("clubs", "fixed")
    data = QueryDict(mutable=True)
    data.update({"fixed_pick_0": "12 Zed", "fixed_number": "3", "seeds_pick_0": "12 Zed", "seeds": "1,"})
    assert with_line(read_form(data), "fixed", data).fixed == "12 Zed: 3"
    assert with_line(read_form(data), "seeds", data).seeds == "1, 12"
    assert with_line(read_form(data), "nonsense", data) == read_form(data)
