"""Prizes: what the organiser sets, and who wins it by a ranking. Amounts are in hundredths of the event's currency.

A prize is `for` a place, the best newcomer, or the best of a country or club, which `of` names; it has an amount, a
thing, or both. Of newcomers `of` has the numbers, or nothing: then they are those without an EMA number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act
from tournament.core.errors import DomainError
from tournament.core.transaction import check_seen, event_transaction
from tournament.events.models import Event
from tournament.players.queries import list_players
from tournament.standings.columns import StandingRow
from tournament.text.languages import join_commas
from tournament.text.money import MAX_AMOUNT, say_money
from tournament.text.names import find_country, fold
from tournament.text.numbers import ordinal_place

KINDS: Final = {
    "place": gettext_lazy("Place"),
    "newcomer": gettext_lazy("Best newcomer"),
    "country": gettext_lazy("Best of a country"),
    "club": gettext_lazy("Best of a club"),
}
SHARED, TIE_BREAK = "shared", "tie_break"
MAX_PRIZES, MAX_THING = 100, 80
WHOLE_ONLY = ("HUF", "JPY")  # currencies whose hundredths nobody can pay

PRIZES_SET = Act("prizes_set", "set the prizes ({count}; ties: {ties})")
PRIZES_UNUSABLE = ProblemType("prizes.unusable", "A prize needs a place, country or club, and an amount or a thing.")


@dataclass(frozen=True, slots=True)
class Award:
    """A prize that somebody wins: why, of how many who share it, an amount and things."""

    row: StandingRow
    why: str
    sharing: int
    amount: int
    things: tuple[str, ...]

    def say(self, currency: str) -> str:
        """Say what is won; of things that several share the organiser decides."""
        words = join_commas([*([say_money(self.amount, currency)] if self.amount else []), *self.things])
        return (
            _("%(prize)s, shared by %(count)d") % {"prize": words, "count": self.sharing} if self.sharing > 1 else words
        )


def set_prizes(*, event: Event, rows: list[dict[str, Any]], ties: str, seen: str, by: Account) -> bool:
    """Set the prizes and how ties share them; raises DomainError for one that cannot be won, or if `seen` is stale."""
    with event_transaction(event, PRIZES_SET, by=by) as change:
        check_seen(change.event.prizes.get("rows", []), rows, seen)
        wrong = [row for row in rows if not _is_usable(row)]
        if wrong or len(rows) > MAX_PRIZES or ties not in (SHARED, TIE_BREAK):
            raise DomainError(PRIZES_UNUSABLE())
        change.details = {"count": len(rows), "ties": ties}
        return change.set_event(prizes={"ties": ties, "rows": rows} if rows else {})


def _is_usable(row: Mapping[str, Any]) -> bool:
    numbers = row["of"].replace(",", " ").split()
    named = {"place": len(numbers) == 1 and numbers[0].isdecimal(), "newcomer": all(map(str.isdecimal, numbers))}
    return (
        named.get(row["for"], bool(row["of"])) and row["for"] in KINDS
        and 0 <= row["amount"] <= MAX_AMOUNT and bool(row["amount"] or row["thing"])
    )  # fmt: skip


def list_prizes(event: Event, currency: str) -> list[str]:
    """List what can be won, in words."""
    rows = event.prizes.get("rows", [])
    return [f"{_say_why(row)}: {join_commas(filter(None, (_amount(row, currency), row['thing'])))}" for row in rows]


def _amount(row: Mapping[str, Any], currency: str) -> str:
    return say_money(row["amount"], currency) if row["amount"] else ""


def _say_why(row: Mapping[str, Any]) -> str:
    if row["for"] == "place":
        return _("Place %(place)s") % {"place": row["of"]}
    return str(KINDS[row["for"]]) if row["for"] == "newcomer" else f"{KINDS[row['for']]}: {row['of']}"


def list_awards(event: Event, rows: Sequence[StandingRow], currency: str) -> list[Award]:
    """List who wins what by these standings, by place, then the other prizes. A part of a sum is never rounded up."""
    prizes = event.prizes.get("rows", [])
    people = {each.number: each for each in list_players(event)} if prizes else {}
    found, start = list[Award](), 1
    for group in _tied(event, rows):
        places = {str(place) for place in range(start, start + len(group))}
        won = [row for row in prizes if row["for"] == "place" and row["of"].lstrip("0") in places]
        found += _share(group, won, _("Place %(place)s") % {"place": ordinal_place(start, len(group) > 1)}, currency)
        start += len(group)
    for prize in prizes:
        best: list[StandingRow] = next(_tied(event, [row for row in rows if _fits(prize, people[row.number])]), [])
        found += _share(best, [prize], _say_why(prize), currency)
    return found


def _tied(event: Event, rows: Sequence[StandingRow]) -> Any:
    """Yield those who share a prize together, best first: with equal totals, or not even parted by a tie-break."""
    shared = event.prizes.get("ties") == SHARED
    return (list(each) for _key, each in groupby(rows, key=lambda row: (row.group, row.total) if shared else row.rank))


def _fits(prize: Mapping[str, Any], person: Any) -> bool:
    if prize["for"] == "newcomer":
        numbers = prize["of"].replace(",", " ").split()
        return str(person.number) in numbers if numbers else not person.ema_number
    if prize["for"] == "country":
        return find_country(prize["of"]) == (person.country or "-")
    return prize["for"] == "club" and fold(prize["of"]) == fold(person.club)


def _share(group: Sequence[StandingRow], won: Sequence[Mapping[str, Any]], why: str, currency: str) -> list[Award]:
    unit = 100 if currency in WHOLE_ONLY else 1
    amount = sum(row["amount"] for row in won) // max(len(group), 1) // unit * unit
    things = tuple(row["thing"] for row in won if row["thing"])
    return [Award(row, why, len(group), amount, things) for row in group] if won else []
