"""A season in teams: sealed line-ups, captains by their link, points of a team alone, and the table.

The figures of the first day are M-League's of 1 October 2018: final scores and points of both games, and the teams
after them, of mj-news.net/news/mleague/20181001109022 and majan.co.jp/?p=19192. The names are invented.
"""

import datetime as dt
import json
import re
import uuid
from collections.abc import Sequence

import pytest
from django.test import Client

from scoring.seasons import TeamRule
from tests.factories import make_account, refused
from tests.pages.at_desk import client_of
from tests.seasons.evenings import link_all_names
from tournament.accounts.models import Account
from tournament.core.models import AuditRow
from tournament.events.actions import create_event, set_play
from tournament.events.models import Event, Play, Visibility
from tournament.imports.actions import import_results
from tournament.imports.results import read_results
from tournament.league.actions import (
    ask_line_ups,
    delete_line_ups,
    delete_team,
    hand_in_line_up,
    make_team_code,
    save_team,
    set_team_rule,
)
from tournament.league.models import LineUp, SeasonTeam
from tournament.league.queries import READY_MADE_TEAMS, League, get_league
from tournament.open_play.actions import seat_table, take_table_back
from tournament.people.actions import link_people
from tournament.people.models import KnownPerson
from tournament.people.queries import list_humans
from tournament.players.actions import NewPlayer, add_players, check_in
from tournament.players.models import Person
from tournament.privacy.actions import erase_person, set_names_shown
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE, get_season_view
from tournament.seasons.reach_actions import Reach, set_reach
from tournament.tables.models import Table

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TEAMS = {
    "Cranes": ("Ana Berg", "Birk Sol"),
    "Pines": ("Cyan Lund", "Dora Vik"),
    "Boars": ("Ede Holm", "Fia Rask"),
    "Moons": ("Gus Moor", "Hedda Ahl"),
}
FIRST_DAY = [  # the member that each team sends, and final scores
    ({"Cranes": 0, "Pines": 0, "Boars": 0, "Moons": 0}, (42_900, 38_400, 16_700, 2_000)),
    ({"Pines": 1, "Cranes": 1, "Moons": 1, "Boars": 1}, (43_500, 26_300, 18_500, 11_700)),
]
AFTER_IT = {"Pines": 81_900, "Cranes": 69_200, "Boars": -71_600, "Moons": -79_500}


@pytest.fixture
def by() -> Account:
    return make_account("Owner", superuser=True)


def make_evening(slug: str, by: Account, day: int = 1) -> Event:
    """Create an evening by M-League's rules at which everybody is a player."""
    event = create_event(
        name=slug.title(), date=dt.date(2026, 10, day), rules_key="m-league", rounds=2, slug=slug, by=by
    )
    add_players(event=event, players=[NewPlayer(name) for team in TEAMS.values() for name in team], by=by)
    return event


@pytest.fixture
def season(by: Account) -> Season:
    """A season of one evening that is to be played, with four teams by M-League's rules."""
    event = make_evening("opening", by)
    season = create_season(facts=SeasonFacts("League", READY_MADE["m_league"]), by=by)
    set_season_events(season=season, events=[CountedEvent(event.pk)], by=by)
    set_team_rule(season=season, rule=READY_MADE_TEAMS["m_league"], by=by)
    keys = {human.name: human.key for human in list_humans()}
    for name, members in TEAMS.items():
        save_team(season=season, number=None, name=name, members=[keys[each] for each in members], by=by)
    return season


def send(season: Season, game: int, *, by: Account) -> list[LineUp]:
    """Ask all teams for a game's line-ups, in the order of the first day's scores."""
    who, _scores = FIRST_DAY[game - 1]
    teams = [season.teams.get(name=name) for name in who]
    ask_line_ups(event=Event.objects.get(slug="opening"), game=game, table=1, teams=teams, by=by)
    return list(LineUp.objects.filter(game=game).select_related("team"))


def member(name: str, place: int) -> int:
    """Return the number of a team's member."""
    return KnownPerson.objects.get(people__preferred_name=TEAMS[name][place]).pk


def hand_in(row: LineUp) -> bool:
    return hand_in_line_up(line_up=row, member=member(row.team.name, FIRST_DAY[row.game - 1][0][row.team.name]))


