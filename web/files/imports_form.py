"""Files as organisers upload them, and what was read of one carried from look to yes: signed, not kept by the server.

What is carried is the sheet, not the outcome: whatever is confirmed is understood and judged anew.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournament.imports.listing import Source
from tournament.imports.sheet import BYTES_LIMIT, Sheet

SALT = "list-import"
PREVIEW_LIFE = 3600  # seconds
_COLUMN = re.compile(r"column-([0-9]{1,3})")


class FileForm(forms.Form):
    """One file."""

    file = forms.FileField(label=_("File"), help_text=_("xlsx or csv"))


class ResultsFileForm(FileForm):
    """Results, of all rounds that the file names or of one alone."""

    only = forms.TypedChoiceField(label=_("Rounds"), coerce=int, empty_value=None, required=False)

    def __init__(self, rounds: Sequence[int], *args: Any) -> None:
        super().__init__(*args)
        choices = [("", _("as the file says")), *((number, str(number)) for number in rounds)]
        self.fields["only"].choices = choices  # type: ignore[attr-defined]


class LogForm(forms.Form):
    """The log of one game."""

    file = forms.FileField(label=_("Log of the game"), help_text=_("JSON: an object with “entries”"))


@dataclass(frozen=True, slots=True)
class Carried:
    """What a page carries: the sheet, where it came from, and the one round that it is about, if it is."""

    sheet: Sheet
    source: Source
    only: int | None = None


def read_upload(file: UploadedFile) -> bytes:
    """Return a file's content; of one that is too large just so much that the reader notices."""
    return file.read(BYTES_LIMIT + 1)


def pack(carried: Carried, slug: str, kind: str) -> str:
    """Sign a sheet for one event and one kind of list."""
    packed = {
        "event": slug,
        "kind": kind,
        "file": carried.source.filename,
        "digest": carried.source.digest,
        "only": carried.only,
        "sheet": carried.sheet.as_json(),
    }
    return signing.dumps(packed, salt=SALT, compress=True)


def unpack(text: str, slug: str, kind: str) -> Carried | None:
    """Return what a page carried; None where it is older than an hour, changed, or of another event or kind."""
    try:
        packed: dict[str, Any] = signing.loads(text, salt=SALT, max_age=PREVIEW_LIFE)
    except signing.BadSignature:
        return None
    if (packed.get("event"), packed.get("kind")) != (slug, kind):
        return None
    return Carried(Sheet.from_json(packed["sheet"]), Source(packed["file"], packed["digest"]), packed["only"])


def read_chosen(data: Mapping[str, Any], meanings: Sequence[str]) -> dict[int, str] | None:
    """Return what somebody chose for the columns, None where nobody was asked; strange values count as "not used"."""
    found = {int(match[1]): str(data[name]) for name in data if (match := _COLUMN.fullmatch(name))}
    return {index: meaning if meaning in meanings else "" for index, meaning in found.items()} or None
