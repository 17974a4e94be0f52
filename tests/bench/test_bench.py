"""`bench` measures what it says, on a database of its own."""

import io
import json

import pytest
from django.core.management import call_command
from django.db import connection

from tests.bench.busy import busy_loop_per_second
from tests.bench.folding import fold_hands_per_second


@pytest.mark.slow
@pytest.mark.django_db
def test_one_object_with_every_promised_key_and_the_organisers_data_untouched():
    out = io.StringIO()
    call_command("bench", "--quick", stdout=out)
    figures = json.loads(out.getvalue())
    promised = {
        "value_ratio_to_mahjong", "value_hands_per_second", "fold_hands_per_second", "standings_cold_ms",
        "post_hand_ms", "busy_loop_per_second",
    }  # fmt: skip
    assert promised <= set(figures)
    assert set(figures["busy_loop_beside"]) == {"fold_hands_per_second", "standings_cold_ms", "post_hand_ms"}
    measured = promised - {"value_ratio_to_mahjong", "value_hands_per_second"}
    assert all(figures[name] > 0 for name in measured)
    assert (figures["standings_tables"], figures["standings_hands"]) == (200, 2400)
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM tournament_event")
        assert cursor.fetchone() == (0,)


def test_the_busy_loop_counts_for_a_second():
    assert busy_loop_per_second() > 100_000


def test_folding_counts_hands():
    figures = fold_hands_per_second(quick=True)
    assert figures["fold_games"] in ("cases", "made up")
    assert int(str(figures["fold_hands_per_second"])) > 100
