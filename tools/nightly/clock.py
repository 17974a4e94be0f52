"""A pytest plugin: `-p tools.nightly.clock` starts the clock of each module of tests at HANCHAN_TEST_MOMENT.

It leaves out modules that name no clock, unless HANCHAN_TEST_EVERY is set. The clock runs on from there, in this
process alone: what a test starts beside itself has the real one.
"""

import datetime as dt
import os
from collections.abc import Iterator
from types import ModuleType

import pytest
import time_machine
from django.utils import timezone

CLOCKS = (dt, dt.datetime, timezone, time_machine)


def names_clock(module: ModuleType) -> bool:
    """Tell whether a module of tests has imported dates, Django's clock, or the machine that sets it."""
    return any(value is clock for value in vars(module).values() for clock in CLOCKS)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what names no clock."""
    if os.environ.get("HANCHAN_TEST_EVERY"):
        return
    named = {module: names_clock(module) for module in {getattr(item, "module", None) for item in items} if module}
    left_out = [item for item in items if not named.get(getattr(item, "module", None))]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if named.get(getattr(item, "module", None))]


@pytest.fixture(scope="module", autouse=True)
def started_clock() -> Iterator[None]:
    """Start the clock, before any other fixture of the module."""
    with time_machine.travel(dt.datetime.fromisoformat(os.environ["HANCHAN_TEST_MOMENT"]), tick=True):
        yield
