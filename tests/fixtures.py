"""Fixtures that many files of tests make alike, each in one line: `made = module_event(tables=1)`."""

from typing import Any

import pytest

from tests.factories import make_event
from tournament.events.models import Event


def module_event(*rules: str, **values: Any) -> Any:
    """Return a fixture that makes an event once for all tests of the module: `made`, which `event` loads."""

    @pytest.fixture(scope="module")
    def made(rows_of_module: None) -> Event:
        return make_event(*rules, **values)

    return made


def own_event(*rules: str, **values: Any) -> Any:
    """Return a fixture that makes an event for each test."""

    @pytest.fixture
    def event(db: None) -> Event:
        return make_event(*rules, **values)

    return event


def live_event(*rules: str, **values: Any) -> Any:
    """Return a fixture that makes an event for each test, beside a server for a browser."""

    @pytest.fixture
    def event(live_server: Any) -> Event:
        return make_event(*rules, **values)

    return event
