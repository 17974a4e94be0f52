"""Who is the same human being at several events: what the desk knows, and what it proposes.

An EMA number is sure, a name is asked, and two players of one event are never one person. Only another desk's event
file links by itself, and only to who agreed to be known over events: `find_agreed`.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from itertools import product
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet, Sum

from tournament.accounts.models import Account, Role
from tournament.core.acts import Act, Seals
from tournament.core.models import AuditRow
from tournament.core.rights import RIGHTS_BY_ROLE, Right
from tournament.events.models import Event
from tournament.people.models import ONLINE, Alias, KnownPerson, Namesakes
from tournament.players.models import Person, Player
from tournament.publication.queries import keep
from tournament.text.names import clean_name, find_similar, same_name_keys

PEOPLE_LINKED = Act("people_linked", "linked people {people} as one person", Seals.OWN)
PERSON_PARTED = Act("person_parted", "parted people {people}", Seals.OWN)
ONLINE_NAMES_SHARED = Act("online_names_shared", "noted that people {known} have the same online name", Seals.OWN)
LINK_UNDONE = Act("link_undone", "undid act {seq} on people {people}", Seals.OWN)


class PlayedEvent(NamedTuple):
    """An event at which somebody is a player, with the row of the person there."""

    date: date
    name: str
    slug: str
    number: int
    person: int
    preferred_name: str


@dataclass(frozen=True, slots=True)
class Human:
    """One human being as far as the desk knows: linked rows of people, or a single one, whose `uid` is None.

    `events` are in the order of their dates.
    """

    key: int
    uid: UUID | None
    events: tuple[PlayedEvent, ...]
    names: tuple[str, ...]  # the newest first
    ema_numbers: frozenset[str]
    countries: tuple[str, ...]
    clubs: tuple[str, ...]

    @property
    def name(self) -> str:
        """The newest spelling."""
        return self.names[0]

    @property
    def people(self) -> list[int]:
        """The rows of people."""
        return sorted({each.person for each in self.events})


class Reason(StrEnum):
    """Why rows of people may be one human being."""

    EMA_NUMBER = "ema_number"
    ONLINE_NAME = "online_name"
    NAME = "name"
    ALIAS = "alias"
    SIMILAR = "similar"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Humans who may be one, the one with most events first; `apart` where two of them played at one event."""

    reason: Reason
    humans: tuple[Human, ...]
    apart: str = ""

    @property
    def sure(self) -> bool:
        """Whether nothing needs to be asked."""
        return self.reason is Reason.EMA_NUMBER and not self.apart

    @property
    def ticked(self) -> bool:
        """Whether all of these are probably one person: a page ticks them already."""
        return self.reason not in (Reason.ONLINE_NAME, Reason.SIMILAR) and not self.apart

    @property
    def newest(self) -> Human:
        """The one whose last event is the newest."""
        return max(self.humans, key=lambda human: human.events[-1].date)


def human_key(person: int, known: int | None) -> int:
    """Return a number for a human being: of the known person, negative for a row of people that is linked to none."""
    return -person if known is None else known


def human_keys(people: Iterable[int]) -> dict[int, int]:
    """Return the number of the human being for each of these rows of people; one query."""
    known = dict(Person.objects.filter(known__isnull=False).values_list("pk", "known").iterator(10_000))
    return {person: known.get(person, -person) for person in people}  # `human_key`, for tens of thousands


def manageable_events(account: Account) -> set[int] | None:
    """Return the events whose players an account may manage, None for all; one query."""
    if account.is_superuser:
        return None
    roles = [role for role in RIGHTS_BY_ROLE[Right.MANAGE_PLAYERS] if role != Role.TABLE_DEVICE]
    return set(account.memberships.filter(role__in=roles).values_list("event", flat=True))


_COLUMNS = (
    "person", "person__known", "person__known__uid", "person__preferred_name", "person__ema_number", "person__country",
    "person__club", "event__date", "event__name", "event__slug", "number",
)  # fmt: skip


