"""The report of a draw in player numbers: counted from bare seats, kept as JSON, with bounds that hold."""

from dataclasses import asdict

import pytest

from tests.factories import make_event
from tournament.seating.messages import list_draws, seed_sentence
from tournament.seating.plan import (
    ALWAYS,
    DrawWishes,
    Entrant,
    meetings,
    read_asked,
    report_from_json,
    report_on,
)
from tournament.seating.views import report_context
from tournament.tables.rows import DrawOrigin

ROUNDS = (((9, 2, 5), (7, 1, 4)), ((2, 9, 1), (5, 7, 4)))
PEOPLE = [Entrant(number, club="A" if number in (2, 9) else "") for number in (1, 2, 4, 5, 7, 9)]


def test_figures_and_wishes_are_counted_by_player_number():
    report = report_on(ROUNDS, 3, asked=DrawWishes(clubs=ALWAYS, fixed=((7, 2), (9, 1))), entrants=PEOPLE)
    assert (report.figures.repeats, report.figures.met_most, report.figures.pairs_never) == (2, 2, 5)
    found = {
        wish.key: (wish.missed, [(at.round, at.table, at.players) for at in wish.places]) for wish in report.wishes
    }
    assert found["clubs"] == (2, [(1, 1, (2, 9)), (2, 1, (2, 9))])
    assert found["fixed"] == (0, [])
    assert report_from_json(asdict(report)) == report


def test_somebody_away_from_a_kept_table_is_a_missed_wish_and_no_error():
    report = report_on(ROUNDS, 3, asked=DrawWishes(fixed=((5, 1),)), entrants=PEOPLE)
    assert [(wish.missed, wish.places[0].table) for wish in report.wishes if wish.key == "fixed"] == [(1, 2)]


def test_a_player_without_a_seat_rests():
    report = report_on(ROUNDS, 3, entrants=[*PEOPLE, Entrant(11)])
    assert (report.figures.rests_least, report.figures.rests_most, report.figures.repeats_least) == (0, 2, 0)
    longer = report_on((*ROUNDS, ROUNDS[0]), 3, entrants=[*PEOPLE, Entrant(11)]).figures
    assert (longer.tables_least, longer.tables_note) == (2, "tables.fewer_than_rounds")


def test_meetings_winds_and_tables_by_player():
    assert {pair: when for pair, when in meetings(ROUNDS).items() if len(when) > 1} == {(2, 9): (1, 2), (4, 7): (1, 2)}
    shown = report_context(ROUNDS, 3, report_on(ROUNDS, 3), {9: "Zed"})
    assert (9, "Zed", [1, 1, 0], False) in shown["wind_rows"]
    assert (5, "5", [1, 2]) in shown["path_rows"]


def test_wishes_that_cannot_be_read_ask_for_nothing():
    values: tuple[object, ...] = (None, [], {"order": 7}, {"order": [], "clubs": "x"})
    for value in values:
        assert read_asked(value) == DrawWishes()


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        (
            DrawOrigin(players=11, substitutes=1),
            (
                "drawn by lot with seed 5 from the list of 11 players in order of their numbers, with 1 substitute. "
                "The same seed, list and wishes give the same draw on any desk."
            ),
        ),
        (
            DrawOrigin(players=13, rests=True, ended_early=True),
            (
                "drawn by lot with seed 5 from the list of 13 players in order of their numbers, with rests in turn. "
                "The search was ended early: the seed alone does not repeat it."
            ),
        ),
        (DrawOrigin("redraw"), "redrawn after the start, from seed 5 and the rounds before."),
    ],
)
def test_what_else_a_draw_was_made_from_is_said(origin: DrawOrigin, said: str):
    assert seed_sentence(5, origin) == said


@pytest.mark.django_db
def test_draws_of_public_rounds_are_listed_one_sentence_for_each_origin():
    event = make_event(slug="cup", rounds=4)
    _first, second, _third, hidden = event.rounds.order_by("number")
    for round_ in (second, hidden):
        round_.drawn = {"by": "standing", "seed": 9}
        round_.save()
    type(hidden).objects.filter(pk=hidden.pk).update(published_at=None)
    lines = list_draws(event)
    assert [line.split(":")[0] for line in lines] == ["Rounds 1, 3", "Round 2"]
    assert lines[1] == "Round 2: drawn by standing, with lots from seed 9."
