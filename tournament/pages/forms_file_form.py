"""The form of a file to read, or of cells pasted from a spreadsheet instead."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.imports.files_sheet import BYTES_LIMIT


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


def read_upload(file: UploadedFile) -> bytes:
    """Return a file's content; of one that is too large just so much that the reader notices."""
    return file.read(BYTES_LIMIT + 1)
