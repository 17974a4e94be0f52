"""Metrics in Prometheus' text format: requests answered, and the load of the desk; never a figure of one person."""

import shutil
from collections.abc import Iterator

from django.conf import settings
from django.utils import timezone
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from tournament.backups.backup import newest_backup_at
from tournament.backups.config import backup_config
from tournament.core.threads import list_failures
from tournament.events.queries import get_load

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
