"""Link people of several events to one human being, part them, undo either at any time; on the trail of the site.

A link moves no result and changes no event. The trail names rows by number and people by lasting id, never by name.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.audit import append_audit, lock_audit_trail
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_NAME
from tournament.core.now import now
from tournament.core.transaction import check_length, require_text
from tournament.people.models import Alias, AliasKind, KnownPerson, Namesakes
from tournament.people.queries import (
    LINK_UNDONE,
    ONLINE_NAMES_SHARED,
    PEOPLE_LINKED,
    PERSON_PARTED,
    Link,
    find_agreed,
    find_people,
    get_link,
    list_merged,
    places_of,
)
from tournament.players.models import Person, Player
from tournament.text.names import clean_name

NAMESAKES_NOTED = Act("namesakes_noted", "noted that {count} people of the same name are different people", Seals.OWN)
ALIASES_CHANGED = Act("aliases_changed", "changed the online names of person {known}", Seals.OWN)

PERSON_PAGE_OPENED = Act("person_page_opened", "noted that person {known} agreed to a public page", Seals.OWN)
PERSON_PAGE_CLOSED = Act("person_page_closed", "closed the public page of person {known}", Seals.OWN)

PEOPLE_TOO_FEW = ProblemType("people.too_few", "Choose at least two people.")
PEOPLE_SAME_EVENT = ProblemType(
    "people.same_event", "{name} and {other} both play at {event}: they cannot be one person."
)
PEOPLE_NOT_LINKED = ProblemType("people.not_linked", "This person is linked to nobody.")
PEOPLE_GONE = ProblemType("people.gone", "Some of these people are no longer here: check the list.")
PEOPLE_ALIAS_TAKEN = ProblemType("people.alias_taken", "The name {name} belongs to another person already.")


def link_people(*, people: Collection[int], by: Account) -> KnownPerson | None:
    """Note that rows of people, with all that is linked to them, are one human being; None if that is known already.

    The oldest lasting id stays. Raises DomainError for fewer than two rows, for rows that are gone or forgotten, and
    where two of them play at one event.
    """
    with transaction.atomic():
        lock_audit_trail(None)
        chosen = list(Person.objects.filter(pk__in=people, forgotten_at=None))
        if len(chosen) < len(set(people)):
            raise DomainError(PEOPLE_GONE())
        known = sorted({row.known_id for row in chosen if row.known_id})
        rows = sorted({*chosen, *Person.objects.filter(known__in=known)}, key=lambda row: row.pk)
        if len(rows) < 2:
            raise DomainError(PEOPLE_TOO_FEW())
        _check_apart(rows)
        to = KnownPerson.objects.get(pk=known[0]) if known else KnownPerson.objects.create()
        moved = [row for row in rows if row.known_id != to.pk]
        if not moved:
            return None
        _move(PEOPLE_LINKED, moved, to, by)
        KnownPerson.objects.filter(pk__in=known[1:]).update(merged_into=to)
        pairs = Namesakes.objects.filter(one__in=rows, other__in=rows)
        pairs.delete()  # somebody knows better now
    return to


def link_agreed(*, names: Mapping[int, Collection[tuple[str, str]]], by: Account) -> None:
    """Link a new event's people, by row, to who agreed to be known over events; note who is asked: `find_agreed`."""
    with transaction.atomic():
        lock_audit_trail(None)
        sure, asked = find_agreed(names)
        rows = dict(Person.objects.filter(known__in=sure.values(), forgotten_at=None).values_list("known", "pk"))
        for row, known in sure.items():
            if known in rows:
                link_people(people=[row, rows[known]], by=by)
        for group in asked:
            uids = sorted(map(str, give_lasting_ids(group).values()))
            append_audit(None, ONLINE_NAMES_SHARED, {"known": uids}, by=str(by.uid), at=now())


