"""The page of backups: the last one in each folder, what is wrong, and one button."""

import datetime as dt
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from tournament.backups.backup import WELL, BackupConfig, State, back_up, list_backups, next_at, read_state
from tournament.backups.config import backup_config, moment_of
from tournament.backups.thread import clock_faults
from tournament.pages.lists import ListColumn, ListTable
from tournament.pages.permissions import DeskRequest, for_site
from tournament.text.problems import problem_text


@dataclass(frozen=True, slots=True)
class Listed:
    """A backup that a folder has; `size` in kB."""

    at: dt.datetime
    file: str
    folder: str
    size: int


class BackupsTable(ListTable):
    """The backups that the folders have."""

    title = gettext_lazy("Backups")
    at = ListColumn(gettext_lazy("When"), value=lambda row: row.at, kind="moment")
    file_name = ListColumn(gettext_lazy("File"), value=lambda row: row.file, css="mono")
    folder = ListColumn(gettext_lazy("Folder"), value=lambda row: row.folder, css="mono")
    size = ListColumn(gettext_lazy("kB"), value=lambda row: row.size, kind="count")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "is-stack"}
        order_by = "-at"


@require_http_methods(["GET", "POST"])
@for_site
def backups(request: DeskRequest) -> HttpResponse:
    """Show where the backups are, or make one now in every folder."""
    kept = backup_config()
    if request.method == "POST":
        state = back_up(kept, timezone.now(), always=True)
        if all(known.fault in WELL for known in state.folders.values()):
            messages.success(request, _("The backup is made and checked."))
        else:
            messages.error(request, _("Some folders have no backup: see below."))
        return redirect("desk:backups")
    table = BackupsTable([row for folder in kept.folders for row in _kept(folder)], request)
    if file := table.file(_("Backups")):
        return file
    context = _context(request, kept, read_state(kept)) | {"table": table}
    return render(request, "backups/backups.html", context)


def _kept(folder: Path) -> Iterator[Listed]:
    """Yield the backups of a folder; none of one that cannot be read, as a stick that was pulled out."""
    with suppress(OSError):
        for kept in list_backups(folder):
            yield Listed(kept.at, kept.path.name, str(folder), max(1, kept.path.stat().st_size // 1024))


def _context(request: DeskRequest, kept: BackupConfig, state: State) -> dict[str, Any]:
    return {
        "who": request.user,
        "folders": [_folder(kept, state, index) for index in range(len(kept.folders))],
        "sealed": bool(kept.key),
        "minutes": kept.minutes,
        "running": state.running,
        "next": next_at(kept, state),
        "events_folder": settings.DATA_DIR / "events",
        "went_back": "".join(map(problem_text, clock_faults(timezone.now()))),
    }


def _folder(kept: BackupConfig, state: State, index: int) -> dict[str, Any]:
    """Return one folder as the page shows it; the first is the desk's own."""
    folder = kept.folders[index]
    known = state.of(folder)
    at: dt.datetime | None = moment_of(known.at or None)
    return {
        "path": folder,
        "own": index == 0,
        "at": at,
        "file": known.file,
        "kilobytes": max(1, known.size // 1024),
        "fault": problem_text(known.problem) if known.problem else "",
        "note": known.fault in WELL,
    }
