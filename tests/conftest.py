"""What every test may ask for: the recorded cases, a real browser, and a database that behaves as the desk's own does.

What the machine lacks skips with its reason, which `manage.py test` prints; with its `--require-all` the run fails.
"""

import contextlib
import gc
import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.servers.basehttp import WSGIRequestHandler
from django.db import connection, transaction
from django.utils import translation

import bootstrap
from bootstrap import REPO
from web.server.tuning import tune_gc

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

    from tournament.events.models import Event

tune_gc()  # as the desk does; collecting 10,000 tests leaves nothing to find
DATA = REPO / "tests" / "data"  # real hands, games and events; its README.md says where they come from
IN_A_BROWSER = 240  # seconds of a test, some times what the slowest takes: a page may hold its browser for ever
# `manage.py test` migrates an empty SQLite database once for all workers of all steps; without it each does so itself.
MIGRATED = os.environ.get("HANCHAN_TEST_MIGRATED")

# Most of them run once for each of nine books. The long form: manage.py test --hypothesis-profile=nightly tests/scoring
for name, examples in {"fast": 5, "default": 20, "nightly": 500}.items():
    hypothesis.settings.register_profile(name, deadline=None, max_examples=examples, print_blob=True)
hypothesis.settings.load_profile("default")


def pytest_configure(config: pytest.Config) -> None:
    """Serve static files under their plain names and at once, and hash passwords badly: no test waits for either."""
    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": plain}}
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # an answer is two packets, head and body, and the second would wait 40 ms for the first to be confirmed
    WSGIRequestHandler.disable_nagle_algorithm = True


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Spare a run on PostgreSQL the import of files that are marked `once` and have no test marked `postgresql`."""
    if "not once" not in config.option.markexpr or not re.fullmatch(r"test_\w+\.py", collection_path.name):
        return None
    text = collection_path.read_text(encoding="utf-8")
    once = re.search(r"^pytestmark = .*\bmark\.once\b", text, re.MULTILINE)
    return True if once and "mark.postgresql" not in text else None


@pytest.hookimpl(wrapper=True)  # before -m is applied, and after the order was shuffled
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Mark what uses the database, however it asked for it, so that PostgreSQL can run just these; slow tests first.

    Of several workers each is given a stretch of the list to begin with. So the files are dealt to them like cards:
    each begins with those that have slow tests, the last ones are short, and none waits for another at the end. A file
    is not dealt out in pieces: what it makes once would be made by each worker.
    """
    from django.test import TransactionTestCase

    leave_out_for_another_database(config, items)
    asks = {"db", "transactional_db", "live_server", "django_db_setup", "admin_user", "django_user_model"}
    for item in items:
        by_class = issubclass(getattr(item, "cls", None) or object, TransactionTestCase)
        by_fixture = asks & set(getattr(item, "fixturenames", ()))
        if by_class or by_fixture or item.get_closest_marker("django_db"):
            item.add_marker(pytest.mark.database)
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.timeout(0))  # the long forms may take as long as they do
        elif item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.timeout(IN_A_BROWSER))
    yield
    files = [list(file) for _path, file in groupby(items, key=lambda item: item.path)]
    files.sort(key=lambda file: -max(slowness(item) for item in file))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = [item for first in range(workers) for file in files[first::workers] for item in file]


def slowness(item: pytest.Item) -> int:
    """Return how many marks a test has that say it is slow."""
    return sum(item.get_closest_marker(name) is not None for name in ("browser", "slow"))


