"""Prizes: what the organiser sets, and who wins it by a ranking. Amounts are in hundredths of the event's currency.

A prize is `for` a place, the best newcomer, or the best of a country or club, which `of` names; it has an amount, a
thing, or both. Of newcomers `of` has the numbers, or nothing: then they are those without an EMA number.
`handed` lists what was handed over: the `facts` of an award, who noted it and when.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.errors import DomainError
from tournament.core.hash_chain import checksum
from tournament.core.transaction import EventChange, check_seen, event_transaction
from tournament.events.models import Event
from tournament.players.models import Person
from tournament.publication.names import is_open
from tournament.standings.columns import StandingRow
from tournament.text.acts import word_details
from tournament.text.languages import colon, join_commas
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
FACTS = ("player", "for", "of", "amount", "things")  # of an award that is handed over
WHOLE_ONLY = ("HUF", "JPY")  # currencies whose hundredths nobody can pay

PRIZES_SET = Act("prizes_set", "set the prizes ({count}; ties: {ties})")
PRIZE_HANDED = Act("prize_handed", "noted that player {player} was handed a prize: {prize}", Seals.OWN)
PRIZE_HANDED_UNDONE = Act(
    "prize_handed_undone", "noted that player {player} was not handed a prize: {prize}", Seals.OWN
)
word_details(prize=lambda kind: str(KINDS.get(kind, kind)))
PRIZES_UNUSABLE = ProblemType("prizes.unusable", "A prize needs a place, country or club, and an amount or a thing.")


@dataclass(frozen=True, slots=True)
class Award:
    """A prize that somebody wins: for what and why, of how many who share it, an amount and things."""

    row: StandingRow
    kind: str
    of: str
    why: str
    sharing: int
    amount: int
    things: tuple[str, ...]

    @property
    def facts(self) -> dict[str, Any]:
        """What is handed over to whom; a better place with the same prize is no other one."""
        of = "" if self.kind == "place" else self.of
        facts = {"player": self.row.number, "for": self.kind, "of": of}
        return {**facts, "amount": self.amount, "things": list(self.things)}

    @property
    def key(self) -> str:
        """What identifies these facts."""
        return checksum([self.facts])

    def say(self, currency: str) -> str:
        """Say what is won; of things that several share the organiser decides."""
        words = say_prize(self.amount, self.things, currency)
        return (
            _("%(prize)s, shared by %(count)d") % {"prize": words, "count": self.sharing} if self.sharing > 1 else words
        )


def say_prize(amount: int, things: Iterable[str], currency: str) -> str:
    """Say an amount and things."""
    return join_commas([*([say_money(amount, currency)] if amount else []), *filter(None, things)])


def set_prizes(*, event: Event, rows: list[dict[str, Any]], ties: str, seen: str, by: Account) -> bool:
    """Set the prizes and how ties share them; raises DomainError for one that cannot be won, or if `seen` is stale."""
    with event_transaction(event, PRIZES_SET, by=by) as change:
        check_seen(change.event.prizes.get("rows", []), rows, seen)
        if any(map(find_faults, rows)) or len(rows) > MAX_PRIZES or ties not in (SHARED, TIE_BREAK):
            raise DomainError(PRIZES_UNUSABLE())
        change.details = {"count": len(rows), "ties": ties}
        return _set(change, ties=ties, rows=rows)


def _set(change: EventChange, **parts: Any) -> bool:
    """Set parts of the prizes; the others stay, but without rows there are no ties."""
    prizes = {**change.event.prizes, **parts}
    if not prizes.get("rows"):
        prizes.pop("ties", None)
    return change.set_event(prizes={name: part for name, part in prizes.items() if part})


def list_handed(event: Event) -> dict[str, dict[str, Any]]:
    """Return what was handed over by the key of its award: its facts, who noted it (`by`) and when (`at`)."""
    handed = event.prizes.get("handed", [])
    return {checksum([{name: each[name] for name in FACTS}]): each for each in handed}


def hand_over(*, event: Event, award: Award, by: Account) -> bool:
    """Note that a prize was handed over; return False where that is noted already."""
    with event_transaction(event, PRIZE_HANDED, by=by) as change:
        change.details = {"player": award.row.number, "prize": award.kind}
        handed = list_handed(change.event)
        handed.setdefault(award.key, {**award.facts, "by": change.by, "at": change.at.isoformat(timespec="seconds")})
        return _set(change, handed=[*handed.values()])


def undo_handed(*, event: Event, key: str, by: Account) -> bool:
    """Note that a prize was not handed over; return False where that is noted already."""
    with event_transaction(event, PRIZE_HANDED_UNDONE, by=by) as change:
        handed = list_handed(change.event)
        gone = handed.pop(key, {})
        change.details = {"player": gone.get("player"), "prize": gone.get("for")}
        return _set(change, handed=[*handed.values()])


def find_faults(row: Mapping[str, Any]) -> list[str]:
    """List the parts of a prize that are wrong or missing: what it is for, of which, the amount."""
    numbers = row["of"].replace(",", " ").split()
    named = {"place": len(numbers) == 1 and numbers[0].isdecimal(), "newcomer": all(map(str.isdecimal, numbers))}
    right = {
        "for": row["for"] in KINDS,
        "of": named.get(row["for"], bool(row["of"])),
        "amount": 0 <= row["amount"] <= MAX_AMOUNT and bool(row["amount"] or row["thing"]),
    }
    return [name for name, is_right in right.items() if not is_right]


def list_prizes(event: Event, currency: str) -> list[str]:
    """List what can be won, in words."""
    rows = event.prizes.get("rows", [])
    return [f"{_say_why(row)}{colon()}{say_prize(row['amount'], [row['thing']], currency)}" for row in rows]


def _say_why(row: Mapping[str, Any]) -> str:
    if row["for"] == "place":
        return _("Place %(place)s") % {"place": row["of"]}
    return str(KINDS[row["for"]]) if row["for"] == "newcomer" else f"{KINDS[row['for']]}{colon()}{row['of']}"


def list_awards(event: Event, rows: Sequence[StandingRow], currency: str) -> list[Award]:
    """List who wins what by these standings, by place, then the other prizes. A part of a sum is never rounded up.

    Everybody's country, club and EMA number count; where the public reads, what hidden players win by them is left out.
    """
    prizes = event.prizes.get("rows", [])
    people = {each.number: each for each in event.players.select_related("person")} if prizes else {}
    found, start = list[Award](), 1
    for group in _tied(event, rows):
        places = {str(place) for place in range(start, start + len(group))}
        won = [row for row in prizes if row["for"] == "place" and row["of"].lstrip("0") in places]
        why = _("Place %(place)s") % {"place": ordinal_place(start, len(group) > 1)}
        found += _share(group, won, "place", str(start), why, currency)
        start += len(group)
    for prize in prizes:
        fits = [row for row in rows if _fits(prize, people[row.number].person, row.number)]
        best: list[StandingRow] = next(_tied(event, fits), [])
        won = _share(best, [prize], prize["for"], prize["of"], _say_why(prize), currency)
        found += [each for each in won if is_open(people[each.row.number].shown_by_name)]
    return found


def _tied(event: Event, rows: Sequence[StandingRow]) -> Any:
    """Yield those who share a prize together, best first: with equal totals, or not even parted by a tie-break."""
    shared = event.prizes.get("ties") == SHARED
    return (list(each) for _key, each in groupby(rows, key=lambda row: (row.group, row.total) if shared else row.rank))


def _fits(prize: Mapping[str, Any], person: Person, number: int) -> bool:
    if prize["for"] == "newcomer":
        numbers = prize["of"].replace(",", " ").split()
        return str(number) in numbers if numbers else not person.ema_number
    if prize["for"] == "country":
        return find_country(prize["of"]) == (person.country or "-")
    return prize["for"] == "club" and fold(prize["of"]) == fold(person.club)


def _share(
    group: Sequence[StandingRow], won: Sequence[Mapping[str, Any]], kind: str, of: str, why: str, currency: str
) -> list[Award]:
    unit = 100 if currency in WHOLE_ONLY else 1
    amount = sum(row["amount"] for row in won) // max(len(group), 1) // unit * unit
    things = tuple(row["thing"] for row in won if row["thing"])
    return [Award(row, kind, of, why, len(group), amount, things) for row in group] if won else []
