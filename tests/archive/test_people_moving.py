"""People over events and seasons move with a desk, and an old link can be undone there."""

import uuid

import pytest

from scoring.seasons import TeamRule
from tests.factories import make_account
from tests.seasons.evenings import link_all_names, play_evening
from tournament.archive.people import get_people_file, take_people
from tournament.events.models import Event, Visibility
from tournament.league.actions import ask_line_ups, hand_in_line_up, make_team_code, save_team, set_team_rule
from tournament.league.models import LineUp, SeasonTeam
from tournament.league.queries import hash_team_code
from tournament.people.actions import note_namesakes, set_aliases, set_person_page, undo_link
from tournament.people.models import Alias, AliasKind, KnownPerson, Namesakes
from tournament.people.queries import list_humans, list_links
from tournament.players.models import Person
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.models import PostState, Season, SeasonPost
from tournament.seasons.queries import READY_MADE, get_season
from tournament.seasons.reach_actions import Reach, add_posts, set_reach

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NAMES = ("Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik")


def test_links_names_and_seasons_come_out_as_they_went_in():
    by = make_account("Owner", superuser=True)
    events = [play_evening(1, NAMES), play_evening(2, NAMES)]
    link_all_names()
    known = KnownPerson.objects.order_by("pk")[0]
    set_aliases(known=known, names=[(AliasKind.TENHOU, "Kaze")], by=by)
    set_person_page(known=known, agreed=True, by=by)
    rows = [event.players.get(number=1).person_id for event in events]
    note_namesakes(people=[rows[0], events[1].players.get(number=2).person_id], by=by)
    season = create_season(facts=SeasonFacts("Autumn", READY_MADE["m_league"], closed=True), by=by)
    set_season_events(season=season, events=[CountedEvent(events[0].pk, "1/2", 2)], by=by)
    set_team_rule(season=season, rule=TeamRule("half", 2, 9), by=by)
    for number in range(4):
        key = KnownPerson.objects.order_by("pk")[number].pk
        save_team(season=season, number=None, name=f"Team {number}", members=[key], points=[(2, -20, "late")], by=by)
    teams = list(season.teams.all())
    ask_line_ups(event=events[0], game=1, table=1, teams=teams, by=by)
    hand_in_line_up(line_up=LineUp.objects.filter(team=teams[0]).get(), member=known.pk)
    code = make_team_code(team=teams[0], client_id=uuid.uuid4(), by=by)
    Event.objects.update(visibility=Visibility.PUBLIC)
    set_reach(season=season, reach=Reach(hook="https://chat.example.org/api/webhooks/7"), by=by)
    before = get_season("autumn")
    written = get_people_file()
    for model in (Namesakes, Alias, Season):
        model.objects.all().delete()
    Person.objects.update(known=None)
    KnownPerson.objects.all().delete()
    assert get_people_file() != written
    assert take_people(data=written.encode()) == 4
    assert get_people_file() == written
    after = get_season("autumn")
    assert before is not None
    assert after is not None
    assert [line.name for line in after.lines] == [line.name for line in before.lines]
    moved = SeasonTeam.objects.get(code_hash=hash_team_code(code)).line_ups.get()
    assert moved.member == KnownPerson.objects.get(uid=known.uid)
    add_posts(Season.objects.get(), PostState.WAITING)  # as the thread does: what was sent is not sent again
    assert set(SeasonPost.objects.values_list("state", flat=True)) == {PostState.KNOWN}
    assert undo_link(seq=list_links()[0].seq, by=by)
    assert sorted(len(human.events) for human in list_humans()) == [1, 1, 2, 2, 2]
