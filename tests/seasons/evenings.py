"""Evenings of a club for tests: results of a few games, played at events with the same people."""

import datetime as dt
from collections.abc import Sequence

from rules.books import load
from tests.factories import make_account
from tests.pages.test_audiences import SAMPLE
from tournament.core.now import now
from tournament.events.models import Event
from tournament.imports.actions import import_results
from tournament.imports.results import read_results
from tournament.people.actions import link_people
from tournament.people.models import KnownPerson
from tournament.people.queries import list_humans, list_proposals
from tournament.players.models import Person
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE

FIRST = dt.date(2026, 9, 1)
SCORES = (40_000, 33_000, 27_000, 20_000)


def play_evening(number: int, *games: Sequence[str]) -> Event:
    """Import an evening of one table: each game's four players from first to last."""
    return play_tables(number, *([game] for game in games))


def link_all_names() -> None:
    """Link all people of the same name."""
    by = make_account(superuser=True)
    for each in list_proposals(list_humans()):
        link_people(people=[human.people[0] for human in each.humans], by=by)


def play_tables(number: int, *rounds: Sequence[Sequence[str]]) -> Event:
    """Import an evening, a week after the one before: tables by round, each with its players from first to last."""
    lines = ["round,table,seat,player,points"]
    for round_, tables in enumerate(rounds, start=1):
        for table, players in enumerate(tables, start=1):
            lines += [f"{round_},{table},{seat},{name},{SCORES[seat]}" for seat, name in enumerate(players)]
    preview = read_results("\n".join(lines).encode(), "results.csv")
    day = FIRST + dt.timedelta(days=7 * number)
    return import_results(
        slug=f"evening-{number}", preview=preview, rules=load("wrc-2025"), date=day, by=make_account()
    ).event


def count_in_season(event: Event) -> None:
    """Let an event alone count in a season at /s/cup/, and give player 1 the page of the sample id."""
    by = make_account()
    facts = SeasonFacts("Cup", READY_MADE["sum"])
    season = Season.objects.first() or create_season(facts=facts, by=by)
    set_season_events(season=season, events=[CountedEvent(event.pk)], by=by)
    known, _new = KnownPerson.objects.get_or_create(uid=SAMPLE["uid"], defaults={"agreed_at": now()})
    Person.objects.filter(players=event.players.get(number=1)).update(known=known)
