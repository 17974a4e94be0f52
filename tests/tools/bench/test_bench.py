"""`bench` measures what it says, on a database of its own."""

import io
import json

import pytest
from django.core.management import call_command
from django.db import connection

from tools.bench.__main__ import measure_all
from tools.bench.busy import busy_loop_per_second
from tools.bench.rivals import bred_schedule, shuffled_schedule
from tools.bench.seating import Reached, lines_of
from tools.bench.seating_rows import Row, every_row
from tools.bench.valuing import Turns, figures_of
from tournament.seating.search.quality import assess

MEASURES = {
    "value_ratio_to_mahjong", "chinitsu_worst_ms", "score_import_ms", "fold_hands_per_second", "alllast_ms",
    "standings_cold_ms", "post_hand_ms", "way_hand_ms", "seating_rows",
}  # fmt: skip
BESIDE = {
    "value_hands_per_second", "value_explained_ratio_to_mahjong", "value_explained_hands_per_second",
    "value_line_us", "value_line_ratio_to_mahjong", "mahjong_hands_per_second",
    "chinitsu_worst_again_ms", "alllast_worst_ms", "standings_ratio_to_rows",
    "seating_median_s", "seating_worst_s", "busy_loop_per_second", "start_nothing_ms", "start_slowest_command_ratio",
}  # fmt: skip
PAPER = {
    "booklet_ratio_to_one_document", "booklet_reports_ready_s", "booklet_cards_s", "desk_page_while_printing_ms",
}  # fmt: skip


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.once
@pytest.mark.django_db
def test_every_promised_key_is_there_and_measures_what_it_says():
    figures = measure_all(quick=True, paper=False)
    assert set(figures["busy_loop_beside"]) == MEASURES | {"seating_beside", "starting"}
    assert [name for name in MEASURES | BESIDE if not figures[name] > 0] == []
    assert (figures["value_hands"], figures["alllast_tables"]) == (500, 45)
    assert figures["alllast_ms"] <= figures["alllast_worst_ms"]
    assert figures["chinitsu_hands"] > 20
    assert figures["score_import_ms"] > 1
    assert (figures["fold_games"], figures["fold_hands"]) == ("cases", 1112)
    assert figures["fold_hands_per_second"] > 100
    assert figures["seating_rows_at_best"] == figures["seating_rows"] == 11
    assert figures["seating_rows_above_best"] == []
    assert figures["seating_median_s"] <= figures["seating_worst_s"]
    repeats = {name: each["repeats"] for name, each in figures["seating_beside"]["16x4, tables of 4"].items()}
    assert repeats["ours"] == 0 < repeats["bred"] < repeats["shuffled"]
    assert (figures["standings_tables"], figures["standings_hands"]) == (40, 480)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.once
@pytest.mark.django_db
def test_the_command_prints_one_object_and_leaves_the_organisers_data_untouched():
    out = io.StringIO()
    call_command("bench", "--quick", stdout=out)
    figures = json.loads(out.getvalue())
    assert [name for name in MEASURES | BESIDE | PAPER if not figures[name] > 0] == []
    assert set(figures["busy_loop_beside"]) == MEASURES | {
        "seating_beside",
        "starting",
        "booklets_s",
        "desk_while_printing_ms",
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM tournament_event")
        assert cursor.fetchone() == (0,)


def test_the_busy_loop_counts_for_a_second():
    assert busy_loop_per_second(seconds=0.05) > 100_000


def test_the_ratio_is_of_blocks_that_were_timed_side_by_side():
    plain, explained = Turns((0.1, 0.2, 0.1), (0.3, 0.4, 0.8)), Turns((0.2, 0.2, 0.2), (0.2, 0.4, 0.2))
    lines = Turns((0.1, 0.2, 0.1), (0.05, 0.1, 0.2))
    assert figures_of(plain, explained, lines, hands=1500) == {
        "value_ratio_to_mahjong": 3.0,
        "value_explained_ratio_to_mahjong": 1.0,
        "value_line_ratio_to_mahjong": 0.5,
        "value_line_us": 200,
        "value_hands_per_second": 5000,
        "value_explained_hands_per_second": 2500,
        "mahjong_hands_per_second": 1250,
        "value_hands": 1500,
    }


def test_the_rows_of_seatings_are_those_of_the_field():
    rows = list(every_row())
    assert (len(rows), len(set(rows))) == (253, 253)
    assert {Row(4, 24, 8, 18), Row(4, 36, 12, 27), Row(4, 1000, 12, 0), Row(3, 9, 10, 72)} <= set(rows)


def test_a_row_of_seatings_is_a_line():
    short, reached = lines_of([Reached(Row(3, 9, 10, 72), repeats, 0.25) for repeats in (72, 73)])[1:]
    assert [short.split(), reached.split()] == [
        ["3", "9", "10", "72", "72", "0.250"],
        ["3", "9", "10", "72", "73", "0.250", "above", "the", "best"],
    ]


@pytest.mark.parametrize("draw", [shuffled_schedule, bred_schedule])
def test_the_rivals_of_our_draws_seat_everybody_and_try(draw):
    rounds = draw(24, 4, 3, 1)
    report = assess(rounds, 24, 4)
    assert len(rounds) == 3
    assert report.repeats < assess(draw(24, 4, 3, 1)[:1] * 3, 24, 4).repeats == 108
    assert draw(24, 4, 3, 1) == rounds
