"""Moments at which clocks are awkward, and which modules of tests they are for."""

import datetime as dt
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from tools.nightly.clock import names_clock
from tools.nightly.moments import list_moments

NOW = dt.datetime(2026, 11, 28, 6, tzinfo=dt.UTC)


def test_each_moment_is_a_second_before_what_it_is_for():
    shown = {each.name: f"{each.at.astimezone(ZoneInfo(each.zone)):%Y-%m-%d %H:%M:%S}" for each in list_moments(NOW)}
    assert shown == {
        "new-year Europe/Berlin": "2026-12-31 23:59:59",
        "leap-day Europe/Berlin": "2028-02-28 23:59:59",
        "summer Europe/Berlin": "2027-03-28 01:59:59",
        "winter Europe/Berlin": "2027-10-31 02:59:59",
        "400-days Europe/Berlin": "2028-01-02 07:00:00",
        "new-year Asia/Tokyo": "2026-12-31 23:59:59",
        "leap-day Asia/Tokyo": "2028-02-28 23:59:59",
        "400-days Asia/Tokyo": "2028-01-02 15:00:00",
        "new-year America/St_Johns": "2026-12-31 23:59:59",
        "leap-day America/St_Johns": "2028-02-28 23:59:59",
        "summer America/St_Johns": "2027-03-14 01:59:59",
        "winter America/St_Johns": "2027-11-07 01:59:59",
        "400-days America/St_Johns": "2028-01-02 02:30:00",
    }


@pytest.mark.parametrize(
    ("imported", "named"),
    [
        ({"dt": dt}, True),
        ({"datetime": dt.datetime}, True),
        ({"timezone": timezone}, True),
        ({"time_machine": time_machine}, True),
        ({"pytest": pytest, "NOW": NOW}, False),
    ],
)
def test_a_module_names_a_clock_by_what_it_imports(imported: dict[str, Any], named: bool):
    module = ModuleType("tests.some")
    vars(module).update(imported)
    assert names_clock(module) is named