def leave_out_for_another_database(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what is marked `only_on` for a database that this run is not on; a whole run is on both."""
    marks = [(item, item.get_closest_marker("only_on")) for item in items]
    elsewhere = [item for item, mark in marks if mark and mark.args[0] != connection.vendor]
    config.hook.pytest_deselected(items=elsewhere)
    items[:] = [item for item, mark in marks if not mark or mark.args[0] == connection.vendor]


def pytest_collection_finish() -> None:
    """Spare the collector of cycles what stands until the end: 10,000 tests, which it would walk time and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Look once for what no test should have left behind; pytest itself would walk all that stands five times more."""
    gc.collect()
    gc.freeze()


class Progress:
    """Writes into a file how many of the tests have ended, for `manage.py test`."""

    def __init__(self, file: Path, session: pytest.Session) -> None:
        """Write nothing yet: how many there are is known when all are collected."""
        self.file, self.session = file, session
        self.ended = self.failed = 0
        file.touch()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test when it is torn down."""
        self.failed += report.failed
        self.ended += report.when == "teardown"
        failed = f", {self.failed} failed" if self.failed else ""
        with self.file.open("r+", encoding="ascii") as out:  # never empty for who reads it: the text only grows
            out.write(f"{self.ended} of {self.session.testscollected} tests{failed}")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Write the progress of all workers' tests, which xdist's main process hears of."""
    file = os.environ.get("HANCHAN_TEST_PROGRESS")
    if file and "PYTEST_XDIST_WORKER" not in os.environ:
        session.config.pluginmanager.register(Progress(Path(file), session))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count the tests that passed, and the skipped ones by reason, for the closing table of `manage.py test`."""
    if counts := os.environ.get("HANCHAN_TEST_COUNTS"):
        stats = terminalreporter.stats
        reasons = [report.longrepr[2].removeprefix("Skipped: ") for report in stats.get("skipped", [])]
        told = {"ran": len(stats.get("passed", [])), "skipped": Counter(reasons)}
        Path(counts).write_text(json.dumps(told), encoding="utf-8")


@pytest.fixture
def without_weasyprint(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take WeasyPrint away, as on a machine where it could not be installed."""
    from tournament.pdf.render import load_weasyprint

    load_weasyprint.cache_clear()
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    yield
    load_weasyprint.cache_clear()


@pytest.fixture(scope="session")
def cases() -> Path:
    """Return the folder of recorded hands, games and events."""
    return DATA


# ---------------------------------------------------------------- database


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Forget the language that a page of this test, or a fixture of its module, has taken on for this thread."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    """Forget answers of another test, whose event may have had the same number and come as far, and its language."""
    cache.clear()
    yield
    cache.clear()
    translation.deactivate()  # a request activates the reader's language for the thread


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Give SQLite a file of this worker's own.

    Django's default, one connection in memory that all threads share, lets two requests of a live server fall into one
    another's transactions, which the desk itself never does.
    """
    if connection.vendor == "sqlite":
        database = connection.settings_dict
        name = tmp_path_factory.mktemp("database") / "test.sqlite3"
        database["TEST"]["NAME"] = str(name)
        if MIGRATED:
            shutil.copy(MIGRATED, name)
            database["TEST"]["MIGRATE"] = False
        # what a power cut would lose is not tested here, and waiting for the disk takes most of the time
        database["OPTIONS"]["init_command"] = database["OPTIONS"]["init_command"].replace("=FULL", "=OFF")


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """Take the copy of a migrated database as it is."""
    return django_db_keepdb or bool(MIGRATED and connection.vendor == "sqlite")


@contextlib.contextmanager
def triggers_asleep() -> Iterator[None]:
    """Let the tables be emptied between two tests, which the ledger's triggers rightly refuse."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f'DROP TRIGGER "{name}"')
            yield
            for _, sql in triggers:
                cursor.execute(sql)
        else:
            cursor.execute("SET session_replication_role = replica")
            yield
            cursor.execute("SET session_replication_role = DEFAULT")


@pytest.fixture(scope="session", autouse=True)
def _data_of_process(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give each process a data directory: what a desk notes there of its database is wrong for another's."""
    settings.DATA_DIR = tmp_path_factory.mktemp("desk")


@pytest.fixture(autouse=True)
def _nothing_noted() -> None:
    """Forget what a test before this one noted as sealed: its database is not there any more."""
    (settings.DATA_DIR / "record.sealed").unlink(missing_ok=True)


@pytest.fixture(scope="session")
def _no_rows_of_permissions() -> Iterator[None]:
    """Have no rows made of Django's content types and permissions, which nothing here asks for.

    They are made again after each emptying, which takes ten times the work of the emptying itself.
    """
    from django.contrib.auth.management import create_permissions
    from django.contrib.contenttypes.management import create_contenttypes
    from django.db.models.signals import post_migrate

    made = "django.contrib.auth.management.create_permissions"
    assert post_migrate.disconnect(create_permissions, dispatch_uid=made)
    assert post_migrate.disconnect(create_contenttypes)
    yield
    post_migrate.connect(create_permissions, dispatch_uid=made)
    post_migrate.connect(create_contenttypes)


@pytest.fixture(scope="session")
def django_db_setup(_no_rows_of_permissions: None, django_db_setup: None) -> Iterator[None]:
    """Empty append-only tables, too, after a test that commits."""
    operations: Any = type(connection.ops)
    execute_sql_flush = operations.execute_sql_flush

    def flush(self: Any, sql_list: list[str]) -> None:
        if connection.vendor == "postgresql":  # it truncates a table by making another: to delete a few rows is quicker
            tables = [table for sql in sql_list for table in re.findall(r'"[^"]+"', sql)]
            sql_list = ["; ".join(f"DELETE FROM {table}" for table in tables)]
        with triggers_asleep():
            execute_sql_flush(self, sql_list)

    operations.execute_sql_flush = flush
    yield
    operations.execute_sql_flush = execute_sql_flush


@pytest.fixture(scope="module")
def rows_of_module(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Keep what fixtures of a module write until its last test; what each test writes is rolled back before the next.

    For fixtures of the module's own scope that ask for it by name. Each test then reads its event again (`event`), for
    what it does to the object in memory would not be rolled back.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def event(made: "Event") -> "Event":
    """Load the event that a module makes once, its fixture `made`, as each test finds it."""
    from tests.factories import fresh

    return fresh(made)


@pytest.fixture
def others_aside(db: None) -> None:
    """Free the addresses of events that stand for a whole module, for a test that makes one of that name itself."""
    from django.db.models import Value
    from django.db.models.functions import Concat

    from tournament.events.models import Event

    Event.objects.update(slug=Concat("slug", Value("-aside")))


@pytest.fixture(scope="session", autouse=True)
def _templates_as_served(django_test_environment: None) -> None:
    """Render without the signal that Django's tests add to each part of a page: it takes a tenth of every page."""
    from django.template.base import Template
    from django.test.utils import _TestState

    Template._render = _TestState.saved_data.template_render  # type: ignore[attr-defined]


@pytest.fixture(scope="session", autouse=True)
def _pins_hashed_badly(django_test_environment: None) -> None:
    """Hash the PINs of table devices badly, as passwords: no test waits for either."""
    from argon2 import PasswordHasher

    from tournament.accounts import actions as devices

    devices._HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def template_contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let answers have their `context`, for a test that looks into it."""
    from django.template.base import Template
    from django.test.utils import instrumented_test_render  # type: ignore[attr-defined]

    monkeypatch.setattr(Template, "_render", instrumented_test_render)


@pytest.fixture
def no_repeated_queries() -> Iterator[None]:
    """Fail as soon as one line of code asks the database the same question for a second row (N+1)."""
    import zeal
    from zeal.constants import initialize_app_registry
    from zeal.patch import patch

    if not getattr(zeal, "is_patched", False):
        initialize_app_registry()
        patch()
        zeal.is_patched = True
    with zeal.zeal_context():
        yield


# ---------------------------------------------------------------- browser


@pytest.fixture(scope="session")
def chromium(request: pytest.FixtureRequest) -> Iterator["Browser"]:
    """Start one Chromium for all tests of this worker."""
    program = os.environ.get("HANCHAN_CHROMIUM") or bootstrap.find(bootstrap.BROWSERS)
    if program is None:
        pytest.skip("no Chromium on this machine")
    from playwright.sync_api import sync_playwright

    # Playwright's loop runs in this thread, and Django takes any loop for a reason to refuse queries.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    # pages of one context share a process, which stands from one test to the next: see tests/e2e/contexts.py
    flags = ["--disable-gpu", "--disable-dev-shm-usage", "--renderer-process-limit=1"]
    if "not nightly" in request.config.option.markexpr:
        # pages are laid out and no pixel is painted: only a nightly test looks at that, how soon it happens
        flags.append("--force-gpu-mem-available-mb=0")
    if sys.platform == "linux" and os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium's own rule for root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: "Browser") -> Iterator["Page"]:
    """Open a page as wide as a referee's laptop; fail after the test if a script or the content policy complained."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB", timezone_id="Europe/London")
    complaints: list[str] = []

    def note(message: "ConsoleMessage") -> None:
        # an answer of 4xx is logged as an error by the browser, and is often just what a test is after
        if message.type == "error" and not re.match("Failed to load resource", message.text):
            complaints.append(message.text)

    context.on("console", note)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    tab = context.new_page()
    tab.set_default_timeout(10_000)
    yield tab
    context.close()
    assert complaints == []