def list_humans(events: Collection[int] | None = None, *, keys: Collection[int] | None = None) -> list[Human]:
    """List the people of these events (None: of all), or those with these keys; one query, forgotten ones left out."""
    found = Player.objects.filter(person__forgotten_at=None)
    if events is not None:
        found = found.filter(event__in=events)
    if keys is not None:
        people = [-key for key in keys if key < 0]
        found = found.filter(Q(person__known__in=[key for key in keys if key > 0]) | Q(person__in=people))
    rows: defaultdict[int, list[tuple[object, ...]]] = defaultdict(list)
    for row in found.order_by("event__date", "event").values_list(*_COLUMNS):
        rows[human_key(row[0], row[1])].append(row)
    return [_human(key, mine) for key, mine in rows.items()]


def search_humans(text: str, events: Collection[int] | None = None, most: int = 100) -> list[Human]:
    """Return people whose name or EMA number at one of these events has each word of a text; two queries."""
    found = Player.objects.filter(person__forgotten_at=None)
    if events is not None:
        found = found.filter(event__in=events)
    for word in text.split():
        found = found.filter(Q(person__preferred_name__icontains=word) | Q(person__ema_number=word))
    rows = found.order_by().values_list("person", "person__known").distinct()[: 10 * most]
    keys = list(dict.fromkeys(human_key(*row) for row in rows))[:most]
    return sorted(list_humans(events, keys=keys), key=lambda human: human.name.casefold())


def _human(key: int, rows: Sequence[tuple[object, ...]]) -> Human:
    def distinct(column: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(str(row[column]) for row in reversed(rows) if row[column]))

    events = tuple(PlayedEvent(*row[7:], row[0], row[3]) for row in rows)  # type: ignore[arg-type, call-arg]
    uid = rows[0][2]
    return Human(
        key,
        uid if isinstance(uid, UUID) else None,
        events,
        distinct(3),
        frozenset(distinct(4)),
        distinct(5),
        distinct(6),
    )


def list_proposals(humans: Sequence[Human], *, similar: bool = True) -> list[Proposal]:
    """Propose which of these may be one: by numbers and names, `similar` names, too; three queries.

    Similar names of thousands of people take a second. A human is in one proposal: in that of the surest reason. Left
    out are pairs that were said to be two people.
    """
    two = set(Namesakes.objects.values_list("one", "other"))
    aliases: defaultdict[int, set[str]] = defaultdict(set)
    for alias in Alias.objects.select_related("known__merged_into"):
        aliases[current_person(alias.known).pk].update(same_name_keys(alias.text))
    shared: defaultdict[str, set[str]] = defaultdict(set)
    rows = AuditRow.objects.filter(event=None, verb=ONLINE_NAMES_SHARED.name).values_list("seq", "details")
    for seq, details in rows:
        for uid in json.loads(details)["known"]:
            shared[uid].add(str(seq))
    free = {human.key: human for human in humans}
    found: list[Proposal] = []
    for reason, groups in (
        (Reason.EMA_NUMBER, _by(lambda human: human.ema_numbers)),
        (Reason.ONLINE_NAME, _by(lambda human: shared[str(human.uid)])),
        (Reason.NAME, _by(_name_keys)),
        (Reason.ALIAS, _by(lambda human: {*_name_keys(human), *aliases[human.key]})),
        (Reason.SIMILAR, _similar),
    ):
        if reason is Reason.SIMILAR and not similar:
            continue
        for group in groups(list(free.values())):
            members = [human for human in group if human.key in free]
            members = (_with_another if reason is Reason.ONLINE_NAME else _without_namesakes)(members, two)
            if len(members) > 1:
                members.sort(key=lambda human: (-len(human.events), abs(human.key)))
                found.append(Proposal(reason, tuple(members), _same_event(members)))
                for human in members:
                    del free[human.key]
    return found


