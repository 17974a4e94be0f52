"""What substitutes cost and give, worked by hand from the books; then taken out, and everything is as before."""

import pytest

from rules.books import load
from scoring.placement import When
from tests.factories import enter, fresh, make_event, round_of, sign, table_of, writer_of
from tests.incidents.substitute_acts import FOUR, export, played, replace, results, totals
from tournament.events.models import Event
from tournament.incidents.actions import take_substitute_out
from tournament.rounds.actions import release_round
from tournament.standings.queries import read_standings

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


THREE = (50_000, 30_000, 10_000)  # +20, 0, -20 before uma

# key, replaced player, when, results of round 1 by player, what is off the player's total beside
BOOK: list[tuple[str, tuple[int, ...], int, When, list[int], int]] = [
    # E25 7.3: a substitute from the beginning takes a place; the others have the uma of theirs, +5, -5, -15, and the
    # replaced player -15,000 points and -15,000 uma
    ("ema-2025", FOUR, 1, "before", [-30_000, 5000 + 5000, -5000 - 5000, -15_000 - 15_000], 0),
    # E25 7.3: one who came in during the game takes none; the others have +15, +5, -5 in their order
    ("ema-2025", FOUR, 1, "during", [-30_000, 5000 + 15_000, -5000 + 5000, -15_000 - 5000], 0),
    ("ema-2025", FOUR, 4, "before", [15_000 + 15_000, 5000 + 5000, -5000 - 5000, -30_000], 0),
    ("ema-2025", FOUR, 4, "during", [15_000 + 15_000, 5000 + 5000, -5000 - 5000, -30_000], 0),
    ("ema-2025", FOUR, 2, "during", [15_000 + 15_000, -30_000, -5000 + 5000, -15_000 - 5000], 0),
    # WRC 12.3.9(2, 3): the seat is scored as any and not ranked; the player has nothing, and 30P
    ("wrc-2025", FOUR, 1, "before", [0, 5000 + 5000, -5000 - 5000, -15_000 - 15_000], 30_000),
    ("wrc-2025", FOUR, 3, "during", [15_000 + 15_000, 5000 + 5000, 0, -15_000 - 15_000], 30_000),
    # RK 4, the same by its own list: "30P point penalty, replacement"
    ("rakkii-nomi-2026", FOUR, 2, "before", [15_000 + 15_000, 0, -5000 - 5000, -15_000 - 15_000], 30_000),
    ("rakkii-nomi-2026", FOUR, 2, "during", [15_000 + 15_000, 0, -5000 - 5000, -15_000 - 15_000], 30_000),
    # three players, EMA 7.3 as we adapt it: before, the uma of their own places (15, 0, -15); during, +15 and 0
    ("sanmatsuri-2026", THREE, 1, "before", [-30_000, 0 + 0, -20_000 - 15_000], 0),
    ("sanmatsuri-2026", THREE, 1, "during", [-30_000, 0 + 15_000, -20_000 + 0], 0),
    ("sanmatsuri-2026", THREE, 2, "before", [20_000 + 15_000, -30_000, -20_000 - 15_000], 0),
    ("sanmatsuri-2026", THREE, 2, "during", [20_000 + 15_000, -30_000, -20_000 + 0], 0),
    ("sanmatsuri-2026", THREE, 3, "during", [20_000 + 15_000, 0 + 0, -30_000], 0),
]


@pytest.fixture(scope="module")
def played_by(rows_of_module: None) -> dict[str, Event]:
    """Play two rounds by each book, once for all tests of the module."""
    # in the second round everybody has what they began with: all places are shared, no uma, 0
    books = {key: scores for key, scores, *_ in BOOK}
    return {key: played(key, scores, (30_000,) * len(scores), slug=key) for key, scores in books.items()}


@pytest.mark.states("substitute_standings")
@pytest.mark.once
@pytest.mark.parametrize(("key", "_scores", "number", "when", "wanted", "off"), BOOK)
def test_results_and_totals_by_the_book_and_back(
    played_by: dict[str, Event],
    key: str,
    _scores: tuple[int, ...],
    number: int,
    when: When,
    wanted: list[int],
    off: int,
):
    event = fresh(played_by[key])
    before, file = read_standings(event), export(event)
    substitution = replace(event, number, when)
    assert results(event) == dict(enumerate(wanted, start=1))
    sums = {each: result - (off if each == number else 0) for each, result in enumerate(wanted, start=1)}
    assert {each: total for each, (_rank, total) in totals(event).items()} == sums
    assert {row.number: row.penalties for row in read_standings(event).rows if row.penalties} == (
        {number: off} if off else {}
    )
    (row,) = (row for row in read_standings(event).rows if row.number == number)
    assert (row.results, row.games) == ((wanted[number - 1], 0), 2)
    take_substitute_out(substitution=substitution, reason="the wrong table", by=writer_of(event))
    assert (read_standings(event), export(event)) == (before, file)


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        # E25 7.3: 2 is left out, and the substitute for 4 is third of the three who are placed: +15 to 1, +5 to 3
        ("ema-2025", [15_000 + 15_000, -30_000, -5000 + 5000, -30_000]),
        ("wrc-2025", [15_000 + 15_000, 0, -5000 - 5000, 0]),
    ],
)
def test_two_players_of_one_table_are_replaced(key: str, wanted: list[int]):
    event = played(key, FOUR)
    replace(event, 2, "during")
    replace(event, 4, "before", name="Jo Elm")
    assert results(event) == dict(enumerate(wanted, start=1))


@pytest.mark.once
def test_every_session_that_is_missed_costs_again():
    # E25 7.3 "every session replaced": the first round -30,000, the second -30,000, the third own play
    event = played("ema-2025", FOUR, FOUR, FOUR)
    replace(event, 2, "before")
    replace(event, 2, "during", round_=2)
    assert totals(event)[2] == (3, -30_000 - 30_000 + 10_000)
    # player 1 kept first place: +30 each; of the three who were left in the second round 3 was second and 4 third
    assert [totals(event)[number][1] for number in (1, 3, 4)] == [
        90_000,
        -10_000 + 0 - 10_000,
        -30_000 - 20_000 - 30_000,
    ]


def test_a_game_that_somebody_else_played_parts_no_equal_totals():
    event = played("wrc-2025", FOUR)
    replace(event, 1, "before")
    standings = read_standings(event)
    assert [(row.number, row.total, row.rank, row.tie_break) for row in standings.rows] == [
        (2, 10_000, 1, None),
        (3, -10_000, 2, None),
        (4, -30_000, 3, "best_result"),  # player 1 has no game of their own
        (1, -30_000, 3, "best_result"),
    ]


@pytest.mark.once
@pytest.mark.parametrize(
    ("key", "own", "off"), [("ema-2025", -30_000, 0), ("sanmatsuri-2026", -30_000, 0), ("wrc-2025", 0, 30_000)]
)
def test_a_game_that_nobody_could_play_costs_the_others_nothing(key: str, own: int, off: int):
    # one draw with nobody tenpai stands for it: all keep the start, share all places and so have no uma (EMA 3.7.1)
    event = make_event(key, tables=1, rounds=1)
    enter(table_of(event), "d #not played")
    sign(table_of(event))
    release_round(round_=round_of(event), by=writer_of(event))
    replace(event, 2, "before", name="")
    assert results(event) == {number: own if number == 2 else 0 for number in range(1, load(key).players + 1)}
    assert totals(event)[2] == (load(key).players, own - off)
