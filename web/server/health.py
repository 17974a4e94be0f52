"""Health and metrics for monitoring programs; nothing of an event or a person."""

import hmac
import shutil
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.core.threads import list_failures
from tournament.pages.permissions import for_anyone
from web.server.database_age import age_problem
from web.server.metrics import CONTENT_TYPE, metrics_text

LEAST_FREE = 50 * 2**20  # bytes; below this a backup or a wave of hands may not fit


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
        return shutil.disk_usage(settings.DATA_DIR).free >= LEAST_FREE
    except OSError:
        return False


_seen_current: set[bool] = set()
CHECKS = {
    "database": _database_answers,
    "migrations": _database_is_current,
    "files": _files_are_its_own,
    "disk": _disk_has_room,
}