def play(slug: str, games: Sequence[tuple[Sequence[str], Sequence[int]]], by: Account) -> None:
    """Play a table in each round, with these names in seat order."""
    lines = ["round,table,seat,player,points"]
    for number, (names, scores) in enumerate(games, start=1):
        lines += [
            f"{number},1,{seat},{name},{points}"
            for seat, (name, points) in enumerate(zip(names, scores, strict=True), start=1)
        ]
    preview = read_results("\n".join(lines).encode(), "results.csv")
    import_results(slug=slug, preview=preview, rules=None, date=dt.date(2026, 10, 1), by=by)


def league_of(season: Season) -> League:
    found = get_league(Season.objects.get(pk=season.pk))
    assert found is not None
    return found


def figures(season: Season) -> dict[str, int]:
    """Return the points of each team by name, best first."""
    league = league_of(season)
    return {league.teams[row.team].name: int(row.figure) for row in league.rows}


def play_first_day(season: Season, by: Account) -> None:
    """Hand in both games' line-ups, and play what they say."""
    for number in (1, 2):
        for row in send(season, number, by=by):
            assert hand_in(row)
    seated = [
        [Person.objects.get(known=each.member).preferred_name for each in table.line_ups]
        for table in league_of(season).tables
    ]
    play("opening", list(zip(seated, [scores for _who, scores in FIRST_DAY], strict=True)), by)


def test_four_teams_from_line_ups_to_the_table_that_was_published(season: Season, by: Account):
    play_first_day(season, by)
    assert list(figures(season).items()) == list(AFTER_IT.items())
    page = client_of(make_account()).get(f"/s/{season.slug}/teams/").content.decode()
    assert re.findall(r'<b class="num">([^<]+)', page) == ["+81.9", "+69.2", "−71.6", "−79.5"]
    line = page[page.index("Ana Berg") :]
    assert "19 games are missing" in line[:200]
    assert "+62.9" in line[:400]
    assert f"/s/{season.slug}/teams/" in client_of(make_account()).get(f"/s/{season.slug}/").content.decode()


def test_the_table_of_teams_is_a_file_once_it_is_switched_on(season: Season, by: Account):
    play_first_day(season, by)
    client = Client()
    files = [f"/s/{season.slug}/teams.{form}" for form in ("json", "csv")]
    assert [client.get(address).status_code for address in files] == [404, 404]
    set_reach(season=season, reach=Reach(teams=True), by=by)
    found = client.get(files[0]).json()
    assert {team["team"]: team["points"] for team in found["teams"]} == AFTER_IT
    ana = next(each for team in found["teams"] for each in team["members"] if each["name"] == "Ana Berg")
    assert (ana["games"], ana["points"]) == (1, 62_900)
    lines = client.get(files[1]).content.decode("utf-8-sig").splitlines()
    assert [line.split(",")[2] for line in lines[1:]] == ["81900", "69200", "-71600", "-79500"]
    event = Event.objects.get(slug="opening")
    number = event.players.get(person__preferred_name="Ana Berg").number
    set_names_shown(event=event, numbers=[number], shown=False, by=by)
    assert all("Ana Berg" not in client.get(address).content.decode() for address in files)
    season.visibility = Visibility.DRAFT
    season.save()
    assert [client.get(address).status_code for address in files] == [404, 404]


def test_half_is_carried_to_a_tenth_and_a_team_that_is_out_keeps_its_points(season: Season, by: Account):
    play_first_day(season, by)
    event = make_evening("final", by, day=8)
    for human in list_humans():
        others = [other for other in list_humans() if other.name == human.name]
        if len(others) > 1:
            link_people(people=[each.people[0] for each in others], by=by)
    events = [CountedEvent(Event.objects.get(slug="opening").pk), CountedEvent(event.pk, phase=2)]
    set_season_events(season=season, events=events, by=by)
    keys = {human.name: human.key for human in list_humans()}
    for name, points, last in (("Cranes", [(2, -20_000, "Chombo")], None), ("Moons", [], 1)):
        number = season.teams.get(name=name).number
        members = [keys[each] for each in TEAMS[name]]
        save_team(season=season, number=number, name=name, members=members, points=points, last_phase=last, by=by)
    assert figures(season) == {"Pines": 41_000, "Cranes": 14_600, "Boars": -35_800, "Moons": -79_500}
    assert "Chombo" in client_of(by).get(f"/s/{season.slug}/teams/").content.decode()
    # hit the team alone: no person's sum has it
    lines = {line.name: line.row.figure for line in get_season_view(season).lines}
    assert lines["Ana Berg"] * 2 == 62_900