def list_all_proposals() -> list[Proposal]:
    """List the proposals for all people of the site, kept until an event or what is known of people changes.

    Two queries while nothing does.
    """
    events = Event.objects.aggregate(Count("pk"), Sum("version"), Max("pk"))
    mark = f"{events} {people_marks().first()}"
    return keep("people-proposals", lambda: list_proposals(list_humans()), mark=mark)


def count_offers(event: Event, account: Account) -> int:
    """Count the players of an event who may be known from other events that the account manages.

    One query for who manages a single event, two while all players are linked, else six.
    """
    mine = manageable_events(account)
    if mine == {event.pk}:
        return 0
    people = dict(event.players.filter(person__forgotten_at=None).values_list("person", "person__known"))
    if all(known is not None for known in people.values()):
        return 0
    proposals = list_proposals(list_humans(mine), similar=False)
    return sum(any(people.keys() & set(human.people) for human in each.humans) for each in proposals)


def _by(keys_of: Callable[[Human], Iterable[str]]) -> Callable[[Sequence[Human]], Iterator[list[Human]]]:
    def groups(humans: Sequence[Human]) -> Iterator[list[Human]]:
        buckets: defaultdict[str, dict[int, Human]] = defaultdict(dict)
        for human in humans:
            for key in keys_of(human):
                buckets[key][human.key] = human
        yield from (list(bucket.values()) for bucket in buckets.values() if len(bucket) > 1)

    return groups


def _name_keys(human: Human) -> Iterable[str]:
    return {key for name in human.names for key in same_name_keys(name)}


def _similar(humans: Sequence[Human]) -> Iterator[list[Human]]:
    """Yield pairs with nearly the same name that neither play at one event nor have different EMA numbers."""
    for one, other in find_similar([human.name for human in humans]):
        pair = [humans[other], humans[one]]
        if not _same_event(pair) and not _has_two_numbers(pair):
            yield pair


def _without_namesakes(humans: list[Human], two: Collection[tuple[int, int]]) -> list[Human]:
    """Leave out each human who was said to be another person than one before, or has another EMA number."""
    kept: list[Human] = []
    for human in humans:
        if not any(_are_two(before, human, two) for before in kept):
            kept.append(human)
    return kept


def _with_another(humans: list[Human], two: Collection[tuple[int, int]]) -> list[Human]:
    """Leave out each human who can be none of the others: of two people with different numbers a third may be one."""
    return [
        human for human in humans if any(other.key != human.key and not _are_two(other, human, two) for other in humans)
    ]


def _are_two(one: Human, other: Human, two: Collection[tuple[int, int]]) -> bool:
    noted = two and any((min(rows), max(rows)) in two for rows in product(one.people, other.people))
    return bool(noted) or _has_two_numbers([one, other])


def _has_two_numbers(humans: Sequence[Human]) -> bool:
    known = [human.ema_numbers for human in humans if human.ema_numbers]
    return len(known) > 1 and not frozenset.intersection(*known)


def _same_event(humans: Sequence[Human]) -> str:
    """Return the name of an event at which two of these are players, "" for none."""
    seen: dict[str, int] = {}
    for human in humans:
        for event in human.events:
            if seen.setdefault(event.slug, human.key) != human.key:
                return event.name
    return ""


class OwnPage(NamedTuple):
    """The public page of a person: its lasting id, None for who has none yet, and whether the person agreed to it."""

    uid: UUID | None
    agreed: bool


def get_own_page(person: Person) -> OwnPage:
    """Return the public page of the human being that a row of people is; one query at most."""
    return OwnPage(person.known.uid, person.known.agreed_at is not None) if person.known else OwnPage(None, False)


