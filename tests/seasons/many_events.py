"""Hundreds of events of a season, their rows written at once: to play them is another test."""

import datetime as dt
from random import Random
from uuid import uuid4

from django.db import transaction

from scoring.entries import Totals, to_json
from tests.factories import make_account, name_of
from tournament.core.hash_chain import canonical
from tournament.core.now import now
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.people.models import KnownPerson
from tournament.players.models import Person, Player
from tournament.seasons.actions import SeasonFacts, create_season
from tournament.seasons.models import Season, SeasonEvent
from tournament.seasons.queries import READY_MADE
from tournament.sheets.models import SheetRow
from tournament.tables.models import LedgerEntry, Round, Seat, Table

TABLES, SEATS = 2, 4
FIRST = dt.date(2020, 1, 7)
SCORES = (45_000, 31_000, 24_000, 20_000)


@transaction.atomic
def make_many_events(events: int) -> Season:
    """Make a season of so many evenings of one round, played by twice as many people, who all have a page.

    One of them plays in all.
    """
    chance, at, by = Random(41), now(), make_account("Owner", superuser=True)
    people = max(2 * events, TABLES * SEATS)
    known = KnownPerson.objects.bulk_create(KnownPerson(agreed_at=at) for _ in range(people))
    season = create_season(facts=SeasonFacts(f"Season {events}", READY_MADE["sum"]), by=by)
    first = create_event(name="Evening 0", date=FIRST, rules_key="ema-2025", rounds=1, slug=f"of-{events}-0", by=by)
    for number in range(events):
        event = first
        if number:
            event = Event.objects.get(pk=first.pk)
            event.pk, event.slug, event.name = None, f"of-{events}-{number}", f"Evening {number}"
            event.date = FIRST + dt.timedelta(days=7 * number)
            event.save(force_insert=True)
        SeasonEvent.objects.create(season=season, event=event)
        others = chance.sample(range(1, people), TABLES * SEATS - 1)
        _play(event, [(known[index], name_of(index)) for index in [0, *others]])
    return season


def _play(event: Event, who: list[tuple[KnownPerson, str]]) -> None:
    at = now()
    round_ = Round.objects.create(event=event, number=1, published_at=at, started_at=at, released_at=at)
    tables = Table.objects.bulk_create(Table(round=round_, number=number + 1) for number in range(TABLES))
    people = Person.objects.bulk_create(Person(preferred_name=name, known=known) for known, name in who)
    players = Player.objects.bulk_create(
        Player(event=event, person=person, number=number) for number, person in enumerate(people, start=1)
    )
    Seat.objects.bulk_create(
        Seat(round=round_, table=tables[index // SEATS], seat=index % SEATS, player=player)
        for index, player in enumerate(players)
    )
    rows = LedgerEntry.objects.bulk_create(
        LedgerEntry(
            table=table, seq=1, payload=canonical(to_json(Totals(scores=SCORES))), client_id=uuid4(), by="", at=at,
            hash=uuid4().hex,
        )
        for table in tables
    )  # fmt: skip
    SheetRow.objects.bulk_create(
        SheetRow(table=row.table, seq=1, signed=True, totals=list(SCORES), ledger_hash=row.hash, by="", at=at)
        for row in rows
    )