def test_a_team_that_is_saved_keeps_the_games_of_who_was_forgotten(season: Season, by: Account):
    play_first_day(season, by)
    person = Person.objects.get(preferred_name="Ana Berg")
    erase_person(person=person, stand_in_for=lambda _event, number: f"Player {number}", reason="asked", by=by)
    number = season.teams.get(name="Cranes").number
    desk, address = client_of(by), f"/desk/seasons/{season.slug}/teams/"
    names = re.findall(
        r'<textarea name="members"[^>]*>\s*([^<]*)<', desk.get(f"{address}?team={number}").content.decode()
    )
    assert names == ["Birk Sol"]
    sent = {"act": "team", "team": number, "name": "Cranes", "members": names[0], "points": "1 −20.0 Chombo"}
    assert desk.post(address, sent).status_code == 302
    assert figures(season) == {**AFTER_IT, "Cranes": AFTER_IT["Cranes"] - 20_000}
    code = make_team_code(team=season.teams.get(number=number), client_id=uuid.uuid4(), by=by)
    send(season, 2, by=by)
    LineUp.objects.filter(game=2).update(member=None)
    captain = Client().get(f"/s/{season.slug}/line-ups/{code}/").content.decode()
    options = re.findall(r'<option value="[0-9]+"[^>]*>([^<]*)<', captain)
    assert options
    assert {*options} == {"Birk Sol"}  # who has no name sits down no more


def test_line_ups_of_two_events_of_one_name_and_day_stay_sealed(season: Season, by: Account):
    events = [Event.objects.get(slug="opening"), make_evening("evening", by)]
    Event.objects.update(name="Opening")
    set_season_events(season=season, events=[CountedEvent(event.pk) for event in events], by=by)
    teams = list(season.teams.all())
    for event in events:
        ask_line_ups(event=event, game=1, table=1, teams=teams, by=by)
    first = LineUp.objects.filter(event=events[0], team=teams[0]).get()
    assert hand_in_line_up(line_up=first, member=member("Cranes", 0))
    tables = league_of(season).tables
    assert [(len(table.line_ups), table.is_open) for table in tables] == [(4, False), (4, False)]
    page = Client().get(f"/s/{season.slug}/teams/").content.decode()
    assert page[page.rindex("</table>") :].count("Ana Berg") == 0


def test_the_page_draws_the_teams_over_the_events_that_were_played(season: Season, by: Account):
    play_first_day(season, by)
    event = make_evening("final", by, day=8)
    link_all_names()
    events = [CountedEvent(Event.objects.get(slug="opening").pk), CountedEvent(event.pk, phase=2)]
    set_season_events(season=season, events=events, by=by)
    number = season.teams.get(name="Moons").number
    keys = {human.name: human.key for human in list_humans()}
    members = [keys[each] for each in TEAMS["Moons"]]
    save_team(season=season, number=number, name="Moons", members=members, last_phase=1, by=by)
    address = f"/s/{season.slug}/teams/"
    assert "chart-hit" not in Client().get(address).content.decode()
    play("final", [(("Ana Berg", "Cyan Lund", "Ede Holm", "Fia Rask"), (45_000, 30_000, 15_000, 10_000))], by)
    page = Client().get(address).content.decode()
    assert page.count('<rect class="chart-hit') == 2 * 2  # on a phone, and with room
    now = re.findall(r'<b class="num">([^<]+)', page)
    first, last = re.findall(r'<th scope="row">(?:Opening|Final)</th>(.*?)</tr>', page)
    assert re.findall(">([^<]+)<", first) == ["+69.2", "+81.9", "−71.6", "−79.5"]
    assert re.findall(">([^<]+)<", last) == [*now[:3], "–"]


