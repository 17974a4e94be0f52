"""A schedule made elsewhere as an organiser uploads it, and what was read of it carried from look to yes, signed."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core import signing
from django.utils.translation import gettext_lazy as _

from tournament.imports.schedule import SchedulePreview
from tournament.services.draws.schedules import PlayerIds

SALT = "schedule-import"
PREVIEW_LIFE = 3600  # seconds


class ScheduleForm(forms.Form):
    """A schedule as a file."""

    file = forms.FileField(label=_("Schedule"), help_text=_("xlsx or csv, or the output of manage.py seat --json"))


def pack(preview: SchedulePreview, slug: str, keys: Mapping[int, int]) -> str:
    """Sign the seats of a sound preview for one event; `keys` are the primary keys of players by number."""
    rounds = [[[keys[number] for number in table] for table in tables] for tables in preview.rounds]
    packed = {"event": slug, "rounds": rounds, "digest": preview.digest, "file": preview.filename}
    return signing.dumps(packed, salt=SALT, compress=True)


def unpack(text: str, slug: str) -> tuple[PlayerIds, str, str] | None:
    """Return (rounds, digest, name of the file); None where it is older than an hour, changed, or of another event."""
    try:
        packed: dict[str, Any] = signing.loads(text, salt=SALT, max_age=PREVIEW_LIFE)
    except signing.BadSignature:
        return None
    return (packed["rounds"], packed["digest"], packed["file"]) if packed.get("event") == slug else None
