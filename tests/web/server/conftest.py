"""A desk that is served for a test."""

from collections.abc import Iterator

import pytest

from tests.web.server.desks import SOON, Desk
from web.server.protocol import ConnectionLimit, DeskProtocol


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(DeskProtocol, "places", ConnectionLimit())
    desk = Desk()
    desk.thread.start()
    yield desk
    desk.server.should_exit = True
    desk.thread.join(SOON)
    assert not desk.thread.is_alive()