def test_nobody_sees_a_line_up_before_all_of_its_table_are_in(season: Season, by: Account):
    rows = send(season, 1, by=by)
    codes = [make_team_code(team=row.team, client_id=uuid.uuid4(), by=by) for row in rows]
    captains = [f"/s/{season.slug}/line-ups/{code}/" for code in codes]
    public = [f"/s/{season.slug}/{end}" for end in ("teams/", "", "season.json", "season.csv", "how/")]
    desk, client = client_of(by), Client()
    for row, address in zip(rows[:3], captains, strict=False):
        sent = {"line_up": row.pk, "member": member(row.team.name, 0)}
        assert client.post(address, sent).status_code == 302
        assert client.post(address, sent).status_code == 302  # the same again
    others = [(client, each) for each in (*captains[1:], *public)]
    others += [(desk, f"/desk/seasons/{season.slug}/{end}") for end in ("teams/", "")]

    def read_all() -> list[str]:
        texts = [reader.get(address).content.decode() for reader, address in others]
        return [re.sub(r"[\w/+=-]{20,}|\d{13}", "", text) for text in texts]  # tokens and the clock

    pages = read_all()
    assert "is in" in pages[0]
    client.post(captains[0], {"line_up": rows[0].pk, "member": member("Cranes", 1)})
    assert read_all() == pages
    client.post(captains[0], {"line_up": rows[0].pk, "member": member("Cranes", 0)})
    uid = str(KnownPerson.objects.get(pk=member("Cranes", 0)).uid)
    trail = [json.loads(row.details) for row in AuditRow.objects.filter(verb__startswith="line_up")]
    assert uid not in json.dumps(trail)
    assert [row["team"] for row in trail if "team" in row] == [1, 2, 3, 1, 1]
    assert "selected>Ana Berg" in client.get(captains[0]).content.decode()
    hand_in(rows[3])
    for address in (captains[1], public[0]):
        assert "Cranes: <b>Ana Berg</b>" in client.get(address).content.decode()
    opened = AuditRow.objects.get(verb="line_ups_opened")
    assert uid in opened.details
    changed = client.post(captains[0], {"line_up": rows[0].pk, "member": member("Cranes", 1)})
    assert (changed.status_code, "no longer change" in changed.content.decode()) == (422, True)


def test_a_captain_reaches_nothing_but_the_own_team_and_an_old_link_counts_no_more(season: Season, by: Account):
    rows = send(season, 1, by=by)
    client_id = uuid.uuid4()
    code = make_team_code(team=rows[0].team, client_id=client_id, by=by)
    assert make_team_code(team=rows[0].team, client_id=client_id, by=by) == code
    address, client = f"/s/{season.slug}/line-ups/{code}/", Client()
    assert client.post(address, {"line_up": rows[1].pk, "member": member("Pines", 0)}).status_code == 404
    assert client.post(address, {"line_up": rows[0].pk, "member": member("Pines", 0)}).status_code == 422
    other = create_season(facts=SeasonFacts("Other", READY_MADE["sum"]), by=by)
    set_team_rule(season=other, rule=TeamRule(), by=by)
    assert client.get(f"/s/{other.slug}/line-ups/{code}/").status_code == 404
    make_team_code(team=rows[0].team, client_id=uuid.uuid4(), by=by)
    answer = client.get(address)
    assert (answer.status_code, "not known" in answer.content.decode()) == (404, True)
    assert client.post(address, {"line_up": rows[0].pk, "member": member("Cranes", 0)}).status_code == 404
    assert not LineUp.objects.filter(member__isnull=False).exists()
    statuses = {client.get(f"/s/{season.slug}/line-ups/{number}/").status_code for number in range(60)}
    assert statuses == {404, 429}


def test_a_member_sits_once_a_game_and_plays_no_more_than_most(season: Season, by: Account):
    event = Event.objects.get(slug="opening")
    rows = send(season, 1, by=by)
    hand_in(rows[0])
    teams = [row.team for row in rows]
    ask_line_ups(event=event, game=1, table=2, teams=teams, by=by)
    second = LineUp.objects.get(game=1, table=2, team=teams[0])
    with refused("line_up.twice"):
        hand_in_line_up(line_up=second, member=member("Cranes", 0))
    set_team_rule(season=season, rule=TeamRule("half", 1, 1), by=by)
    ask_line_ups(event=event, game=2, table=1, teams=teams, by=by)
    third = LineUp.objects.get(game=2, team=teams[0])
    with refused("line_up.most"):
        hand_in_line_up(line_up=third, member=member("Cranes", 0))
    assert hand_in_line_up(line_up=third, member=member("Cranes", 1))
    set_season_events(season=season, events=[CountedEvent(event.pk, phase=2)], by=by)
    assert hand_in_line_up(line_up=third, member=member("Cranes", 0))


