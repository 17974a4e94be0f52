"""Rule sets of the site: make them from a book or a file, change them in versions, compare, download, delete."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules.book_text import MOST_BYTES
from rules.books import Book, book_keys, load_book, parse_book
from rules.ruleset import Fault, RulesetError
from rules.writing import book_toml
from scoring.problems import InvalidInput
from tournament.core.errors import Refused
from tournament.models.rule_sets import RuleSetVersion
from tournament.pages.files_file_answers import file_answer
from tournament.pages.permissions_gateways import DeskRequest, for_site
from tournament.pages.requests_tables import to_uuid
from tournament.rulesets.actions import changed_book, delete_rule_set, save_rule_set
from tournament.rulesets.forms_rules_form import RuleSetForm, controls_of, put_at_fields, wrong_fields
from tournament.rulesets.queries_rule_sets import basis_of, get_version, list_events_with, list_rule_sets
from tournament.rulesets.views_rules import compare_rules, list_books, preset_of, sections_of
from tournament.tables.queries_tables import names_of
from tournament.text.problems_1 import say
from tournament.text.rules_1 import say_basis

USUAL = "ema-2025"
MOST_LINE = 200  # characters of a line that is shown with its fault
TOML = "application/toml; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Choice:
    """Rules to start from or to compare with: their address in a query, their title, the rules themselves."""

    value: str
    title: str
    book: Book


@require_safe
@for_site
def rule_sets(request: DeskRequest) -> HttpResponse:
    """List the rule sets of the site."""
    rows = [{"own": own, "title": own.newest.rules["title"], "basis": _basis(own.newest)} for own in list_rule_sets()]
    return _page(request, "event/rule_sets.html", {"sets": rows, "choices": _choices()})


@require_http_methods(["GET", "POST"])
@for_site
def new_set(request: DeskRequest) -> HttpResponse:
    """Make a rule set from a book or another set, by the form of all rules."""
    start = _chosen(request.GET.get("from", USUAL))
    if start is None:
        raise Http404("There is no such rule set.")
    return _edit(request, start.book, None)


@require_http_methods(["GET", "POST"])
@for_site
def change_set(request: DeskRequest, own: str) -> HttpResponse:
    """Change a rule set by the form of all rules: that makes the next version."""
    version = _version(own)
    return _edit(request, version.book, version)


def _edit(request: DeskRequest, book: Book, version: RuleSetVersion | None) -> HttpResponse:
    title = book.ruleset.title if version else ""
    form = RuleSetForm(book.ruleset, title, request.POST or None, again=version is not None)
    context: dict[str, Any] = {}
    if form.is_valid():
        try:
            made = changed_book(
                book,
                title=form.cleaned_data["title"],
                values=form.values(),
                why=form.cleaned_data["reason"] or _("as %(title)s plays it") % {"title": form.cleaned_data["title"]},
            )
            return _saved(request, made, version, form.cleaned_data["reason"])
        except (InvalidInput, Refused) as refused:
            context["problems"] = [{"message": say(problem)} for problem in put_at_fields(form, refused.problems)]
    preset = preset_of(book.ruleset)
    context |= {
        "form": form,
        "version": version,
        "start": book.ruleset.title,
        "preset": preset,
        "sections": controls_of(form, preset),
        "wrong": wrong_fields(form),
        "client_id": uuid4(),
        "shown": version.number if version else 0,
    }
    return _page(request, "event/rule_set_form.html", context, status=422 if form.is_bound else 200)


class TomlForm(forms.Form):
    """A rule set as TOML, as a file or as text."""

    file = forms.FileField(label=gettext_lazy("File"), required=False)
    text = forms.CharField(
        label=gettext_lazy("Or its text"),
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "false", "class": "mono", "wrap": "off"}),
    )
    note = forms.CharField(label=gettext_lazy("What is changed, and why"), max_length=300, required=False)

    def clean(self) -> dict[str, Any]:
        """Read the file in place of the text."""
        cleaned = self.cleaned_data
        file = cleaned.get("file")
        if file:
            cleaned["text"] = self._read(file)
        elif "text" not in self.errors and not cleaned.get("text", "").strip():
            self.add_error("file", _("Choose a file, or paste its text."))
        return cleaned

    def _read(self, file: Any) -> str:
        if file.size > MOST_BYTES:
            self.add_error("file", _("The file is too large for a rule set."))
            return ""
        try:
            return str(file.read().decode("utf-8-sig"))
        except UnicodeDecodeError:
            self.add_error("file", _("This is not UTF-8 text."))
            return ""


@require_http_methods(["GET", "POST"])
@for_site
def set_file(request: DeskRequest, own: str = "") -> HttpResponse:
    """Make a rule set from TOML, or the next version of one; every error is shown with its line."""
    version = _version(own) if own else None
    posted = request.method == "POST"
    first = {"text": book_toml(version.book)} if version else {}
    form = TomlForm(request.POST, request.FILES) if posted else TomlForm(initial=first)
    faults: tuple[Fault, ...] = ()
    more = 0
    text = ""
    if form.is_valid():
        text = form.cleaned_data["text"]
        try:
            book = parse_book(text, key=own, source="text")
            return _saved(request, book, version, form.cleaned_data["note"])
        except RulesetError as wrong:
            faults, more = wrong.faults, wrong.more
        except (InvalidInput, Refused) as refused:
            for problem in refused.problems:
                form.add_error(None, say(problem))
        form.data = {**request.POST.dict(), "text": text}  # a file's text stays on the page, to be mended there
    context = {
        "form": form,
        "version": version,
        "faults": _with_lines(faults, text),
        "count": len(faults) + more,
        "more": more,
        "client_id": uuid4(),
        "shown": version.number if version else 0,
    }
    return _page(request, "event/rule_set_file.html", context, status=422 if posted else 200)


def _with_lines(faults: tuple[Fault, ...], text: str) -> list[dict[str, Any]]:
    lines = [line[:MOST_LINE] for line in text.splitlines()]
    return [{"fault": fault, "line": lines[fault.line - 1] if 0 < fault.line <= len(lines) else ""} for fault in faults]


def _saved(request: DeskRequest, book: Book, version: RuleSetVersion | None, note: str) -> HttpResponse:
    """Save a version, say what came of it, and go to the rule set; raises Refused."""
    saved = save_rule_set(
        rule_set=version.rule_set if version else None,
        book=book,
        note=note,
        seen=_number(request.POST.get("seen", "")) or 0,
        client_id=to_uuid(request.POST.get("client_id", "")),
        by=request.user,
    )
    if saved is None:
        messages.info(request, _("Nothing was changed."))
        return redirect(request.path)
    messages.success(request, _("Version %(number)d is saved.") % {"number": saved.number})
    return redirect("desk:rule_set", saved.rule_set.key)


@require_safe
@for_site
def rule_set(request: DeskRequest, own: str) -> HttpResponse:
    """Show a version of a rule set, whole or where it differs from other rules, with all versions and events."""
    version = _version(own, _number(request.GET.get("version", "")))
    versions = list(version.rule_set.versions.order_by("-number"))
    authors = names_of(each.by for each in versions)
    other = request.GET.get("against", "")
    against = _chosen(other) if other else None
    if other and against is None:
        raise Http404("There is no such rule set.")
    context = {
        "version": version,
        "newest": versions[0].number,
        "title": version.rules["title"],
        "basis": _basis(version),
        "versions": [{"version": each, "by": authors.get(each.by, "")} for each in versions],
        "events": list_events_with(version.rule_set),
        "choices": _against(version, versions),
        "chosen": other,
        "against": against,
        "compared": _compared(version, against) if against else None,
        "sections": sections_of(version.ruleset, version.book),
    }
    return _page(request, "event/rule_set.html", context)


def _compared(version: RuleSetVersion, against: Choice) -> Any:
    here = (
        _version_title(version) if version.rule_set.key == against.value.partition("/")[0] else version.rules["title"]
    )
    return compare_rules((version.ruleset, version.book, here), (against.book.ruleset, against.book, against.title))


@require_safe
@for_site
def set_toml(request: DeskRequest, own: str) -> HttpResponse:
    """Give a version of a rule set as TOML."""
    version = _version(own, _number(request.GET.get("version", "")))
    return file_answer(book_toml(version.book).encode(), TOML, f"{own}-{version.number}.toml")


@require_POST
@for_site
def delete_set(request: DeskRequest, own: str) -> HttpResponse:
    """Delete a rule set that no event has; one that is gone already is left so."""
    version = get_version(own)
    if version is None:
        return redirect("desk:rule_sets")
    try:
        delete_rule_set(rule_set=version.rule_set, by=request.user)
    except Refused as refused:
        messages.error(request, " ".join(say(problem) for problem in refused.problems))
        return redirect("desk:rule_set", own)
    messages.success(request, _("The rule set “%(title)s” is deleted.") % {"title": version.rules["title"]})
    return redirect("desk:rule_sets")


def _page(request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    return render(request, template, {"who": request.user, **context}, status=status)


def _version(key: str, number: int | None = None) -> RuleSetVersion:
    version = get_version(key, number)
    if version is None:
        raise Http404("There is no such rule set.")
    return version


def _version_title(version: RuleSetVersion) -> str:
    return _("%(title)s, version %(number)s") % {"title": version.rules["title"], "number": version.number}


def _basis(version: RuleSetVersion) -> str:
    basis = basis_of(version.ruleset)
    return say_basis("", basis.title, basis.changes) if basis else ""


def _choices() -> list[Choice]:
    """Return the books and the newest version of each rule set of the site, own ones first."""
    own = [Choice(each.key, str(each.newest.rules["title"]), each.newest.book) for each in list_rule_sets()]
    return own + [Choice(book.ruleset.key, book.ruleset.title, book) for book in list_books()]


def _against(version: RuleSetVersion, versions: list[RuleSetVersion]) -> list[Choice]:
    """Return what a version can be compared with: the other versions of its set, other sets, the books."""
    key = version.rule_set.key
    own = [
        Choice(f"{key}/{each.number}", _version_title(each), each.book) for each in versions if each.pk != version.pk
    ]
    return own + [choice for choice in _choices() if choice.value != key]


def _chosen(value: str) -> Choice | None:
    """Return the rules that a query names: a book or a rule set by key, or a version as KEY/NUMBER."""
    if value in book_keys():
        book = load_book(value)
        return Choice(value, book.ruleset.title, book)
    key, _slash, number = value.partition("/")
    version = get_version(key, _number(number))
    if version is None:
        return None
    return Choice(value, _version_title(version) if number else str(version.rules["title"]), version.book)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None
