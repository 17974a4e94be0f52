"""The picture of who meets whom: a square for each two, both ways round, and numbers that can be read."""

import pytest

from tournament.seating.views import picture_of, words_of

PAIRS = {(3, 5): (1,), (3, 8): (1, 2), (5, 8): (1, 2, 3)}


def test_each_pair_is_a_square_on_both_sides_of_the_diagonal():
    picture = picture_of([3, 5, 8], PAIRS)
    assert picture.once == "M26 16h9v9h-9zM16 26h9v9h-9z"
    assert [shape.count("M") for shape in (picture.once, picture.twice, picture.more, picture.own)] == [2, 2, 2, 3]
    assert [label.text for label in picture.left] == [3, 5, 8]


@pytest.mark.parametrize(("players", "labels"), [(16, 16), (40, 40), (100, 21), (200, 21)])
def test_numbers_are_written_as_large_as_they_need_to_be(players: int, labels: int):
    picture = picture_of(range(1, players + 1), {})
    side = float(picture.view.split()[2])
    assert len(picture.left) == labels
    assert picture.font * picture.width / side >= 10
    assert picture.width <= 1010


def test_the_same_in_words():
    assert words_of({3: "Ada", 5: "Ben", 8: "Cy"}, PAIRS)[0] == (3, "Ada", [5], [(8, 2)])