def test_tables_are_asked_once_and_refused_with_other_teams(season: Season, by: Account):
    event, teams = Event.objects.get(slug="opening"), list(season.teams.all())
    assert ask_line_ups(event=event, game=1, table=1, teams=teams, by=by)
    assert not ask_line_ups(event=event, game=1, table=1, teams=teams, by=by)
    with refused("line_up.asked"):
        ask_line_ups(event=event, game=1, table=1, teams=teams[::-1], by=by)
    with refused("line_up.teams"):
        ask_line_ups(event=event, game=2, table=1, teams=[*teams[:3], teams[0]], by=by)
    with refused("team.used"):
        delete_team(team=teams[0], by=by)
    delete_line_ups(season=season, event=event, game=1, table=1, by=by)
    delete_line_ups(season=season, event=event, game=1, table=1, by=by)
    assert AuditRow.objects.filter(verb="line_ups_deleted").count() == 1
    delete_team(team=teams[0], by=by)
    assert season.teams.count() == 3


def test_a_hidden_member_is_a_number_and_a_forgotten_one_still_scores_for_the_team(season: Season, by: Account):
    play_first_day(season, by)
    event = Event.objects.get(slug="opening")
    player = event.players.get(person__preferred_name="Ana Berg")
    set_names_shown(event=event, numbers=[player.number], shown=False, by=by)
    for address in ("teams/", "season.json", "season.csv", "how/", ""):
        assert "Ana Berg" not in Client().get(f"/s/{season.slug}/{address}").content.decode()
    number = season.teams.get(name="Cranes").number
    team = SeasonTeam.objects.get(number=number)
    team.points = [[1, -1_000, "Ana Berg came late"]]
    team.save()
    erase_person(person=player.person, stand_in_for=lambda _event, n: f"Player {n}", reason="asked", by=by)
    assert figures(season)["Cranes"] == AFTER_IT["Cranes"] - 1_000
    assert SeasonTeam.objects.get(number=number).points[0][2] == "Player 1 came late"


def test_a_league_asks_a_constant_number_of_queries(season: Season, by: Account, django_assert_max_num_queries: object):
    play_first_day(season, by)
    league_of(season)
    with django_assert_max_num_queries(9):  # type: ignore[operator]
        league_of(season)


@pytest.mark.follows("after/leagues.md")
def test_a_league_is_made_at_the_desk(season: Season, by: Account):
    client, address = client_of(by), f"/desk/seasons/{season.slug}/teams/"
    assert client_of(make_account()).get(address).status_code == 404
    own = {"act": "rule", "ready": "own", "carry": "all", "least": "2", "most": "9"}
    client.post(address, own)
    assert Season.objects.get().team_rule == {"carry": "all", "least": 2, "most": 9}
    wrong = client.post(address, {"act": "team", "team": "1", "name": "Cranes", "members": "Ana Berg\nNobody"})
    page = wrong.content.decode()
    assert (wrong.status_code, "Nobody is not known" in page, "Ana Berg\nNobody</textarea>" in page) == (
        422,
        True,
        True,
    )
    taken = {"act": "team", "name": "Owls", "members": "Cyan Lund", "points": ""}
    assert "Cyan Lund plays for Pines" in client.post(address, taken).content.decode()
    lines = {"act": "team", "team": "1", "name": "Cranes", "members": "Ana Berg", "points": "1 twenty Chombo"}
    assert "Line 1" in client.post(address, lines).content.decode()
    client.post(address, lines | {"points": "1 -20.0 Chombo\n2 +1.5 Sportsmanship", "last_phase": "2"})
    team = season.teams.get(number=1)
    assert (team.points, team.last_phase) == ([[1, -20_000, "Chombo"], [2, 1_500, "Sportsmanship"]], 2)
    assert list(team.members.all()) == [KnownPerson.objects.get(people__preferred_name="Ana Berg")]
    assert "1 −20.0 Chombo" in client.get(f"{address}?team=1").content.decode()
    stale = client.post(address, {"act": "code", "team": "1", "client_id": "7"}, follow=True)
    assert "too old to be sent" in stale.content.decode()
    made = client.post(address, {"act": "code", "team": "1", "client_id": str(uuid.uuid4())}).content.decode()
    link = re.search(r'href="([^"]*/line-ups/[0-9a-f]{32}/)"', made)
    assert link
    assert "/line-ups/" not in client.get(address).content.decode()
    event = Event.objects.get(slug="opening")
    teams = list(season.teams.values_list("pk", flat=True))
    client.post(address, {"act": "line_ups", "event": event.pk, "game": "1", "table": "1", "teams": teams})
    row = LineUp.objects.get(team=team)
    page = Client().get("/" + link[1].split("/", 3)[3]).content.decode()
    assert "Hand in" in page
    for sent in ({"act": "delete_line_ups", "line_up": row.pk}, {"act": "delete", "team": "1"}):
        before = (LineUp.objects.count(), season.teams.count())
        assert "This cannot be undone." in client.post(address, sent).content.decode()
        assert (LineUp.objects.count(), season.teams.count()) == before
        client.post(address, sent | {"sure": "1"})
    assert (LineUp.objects.count(), season.teams.count()) == (0, 3)


