"""Health and metrics (Prometheus' text format) for monitoring programs; never a figure of one event or person."""

import hmac
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from tournament.backups.backup import newest_backup_at
from tournament.backups.config import backup_config
from tournament.core.threads import list_failures
from tournament.events.queries import get_load
from tournament.pages.permissions import for_anyone
from web.server.database_age import age_problem

MIN_FREE = 50 * 2**20  # bytes; below this a backup or a wave of hands may not fit


@never_cache
@require_safe
@for_anyone
def health(request: HttpRequest) -> HttpResponse:
    """Answer 200 where the desk can take hands, else 503 with the names of the failing checks.

    Operators also get the threads of this process that have failed since it started.
    """
    failing = [name for name, holds in CHECKS.items() if not holds()]
    found: dict[str, Any] = {"status": "failing" if failing else "ok", "failing": failing}
    if "database" not in failing and _is_operator(request):
        found["threads"] = [asdict(each) for each in list_failures()]
    return JsonResponse(found, status=503 if failing else 200)


@never_cache
@require_safe
@for_anyone
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics to a superuser or a bearer of HANCHAN_METRICS_TOKEN; 404 for others."""
    if not _is_operator(request):
        raise Http404("There is no such page for you.")
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE)


def _is_operator(request: HttpRequest) -> bool:
    return getattr(request.user, "is_superuser", False) or _has_token(request)


def _has_token(request: HttpRequest) -> bool:
    wanted, given = f"Bearer {settings.METRICS_TOKEN}", request.headers.get("Authorization", "")
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(wanted.encode(), given.encode())


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return cursor.fetchone() == (1,)
    except DatabaseError:
        return False


def _database_is_current() -> bool:
    """Tell whether all migrations are applied; remembered once true."""
    if not _seen_current:
        try:
            executor = MigrationExecutor(connection)
            if not age_problem() and not executor.migration_plan(executor.loader.graph.leaf_nodes()):
                _seen_current.add(True)
        except DatabaseError:
            return False
    return bool(_seen_current)


def _files_are_its_own() -> bool:
    """Tell whether the open database is the one in the data folder: its WAL may have been deleted."""
    return not getattr(connection, "files_replaced", bool)()


def _disk_has_room() -> bool:
    try:
        return shutil.disk_usage(settings.DATA_DIR).free >= MIN_FREE
    except OSError:
        return False


_seen_current: set[bool] = set()
CHECKS = {
    "database": _database_answers,
    "migrations": _database_is_current,
    "files": _files_are_its_own,
    "disk": _disk_has_room,
}

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

OURS = CollectorRegistry()
_answered = Counter(
    "hanchan_requests", "Requests answered, by pattern of address.", ["route", "method", "status"], registry=OURS
)
_took = Histogram("hanchan_request_seconds", "How long answers took.", ["route"], buckets=SECONDS, registry=OURS)
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})


def count_request(route: str, method: str, status: int, seconds: float) -> None:
    """Count an answer under the pattern of its address, never under its path."""
    _answered.labels(route, method if method in METHODS else "other", str(status)).inc()
    _took.labels(route).observe(seconds)


class Desk:
    """Collect the load of the desk on demand."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauges; four queries."""
        load = get_load()
        yield GaugeMetricFamily("hanchan_events", "Events in the database.", load.events)
        yield GaugeMetricFamily("hanchan_rounds_running", "Rounds begun and not released.", load.rounds_running)
        yield GaugeMetricFamily("hanchan_ledger_rows", "Rows in the ledgers of all tables.", load.ledger_rows)
        yield GaugeMetricFamily("hanchan_calls_open", "Calls for a referee that are not closed.", load.calls_open)
        newest = newest_backup_at(backup_config().own)
        if newest is not None:
            age = (timezone.now() - newest).total_seconds()
            yield GaugeMetricFamily("hanchan_backup_age_seconds", "Age of the newest backup here.", age)
        failures = GaugeMetricFamily("hanchan_thread_failures", "Failures of a thread so far.", labels=["thread"])
        failing = GaugeMetricFamily("hanchan_thread_failing", "1 where its last work failed.", labels=["thread"])
        for each in list_failures():
            failures.add_metric([each.name], each.count)
            failing.add_metric([each.name], each.failing)
        yield from (failures, failing)
        free = shutil.disk_usage(settings.DATA_DIR).free
        yield GaugeMetricFamily("hanchan_disk_free_bytes", "Free space where the data lies.", free)


def metrics_text() -> bytes:
    """Return all figures as Prometheus reads them: of every worker where they share a folder, else of this one."""
    registry = CollectorRegistry()
    registry.register(Desk())
    if settings.SHARED_METRICS:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    return generate_latest(OURS) + generate_latest(registry)
