"""Rule sets: public pages of books and comparisons, and those of the site: make, change, download, delete."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules.book_text import MAX_BYTES
from rules.books import Book, book_keys, load_book, parse_book
from rules.procedure import procedure_of
from rules.ruleset import Fault, Ruleset, RulesetError, diff, rule_fields
from rules.writing import book_toml
from scoring.problems import InvalidInput
from tournament.accounts.queries import account_names
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.pages.files import file_answer
from tournament.pages.permissions import DeskRequest, for_anyone, for_site
from tournament.pages.requests import to_uuid
from tournament.pages.sign_in import confirm_first
from tournament.pdf.drawings import wall_svg
from tournament.rulesets.actions import changed_book, delete_rule_set, save_rule_set
from tournament.rulesets.forms import RuleSetForm, controls_of, put_at_fields, wrong_fields
from tournament.rulesets.messages import SECTION_OF, Stated, rule_choices, stated
from tournament.rulesets.models import RuleSetVersion
from tournament.rulesets.queries import (
    NextHand,
    RuleChange,
    TableEffect,
    basis_of,
    get_version,
    get_version_of,
    list_events_with,
    list_rule_sets,
)
from tournament.text.problems import problem_text
from tournament.text.rules import SECTIONS, is_played, rule_gloss, rule_name, say_basis, say_change, say_procedure


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule; `played` is false for a yaku that does not count; `other` is what another rule set states, or None."""

    field: str
    name: str
    gloss: str
    played: bool
    here: Stated
    other: Stated | None = None


@dataclass(frozen=True, slots=True)
class RuleSection:
    """Rules that belong together; yaku that are not played stand apart."""

    key: str
    title: str
    rows: Sequence[RuleRow]
    not_played: Sequence[RuleRow] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """Two rule sets side by side: by their titles, only the rules on which they differ."""

    here: str
    there: str
    count: int
    sections: Sequence[RuleSection]


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """A change of the rules during the event, in words."""

    change: RuleChange
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class EffectRow:
    """A table that a change of rules would change: who gets what, and the hand it would be at where that moves."""

    effect: TableEffect
    moves: bool
    seats: Sequence[Any]

    @property
    def before(self) -> NextHand:
        """The hand that the table is at."""
        return self.effect.before

    @property
    def after(self) -> NextHand:
        """The hand that the table would be at."""
        return self.effect.after


def preset_of(rules: Ruleset) -> Book | None:
    """Return the book that a rule set was made from, or None where it is not known here."""
    return load_book(rules.key) if rules.key in book_keys() else None


def list_books() -> list[Book]:
    """List all books, those for four players first."""
    books = [load_book(key) for key in book_keys()]
    return sorted(books, key=lambda book: (-book.ruleset.players, book.ruleset.title))


def sections_of(rules: Ruleset, book: Book | None) -> list[RuleSection]:
    """Return every rule of a rule set by section; beside what is not the book's stands what the book says."""
    return _by_section([_row(field.name, rules, book) for field in rule_fields()])


def own_book(event: Event) -> Book | None:
    """Return what cites an event's rules: its version of a rule set of the site, else the book they are based on."""
    version = get_version_of(event)
    return version.book if version else preset_of(event.ruleset)


def compare_event(event: Event, book: Book) -> Compared:
    """Return the rules in which an event differs from a book."""
    here = (event.ruleset, own_book(event), _("This event"))
    return compare_rules(here, (book.ruleset, book, book.ruleset.title))


def compare_rules(one: tuple[Ruleset, Book | None, str], other: tuple[Ruleset, Book | None, str]) -> Compared:
    """Return the rules on which two rule sets differ; each comes with the book that cites it and a title."""
    (here, here_book, here_title), (there, there_book, there_title) = one, other
    rows = [
        RuleRow(
            field=each.field,
            name=rule_name(each.field),
            gloss=rule_gloss(each.field),
            played=is_played(each.field, each.here),
            here=stated(each.field, here, here_book),
            other=stated(each.field, there, there_book),
        )
        for each in diff(here, there)
    ]
    return Compared(here_title, there_title, len(rows), _by_section(rows, fold=False))


def rules_line(event: Event) -> str:
    """Name an event's rules: their title, the version of a rule set of the site, the book they are based on."""
    rules, basis = event.ruleset, basis_of(event.ruleset)
    version = _("version %(number)s") % {"number": event.rule_set_version} if event.rule_set_version else ""
    words = say_basis(rules.title, basis.title, basis.changes) if basis else ""
    return " · ".join(filter(None, (rules.title, version, words)))


def change_lines(changes: Iterable[RuleChange]) -> list[ChangeLine]:
    """Put changes of the rules into words."""
    return [
        ChangeLine(
            change, [*(say_change(one.field, one.before, one.after) for one in change.changes), *_say_given(change)]
        )
        for change in changes
    ]


def _say_given(change: RuleChange) -> list[str]:
    """Say what became of the penalties that were given before a change of the rules."""
    if not change.given:
        return []
    kept = change.given == "kept"
    return [_("penalties given before keep their amounts") if kept else _("penalties given before change, too")]


