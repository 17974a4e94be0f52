"""Six evenings of a club, 12 to 20 of 22 people, others each time: one person each, and a season by four rules."""

import json
from fractions import Fraction
from random import Random

import pytest

from scoring.seasons import SeasonEvent, SeasonRule, season_table
from tests.factories import make_account, name_of
from tests.seasons.evenings import SCORES, link_all_names, play_tables
from tournament.events.models import Event
from tournament.people.actions import link_people, undo_link
from tournament.people.queries import list_humans, list_links
from tournament.players.models import Player
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.queries import DeclaredRule, SeasonView, get_season_view
from tournament.standings.queries import read_standings

pytestmark = [pytest.mark.django_db, pytest.mark.once]

RULES = (
    SeasonRule(gather="sum"),
    SeasonRule(gather="mean", least=6),
    SeasonRule(unit="evening", gather="sum", best=3),
    SeasonRule(unit="evening", measure="base_rank", gather="mean", least=3),
)
UMA = (15_000, 5_000, -5_000, -15_000)  # WRC 2025; all begin with 30,000
POINTS = [score - 30_000 + uma for score, uma in zip(SCORES, UMA, strict=True)]

Evenings = list[tuple[Event, list[list[list[str]]]]]


@pytest.fixture
def evenings() -> Evenings:
    chance = Random(22)
    people = [name_of(index) for index in range(22)]
    made = []
    for number, size in enumerate((12, 16, 20, 12, 20, 16), start=1):
        who = chance.sample(people, size)
        rounds = []
        for _round in range(3):
            chance.shuffle(who)
            rounds.append([who[at : at + 4] for at in range(0, size, 4)])
        made.append((play_tables(number, *rounds), rounds))
    link_all_names()
    return made


def by_hand(evenings: Evenings, rule: SeasonRule) -> list[tuple[int | None, str, Fraction, int]]:
    events = [
        SeasonEvent([dict(zip(table, POINTS, strict=True)) for tables in rounds for table in tables])
        for _event, rounds in evenings
    ]
    return sorted(
        ((row.rank, row.person, Fraction(row.figure), row.games) for row in season_table(events, rule)), key=str
    )


def lines_of(view: SeasonView) -> list[tuple[int | None, str, Fraction, int]]:
    return sorted(
        ((line.row.rank, line.name, Fraction(line.row.figure), line.row.games) for line in view.lines), key=str
    )


def all_bytes(evenings: Evenings, view: SeasonView) -> str:
    standings = [read_standings(event) for event, _rounds in evenings]
    lines = [(line.name, line.uid, line.number, line.missing, line.row) for line in get_season_view(view.season).lines]
    return json.dumps([repr(standings), repr(lines)])


def test_a_club_has_one_person_each_and_a_season_by_four_rules(evenings: Evenings):
    by = make_account("Owner", superuser=True)
    came = {name for _event, rounds in evenings for table in rounds[0] for name in table}
    assert sorted(human.name for human in list_humans()) == sorted(came)
    for rule in RULES:
        season = create_season(facts=SeasonFacts("Club", DeclaredRule(rule)), by=by)
        set_season_events(season=season, events=[CountedEvent(event.pk) for event, _rounds in evenings], by=by)
        assert lines_of(get_season_view(season)) == by_hand(evenings, rule), rule
    assert not Player.objects.exclude(withdrawn_at=None).exists()
    details = [row.details for event, _rounds in evenings for row in event.audit.all()]
    assert [each for each in details if '"reason"' in each] == []


def test_undoing_a_wrong_merge_leaves_every_byte_as_before(evenings: Evenings):
    by = make_account("Owner", superuser=True)
    guests = ["Guest One", "Guest Two", "Guest Three", "Guest Four"]
    evenings.append((play_tables(7, [guests]), [[guests]]))
    season = create_season(facts=SeasonFacts("Club", DeclaredRule(RULES[1])), by=by)
    set_season_events(season=season, events=[CountedEvent(event.pk) for event, _rounds in evenings], by=by)
    view = get_season_view(season)
    before = all_bytes(evenings, view)
    guest = next(human for human in list_humans() if human.name == "Guest One")
    member = next(human for human in list_humans() if len(human.events) > 1)
    assert link_people(people=[guest.people[0], member.people[0]], by=by)
    assert all_bytes(evenings, view) != before
    assert undo_link(seq=list_links()[0].seq, by=by)
    assert all_bytes(evenings, view) == before