def part_person(*, person: Person, by: Account) -> None:
    """Take a row of people out of its human being. Raises DomainError where it is linked to none."""
    with transaction.atomic():
        lock_audit_trail(None)
        row = Person.objects.filter(pk=person.pk).first()
        if row is None or row.known_id is None:
            raise DomainError(PEOPLE_NOT_LINKED())
        _move(PERSON_PARTED, [row], None, by)


def undo_link(*, seq: int, by: Account) -> bool:
    """Undo a link or a parting by its number in the trail of the site, however old; return False if nothing is left.

    Rows that were linked elsewhere since then stay there, and those of a forgotten person stay apart. Raises
    DomainError for another act, and where rows that come together play at one event by now.
    """
    with transaction.atomic():
        lock_audit_trail(None)
        link = get_link(seq)
        if link is None:
            raise DomainError(PEOPLE_GONE())
        found = KnownPerson.objects.filter(uid__in=link.uids).values_list("uid", "pk")
        ids = {str(uid): pk for uid, pk in found}
        here = find_people(link.moved.keys())
        to = ids.get(link.to) if link.to else None
        back: dict[int | None, list[Person]] = {}
        for place, row in here.items():
            if row.known_id == to and row.forgotten_at is None:
                back.setdefault(ids.get(link.moved[place]) if link.moved[place] else None, []).append(row)
        changed = []
        for known, mine in back.items():
            if known is not None:
                _check_apart([*mine, *Person.objects.filter(known=known)])
                KnownPerson.objects.filter(pk=known).update(merged_into=None)
            changed += [place for place, row in here.items() if row in mine and row.known_id != known]
            _set_known(mine, known)
        if changed:
            append_audit(None, LINK_UNDONE, {"seq": seq, "people": changed}, by=str(by.uid), at=now())
        return bool(changed)


def note_namesakes(*, people: Collection[int], by: Account) -> bool:
    """Note that these rows are different people, each of the others; return False if that is known already."""
    with transaction.atomic():
        lock_audit_trail(None)
        rows = sorted(Person.objects.filter(pk__in=people).values_list("pk", flat=True))
        if len(rows) < 2:
            raise DomainError(PEOPLE_TOO_FEW())
        noted = set(Namesakes.objects.filter(one__in=rows, other__in=rows).values_list("one", "other"))
        new = [pair for pair in combinations(rows, 2) if pair not in noted]
        Namesakes.objects.bulk_create(Namesakes(one_id=one, other_id=other) for one, other in new)
        if new:
            append_audit(None, NAMESAKES_NOTED, {"count": len(rows)}, by=str(by.uid), at=now())
        return bool(new)


def set_aliases(*, known: KnownPerson, names: Sequence[tuple[AliasKind, str]], by: Account) -> bool:
    """Replace the other names of a person; return False if nothing is new. Raises DomainError for another's name."""
    with transaction.atomic():
        lock_audit_trail(None)
        mine = list_merged([known.pk])
        wanted = {}
        for kind, text in names:
            name = require_text(clean_name(text), PEOPLE_GONE, MAX_NAME + 1)
            check_length(str(kind), name, MAX_NAME)
            wanted[kind, name.casefold()] = name
        for (kind, key), name in wanted.items():
            if Alias.objects.filter(kind=kind, key=key).exclude(known__in=mine).exists():
                raise DomainError(PEOPLE_ALIAS_TAKEN(name=name))
        stored = {(each.kind, each.key): each.text for each in Alias.objects.filter(known__in=mine)}
        if stored == {(str(kind), key): name for (kind, key), name in wanted.items()}:
            return False
        Alias.objects.filter(known__in=mine).delete()
        Alias.objects.bulk_create(
            Alias(known=known, kind=kind, key=key, text=name) for (kind, key), name in wanted.items()
        )
        append_audit(None, ALIASES_CHANGED, {"known": str(known.uid)}, by=str(by.uid), at=now())
        return True


