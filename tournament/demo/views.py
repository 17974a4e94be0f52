"""The demo: the page by which a visitor becomes a referee under a guest's name, and its desks, one after another.

Each desk has a folder of its own with fresh samples, and ends with it. The page exists in demos alone.
"""

import contextlib
import datetime as dt
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring.problems import ProblemType
from tournament.accounts.actions import admit_guest
from tournament.core.rate_limits import Limiter, RateLimitedError, Source
from tournament.events.queries import list_events
from tournament.pages.permissions import for_anyone
from tournament.pages.sign_in import client_network, sign_in_as, too_many

DEMO_FULL = ProblemType("demo.full", "Too many guests came in at once: wait {wait}.")

HOUR = dt.timedelta(hours=1)
GUESTS = Limiter(scope="guest", span=HOUR, network=60, everybody=3000)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_anyone
def demo(request: HttpRequest) -> HttpResponse:
    """Say what the demo is; the button makes a guest, who is signed in as a referee of all its events."""
    if request.method != "POST":
        return render(request, "demo/demo.html", {"until": settings.DEMO_UNTIL, "events": list_events()})
    if wait := GUESTS.count(Source(client_network(request))):
        return too_many(request, RateLimitedError(DEMO_FULL, wait=wait))
    sign_in_as(request, admit_guest())
    return redirect("demo")


AHEAD = dt.timedelta(minutes=1)  # the next hour's folder is made so long before, since samples take seconds
TO_STOP = 30  # seconds that a desk has to end by itself
# of the operator's desk; the demo keeps nothing and reaches nobody
TAKEN_AWAY = ("DATABASE_URL", "HANCHAN_BACKUP_TO", "HANCHAN_BACKUP_KEY", "HANCHAN_CACHE", "HANCHAN_METRICS_TOKEN")


@dataclass(frozen=True, slots=True)
class Demo:
    """How the desks of a demo are started; `place` holds their folders, `arguments` go to each of them."""

    place: Path
    arguments: Sequence[str]
    span: dt.timedelta

    def run(self) -> None:
        """Run desks until Ctrl-C; raises CommandError where one cannot be prepared or ends by itself."""
        shutil.rmtree(self.place, ignore_errors=True)  # of a demo whose machine went off
        self.place.mkdir(parents=True)
        try:
            data = self.prepared()
            while True:
                data = self.one(data)
        finally:
            shutil.rmtree(self.place, ignore_errors=True)

    def one(self, data: Path) -> Path:
        """Run a desk on `data` for its time, then remove its folder; return that of the next one."""
        until = timezone.now() + self.span
        desk = subprocess.Popen(self._command("desk", *self.arguments), env=self._environment(data, until))
        try:
            _wait(desk, until - min(AHEAD, self.span / 2))
            following = self.prepared()
            _wait(desk, until)
        finally:
            desk.send_signal(signal.SIGINT)
            try:
                desk.wait(TO_STOP)
            except subprocess.TimeoutExpired:
                desk.kill()
                desk.wait()
        shutil.rmtree(data)
        return following

    def prepared(self) -> Path:
        """Return a new folder with database, static files and samples."""
        data = Path(tempfile.mkdtemp(dir=self.place))
        line = self._command("desk", "--sample", "--prepare")
        done = subprocess.run(
            line, env=self._environment(data, timezone.now()), capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise CommandError(f"The demo cannot be prepared: {done.stderr.strip()}")
        return data

    def _command(self, *words: str) -> list[str]:
        return [sys.executable, str(settings.BASE_DIR / "manage.py"), *words]

    def _environment(self, data: Path, until: dt.datetime) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in TAKEN_AWAY}
        ours = {"HANCHAN_DATA": str(data), "HANCHAN_DEMO_UNTIL": until.isoformat(), "HANCHAN_SERVICE": "1"}
        return kept | ours | {"HANCHAN_NO_BOOTSTRAP": "1", "HANCHAN_BACKUP_MINUTES": "0"}


def _wait(desk: "subprocess.Popen[bytes]", until: dt.datetime) -> None:
    """Wait until a moment; raises CommandError where the desk ends before it."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        desk.wait(max(0, (until - timezone.now()).total_seconds()))
        raise CommandError("The desk of the demo has ended by itself.")
