"""The question whether anything has changed, answered from what another phone was told a moment ago."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.core.signals import request_started
from django.db import close_old_connections
from django.test import RequestFactory

from tests.factories import make_event, play_round, writer_of
from tournament.models import Event
from tournament.services.rounds.publication import Publication, set_publication
from tournament.services.tables.penalties import give_penalty
from web.server.poll_answers import MOMENT, PollAnswers
from web.wsgi import _program

pytestmark = [pytest.mark.django_db]
URL = "/e/cup/version/"


class Hall:
    """The program behind kept answers, a clock that stands still, and a count of what reached the program."""

    def __init__(self) -> None:
        self.now, self.asked = 100.0, 0
        self.polls = PollAnswers(self.program, clock=lambda: self.now)

    def program(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        self.asked += 1
        return _program(environ, start_response)

    def ask(self, knows: str = "", url: str = URL, **headers: str) -> tuple[int, dict[str, str]]:
        """Ask as a phone does; return the status and the headers by their names in lower case."""
        answered: list[Any] = []
        given = {"Host": "localhost", **({"If-None-Match": knows} if knows else {}), **headers}
        body = self.polls(RequestFactory().get(url, headers=given).environ, lambda *said: answered.append(said))
        assert b"".join(body) == b"" or answered[0][0].startswith(("404", "200"))
        status, said = answered[0][:2]
        return int(status.split()[0]), {name.lower(): value for name, value in said}


@pytest.fixture
def event() -> Event:
    event = make_event(slug="cup", tables=1, rounds=2)
    play_round(event, 1, "2r3 340")
    return event


@pytest.fixture
def hall(event: Event) -> Iterator[Hall]:
    """Leave the test's connection open, which a server gives back after each request."""
    request_started.disconnect(close_old_connections)
    yield Hall()
    request_started.connect(close_old_connections)


def change(event: Event) -> None:
    """Do what every public page shows: a penalty that belongs to a released round."""
    player = event.players.select_related("event").get(number=1)
    round_, by = event.rounds.get(number=1), writer_of(event)
    give_penalty(player=player, points=1000, reason="late", round_=round_, client_id=uuid4(), by=by)


def test_who_knows_the_version_is_told_so_once_by_the_program_and_then_without_it(hall: Hall):
    etag = hall.ask()[1]["etag"]
    first = hall.ask(etag)
    assert (first[0], hall.asked) == (304, 2)
    again = [hall.ask(etag), hall.ask(f"W/{etag}")]
    assert ([status for status, _ in again], hall.asked) == ([304, 304], 2)
    own = {"x-request-id", "x-server-time"}
    for _status, headers in again:
        assert set(headers) == set(first[1])
        assert {k: v for k, v in headers.items() if k not in own} == {k: v for k, v in first[1].items() if k not in own}
        assert headers["x-request-id"] != first[1]["x-request-id"]


def test_what_changed_is_told_after_a_moment_and_at_once_to_who_knows_another_version(hall: Hall, event: Event):
    etag = hall.ask()[1]["etag"]
    hall.ask(etag)
    change(event)
    assert hall.ask('"another"')[0] == 200
    hall.now += MOMENT + 0.01
    status, headers = hall.ask(etag)
    assert (status, headers["etag"] != etag) == (200, True)
    assert hall.ask(headers["etag"])[0] == 304


def test_what_differs_by_phone_is_not_given_to_another(hall: Hall, event: Event):
    set_publication(event=event, publication=Publication(show_needs=True), by=writer_of(event))
    etag = hall.ask()[1]["etag"]
    assert [hall.ask(etag)[0] for _ in range(2)] == [304, 304]
    assert hall.asked == 3


def test_what_holds_for_all_is_told_to_who_follows_somebody(hall: Hall):
    etag = hall.ask()[1]["etag"]
    hall.ask(etag, Cookie="me-cup=1-abcdef01")
    assert (hall.ask(etag)[0], hall.ask(etag, Cookie="me-cup=2-abcdef01")[0], hall.asked) == (304, 304, 2)


@pytest.mark.parametrize("url", ["/e/cup/standings/", "/e/cup/version/?q=1", "/e/cup/display/version/"])
def test_nothing_else_is_answered(hall: Hall, url: str):
    etag = hall.ask(url=url)[1].get("etag", '"none"')
    before = hall.asked
    hall.ask(etag, url)
    hall.ask(etag, url)
    assert hall.asked == before + 2


def test_each_name_of_the_desk_has_its_own_answers_and_an_event_that_is_not_there_none(hall: Hall):
    etag = hall.ask()[1]["etag"]
    hall.ask(etag)
    assert hall.ask(etag, Host="testserver")[0] == 304
    assert hall.ask(etag, "/e/nothing/version/")[0] == 404
    assert {key[1:] for key in hall.polls.told} == {("localhost", URL), ("testserver", URL)}


def test_an_answer_without_the_program_is_in_the_log_as_any_other(hall: Hall, caplog: pytest.LogCaptureFixture):
    etag = hall.ask()[1]["etag"]
    hall.ask(etag)
    with caplog.at_level("INFO", logger="hanchan.request"):
        hall.ask(etag)
    (facts,) = (vars(record)["facts"] for record in caplog.records if record.name == "hanchan.request")
    assert facts == {"route": "e/<slug:slug>/version/", "method": "GET", "status": 304, "ms": 0.0, "bytes": 0}
