"""Forms that features share: a file or pasted cells, a list typed as rows, and the warning of similar names.

Nothing is merged: two spellings of one person stay two players.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.problems import InvalidInput
from tournament.core.errors import DomainError
from tournament.core.hash_chain import checksum
from tournament.core.limits import BYTES_LIMIT
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context
from tournament.pages.requests import UNPROCESSABLE, flash_saved
from tournament.players.models import Player
from tournament.publication.names import list_names
from tournament.text.languages import join_commas
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


class ReadField(forms.CharField):
    """A text whose value is what a function reads in it; what that refuses as a DomainError is the field's error."""

    def __init__(self, read: Callable[[str], Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.read = read

    def clean(self, value: Any) -> Any:
        """Return what is read in the text."""
        try:
            return self.read(super().clean(value))
        except DomainError as refused:
            raise forms.ValidationError([problem_text(problem) for problem in refused.problems]) from refused


class SettingsForm(forms.Form):
    """A form of stored values, given as `initial`: a field that is not sent keeps its value; a tick box is off then."""

    def full_clean(self) -> None:
        """Take the stored value of what is not sent, as by a page from before an update."""
        for name, field in self.fields.items():
            if self.is_bound and field.widget.value_omitted_from_data(self.data, self.files, self.add_prefix(name)):
                field.disabled = True
        super().full_clean()


def add_problems(form: forms.Form, refused: DomainError | InvalidInput, fields: Mapping[str, str]) -> None:
    """Add what an action refused to a form, each problem at its field by its code, others above the form."""
    for problem in refused.problems:
        name = fields.get(problem.code)
        form.add_error(name if name in form.fields else None, problem_text(problem))


def edit_rows(
    request: DeskRequest,
    event: Event,
    name: str,
    template: str,
    form: type[forms.Form],
    stored: list[dict[str, Any]],
    save: Callable[..., bool],
    *,
    most: int,
    said: str,
    context: Callable[[], dict[str, Any]],
    **kwargs: Any,
) -> HttpResponse:
    """Show the rows of the page `desk:NAME` as forms, or save them: `save` is the action that sets them all.

    `seen` is what the page has shown, so that what somebody else has saved meanwhile is not lost. `context` is asked
    for what the page shows beside its forms. At most `most` rows are taken, so that the fields stay below Django's
    limit. Each form gets the other arguments; its `row()` is empty where nothing is typed.
    """
    posted = request.method == "POST"
    rows: Any = forms.formset_factory(form, extra=3, max_num=most, absolute_max=most)
    formset = rows(request.POST if posted else None, initial=stored, form_kwargs=kwargs, prefix="row")
    errors: list[str] = []
    if posted and formset.is_valid():
        wanted = [row for each in formset if any((row := each.row()).values())]
        try:
            changed = save(event=event, rows=wanted, seen=request.POST.get("seen", ""), by=request.user)
        except DomainError as refused:
            errors = [problem_text(problem) for problem in refused.problems]
        else:
            flash_saved(request, said, changed=changed)
            return redirect(f"desk:{name}", event.slug)
    seen = request.POST.get("seen", "") if posted else checksum(stored)
    page = desk_context(request, event, "settings", formset=formset, errors=errors, seen=seen, **context())
    return render(request, template, page, status=UNPROCESSABLE if posted else 200)


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
    said = join_commas(f"{name} ({number})" for number, name in rows[:MAX_NAMED])
    more = len(rows) - MAX_NAMED
    if more < 1:
        return said
    return said + " " + ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more}
