"""`bench` measures what it says, on a database of its own."""

import io
import json

import pytest
from django.core.management import call_command
from django.db import connection

from tests.bench.busy import busy_loop_per_second
from tests.bench.folding import fold_hands_per_second
from tests.bench.last_hand import alllast_ms
from tests.bench.rivals import bred_schedule, shuffled_schedule
from tests.bench.seating import lines_of, measure_rows
from tests.bench.seating_rows import Row, every_row
from tests.bench.valuing import Turns, chinitsu_worst_ms, figures_of, score_import_ms, value_ratio_to_mahjong
from tournament.seating.quality import assess


@pytest.mark.slow
@pytest.mark.once
@pytest.mark.django_db
def test_one_object_with_every_promised_key_and_the_organisers_data_untouched():
    out = io.StringIO()
    call_command("bench", "--quick", stdout=out)
    figures = json.loads(out.getvalue())
    measures = {
        "value_ratio_to_mahjong", "chinitsu_worst_ms", "score_import_ms", "fold_hands_per_second",
        "alllast_ms", "standings_cold_ms", "post_hand_ms", "seating_rows",
    }  # fmt: skip
    measured = measures | {"seating_beside", "booklets_s", "desk_while_printing_ms"}
    assert set(figures["busy_loop_beside"]) == measured
    beside = {
        "value_hands_per_second", "value_explained_ratio_to_mahjong", "seating_median_s", "seating_worst_s",
        "busy_loop_per_second", "booklet_ratio_to_one_document", "booklet_cards_s", "desk_page_while_printing_ms",
    }  # fmt: skip
    assert all(figures[name] > 0 for name in measures | beside)
    assert figures["seating_rows_at_best"] == figures["seating_rows"] == 22
    assert figures["seating_rows_above_best"] == []
    assert figures["seating_median_s"] <= figures["seating_worst_s"]
    repeats = {name: each["repeats"] for name, each in figures["seating_beside"]["16x4, tables of 4"].items()}
    assert repeats["ours"] == 0 < repeats["bred"] < repeats["shuffled"]
    assert (figures["standings_tables"], figures["standings_hands"]) == (40, 480)
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM tournament_event")
        assert cursor.fetchone() == (0,)


def test_the_busy_loop_counts_for_a_second():
    assert busy_loop_per_second() > 100_000


def test_folding_counts_hands():
    figures = fold_hands_per_second(quick=True)
    assert figures["fold_games"] in ("cases", "made up")
    assert int(str(figures["fold_hands_per_second"])) > 100


def test_what_players_need_in_the_last_hand_is_timed_in_every_rule_set():
    figures = alllast_ms(quick=True)
    assert figures["alllast_tables"] == 90
    assert 0 < float(str(figures["alllast_ms"])) <= float(str(figures["alllast_worst_ms"]))


def test_hands_are_valued_by_both():
    figures = value_ratio_to_mahjong(quick=True)
    assert figures["value_hands"] == 1000
    assert [name for name, figure in figures.items() if not float(str(figure)) > 0] == []


def test_the_ratio_is_of_blocks_that_were_timed_side_by_side():
    plain, explained = Turns((0.1, 0.2, 0.1), (0.3, 0.4, 0.8)), Turns((0.2, 0.2, 0.2), (0.2, 0.4, 0.2))
    assert figures_of(plain, explained, hands=1500) == {
        "value_ratio_to_mahjong": 3.0,
        "value_explained_ratio_to_mahjong": 1.0,
        "value_hands_per_second": 5000,
        "value_explained_hands_per_second": 2500,
        "mahjong_hands_per_second": 1250,
        "value_hands": 1500,
    }


def test_hands_of_one_suit_with_many_readings_are_timed_from_scratch_and_again():
    figures = chinitsu_worst_ms(quick=True)
    assert int(str(figures["chinitsu_hands"])) > 20
    assert float(str(figures["chinitsu_worst_ms"])) > 0
    assert float(str(figures["chinitsu_worst_again_ms"])) > 0


def test_the_import_is_timed_in_an_interpreter_of_its_own():
    assert float(str(score_import_ms(quick=True)["score_import_ms"])) > 1


def test_the_rows_of_seatings_are_those_of_the_field():
    rows = list(every_row())
    assert (len(rows), len(set(rows))) == (253, 253)
    assert {Row(4, 24, 8, 18), Row(4, 36, 12, 27), Row(4, 1000, 12, 0), Row(3, 9, 10, 72)} <= set(rows)


def test_a_few_rows_of_seatings_reach_the_best_and_are_printed():
    reached = measure_rows(quick=True)
    assert (len(reached), len(lines_of(reached))) == (22, 23)


@pytest.mark.parametrize("draw", [shuffled_schedule, bred_schedule])
def test_the_rivals_of_our_draws_seat_everybody_and_try(draw):
    rounds = draw(24, 4, 3, 1)
    report = assess(rounds, 24, 4)
    assert len(rounds) == 3
    assert report.repeats < assess(draw(24, 4, 3, 1)[:1] * 3, 24, 4).repeats == 108
    assert draw(24, 4, 3, 1) == rounds