def effect_rows(effects: Iterable[TableEffect]) -> list[EffectRow]:
    """Return the tables that a change of rules would change, with those seats alone that it changes."""
    return [
        EffectRow(
            effect,
            moves=effect.stage != "signed" and effect.before != effect.after,
            seats=[seat for seat in effect.seats if seat.before != seat.after],
        )
        for effect in effects
    ]


def _row(name: str, rules: Ruleset, book: Book | None) -> RuleRow:
    here = stated(name, rules, book)
    other = stated(name, book.ruleset, book) if book and here.origin == "event" else None
    played = is_played(name, getattr(rules, name))
    return RuleRow(name, rule_name(name), rule_gloss(name), played, here, other)


def _by_section(rows: Iterable[RuleRow], *, fold: bool = True) -> list[RuleSection]:
    found: dict[str, list[RuleRow]] = {key: [] for key in SECTIONS}
    for row in rows:
        found[SECTION_OF[row.field]].append(row)
    return [
        RuleSection(
            key,
            _(SECTIONS[key]),
            [row for row in mine if row.played or row.other or not fold],
            [row for row in mine if not (row.played or row.other) and fold],
        )
        for key, mine in found.items()
        if mine
    ]


@require_safe
@for_anyone
def books(request: HttpRequest) -> HttpResponse:
    """List the rule sets."""
    cards = dict(rule_choices())
    rows = [{"book": book, "card": cards[book.ruleset.key]} for book in list_books()]
    return _kept(render(request, "rulesets/rule_books.html", {"books": rows, "csrf_token": ""}))


@require_safe
@for_anyone
def book(request: HttpRequest, key: str) -> HttpResponse:
    """Show every rule of a rule set with its clause, or with `?against=` where it differs from another."""
    found, other = _book(key), request.GET.get("against", "")
    against = _book(other) if other else None
    context = {
        "book": found,
        "others": [each for each in list_books() if each is not found],
        "against": against,
        "compared": compare_rules(
            (found.ruleset, found, found.ruleset.title), (against.ruleset, against, against.ruleset.title)
        )
        if against
        else None,
        "sections": sections_of(found.ruleset, found),
        **procedure_context(found.ruleset),
        "csrf_token": "",
    }
    return _kept(render(request, "rulesets/rule_book.html", context))


def procedure_context(rules: Ruleset) -> dict[str, Any]:
    """Return the context of rulesets/rule_parts.html#procedure: the steps, and the dead wall as a picture."""
    found = procedure_of(rules).procedure
    return {"procedure": say_procedure(rules), "wall": wall_svg(found.dead_wall // 2, found.indicator)}


def _book(key: str) -> Book:
    if key not in book_keys():
        raise Http404("There is no such rule set.")
    return load_book(key)


def _kept(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-cache"
    return response


USUAL = "ema-2025"
MAX_LINE = 200  # characters of a line that is shown with its fault
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
    return _page(request, "rulesets/rule_sets.html", {"sets": rows, "choices": _choices()})


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
        except (InvalidInput, DomainError) as refused:
            context["problems"] = [
                {"message": problem_text(problem)} for problem in put_at_fields(form, refused.problems)
            ]
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
    return _page(request, "rulesets/rule_set_form.html", context, status=422 if form.is_bound else 200)


class TomlForm(forms.Form):
    """A rule set as TOML, as a file or as text."""

    file = forms.FileField(label=gettext_lazy("File"), required=False)
    text = forms.CharField(
        label=gettext_lazy("Or its text"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
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
        if file.size > MAX_BYTES:
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
        except (InvalidInput, DomainError) as refused:
            for problem in refused.problems:
                form.add_error(None, problem_text(problem))
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
    return _page(request, "rulesets/rule_set_file.html", context, status=422 if posted else 200)


def _with_lines(faults: tuple[Fault, ...], text: str) -> list[dict[str, Any]]:
    lines = [line[:MAX_LINE] for line in text.splitlines()]
    return [{"fault": fault, "line": lines[fault.line - 1] if 0 < fault.line <= len(lines) else ""} for fault in faults]


def _saved(request: DeskRequest, book: Book, version: RuleSetVersion | None, note: str) -> HttpResponse:
    """Save a version, say what came of it, and go to the rule set; raises DomainError."""
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
    authors = account_names(each.by for each in versions)
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
    return _page(request, "rulesets/rule_set.html", context)


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
    named, back = {"title": version.rules["title"]}, reverse("desk:rule_set", args=[own])
    title = _("Delete the rule set “%(title)s”?") % named
    if asked := confirm_first(request, None, title=title, back=back, danger=True):
        return asked
    try:
        delete_rule_set(rule_set=version.rule_set, by=request.user)
    except DomainError as refused:
        messages.error(request, " ".join(problem_text(problem) for problem in refused.problems))
        return redirect("desk:rule_set", own)
    messages.success(request, _("The rule set “%(title)s” is deleted.") % named)
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
