"""The page of a person over events, its picture, and the hall of fame: what they tell, of whom, and at what cost."""

import io

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from PIL import Image

from scoring.entries import Tsumo, Win
from tests.factories import enter, make_account, make_event, round_of, sign, table_of, writer_of
from tests.pages.html_reader import text, texts
from tests.seasons.evenings import link_all_names, play_evening
from tournament.events.models import Event, Visibility
from tournament.people.actions import link_people, set_person_page
from tournament.people.models import KnownPerson
from tournament.people.queries import list_humans
from tournament.players.models import Person
from tournament.privacy.actions import set_names_shown
from tournament.publication.names import read_for_public
from tournament.rounds.actions import release_round
from tournament.seasons.actions import CountedEvent, SeasonFacts, change_season, create_season, set_season_events
from tournament.seasons.careers import Career, get_career
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE
from tournament.tables.messages import say_nameless

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TILES = {"tiles": "111444m777p333s66z", "win": "3s", "tsumo": True, "round_wind": "E", "seat_wind": "S"}
SUUANKOU = Tsumo(winners=(Win(seat=1, yakuman=1, yaku=("suuankou",), hand=TILES),))
A, B, C, D = "Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik"


@pytest.fixture
def hands() -> Event:
    """An event of hands: its first is four concealed triplets of seat South."""
    event = make_event(slug="cup", rounds=1, tables=1)
    for line in (SUUANKOU, "1t 230", "2r3 340/2"):
        enter(table_of(event), line)
    sign(table_of(event))
    release_round(round_=round_of(event, 1), by=writer_of(event))
    return event


@pytest.fixture
def club(hands: Event) -> list[Event]:
    """Three evenings and an event of hands; A won its yakuman."""
    events = [play_evening(number, (A, B, C, D), (B, A, D, C)) for number in (1, 2, 3)]
    link_all_names()
    winner = table_of(hands).seats.get(seat=1).player.person
    Person.objects.filter(pk=winner.pk).update(preferred_name=A)
    human = next(human for human in list_humans() if A in human.names and len(human.events) > 1)
    assert link_people(people=[winner.pk, human.people[0]], by=make_account(superuser=True))
    return [*events, hands]


def person_of(name: str) -> KnownPerson:
    known = KnownPerson.objects.get(pk=Person.objects.filter(preferred_name=name).values("known")[:1])
    set_person_page(known=known, agreed=True, by=make_account(superuser=True))
    known.refresh_from_db()
    return known


def career_of(known: KnownPerson) -> Career:
    with read_for_public(say_nameless):
        found = get_career(known)
    assert found
    return found


def season_of(events: list[Event], *, closed: bool) -> Season:
    by = make_account(superuser=True)
    facts = SeasonFacts("Autumn", READY_MADE["sum"])
    season = create_season(facts=facts, by=by)
    set_season_events(season=season, events=[CountedEvent(event.pk) for event in events], by=by)
    change_season(season=season, facts=SeasonFacts("Autumn", READY_MADE["sum"], closed=closed), by=by)
    return season


def test_a_career_has_places_means_meetings_hands_and_titles(client: Client, club: list[Event]):
    season_of(club, closed=True)
    known = person_of(A)
    career = career_of(known)
    assert (career.counts, len(career.played)) == ([4, 3, 0, 0], 4)
    assert career.means[-2] != career.means[-1]
    assert [(each.name, each.games, each.ahead, each.points) for each in career.met][:1] == [(B, 6, 3, None)]
    others = [each for each in career.met if each.games == 1]
    assert sum(each.points or 0 for each in others) == 32_000 - 1_000 + 5_200  # as dealer 1,000 paid for a tsumo
    assert career.hands[0][1].value == 32_000
    page = client.get(f"/p/{known.uid}/")
    assert "Champion: Autumn" in texts(page, ".season-titles li")
    assert "1 yakuman" in texts(page, ".season-titles li")
    assert texts(page, ".yakuman-wall li")[0].startswith("Suuankou")
    assert page.content.decode().count("chart-band") == 2
    assert page.content.decode().count("<use") >= 2 * 14  # the tiles of the best hand and of the yakuman
    assert "Birk Sol 6 3 –" in " ".join(texts(page, ".season-table tr"))


def test_others_are_named_as_the_strictest_of_these_events_does(client: Client, club: list[Event]):
    known = person_of(A)
    number = club[1].players.get(person__preferred_name=B).number
    set_names_shown(event=club[1], numbers=[number], shown=False, by=writer_of(club[1]))
    assert B not in client.get(f"/p/{known.uid}/").content.decode()
    hall = client.get("/s/").content.decode()
    assert (A in hall, B in hall) == (True, False)


def test_an_event_that_hides_the_person_is_not_on_the_page(client: Client, club: list[Event]):
    known = person_of(A)
    cup = club[-1]
    number = cup.players.get(person__preferred_name=A).number
    set_names_shown(event=cup, numbers=[number], shown=False, by=writer_of(cup))
    career = career_of(known)
    assert (len(career.played), career.yakuman, career.hands) == (3, (), ())
    hall = client.get("/s/").content.decode()
    assert (A in hall, "Suuankou" in hall) == (False, False)


def test_the_hall_of_fame_has_champions_records_and_every_yakuman(client: Client, club: list[Event]):
    assert client.get("/s/").status_code == 200
    season = season_of(club, closed=False)
    assert "Champions" not in texts(client.get("/s/"), "h2")
    change_season(
        season=season, facts=SeasonFacts("Autumn", READY_MADE["sum"], closed=True), by=make_account(superuser=True)
    )
    page = client.get("/s/")
    assert texts(page, "h2") == ["Champions", "Records", "Yakuman"]
    assert A in text(page, ".links")
    assert texts(page, ".yakuman-wall li")[0].startswith("Suuankou")
    Event.objects.filter(slug="cup").update(visibility=Visibility.UNLISTED)
    assert "Suuankou" not in client.get("/s/").content.decode()
    Season.objects.update(visibility=Visibility.UNLISTED)
    assert "Autumn" not in client.get("/s/").content.decode()


def test_the_pages_ask_as_much_whatever_the_events(client: Client, club: list[Event]):
    known = person_of(A)
    asked: dict[str, list[int]] = {}
    for events in (club[:2], club):
        Event.objects.exclude(pk__in=[event.pk for event in events]).update(visibility=Visibility.DRAFT)
        Event.objects.filter(pk__in=[event.pk for event in events]).update(visibility=Visibility.PUBLIC)
        season_of(events, closed=True)
        for address in ("/s/", f"/p/{known.uid}/"):
            client.get(address)
            with CaptureQueriesContext(connection) as found:
                client.get(address)
            asked.setdefault(address, []).append(len(found))
    assert [counts[0] == counts[1] <= 4 for counts in asked.values()] == [True, True], asked


@pytest.mark.parametrize(("shape", "size"), [("wide", (1200, 630)), ("square", (1080, 1080)), ("story", (1080, 1920))])
def test_a_person_has_a_picture_in_three_shapes(client: Client, club: list[Event], shape: str, size: tuple[int, int]):
    known = person_of(A)
    path = f"/p/{known.uid}/card/{shape}.png"
    assert path in client.get(f"/p/{known.uid}/").content.decode()
    answer = client.get(path)
    assert Image.open(io.BytesIO(answer.content)).size == size
    assert client.get(path, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    set_person_page(known=known, agreed=False, by=make_account(superuser=True))
    assert client.get(path).status_code == 404
