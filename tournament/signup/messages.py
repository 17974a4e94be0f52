"""Words for sign-up: states, money, problems, acts, and the letters to those who come."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import formats, timezone
from django.utils.text import capfirst
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from tournament.core.time_zones import event_zone_label, in_zone_of
from tournament.rulesets.queries import list_rule_changes
from tournament.rulesets.views import change_lines
from tournament.signup.models import Letter, SignUpPage
from tournament.text.acts import word_details
from tournament.text.languages import Words, join_spaced, offered_language, plural_text
from tournament.text.money import say_amount_of, say_money
from tournament.text.numbers import short_moment

LINK = "{link}"

STATE_WORDS: Words = {
    "unconfirmed": "to be confirmed",
    "place": "has a place",
    "waiting": "on the waiting list",
    "offered": "a place is offered",
    "cancelled": "not coming",
}
ENDED_WORDS: Words = {"self": "cancelled by the player", "desk": "cancelled by the organiser", "lapsed": "offer lapsed"}
LETTER_STATES: Words = {
    "draft": "draft",
    "ready": "to be sent",
    "sending": "being sent",
    "sent": "sent",
    "by_hand": "sent by hand",
    "failed": "not sent",
}
LETTER_KINDS: Words = {
    "link": "link to the form",
    "own": "link to the personal page",
    "received": "sign-up received",
    "place": "has a place",
    "waiting": "on the waiting list",
    "offer": "a place is offered",
    "lapsed": "offer lapsed",
    "cancelled": "sign-up cancelled",
    "reminder": "fee reminder",
    "rules": "the rules have changed",
}
TEXT_WORDS: Words = {
    "about": "About the event",
    "directions": "How to get there",
    "programme": "Programme",
    "fee": "What the fee covers",
    "prizes": "Prizes",
    "referees": "Referees",
    "letter": "At the end of every letter",
}


def text_of(texts: Mapping[str, Mapping[str, str]], key: str, language: str) -> tuple[str, str]:
    """Return a text in the language in use, else in the event's, else in one that it has, with that language's code."""
    said = texts.get(key, {})
    code = next((code for code in (get_language() or "", language, *sorted(said)) if code in said), "")
    return said.get(code, ""), code


@dataclass(frozen=True, slots=True)
class LetterText:
    """A letter in words; LINK in the body is the place of its link."""

    subject: str
    body: str


def say_letter(letter: Letter, page: SignUpPage, *, open_fee: int, reference: str) -> LetterText:
    """Put a letter into words, in its own language; `open_fee` is what its reader has to pay still, in hundredths."""
    with override(offered_language(letter.language)), in_zone_of(letter.event):
        name = letter.event.name
        subject = {
            "link": _("%(event)s: your link to sign up"),
            "own": _("%(event)s: your sign-up"),
            "received": _("%(event)s: we have your sign-up"),
            "place": _("%(event)s: you have a place"),
            "waiting": _("%(event)s: you are on the waiting list"),
            "offer": _("%(event)s: a place is free for you"),
            "lapsed": _("%(event)s: the offered place has lapsed"),
            "cancelled": _("%(event)s: your sign-up is cancelled"),
            "reminder": _("%(event)s: the fee"),
            "rules": _("%(event)s: the rules have changed"),
        }[letter.kind] % {"event": name}
        greeting = [_("Hello %(name)s,") % {"name": letter.sign_up.name} if letter.sign_up else _("Hello,")]
        body = [*greeting, *_says(letter, page), *_fee(letter, page, open_fee, reference), _how(letter)]
        end = text_of(page.texts, "letter", letter.event.language)[0]
        return LetterText(" ".join(subject.split()), "\n\n".join(part for part in [*body, end] if part) + "\n")


def _says(letter: Letter, page: SignUpPage) -> list[str]:
    until = letter.sign_up.offer_until if letter.sign_up else None
    event = letter.event
    when = {"event": event.name, "date": formats.date_format(event.date), "place": page.address or event.place}
    sentence = {
        "link": _("this link opens the form to sign up for %(event)s (%(date)s). It works for seven days."),
        "own": _("you are signed up for %(event)s (%(date)s) already. This link opens your own page."),
        "received": _("your sign-up for %(event)s (%(date)s) has arrived. The organiser checks it and writes to you."),
        "place": _("you have a place at %(event)s on %(date)s."),
        "waiting": _(
            "all places at %(event)s (%(date)s) are taken. You are on the waiting list; people are asked in the order "
            "in which they signed up."
        ),
        "offer": _("a place at %(event)s (%(date)s) is free for you. Accept or decline it on your page by %(until)s."),
        "lapsed": _(
            "the place at %(event)s (%(date)s) was not accepted in time and goes to the next person on the list."
        ),
        "cancelled": _("your sign-up for %(event)s (%(date)s) is cancelled."),
        "reminder": _("you have a place at %(event)s (%(date)s), and the fee has not arrived yet."),
        "rules": _("the rules of %(event)s (%(date)s) have changed since they were published."),
    }[letter.kind] % {**when, "until": f"{short_moment(until)} ({event_zone_label(event)})"}
    return [sentence, when["place"] if letter.kind in ("place", "offer") else "", *_changes(letter)]


def _changes(letter: Letter) -> Iterator[str]:
    """Yield each change of the rules with its day and reason, those before the letter was written, the oldest first."""
    if letter.kind == "rules":
        written = letter.made_at if letter.pk else timezone.now()
        for item in change_lines(reversed(list_rule_changes(letter.event))):
            if item.change.at <= written:
                day = formats.date_format(timezone.localdate(item.change.at))
                yield "\n".join(
                    [join_spaced([day, item.change.reason]), *(f"- {capfirst(line)}" for line in item.lines)]
                )


def _fee(letter: Letter, page: SignUpPage, open_fee: int, reference: str) -> list[str]:
    """Say what is to be paid, to whom and with which reference; nothing where nothing is open."""
    if letter.kind not in ("place", "reminder") or open_fee <= 0:
        return []
    lines = [_("Fee: %(amount)s") % {"amount": say_money(open_fee, page.currency)}]
    if page.iban:
        lines += [
            _("Account: %(payee)s, IBAN %(iban)s") % {"payee": page.payee, "iban": spaced(page.iban)},
            _("Reference: %(reference)s") % {"reference": reference},
        ]
    if page.pay_days and letter.kind == "place":
        days = plural_text("Please pay within %(count)d day.", "Please pay within %(count)d days.", page.pay_days)
        lines.append(days)
    return ["\n".join(lines)]


def _how(letter: Letter) -> str:
    if letter.kind == "link":
        ignore = _("If you did not ask for it, ignore this letter: nothing is stored.")
        return f"{LINK}\n\n{ignore}"
    if letter.kind in ("cancelled", "lapsed"):
        return ""
    return "\n".join([_("Your personal page, to see where you are, to pay or to cancel:"), LINK])


def spaced(text: str) -> str:
    """Write an IBAN or a reference in groups of four.

    >>> spaced("DE89370400440532013000")
    'DE89 3704 0044 0532 0130 00'
    """
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def details_text(key: str, value: Any) -> str:
    """Say a detail of the trail: amounts as money, states as words."""
    return say_amount_of(value) if key == "amount" else _(STATE_WORDS.get(value, str(value)))


word_details(
    **{"as": lambda value: details_text("as", value)},
    amount=lambda value: details_text("amount", value) if isinstance(value, int) else str(value),
)
