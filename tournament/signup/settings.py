"""The settings of an event's page before it begins: texts, places, fee, questions, and who may see it."""

import copy
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from scoring.problems import Problem, ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.core.transaction import event_transaction
from tournament.events.models import Event
from tournament.pages.forms import SettingsForm, add_problems
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_saved
from tournament.signup.actions import is_iban, settle
from tournament.signup.messages import TEXT_WORDS
from tournament.signup.models import EmaPlayer, SignUpPage
from tournament.signup.queries import get_page, kept_until
from tournament.text.money import CURRENCIES, MAX_AMOUNT, MAX_AMOUNT_TEXT, decimal_of, parse_money
from tournament.text.problems import SIGN_UP_FIELDS, problem_text

SIGN_UP_PAGE_SET = Act(
    "sign_up_page_set",
    "changed the event's page and sign-up ({places} places)",
    Seals.OWN,
    shown_where='"shown"',  # one of its fields: other pages link to this one, which is made for each reader
)

SIGN_UP_OUT_OF_RANGE = ProblemType("sign_up.out_of_range", "{field}: from {least} to {most}.")
SIGN_UP_IBAN_WRONG = ProblemType("sign_up.iban_wrong", "“{iban}” is not an IBAN: its check digits are wrong.")
SIGN_UP_PAYEE_MISSING = ProblemType("sign_up.payee_missing", "Write who owns the account.")
SIGN_UP_CURRENCY_UNKNOWN = ProblemType("sign_up.currency_unknown", "Choose a currency from the list.")
SIGN_UP_MAP_PLACE_WRONG = ProblemType(
    "sign_up.map_place_wrong",
    "“{place}” is not a place on the map: write latitude and longitude, such as 52.52, 13.405.",
)
SIGN_UP_SITE_WRONG = ProblemType(
    "sign_up.site_wrong", "“{site}” is not the address of a desk, such as https://club.example.org."
)
SIGN_UP_SITE_MISSING = ProblemType(
    "sign_up.site_missing", "Write the address of this desk: the links of letters begin with it."
)
SIGN_UP_PLACES_MISSING = ProblemType("sign_up.places_missing", "Set how many places there are before sign-up opens.")
SIGN_UP_TEXT_TOO_LONG = ProblemType("sign_up.text_too_long", "A text is too long: at most {most} characters.")
SIGN_UP_QUESTIONS_TOO_MANY = ProblemType("sign_up.questions_too_many", "At most {most} questions can be asked.")
SIGN_UP_QUESTIONS_DIFFER = ProblemType(
    "sign_up.questions_differ",
    "Question {line} is not the same in all languages: each needs the same kind, and as many answers.",
)
SIGN_UP_QUESTION_UNUSABLE = ProblemType("sign_up.question_unusable", "This question cannot be used: “{line}”.")

TEXTS = ("about", "directions", "programme", "fee", "prizes", "referees", "letter")
MAX_TEXT = 5_000
MAX_PLACES = 2_000
MAX_QUESTIONS, MAX_CHOICES, MAX_LABEL = 12, 12, 120
MAX_HOURS, MAX_DAYS = 336, 365
_SITE = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,90}")
_PLACE = re.compile(r"(-?\d{1,2}(?:\.\d{1,8})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,8})?)")


def set_sign_up_page(*, event: Event, terms: Mapping[str, Any], by: Account) -> bool:
    """Set columns of the event's SignUpPage by their names; return whether anything changed.

    New places are offered at once to those who wait; with fewer nobody loses a place. Raises DomainError for terms that
    are not possible.
    """
    with event_transaction(event, SIGN_UP_PAGE_SET, by=by) as change:
        page = get_page(change.event)
        if faults := find_faults(page, terms):
            raise DomainError(*faults.values())
        wanted = {**terms, **({"texts": _texts(terms["texts"])} if "texts" in terms else {})}
        changed = [name for name, value in wanted.items() if getattr(page, name) != value]
        if not changed:
            return change.mark_unchanged()
        for name in changed:
            setattr(page, name, wanted[name])
        page.save()
        change.details = {"fields": changed, "places": page.places}
        settle(change, page)
    return True