def list_online_names(event: Event) -> dict[int, list[tuple[str, str]]]:
    """Return kinds and texts of the online names of who agreed to be known over events, by number of the player.

    Who is not shown by name at this event is left out. A constant number of queries.
    """
    players = event.players.filter(
        shown_by_name=True, person__forgotten_at=None, person__known__agreed_at__isnull=False
    )
    numbers = dict(players.values_list("person__known", "number"))
    merged = list_merged(numbers)
    found: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    for known, *name in Alias.objects.filter(known__in=merged, kind__in=ONLINE).values_list("known", "kind", "text"):
        found[numbers[merged[known]]].append((name[0], name[1]))
    return {number: sorted(names) for number, names in found.items()}


class Agreed(NamedTuple):
    """Which known person rows of people are: `sure` by row; `asked` are keys of humans of whom some may be one."""

    sure: dict[int, int]
    asked: list[set[int]]


def find_agreed(names: Mapping[int, Collection[tuple[str, str]]]) -> Agreed:
    """Find rows of people of one event among who agreed to be known over events; three queries.

    `names` are the online names by row, of who agreed to be found by them. People with two EMA numbers are never one.
    """
    number_of = dict(Person.objects.filter(pk__in=names).exclude(ema_number="").values_list("pk", "ema_number"))
    rows_of = Counter(number_of.values())
    owners = _agreed_by_online_name() if any(names.values()) else {}
    named = {
        row: {owners[key] for kind, text in mine if (key := (kind, clean_name(text).casefold())) in owners}
        for row, mine in names.items()
    }
    wanted = Q(ema_number__in=rows_of) | Q(known__in=set().union(*named.values()))
    agreed = Person.objects.filter(wanted, known__agreed_at__isnull=False, forgotten_at=None).exclude(ema_number="")
    numbers: defaultdict[int, set[str]] = defaultdict(set)
    known_of: defaultdict[str, set[int]] = defaultdict(set)
    for number, known in agreed.values_list("ema_number", "known"):
        if known is not None:
            numbers[known].add(number)
            known_of[number].add(known)
    numbered = {
        row: min(known_of[number]) for row, number in number_of.items() if rows_of[number] == len(known_of[number]) == 1
    }
    for row, number in number_of.items():
        named[row] -= {known for known in named[row] if numbers[known] and number not in numbers[known]}
    return match_agreed(numbered, named)


def match_agreed(numbered: Mapping[int, int], named: Mapping[int, Collection[int]]) -> Agreed:
    """Decide who rows of one event are, by the known people that have their EMA number or one of their online names.

    A number comes before all names. Asked is where the names of a row are of two people, or two rows have one's names.

    >>> match_agreed({1: 70}, {1: {71}, 2: {72}, 3: {70}, 4: {73, 74}}).sure
    {1: 70, 2: 72}
    >>> [sorted(group) for group in match_agreed({}, {4: {73, 74}, 5: {74}, 6: {75}}).asked]
    [[-5, -4, 73, 74]]
    """
    counts = Counter(numbered.values())
    sure = {row: known for row, known in numbered.items() if counts[known] == 1}
    left = {row: set(mine) - counts.keys() for row, mine in named.items() if row not in numbered}
    rows_of = Counter(known for mine in left.values() for known in mine)
    asked: list[set[int]] = []
    for row, mine in left.items():
        if len(mine) == 1 and rows_of[min(mine)] == 1:
            sure[row] = min(mine)
        elif mine:
            group = {*mine, human_key(row, None)}
            for other in [each for each in asked if each & group]:
                asked.remove(other)
                group |= other
            asked.append(group)
    return Agreed(sure, asked)


def _agreed_by_online_name() -> dict[tuple[str, str], int]:
    found = Alias.objects.filter(kind__in=ONLINE).select_related("known__merged_into")
    owners = {(each.kind, each.key): current_person(each.known) for each in found}
    return {key: known.pk for key, known in owners.items() if known.agreed_at}


