from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.paper.conftest import Paper
from tests.paper.samples import make_head, make_rounds, name_of
from tournament.paper.sheets import players_by_name, seating_leaves
from tournament.tables.rows import RoundRow, SeatedPlayer, TableRow
from tournament.text.numbers import WINDS


def test_every_player_has_a_place_in_every_round_and_it_is_the_drawn_one(size: int) -> None:
    rounds = make_rounds(size, tables=5, rounds=4)
    for player in players_by_name(rounds):
        drawn = [
            (table.number, WINDS[seat.seat])
            for played in rounds
            for table in played.tables
            for seat in table.seats
            if seat.number == player.number
        ]
        assert list(player.places) == drawn


def test_players_stand_in_the_order_in_which_names_are_looked_up() -> None:
    names = ("Zed", "ärmel", "Łuk", "lok", "東山", "Arm")
    seats = tuple(SeatedPlayer(i % 3, i + 1, name) for i, name in enumerate(names))
    rounds = (RoundRow(1, (TableRow(1, seats[:3]), TableRow(2, seats[3:]))),)
    assert [player.name for player in players_by_name(rounds)] == ["Arm", "ärmel", "lok", "Łuk", "Zed", "東山"]


def test_two_players_of_one_name_are_two_lines() -> None:
    seats = tuple(SeatedPlayer(i, 7 + i, "Ada Moss") for i in range(3))
    found = players_by_name((RoundRow(1, (TableRow(1, seats),)),))
    assert [(player.name, player.number) for player in found] == [("Ada Moss", 7), ("Ada Moss", 8), ("Ada Moss", 9)]


def test_who_does_not_sit_in_a_round_has_no_place_there() -> None:
    first, second, _ = make_rounds(4)
    without = replace(second, tables=second.tables[1:])
    missing = {seat.number for seat in second.tables[0].seats}
    places = {player.number: player.places for player in players_by_name((first, without))}
    assert {number for number, (_, place) in places.items() if place is None} == missing


@pytest.mark.parametrize(
    ("rounds", "layout"), [(1, "large"), (2, "large"), (3, "upright"), (8, "upright"), (9, "wide")]
)
def test_the_list_by_name_is_as_large_as_its_rounds_allow(rounds: int, layout: str) -> None:
    drawn = make_rounds(3, tables=1, rounds=rounds)
    (values,) = seating_leaves(make_head(3, rounds=rounds), drawn).portions
    assert values["layout"] == layout


def test_tables_are_listed_in_seat_order(size: int, papers: Callable[[str, int], Paper]) -> None:
    text = "".join(papers("seating", size).texts[0].split())
    first = make_rounds(size)[0].tables[0]
    places = [text.index("".join(f"{name_of(seat.number)} No. {seat.number}".split())) for seat in first.seats]
    assert places == sorted(places)