def add_alias(*, person: Person, kind: AliasKind, name: str, by: Account) -> bool:
    """Add another name of the human being that a row of people is; see `set_aliases`."""
    with transaction.atomic():
        lock_audit_trail(None)
        key = -person.pk if person.known_id is None else person.known_id
        known = KnownPerson.objects.get(uid=give_lasting_ids([key])[key])
        stored = Alias.objects.filter(known__in=list_merged([known.pk]))
        return set_aliases(
            known=known, names=[*((AliasKind(each.kind), each.text) for each in stored), (kind, name)], by=by
        )


def set_person_page(*, known: KnownPerson, agreed: bool, by: Account | None) -> bool:
    """Note that a person agreed to a public page, or no longer does; return False if that is known already.

    Nobody (None) is the person by a link of their own.
    """
    with transaction.atomic():
        lock_audit_trail(None)
        current = KnownPerson.objects.get(pk=known.pk)
        if bool(current.agreed_at) == agreed:
            return False
        at = now()
        KnownPerson.objects.filter(pk=known.pk).update(agreed_at=at if agreed else None)
        act = PERSON_PAGE_OPENED if agreed else PERSON_PAGE_CLOSED
        append_audit(None, act, {"known": str(known.uid)}, by=str(by.uid) if by else "", at=at)
        return True


def set_own_page(*, person: Person, agreed: bool, by: Account | None = None) -> bool:
    """Open or close the public page of the human being that a row of people is; see `set_person_page`."""
    with transaction.atomic():
        lock_audit_trail(None)
        key = -person.pk if person.known_id is None else person.known_id
        uid = give_lasting_ids([key]).get(key)
        if uid is None:
            raise DomainError(PEOPLE_GONE())
        return set_person_page(known=KnownPerson.objects.get(uid=uid), agreed=agreed, by=by)


def forget_known(rows: Collection[Person]) -> None:
    """Delete what is known of forgotten people beside their rows: other names, and the page; links stay."""
    known = list_merged({row.known_id for row in rows if row.known_id is not None})
    Alias.objects.filter(known__in=known).delete()
    KnownPerson.objects.filter(pk__in=known).update(agreed_at=None)
    Namesakes.objects.filter(Q(one__in=rows) | Q(other__in=rows)).delete()


def give_lasting_ids(keys: Collection[int]) -> dict[int, UUID]:
    """Return the lasting ids of human beings by key; who has none yet gets one, in the transaction of the caller."""
    rows = Person.objects.filter(pk__in=[-key for key in keys if key < 0], forgotten_at=None)
    found = {}
    for row in rows.select_related("known"):
        if row.known is None:
            row.known = KnownPerson.objects.create()
            row.save(update_fields=["known"])
        found[-row.pk] = row.known.uid
    known = [key for key in keys if key > 0]
    return found | dict(KnownPerson.objects.filter(pk__in=known).values_list("pk", "uid"))


def _check_apart(rows: Collection[Person]) -> None:
    """Raise DomainError where two of these rows play at one event."""
    seen: dict[int, Player] = {}
    for player in Player.objects.filter(person__in=rows).select_related("person", "event").order_by("pk"):
        other = seen.setdefault(player.event_id, player)
        if other.person_id != player.person_id:
            names = {"name": other.person.preferred_name, "other": player.person.preferred_name}
            raise DomainError(PEOPLE_SAME_EVENT(**names, event=player.event.name))


def _move(act: Act, rows: Sequence[Person], to: KnownPerson | None, by: Account) -> None:
    """Link rows to a human being or to none, and write what they were linked to."""
    before = {row.known_id for row in rows if row.known_id}
    uids = dict(KnownPerson.objects.filter(pk__in=before).values_list("pk", "uid"))
    places = places_of(rows)
    moved = {places[row.pk]: str(uids[row.known_id]) if row.known_id else "" for row in rows if row.pk in places}
    _set_known(rows, to.pk if to else None)
    append_audit(None, act, Link(str(to.uid) if to else "", moved).details(), by=str(by.uid), at=now())


def _set_known(rows: Sequence[Person], known: int | None) -> None:
    Person.objects.filter(pk__in=[row.pk for row in rows]).update(known=known)
