"""Sign-ups as pages show them: free places, one by its link, the organiser's list, who is coming, fees."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import IntegerField, OuterRef, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.core.time_zones import zone_of
from tournament.events.models import Event
from tournament.signup.models import HOLDS_PLACE, EmaPlayer, FeePayment, SignUp, SignUpPage, SignUpState
from tournament.standings.prizes import Award, list_awards, list_handed
from tournament.standings.queries import get_released_standings
from tournament.tables.round_queries import list_days, planned_start

MAX_SUGGESTED = 60
_TOKEN = 32  # hexadecimal digits: 128 bits


@dataclass(frozen=True, slots=True)
class PlaceCounts:
    """How many places there are, how many of them are taken or offered, and who waits; `unconfirmed` hold none."""

    places: int
    taken: int
    waiting: int
    unconfirmed: int

    @property
    def free(self) -> int:
        """How many places nobody has or was offered."""
        return max(0, self.places - self.taken)


def get_page(event: Event) -> SignUpPage:
    """Return the terms of an event's sign-up; those of the model's defaults where nobody has set any. One query."""
    return SignUpPage.objects.filter(event=event).first() or SignUpPage(event=event)


def get_shown_page(event: Event) -> SignUpPage | None:
    """Return the page of an event if the public may see it; one query."""
    return SignUpPage.objects.filter(event=event, shown=True).first()


def get_public_prizes(event: Event) -> dict[str, Any]:
    """Return what the public page says can be won: `rows`, `ties` and their `currency`, {} for nothing; one query."""
    if "currency" in event.prizes:  # at a relay, which has no page
        return event.prizes
    page = get_shown_page(event) if event.prizes.get("rows") else None
    return {"rows": event.prizes["rows"], "ties": event.prizes.get("ties"), "currency": page.currency} if page else {}


def read_awards(event: Event) -> list[tuple[Award, str, dict[str, Any] | None]]:
    """List who wins what after the released rounds, held ones too, in words, and how it was handed over, if it was."""
    currency, handed = get_page(event).currency, list_handed(event)
    awards = list_awards(event, get_released_standings(event).rows, currency)
    return [(each, each.say(currency), handed.get(each.key)) for each in awards]


def is_open(page: SignUpPage, at: dt.datetime) -> bool:
    """Tell whether sign-ups are taken: until they close, at the latest when the event begins unless a time is set."""
    return page.shown and page.open and at < (page.closes_at or begins_at(page.event))


def count_places(event: Event, page: SignUpPage) -> PlaceCounts:
    """Count the places of an event; one query."""
    found = Counter(event.sign_ups.order_by().values_list("state", flat=True))
    taken = sum(found[state] for state in HOLDS_PLACE)
    return PlaceCounts(page.places, taken, found[SignUpState.WAITING], found[SignUpState.UNCONFIRMED])


def list_free_places(at: dt.datetime) -> dict[str, int]:
    """Return how many places are free in each event that takes sign-ups, by slug; 0 for a waiting list. Two queries."""
    pages = SignUpPage.objects.filter(shown=True, open=True).select_related("event")
    taking = [page for page in pages if is_open(page, at)]
    rows = SignUp.objects.filter(event__in=[page.event_id for page in taking])
    counts = Counter(rows.order_by().values_list("event", "state"))
    found = {}
    for page in taking:
        taken = sum(counts[page.event_id, state] for state in HOLDS_PLACE)
        waiting = counts[page.event_id, SignUpState.WAITING]
        found[page.event.slug] = 0 if waiting else max(0, page.places - taken)
    return found


def waiting_place(sign_up: SignUp) -> int:
    """Return the place on the waiting list, 1 for the next; one query."""
    before = sign_up.event.sign_ups.filter(state=SignUpState.WAITING, number__lt=sign_up.number)
    return before.count() + 1


def sign_up_token(sign_up: SignUp) -> str:
    """Return what the address of somebody's own page ends in: their number and a seal by the desk's secret key."""
    seal = salted_hmac("hanchan.sign-up", f"{sign_up.salt}.{sign_up.number}", algorithm="sha256").hexdigest()
    return f"{sign_up.number}-{seal[:_TOKEN]}"


def find_by_token(event: Event, token: str) -> SignUp | None:
    """Return the sign-up of an own page's address, None for any that is not whole; one query."""
    number = token.partition("-")[0]
    if not (number.isascii() and number.isdigit() and len(number) < 8):
        return None
    found = (
        event.sign_ups.select_related("event", "player__person__known")
        .filter(number=int(number), erased_at=None)
        .first()
    )
    return found if found and constant_time_compare(sign_up_token(found), token) else None


def find_by_mail(event: Event, mail: str) -> SignUp | None:
    """Return the sign-up of an address that is not cancelled; one query."""
    return event.sign_ups.filter(mail=mail, erased_at=None).exclude(state=SignUpState.CANCELLED).first()


def begins_at(event: Event) -> dt.datetime:
    """Return when an event begins: its first planned start, else its first day; no query."""
    midnight = dt.datetime.combine(event.date, dt.time(), zone_of(event))
    return planned_start(event, 1) or midnight


def kept_until(event: Event, page: SignUpPage) -> dt.date:
    """Return the last day on which sign-ups are kept; one query."""
    return list_days(event)[-1] + dt.timedelta(days=page.keep_days)


def list_coming(event: Event) -> list[Any]:
    """List those with a place who agree to be named, by name; a minor only with a guardian's word. One query."""
    rows = event.sign_ups.filter(state=SignUpState.PLACE, show_name=True).values("name", "country", "club")
    return sorted(rows, key=lambda each: each["name"].casefold())


def _paid() -> Coalesce:
    sums = FeePayment.objects.filter(sign_up=OuterRef("pk")).order_by().values("sign_up").annotate(sum=Sum("amount"))
    return Coalesce(Subquery(sums.values("sum")), Value(0), output_field=IntegerField())


def list_sign_ups(event: Event) -> list[SignUp]:
    """List an event's sign-ups in order of arrival, each with what was `paid`; one query."""
    return list(
        event.sign_ups.filter(erased_at=None).select_related("player").annotate(paid=_paid()).order_by("number")
    )


def paid_by(sign_up: SignUp) -> int:
    """Return what was paid for a sign-up, in hundredths; one query."""
    return sum(sign_up.payments.values_list("amount", flat=True))


def sum_fees(rows: Sequence[SignUp]) -> dict[str, int]:
    """Sum the fees of rows of `list_sign_ups`: `due` and `paid`, what is `open`, and what goes `back`."""
    open_ = [row.due - row.paid for row in rows]  # type: ignore[attr-defined]
    due, paid = sum(row.due for row in rows), sum(row.paid for row in rows)  # type: ignore[attr-defined]
    return {
        "due": due, "paid": paid, "open": sum(max(0, each) for each in open_),
        "back": sum(max(0, -each) for each in open_),
    }  # fmt: skip


def find_ema_player(number: str) -> EmaPlayer | None:
    """Return the line of EMA's list with this number; one query."""
    return EmaPlayer.objects.filter(number=number).first() if number else None


def suggest_clubs() -> tuple[list[str], list[str]]:
    """Return clubs and countries of EMA's list, the commonest first; two queries."""
    found = []
    for column in ("club", "country"):
        names = Counter(EmaPlayer.objects.exclude(**{column: ""}).order_by().values_list(column, flat=True))
        found.append([name for name, _count in names.most_common(MAX_SUGGESTED)])
    return found[0], found[1]