def find_by_alias(kind: str, text: str) -> int | None:
    """Return the known person with this online name, None if nobody has it; who was merged gives the other."""
    alias = Alias.objects.filter(kind=kind, key=text.casefold()).select_related("known__merged_into").first()
    return current_person(alias.known).pk if alias else None


def list_merged(known: Iterable[int]) -> dict[int, int]:
    """Return who turned out to be one of these known people, with who that is, and these; a query for each merge."""
    found = newest = {each: each for each in known}
    while newest:
        rows = KnownPerson.objects.filter(merged_into__in=newest).values_list("pk", "merged_into")
        newest = {pk: found[into] for pk, into in rows if into is not None}
        found = found | newest
    return found


def current_person(known: KnownPerson) -> KnownPerson:
    """Return who a known person turned out to be; no query for who was never merged."""
    while known.merged_into:
        known = known.merged_into
    return known


@dataclass(frozen=True, slots=True)
class Link:
    """Rows of people that an act moved, by event and number of the player: numbers of rows change with the database.

    `to` and the values of `moved` are lasting ids, "" for none.
    """

    to: str
    moved: Mapping[str, str]

    @property
    def uids(self) -> set[str]:
        """All lasting ids."""
        return {self.to, *self.moved.values()} - {""}

    def details(self) -> dict[str, Any]:
        """Return the details of the audit row."""
        people = sorted(self.moved)
        return {"people": people, "to": self.to, "from": [self.moved[place] for place in people]}


@dataclass(frozen=True, slots=True)
class LinkRow:
    """An act that linked or parted people, with the names that they have now; `undone` if it was undone."""

    seq: int
    at: datetime
    by: str
    parted: bool
    names: tuple[str, ...]
    undone: bool


def get_link(seq: int) -> Link | None:
    """Return a link or a parting by its number in the trail of the site, None for another act; one query."""
    row = _link_rows().filter(seq=seq).first()
    return _read_link(row) if row else None


def list_links(most: int = 50) -> list[LinkRow]:
    """List the newest acts that linked or parted people, the newest first; three queries."""
    rows = list(_link_rows().order_by("-seq")[:most])
    links = {row.seq: _read_link(row) for row in rows}
    found = find_people({place for link in links.values() for place in link.moved})
    names = {place: person.preferred_name for place, person in found.items()}
    undone = AuditRow.objects.filter(event=None, verb=LINK_UNDONE.name).values_list("details", flat=True)
    gone = {json.loads(details)["seq"] for details in undone}
    return [
        LinkRow(
            row.seq,
            row.at,
            row.by,
            row.verb == PERSON_PARTED.name,
            tuple(dict.fromkeys(names[place] for place in links[row.seq].moved if place in names)),
            row.seq in gone,
        )
        for row in rows
    ]


def people_marks() -> QuerySet[AuditRow, Any]:
    """Return the query of what moves with each link, parting and undoing: the last row of the site's trail."""
    return AuditRow.objects.filter(event=None).order_by("-seq").values("seq")[:1]


def _link_rows() -> Any:
    return AuditRow.objects.filter(event=None, verb__in=[PEOPLE_LINKED.name, PERSON_PARTED.name])


def _read_link(row: AuditRow) -> Link:
    details = json.loads(row.details)
    return Link(details["to"], dict(zip(details["people"], details["from"], strict=True)))


def places_of(people: Iterable[Person]) -> dict[int, str]:
    """Return by row of people where it plays: the event's address and the player's number; one query."""
    found = Player.objects.filter(person__in=list(people)).values_list("person", "event__slug", "number")
    return {person: f"{slug}/{number}" for person, slug, number in found}


def find_people(places: Collection[str]) -> dict[str, Person]:
    """Return the rows of people by where they play, those that are still there; one query."""
    slugs = {place.rpartition("/")[0] for place in places}
    found = Player.objects.filter(event__slug__in=slugs).select_related("person", "event")
    here = {f"{player.event.slug}/{player.number}": player.person for player in found}
    return {place: here[place] for place in places if place in here}
