"""The verb that sets what an event offers before it begins: its page, places, fee and questions."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.conf import settings

from scoring.problems import Problem, ProblemType
from tournament.core.acts import Act, Seals
from tournament.core.errors import Refused
from tournament.core.transaction import writing
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.sign_up import SignUpPage
from tournament.signup.actions_check_digits import is_iban
from tournament.signup.actions_fees import MOST_AMOUNT
from tournament.signup.actions_sign_ups import settle

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
CURRENCIES = ("EUR", "CHF", "CZK", "DKK", "GBP", "HUF", "JPY", "NOK", "PLN", "SEK", "USD")
MOST_TEXT = 5_000
MOST_PLACES = 2_000
MOST_QUESTIONS, MOST_CHOICES, MOST_LABEL = 12, 12, 120
MOST_HOURS, MOST_DAYS = 336, 365
_SITE = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,90}")
_PLACE = re.compile(r"(-?\d{1,2}(?:\.\d{1,8})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,8})?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The columns of SignUpPage of these names; `questions` as `read_questions` makes them."""

    shown: bool = False
    open: bool = False
    places: int = 0
    closes_at: dt.datetime | None = None
    offer_hours: int = 48
    fee: int = 0
    currency: str = "EUR"
    payee: str = ""
    iban: str = ""
    pay_days: int = 14
    keep_days: int = 30
    coming_shown: bool = True
    self_check_in: bool = False
    address: str = ""
    map_place: str = ""
    site: str = ""
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    questions: Sequence[Mapping[str, Any]] = ()


def set_sign_up_page(*, event: Event, terms: Terms, by: Account) -> bool:
    """Set what an event offers; new places are offered at once to those who wait. Return whether anything changed.

    With fewer places nobody loses a place. Raises Refused for terms that are not possible.
    """
    with writing(event, SIGN_UP_PAGE_SET, by=by) as change:
        if problems := _problems(terms):
            raise Refused(*problems)
        page = SignUpPage.objects.filter(event=change.event).first() or SignUpPage(event=change.event)
        wanted = asdict(terms) | {"texts": _texts(terms.texts), "questions": list(terms.questions)}
        changed = [name for name, value in wanted.items() if getattr(page, name) != value]
        if not changed:
            change.nothing_new()
            return False
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


def _problems(terms: Terms) -> list[Problem]:
    ranges = {
        "places": (0, MOST_PLACES), "offer_hours": (1, MOST_HOURS), "fee": (0, MOST_AMOUNT),
        "pay_days": (0, MOST_DAYS), "keep_days": (1, MOST_DAYS),
    }  # fmt: skip
    found = [
        SIGN_UP_OUT_OF_RANGE(field=name, least=least, most=most)
        for name, (least, most) in ranges.items()
        if not least <= getattr(terms, name) <= most
    ]
    if terms.iban and not is_iban(terms.iban):
        found.append(SIGN_UP_IBAN_WRONG(iban=terms.iban[:40]))
    if terms.iban and not terms.payee:
        found.append(SIGN_UP_PAYEE_MISSING())
    if terms.currency not in CURRENCIES:
        found.append(SIGN_UP_CURRENCY_UNKNOWN())
    if terms.map_place and not _is_place(terms.map_place):
        found.append(SIGN_UP_MAP_PLACE_WRONG(place=terms.map_place[:40]))
    if terms.site and not _SITE.fullmatch(terms.site):
        found.append(SIGN_UP_SITE_WRONG(site=terms.site[:60]))
    if terms.open and settings.MAIL and not terms.site:
        found.append(SIGN_UP_SITE_MISSING())
    if terms.open and not terms.places:
        found.append(SIGN_UP_PLACES_MISSING())
    lengths = [len(text) for of in terms.texts.values() for text in of.values()]
    if not set(terms.texts) <= set(TEXTS) or max(lengths, default=0) > MOST_TEXT:
        found.append(SIGN_UP_TEXT_TOO_LONG(most=MOST_TEXT))
    return found


def _is_place(text: str) -> bool:
    found = _PLACE.fullmatch(text)
    return bool(found) and abs(float(found[1])) <= 90 and abs(float(found[2])) <= 180  # type: ignore[index]


# ---------------------------------------------------------------- questions


def read_questions(typed: Mapping[str, str]) -> list[dict[str, Any]]:
    """Read the organiser's questions, one a line, by language; line 2 is the same question in each.

    "Food: any / vegetarian" is a choice, "[] I bring a set" a box to tick, any other line a text; a star before it
    makes it one that must be answered. Raises Refused for too many, or where a choice has another number of answers in
    another language.

    >>> read_questions({"en-gb": "*Food: any / vegan"})
    [{'kind': 'choice', 'required': True, 'label': {'en-gb': 'Food'}, 'choices': {'en-gb': ['any', 'vegan']}}]
    """
    lines = {code: [_question(line) for line in text.splitlines() if line.strip()] for code, text in typed.items()}
    lines = {code: each for code, each in lines.items() if each}
    count = max(map(len, lines.values()), default=0)
    if not set(lines) <= set(dict(settings.LANGUAGES)) or count > MOST_QUESTIONS:
        raise Refused(SIGN_UP_QUESTIONS_TOO_MANY(most=MOST_QUESTIONS))
    found = []
    for number in range(count):
        same = {code: each[number] for code, each in lines.items() if number < len(each)}
        first = next(iter(same.values()))
        if len({(each["kind"], len(each["choices"])) for each in same.values()}) > 1:
            raise Refused(SIGN_UP_QUESTIONS_DIFFER(line=number + 1))
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
    too_long = max(map(len, [label, *listed])) > MOST_LABEL or len(listed) > MOST_CHOICES
    if not label.strip() or too_long:
        raise Refused(SIGN_UP_QUESTION_UNUSABLE(line=line.strip()[:60]))
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