@pytest.fixture
def evening(season: Season, by: Account) -> Event:
    """The evening of the season as an open event, with everybody here."""
    event = Event.objects.get(slug="opening")
    set_play(event=event, play=Play.OPEN, by=by)
    for player in event.players.all():
        check_in(player=player, here=True, by=by)
    return event


def press_seat(season: Season, by: Account, game: int = 1) -> dict[str, object]:
    """Return what the button that seats a game's line-ups sends, {} where the page shows none."""
    page = client_of(by).get(f"/desk/seasons/{season.slug}/teams/").content.decode()
    row = LineUp.objects.filter(game=game).first()
    assert row
    found = re.search(rf'name="line_up" value="{row.pk}"><input type="hidden" name="client_id" value="([^"]+)"', page)
    return {"act": "seat", "line_up": row.pk, "client_id": found[1]} if found else {}


@pytest.mark.follows("after/leagues.md")
def test_open_line_ups_sit_down_once(season: Season, evening: Event, by: Account):
    client, address = client_of(by), f"/desk/seasons/{season.slug}/teams/"
    rows = send(season, 1, by=by)
    for row in rows[:3]:
        hand_in(row)
    assert press_seat(season, by) == {}  # one is sealed
    early = {"act": "seat", "line_up": rows[0].pk, "client_id": str(uuid.uuid4())}
    assert "Not all line-ups" in client.post(address, early, follow=True).content.decode()
    hand_in(rows[3])
    sent = press_seat(season, by)
    for _time in range(2):
        client.post(address, sent)
    table = Table.objects.get(round__event=evening)
    assert [seat.player.person.preferred_name for seat in table.seats.order_by("seat")] == [
        TEAMS[row.team.name][0] for row in rows
    ]
    assert press_seat(season, by) == {}
    take_table_back(table=table, by=by)
    client.post(address, sent)
    assert evening.rounds.count() == 0  # what was sent before the table was undone seats nobody
    client.post(address, press_seat(season, by))
    assert evening.rounds.count() == 1


def test_line_ups_that_cannot_sit_down_are_refused_in_words(season: Season, evening: Event, by: Account):
    for game in (1, 2):
        for row in send(season, game, by=by):
            hand_in(row)
    others = evening.players.exclude(person__known__in=[row.member_id for row in LineUp.objects.filter(game=1)])
    seat_table(event=evening, seats=list(others), hall_table=None, client_id=uuid.uuid4(), by=by)
    client, address = client_of(by), f"/desk/seasons/{season.slug}/teams/"
    plays = client.post(address, press_seat(season, by, 2), follow=True).content.decode()
    assert "still plays at table 1." in plays
    client.post(address, press_seat(season, by, 1))  # its table is in use: the next one
    assert sorted(evening.rounds.values_list("tables__number", flat=True)) == [1, 2]
    away = evening.players.get(person__preferred_name="Birk Sol")
    take_table_back(table=Table.objects.get(round__event=evening, number=1), by=by)
    Person.objects.filter(pk=away.person_id).update(known=None)
    missing = client.post(address, press_seat(season, by, 2), follow=True).content.decode()
    assert "The member of Cranes is not a player of this event yet." in missing


def test_an_event_in_rounds_offers_no_seats_for_line_ups(season: Season, by: Account):
    for row in send(season, 1, by=by):
        hand_in(row)
    assert press_seat(season, by) == {}
    first = LineUp.objects.filter(game=1).first()
    assert first
    sent = {"act": "seat", "line_up": first.pk, "client_id": str(uuid.uuid4())}
    page = client_of(by).post(f"/desk/seasons/{season.slug}/teams/", sent, follow=True).content.decode()
    assert "This event is played in rounds" in page


def test_a_draft_and_a_season_without_teams_have_no_page(season: Season, by: Account):
    Season.objects.filter(pk=season.pk).update(visibility=Visibility.DRAFT)
    address = f"/s/{season.slug}/teams/"
    assert (Client().get(address).status_code, client_of(by).get(address).status_code) == (404, 200)
    Season.objects.filter(pk=season.pk).update(visibility=Visibility.PUBLIC)
    set_team_rule(season=season, rule=None, by=by)
    assert client_of(by).get(address).status_code == 404