def _texts(texts: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Return texts by key and language without the empty ones."""
    found = {
        key: {code: "\n".join(text.strip().splitlines()) for code, text in of.items() if text.strip()}
        for key, of in texts.items()
    }
    return {key: of for key, of in found.items() if of}


def find_faults(page: SignUpPage, given: Mapping[str, Any]) -> dict[str, Problem]:
    """Return what is wrong with new terms of a page, by the name of the term; all at once."""
    terms = copy.copy(page)
    for name, value in given.items():
        setattr(terms, name, value)
    ranges = {
        "places": (0, MAX_PLACES), "offer_hours": (1, MAX_HOURS), "fee": (0, MAX_AMOUNT),
        "pay_days": (0, MAX_DAYS), "keep_days": (1, MAX_DAYS),
    }  # fmt: skip
    found = {
        name: SIGN_UP_OUT_OF_RANGE(field=name, least=least, most=most)
        for name, (least, most) in ranges.items()
        if not least <= getattr(terms, name) <= most
    }
    lengths = [len(text) for of in terms.texts.values() for text in of.values()]
    wrong = {
        "iban": (terms.iban and not is_iban(terms.iban), SIGN_UP_IBAN_WRONG(iban=terms.iban[:40])),
        "payee": (terms.iban and not terms.payee, SIGN_UP_PAYEE_MISSING()),
        "currency": (terms.currency not in CURRENCIES, SIGN_UP_CURRENCY_UNKNOWN()),
        "map_place": (
            terms.map_place and not _is_place(terms.map_place), SIGN_UP_MAP_PLACE_WRONG(place=terms.map_place[:40]),
        ),
        "site": (
            (terms.site and not _SITE.fullmatch(terms.site)) or (terms.open and settings.MAIL and not terms.site),
            SIGN_UP_SITE_WRONG(site=terms.site[:60]) if terms.site else SIGN_UP_SITE_MISSING(),
        ),
        "places": (terms.open and not terms.places, SIGN_UP_PLACES_MISSING()),
        "texts": (
            not set(terms.texts) <= set(TEXTS) or max(lengths, default=0) > MAX_TEXT,
            SIGN_UP_TEXT_TOO_LONG(most=MAX_TEXT),
        ),
    }  # fmt: skip
    found |= {name: problem for name, (is_wrong, problem) in wrong.items() if is_wrong and name not in found}
    return {name: problem for name, problem in found.items() if name in given}


def _is_place(text: str) -> bool:
    found = _PLACE.fullmatch(text)
    return bool(found) and abs(float(found[1])) <= 90 and abs(float(found[2])) <= 180  # type: ignore[index]


# ---------------------------------------------------------------- questions


def read_questions(typed: Mapping[str, str]) -> list[dict[str, Any]]:
    """Read the organiser's questions, one a line, by language; line 2 is the same question in each.

    "Food: any / vegetarian" is a choice, "[] I bring a set" a box to tick, any other line a text; a star before it
    makes it one that must be answered. Raises DomainError for too many, or where a choice has another number of answers
    in another language.

    >>> read_questions({"en-gb": "*Food: any / vegan"})
    [{'kind': 'choice', 'required': True, 'label': {'en-gb': 'Food'}, 'choices': {'en-gb': ['any', 'vegan']}}]
    """
    lines: dict[str, list[dict[str, Any]]] = {}
    faults: list[Problem] = []
    for code, text in typed.items():
        for line in filter(str.strip, text.splitlines()):
            try:
                lines.setdefault(code, []).append(_question(line))
            except DomainError as wrong:
                faults += wrong.problems
    if faults:
        raise DomainError(*faults)
    count = max(map(len, lines.values()), default=0)
    if not set(lines) <= set(dict(settings.LANGUAGES)) or count > MAX_QUESTIONS:
        raise DomainError(SIGN_UP_QUESTIONS_TOO_MANY(most=MAX_QUESTIONS))
    found = []
    for number in range(count):
        same = {code: each[number] for code, each in lines.items() if number < len(each)}
        first = next(iter(same.values()))
        if len({(each["kind"], len(each["choices"])) for each in same.values()}) > 1:
            raise DomainError(SIGN_UP_QUESTIONS_DIFFER(line=number + 1))
        found.append(
            {
                "kind": first["kind"],
                "required": first["required"],
                "label": {code: each["label"] for code, each in same.items()},
                "choices": {code: each["choices"] for code, each in same.items()} if first["choices"] else {},
            }
        )
    return found


def _question(line: str) -> dict[str, Any]:
    text = line.strip()
    required, text = text.startswith("*"), text.removeprefix("*").strip()
    box = re.match(r"\[\s*\]\s*", text)
    label, colon, choices = ("", "", "") if box else text.partition(":")
    listed = [choice.strip() for choice in choices.split("/") if choice.strip()]
    if box or not (colon and len(listed) > 1):
        label, listed = text[box.end() :] if box else text, []
    too_long = max(map(len, [label, *listed])) > MAX_LABEL or len(listed) > MAX_CHOICES
    if not label.strip() or too_long:
        raise DomainError(SIGN_UP_QUESTION_UNUSABLE(line=line.strip()[:60]))
    kind = "box" if box else "choice" if listed else "text"
    return {"kind": kind, "required": required, "label": label.strip(), "choices": listed}


def write_questions(questions: Sequence[Mapping[str, Any]], code: str) -> str:
    """Write questions as they are typed in one language."""
    lines = []
    for each in questions:
        if code in each["label"]:
            box, choices = "[] " if each["kind"] == "box" else "", each["choices"].get(code, ())
            tail = f": {' / '.join(choices)}" if choices else ""
            lines.append(f"{'*' if each['required'] else ''}{box}{each['label'][code]}{tail}")
    return "\n".join(lines)


# ---------------------------------------------------------------- the page of the settings


PARTS = {
    "page": (_("Page"), ("shown", "address", "map_place")),
    "sign-up": (
        _("Sign-up"),
        ("open", "places", "closes_at", "offer_hours", "site", "coming_shown", "self_check_in", "keep_days"),
    ),
    "questions": (_("Questions"), ()),
    "fee": (_("Fee"), ("fee", "currency", "payee", "iban", "pay_days")),
    "texts": (_("Texts"), ()),
}


class PageForm(SettingsForm):
    """One part of the page: its terms; `questions_CODE`; or `text_KEY_CODE` for each text and language."""

    shown = forms.BooleanField(label=_("The page is public"), required=False)
    open = forms.BooleanField(label=_("Sign-up is open"), required=False)
    places = forms.IntegerField(label=_(SIGN_UP_FIELDS["places"]), min_value=0, max_value=MAX_PLACES)
    closes_at = forms.DateTimeField(
        label=_("Closes on"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
    )
    offer_hours = forms.IntegerField(label=_(SIGN_UP_FIELDS["offer_hours"]), min_value=1, max_value=MAX_HOURS)
    coming_shown = forms.BooleanField(
        label=_("The page names who is coming"), required=False, help_text=_("Only those who agreed to it.")
    )
    self_check_in = forms.BooleanField(
        label=_("Players check in by their own link"), required=False, help_text=_("On the days of the event.")
    )
    keep_days = forms.IntegerField(
        label=_(SIGN_UP_FIELDS["keep_days"]),
        min_value=1,
        max_value=MAX_DAYS,
        help_text=_("Then the desk deletes sign-ups, letters and payments. Everybody who signs up is told the day."),
    )
    fee = forms.CharField(label=_("Fee"), max_length=MAX_AMOUNT_TEXT, required=False)
    currency = forms.ChoiceField(
        label=_("Currency"),
        choices=[(code, code) for code in CURRENCIES],
        widget=forms.Select(attrs={"translate": "no"}),
    )
    payee = forms.CharField(label=_("Account holder"), max_length=70, required=False)
    iban = forms.CharField(
        label="IBAN", max_length=42, required=False, help_text=_("Fees in euros get a code for banking apps.")
    )
    pay_days = forms.IntegerField(label=_(SIGN_UP_FIELDS["pay_days"]), min_value=0, max_value=MAX_DAYS)
    address = forms.CharField(label=_("Street and town"), max_length=200, required=False)
    map_place = forms.CharField(
        label=_("Place on the map"),
        max_length=40,
        required=False,
        help_text=_("Latitude and longitude, such as 52.52, 13.405. Without them the map is searched for the address."),
    )
    site = forms.CharField(
        label=_("Address of this desk in letters"),
        max_length=100,
        required=False,
        help_text=_("What people at home reach, such as https://club.example.org."),
    )

    def __init__(self, event: Event, page: SignUpPage, part: str, site: str, data: Any = None) -> None:
        initial = {name: getattr(page, name) for _label, names in PARTS.values() for name in names}
        initial |= {"fee": decimal_of(page.fee) if page.fee else "", "site": page.site or site}
        super().__init__(data, initial=initial)
        self.page, self.part = page, part
        self.fields = {name: self.fields[name] for name in PARTS[part][1]}
        self.codes = sorted(
            dict(settings.LANGUAGES), key=lambda code: (code != event.language, code != event.second_language)
        )
        for code in self.codes:
            for key in TEXTS if part == "texts" else ():
                self.fields[f"text_{key}_{code}"] = _text_field(code, MAX_TEXT, page.texts.get(key, {}).get(code, ""))
            if part == "questions":
                self.fields[f"questions_{code}"] = _text_field(code, MAX_TEXT, write_questions(page.questions, code))

    def texts(self) -> list[dict[str, Any]]:
        """Return the texts, each with its field in the event's language and those in others."""
        words: Mapping[str, str] = TEXT_WORDS
        names = [(key, gettext(words[key]), f"text_{key}") for key in TEXTS]
        return [_group(self, key, label, stem) for key, label, stem in names]

    def questions(self) -> dict[str, Any]:
        """Return the fields of the organiser's questions."""
        return _group(self, "questions", gettext("Questions"), "questions")

    def clean(self) -> dict[str, Any]:
        """Find all that is wrong, each at its field."""
        data = self.cleaned_data
        sent = [name for name in PARTS[self.part][1] if not self.fields[name].disabled]
        self.terms = {name: data[name] for name in sent if name in data}
        if "fee" in self.terms:
            try:
                self.terms["fee"] = parse_money(data["fee"], data.get("currency", "")) if data["fee"].strip() else 0
            except DomainError as wrong:
                del self.terms["fee"]
                self._add("fee", *wrong.problems)
        if "iban" in self.terms:
            self.terms["iban"] = "".join(data["iban"].split()).upper()
        if "site" in self.terms:
            self.terms["site"] = data["site"].rstrip("/")
        if self.part == "texts":
            self.terms["texts"] = {
                key: {code: data.get(f"text_{key}_{code}", "") for code in self.codes} for key in TEXTS
            }
        if self.part == "questions":
            self._clean_questions({code: data.get(f"questions_{code}", "") for code in self.codes})
        for name, problem in find_faults(self.page, self.terms).items():
            self._add(name, problem)
        return data

    def _clean_questions(self, typed: Mapping[str, str]) -> None:
        try:
            self.terms["questions"] = read_questions(typed)
        except DomainError as wrong:
            for problem in wrong.problems:
                line = str(problem.params.get("line", ""))
                at = [code for code, text in typed.items() if line in text or not problem.code.endswith("unusable")]
                self._add(f"questions_{at[0]}", problem)

    def _add(self, name: str, *problems: Problem) -> None:
        for problem in problems:
            self.add_error(name if name in self.fields else None, problem_text(problem))


def _group(form: PageForm, key: str, label: str, stem: str) -> dict[str, Any]:
    fields = [form[f"{stem}_{code}"] for code in form.codes]
    filled = sum(bool(field.value()) for field in fields[1:])
    return {"key": key, "label": label, "first": fields[0], "others": fields[1:], "filled": filled}


def _text_field(code: str, most: int, initial: str) -> forms.CharField:
    return forms.CharField(
        label=dict(settings.LANGUAGES)[code],
        max_length=most,
        required=False,
        initial=initial,
        widget=forms.Textarea(attrs={"rows": 3, "lang": code}),
    )


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_SETTINGS)
def page_settings(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the form of a part, or save what differs; what is refused stays in its field."""
    page, site = get_page(event), request.build_absolute_uri("/").rstrip("/")
    asked = request.GET.get("part", "")
    part = asked if asked in PARTS else "page"
    form = PageForm(event, page, part, site, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            changed = set_sign_up_page(event=event, terms=form.terms, by=request.user)
        except DomainError as refused:
            add_problems(form, refused, {})
        else:
            flash_saved(request, gettext("Saved."), changed=changed)
            return redirect(request.get_full_path())
    context = {
        "form": form,
        "part": part,
        "parts": [(label, f"?part={key}", key == part) for key, (label, _names) in PARTS.items()],
        "kept_until": kept_until(event, page),
        "ema_players": EmaPlayer.objects.count(),
    }
    shown = desk_context(request, event, "settings", **context)
    return render(request, "signup/page_settings.html", shown, status=UNPROCESSABLE if form.is_bound else 200)
