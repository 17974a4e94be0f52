"""Clubs with several players have a colour on public pages: which ones, and where it is seen."""

import re
from uuid import uuid4

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from tests.factories import enter, fresh, make_event, play_round, table_of, writer_of
from tests.table_test import tabled
from tournament.events.models import Event, LiveOthers, LiveTables
from tournament.events.pictures import contrast
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.pdf.drawings import STATIC_DIR
from tournament.players.models import Person
from tournament.players.queries import MAX_CLUB_COLOURS, colour_clubs
from tournament.privacy.actions import set_names_shown
from tournament.text.names import fold

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

STANDINGS = ("standings/", "standings/1/", "display/standings/", "overlay/ticker/")


@tabled(
    "clubs, found",
    [
        ([], []),
        (["Kan", "Kan", "Kan"], []),  # all of one club
        (["Kan", "Kan", "Chi"], []),  # one club with several
        (["Kan", "Chi", "Kan", "Chi"], [(1, "Chi"), (2, "Kan")]),  # a tie goes by name
        (["Kan", "Chi", "Kan", "Chi", "Kan"], [(1, "Kan"), (2, "Chi")]),
        (["", "", "", "Kan", "Kan"], []),  # no club is no club
        (["Kan", "", "Chi", "Kan", "Chi", "Pon"], [(1, "Chi"), (2, "Kan")]),
        (["KAN", "chi", "kan", "Chí"], [(1, "chi"), (2, "KAN")]),  # as the first of them wrote it
        ([*"abcdefghi"] * 2, list(enumerate("abcdefgh", start=1))),
        ([*"abcdefghi"] * 2 + ["i"], list(enumerate("iabcdefg", start=1))),
    ],
)
def test_clubs_with_several_players_have_a_colour(clubs: list[str], found: list[tuple[int, str]]):
    coloured = colour_clubs(dict(enumerate(clubs)))
    assert sorted(set(coloured.values())) == found
    assert {number: club.name for number, club in coloured.items()} == {
        number: name for number, club in enumerate(clubs) for _colour, name in found if fold(club) == fold(name)
    }


def test_each_colour_of_the_stylesheet_is_seen_on_each_ground_in_light_and_dark():
    known = dict(re.findall(r"(--club-\d): (#\w{6});", (STATIC_DIR / "players" / "clubs.css").read_text()))
    assert list(known) == [f"--club-{number}" for number in range(1, MAX_CLUB_COLOURS + 1)]
    tokens = (STATIC_DIR / "css" / "tokens.css").read_text()
    grounds = re.findall(r"--(?:ground|surface|felt-wash): (#\w{6});", tokens)
    assert len(grounds) == 6
    assert min(contrast(colour, ground) for colour in known.values() for ground in grounds) >= 3


# ---------------------------------------------------------------- where it is seen


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Make an event of two rounds, the first released: two players of Nordlys, two of Kiefer, one of Kranich."""
    event = make_event("ema-2025", slug="cup", tables=2, rounds=2)
    for number, club in enumerate(["Nordlys", "Kiefer", "Kranich", "Nordlys", "Kiefer"], start=1):
        Person.objects.filter(players__event=event, players__number=number).update(club=club)
    play_round(event, 1, "2r3 340/2")
    return fresh(event)


KIEFER, NORDLYS = "club-1 Kiefer", "club-2 Nordlys"
COLOURED = {"Akelei": NORDLYS, "Birk": KIEFER, "Distel": NORDLYS, "Efeu": KIEFER}


def page_of(client: Client, address: str) -> BeautifulSoup:
    return BeautifulSoup(client.get(f"/e/cup/{address}", follow=True).content.decode(), "html.parser")


def marks(page: BeautifulSoup) -> dict[str, str]:
    """Return colour and club of each mark by the name that follows it."""
    found = page.select(".club[role=img]")
    return {str(mark.next_sibling).strip(): f"{mark['class'][1]} {mark['title']}" for mark in found}


def legend(page: BeautifulSoup) -> list[str]:
    """List what the one legend of a page says."""
    (found,) = page.select(".clubs")
    return [f"{item.span['class'][1]} {item.get_text()}" for item in found.select("li") if item.span]


@pytest.mark.parametrize("address", STANDINGS)
def test_standings_have_the_colours_of_clubs_and_say_whose_they_are(client: Client, event: Event, address: str):
    page = page_of(client, address)
    assert (marks(page), legend(page)) == (COLOURED, [KIEFER, NORDLYS])


def test_a_phone_has_them_on_the_days_page_and_near_its_player(client: Client, event: Event):
    leaders = page_of(client, "")
    assert (marks(leaders).items() <= COLOURED.items(), legend(leaders)) == (True, [KIEFER, NORDLYS])
    near = page_of(client, "?me=1")
    assert (marks(near)["Akelei"], legend(near)) == (NORDLYS, [KIEFER, NORDLYS])


def coloured_live(client: Client, event: Event) -> dict[str, str]:
    """Let the public see a hand of a table; return the clubs of who is marked there."""
    event.live_tables, event.live_others = LiveTables.HANDS, LiveOthers.ALL
    event.save()
    enter(table_of(event, round_=2), "2r3 340/2")
    rows = page_of(client, "").select(".live-tables .name")
    return {row.get_text(): str(row.span["title"]) for row in rows if row.span}


def test_live_tables_have_them(client: Client, event: Event):
    assert coloured_live(client, event) == {"Birk": "Kiefer", "Distel": "Nordlys", "Efeu": "Kiefer"}


def test_tables_of_a_stream_have_none_because_no_legend_has_room(client: Client, event: Event):
    assert marks(page_of(client, "rounds/2/tables/1/overlay/")) == {} == marks(page_of(client, "rounds/2/overlay/"))


def test_a_substitute_does_not_wear_the_colour_of_whom_they_replace(client: Client, event: Event):
    put_substitute_in(
        table=table_of(event, round_=2), player=event.players.get(number=2), client_id=uuid4(), by=writer_of(event),
        replacement=Replacement(when="before", name="Zora", reason="ill"),
    )  # fmt: skip
    assert coloured_live(client, event) == {"Distel": "Nordlys", "Efeu": "Kiefer"}


@pytest.mark.follows("after/privacy.md")
def test_a_hidden_player_has_no_colour_and_does_not_count(client: Client, event: Event):
    set_names_shown(event=event, numbers=[3], shown=False, by=writer_of(event))
    Person.objects.filter(players__event=event, players__number__in=[6, 7]).update(club="Kranich")
    addresses = (*STANDINGS, "?me=3")
    for address in addresses:
        found = marks(page_of(client, address))
        assert (address, "Player 3" in found, "club-2 Kranich" in found.values()) == (address, False, True)
    set_names_shown(event=event, numbers=[3, 6], shown=False, by=writer_of(event))
    assert all("Kranich" not in str(page_of(client, address)) for address in addresses)


def test_an_event_whose_players_are_of_one_club_has_no_colours(client: Client, event: Event):
    Person.objects.filter(players__event=event).update(club="Kiefer")
    for address in (*STANDINGS, "", "rounds/2/overlay/"):
        assert page_of(client, address).select(".club, .clubs") == []
