"""What watches the desk: health, figures, and a log that says which request failed but never whose it was."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from tests.factories import enter, make_account, make_event, table_of
from tests.pages.at_desk import client_of
from web.server import health
from web.server.log_lines import JsonFormatter, LineFormatter, RedactPathsFilter, route_of

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Gather what the desk's own loggers write as JSON."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(RedactPathsFilter())
    loggers = [logging.getLogger(name) for name in ("hanchan.request", "hanchan.query", "django.request")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    yield stream
    for logger, level in zip(loggers, before, strict=True):
        logger.removeHandler(handler)
        logger.setLevel(level)


def told(stream: io.StringIO) -> list[dict]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


# ---------------------------------------------------------------- health


def test_a_desk_that_can_work_says_so(client: Client):
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "failing": []})


@pytest.mark.parametrize("failing", sorted(health.CHECKS))
def test_a_desk_that_cannot_work_says_what_fails(client: Client, monkeypatch: pytest.MonkeyPatch, failing: str):
    monkeypatch.setitem(health.CHECKS, failing, lambda: False)
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()) == (503, {"status": "failing", "failing": [failing]})


@pytest.mark.postgresql
def test_a_migration_that_waits_is_seen(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(health, "_seen_current", set())
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    assert client.get("/health/").json()["failing"] == ["migrations"]


def test_a_disk_without_room_is_seen(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(health, "MIN_FREE", 2**62)
    assert client.get("/health/").json()["failing"] == ["disk"]


# ---------------------------------------------------------------- figures


def test_figures_are_for_whoever_runs_the_desk(client: Client):
    assert client.get("/metrics/").status_code == 404
    assert client_of(make_account()).get("/metrics/").status_code == 404
    assert client_of(make_account(superuser=True)).get("/metrics/").status_code == 200


def test_a_program_brings_a_token(client: Client, monkeypatch: pytest.MonkeyPatch):
    assert client.get("/metrics/", headers={"Authorization": "Bearer "}).status_code == 404
    monkeypatch.setattr(settings, "METRICS_TOKEN", "a-long-token")
    assert client.get("/metrics/", headers={"Authorization": "Bearer another"}).status_code == 404
    assert client.get("/metrics/", headers={"Authorization": "Bearer a-long-token"}).status_code == 200


def test_figures_are_what_prometheus_reads(client: Client):
    event = make_event(slug="cup")
    enter(table_of(event), "2r3 340")
    client.get("/e/cup/standings/")
    text = client_of(make_account(superuser=True)).get("/metrics/").content.decode()
    found = {
        (sample.name, sample.labels.get("route", "")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert found["hanchan_events", ""] == 1
    assert found["hanchan_ledger_rows", ""] == 1
    assert found["hanchan_disk_free_bytes", ""] > 0
    assert found["hanchan_requests_total", "e/<slug:slug>/standings/"] >= 1
    assert "cup" not in text


# ---------------------------------------------------------------- the log


def test_a_request_is_one_line_without_what_stood_in_its_address(client: Client, lines: io.StringIO):
    answer = client.get("/enter/a-secret-token/", headers={"User-Agent": "a very rare browser"})
    [line] = [line for line in told(lines) if line["logger"] == "hanchan.request"]
    assert {name: line[name] for name in ("route", "method", "status", "request")} == {
        "route": "enter/<str:token>/", "method": "GET", "status": answer.status_code,
        "request": answer.headers["X-Request-ID"],
    }  # fmt: skip
    assert not any(word in lines.getvalue() for word in ("a-secret-token", "rare browser", "127.0.0.1"))


def test_two_requests_have_two_ids_and_no_guest_chooses_one(client: Client):
    ids = {client.get("/health/", headers={"X-Request-ID": "chosen-by-me"}).headers["X-Request-ID"] for _ in range(2)}
    assert (len(ids), "chosen-by-me" in ids) == (2, False)


def test_a_proxy_gives_the_id(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(settings, "HTTPS", True)
    asked = {"kept-for-both": "kept-for-both", "no\tid at all": None, "x" * 65: None}
    for given, kept in asked.items():
        answer = client.get("/health/", headers={"X-Request-ID": given})
        assert (answer.headers["X-Request-ID"] == given) is (kept is not None)


@pytest.mark.urls("tests.pages.broken_urls")
def test_an_error_tells_where_it_was_and_not_what_was_asked(client: Client, lines: io.StringIO):
    client.raise_request_exception = False
    answer = client.get("/enter/a-secret-token/")
    assert (answer.status_code, answer.headers["X-Request-ID"] in answer.content.decode()) == (500, True)
    [line] = [line for line in told(lines) if line["logger"] == "django.request"]
    assert line["message"] == "Internal Server Error: enter/<str:token>/"
    assert line["error"].endswith("\nValueError: no such thing")
    assert "in enter\n" in line["error"]
    assert not any(word in lines.getvalue() for word in ("a-secret-token", "Sommerwind"))


def test_a_person_at_a_terminal_reads_a_line():
    record = logging.LogRecord("hanchan.query", logging.WARNING, "", 0, "slow query", (), None)
    record.facts = {"ms": 700.1, "sql": "SELECT 1"}
    assert RedactPathsFilter().filter(record)
    record.request_id = "0011223344556677"
    line = LineFormatter().format(record)
    assert line[8:] == " WARNING hanchan.query [0011223344556677]: slow query ms=700.1 sql=SELECT 1"


def test_a_slow_query_is_told_without_its_values(lines: io.StringIO, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(settings, "SLOW_QUERY_MS", 0.000001)
    make_event(slug="cup")
    Client().get("/e/cup/")
    queries = [line["sql"] for line in told(lines) if line["logger"] == "hanchan.query"]
    assert any('WHERE "tournament_event"."slug" = %s' in sql for sql in queries)
    assert not any("cup" in sql for sql in queries)


def test_no_query_is_measured_where_nobody_wants_it(lines: io.StringIO, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(settings, "SLOW_QUERY_MS", 0)
    Client().get("/")
    assert [line for line in told(lines) if line["logger"] == "hanchan.query"] == []


def test_an_address_that_nobody_answers_has_no_route():
    assert route_of(HttpRequest()) == "-"
