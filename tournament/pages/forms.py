"""Forms that features share: a file or cells pasted from a spreadsheet, and the warning of similar names.

Nothing is merged: two spellings of one person stay two players.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournament.core.errors import DomainError
from tournament.core.limits import BYTES_LIMIT
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest
from tournament.players.models import Player
from tournament.publication.names import list_names
from tournament.text.names import find_alike
from tournament.text.problems import problem_text


class FileForm(forms.Form):
    """One file, or cells pasted from a spreadsheet."""

    either = True  # templates/ui/field.html: neither says "optional"
    file = forms.FileField(label=_("File"), help_text=_("xlsx or csv"), required=False)
    pasted = forms.CharField(
        label=_("Or paste from a spreadsheet"),
        help_text=_("Copy the cells with their headings."),
        widget=forms.Textarea(attrs={"rows": 4, "autocomplete": "off", "spellcheck": "false"}),
        max_length=BYTES_LIMIT // 10,
        required=False,
        strip=False,
    )

    def clean(self) -> dict[str, Any]:
        """Want one of the two."""
        if not self.errors and not self.cleaned_data.get("file") and not self.cleaned_data.get("pasted", "").strip():
            self.add_error("file", _("Choose a file, or paste cells."))
        return self.cleaned_data

    def content(self) -> tuple[bytes, str]:
        """Return what was given and what it is called."""
        file = self.cleaned_data.get("file")
        if file:
            return read_upload(file), file.name
        return self.cleaned_data["pasted"].encode(), gettext("pasted cells")


def add_problems(form: forms.Form, refused: DomainError, fields: Mapping[str, str]) -> None:
    """Add what an action refused to a form, each problem at its field by its code, others above the form."""
    for problem in refused.problems:
        name = fields.get(problem.code)
        form.add_error(name if name in form.fields else None, problem_text(problem))


def read_upload(file: UploadedFile) -> bytes:
    """Return a file's content; of one that is too large just so much that the reader notices."""
    return file.read(BYTES_LIMIT + 1)


MAX_NAMED = 2


def likes_of(people: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return a label by number for those of these people whose names are similar to others.

    >>> likes_of([(1, "Ana Berg"), (2, "Mio Sol"), (3, "Ana Bergh")])
    {1: 'Similar: Ana Bergh (3)', 3: 'Similar: Ana Berg (1)'}
    """
    rows = list(people)
    alike = find_alike([name for _number, name in rows])
    return {
        number: gettext("Similar: %(names)s") % {"names": _named([rows[other] for other in others])}
        for (number, _name), others in zip(rows, alike, strict=True)
        if others
    }


def like_of(event: Event, name: str) -> str:
    """Return the label of a new name; "" where no name is similar, or a player has exactly this one."""
    people = sorted(list_names(event))
    if not name.strip() or any(name.strip().casefold() == known.casefold() for _number, known in people):
        return ""
    return likes_of([*people, (0, name)]).get(0, "")


def warn_of_likes(request: DeskRequest, event: Event, player: Player) -> None:
    """Add a message where a new player's name is similar to another's."""
    like = likes_of(sorted(list_names(event))).get(player.number)
    if like:
        said = gettext(
            "%(name)s (%(number)d) – %(like)s. One person twice, or two people? Nothing is merged automatically."
        )
        messages.warning(request, said % {"name": player.person, "number": player.number, "like": like})


def _named(rows: list[tuple[int, str]]) -> str:
    said = ", ".join(f"{name} ({number})" for number, name in rows[:MAX_NAMED])
    more = len(rows) - MAX_NAMED
    if more < 1:
        return said
    return said + " " + ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more}
