"""What the public may not see yet is nowhere: on no page, fragment, feed, answer of the API, in no cache, in no source.

The addresses come from the URL configuration, so that a new one cannot be forgotten; markers are figures and words that
nothing else makes, other ones for each table.
"""

import io
import itertools
import re
import uuid
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from scoring.entries import Correction
from tests.factories import enter, make_event, play_round, round_of, set_team, sign, table_of, writer_of
from tests.pages.at_desk import HTMX, organiser
from tests.pages.html_reader import source_of, text_of
from tests.pages.test_audiences import SAMPLE
from tests.seasons.evenings import count_in_season, play_evening
from tournament.archive.queries import get_event_file
from tournament.events.actions import Publication, set_publication, show_results
from tournament.events.models import Event
from tournament.pages.public_page import CHOICES
from tournament.pdf.render import Printed
from tournament.penalties.actions import give_penalty
from tournament.people.actions import add_alias
from tournament.people.models import AliasKind, KnownPerson
from tournament.players.models import Person
from tournament.privacy.actions import set_names_shown
from tournament.publication.queries import _kept
from tournament.publish.site_copy import write_site
from tournament.rounds.actions import release_round, start_round
from tournament.seasons.actions import CountedEvent, set_season_events
from tournament.seasons.models import Season
from tournament.wall.models import WallPage

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

UID = SAMPLE["uid"]  # of player 1 as a person over events
# every value that stands in a public address
VALUES: dict[str, list[str]] = {
    "slug": ["cup"],
    "round_number": ["2"],
    "after": ["1", "2"],
    "table_number": ["1", "2"],
    "number": ["1"],
    "other": ["2"],
    "kind": ["result", "hand", "deal-ins", "lead", "places"],
    "shape": ["story"],  # of one card all have the same words
    "key": ["ema-2025"],
    "token": ["none"],  # of a drill: its pages hold questions alone
    "page": WallPage.values,
    "sheet": ["differences"],
    "uid": [UID],
    "code": ["none"],  # of a captain: what it opens is of one team
}
QUERIES = ("?pick", "?q=a")  # of the phone page
NO_EVENT = (
    "/calculator/", "/drill/", "/rules/", "/language/", "/login/", "/logout/", "/account/", "/enter/", "/device/",
    "/static/", "/health/", "/metrics/",
)  # fmt: skip
# What a table's marker moves: its scores end in one of two numbers, as 53,457 or 38.457 on a page, as 53457 elsewhere.
ENDS = {1: "457|543", 2: "618|382"}
WORDS = {1: "because-of-table-one", 2: "because-of-table-two"}
MARKERS = {
    table: re.compile(rf"\d[,.](?:{ends})\b|\b\d{{1,2}}(?:{ends})\b|{WORDS[table]}") for table, ends in ENDS.items()
}
MOVES = {1: 23457, 2: 11618}
MOMENTS = re.compile(r"datetime\.datetime\([^)]*\)")


def routes(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for part in resolver.url_patterns:
        route = before + str(part.pattern)
        if isinstance(part, URLResolver):
            yield from routes(part, route)
        else:
            yield "/" + route, part


def public_addresses() -> list[str]:
    """Return every address that somebody without an account may ask for, with every value of VALUES in it.

    A new name in an address is a KeyError here: give it values, so that it is searched.
    """
    found = ["/e/cup/" + query for query in QUERIES]
    for route, part in routes(get_resolver()):
        if getattr(part.callback, "audience", None) not in ("anyone", "public") or route.startswith(NO_EVENT):
            continue
        names = re.findall(r"<(?:\w+:)?(\w+)>", route)
        for values in itertools.product(*(VALUES[name] for name in names)):
            chosen = dict(zip(names, values, strict=True))
            address = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)
            found.append(address.format(**chosen))
    return found


def tables_in(text: str) -> set[int]:
    return {table for table, marker in MARKERS.items() if marker.search(text)}


def searched(client: Client, *, fragments: bool = False) -> dict[str, set[int]]:
    """Return which tables' markers are found where: on each public address, as htmx too if asked, and in caches.

    That a fragment is a part of its page has a test in test_public_freshness.
    """
    cache.clear()
    found = found_on(client, public_addresses())
    if fragments:
        pages = [address for address in public_addresses() if address.startswith("/e/")]
        found |= {f"part of {where}": tables for where, tables in found_on(client, pages, HTMX).items()}
    stored = [cache.get(key.partition(":1:")[2]) for key in list(cache._cache)]  # type: ignore[attr-defined]
    # ledgers by their hash stand for rows of the database, which no page can ask for
    kept = [value for key, value in _kept.items() if key != "ledgers"]
    tables = tables_in(" ".join(text_in_cache(each) for each in [*stored, *kept]))
    return {**found, **({"the cache": tables} if tables else {})}


def text_in_cache(value: object) -> str:
    """Return a value as text without what may look like points: moments and the bytes of PDFs and pictures."""
    if isinstance(value, Printed):
        return text_of(value.pdf)
    return text_of(value) if isinstance(value, bytes) else MOMENTS.sub("", repr(value))


def found_on(client: Client, addresses: Iterable[str], headers: dict[str, str] | None = None) -> dict[str, set[int]]:
    """Return which tables' markers are in the answers of these addresses, headers and all but the length."""
    found = {}
    for address in addresses:
        answer = client.get(address, headers=headers or {})
        headers_of = {name: value for name, value in answer.items() if name != "Content-Length"}  # may look like points
        found[address] = tables_in(source_of(answer) + str(headers_of))
    return {where: tables for where, tables in found.items() if tables}


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event of three rounds, the first released, in teams."""
    return event_of(3)


def event_of(rounds: int) -> Event:
    event = make_event(slug="cup", tables=2, rounds=rounds)
    for each in event.players.all():
        set_team(player=each, team=f"Team {each.number % 2}", by=writer_of(event))
    play_round(event, 1, "2r3 340/2")
    event.refresh_from_db()
    count_in_season(event)
    return event


def choose(event: Event, **chosen: Any) -> None:
    set_publication(event=event, publication=Publication(**chosen), by=writer_of(event))


def mark(event: Event, number: int, *, tables: Iterable[int] = (1, 2), signed: Iterable[int] = (1, 2)) -> None:
    """Play a round so that each of these tables makes a marker; a penalty of the round makes that of table 1."""
    start_round(round_=round_of(event, number), by=writer_of(event))
    for each in tables:
        move = MOVES[each]
        enter(table_of(event, each, round_=number), "1t 6")  # 6,000 from each: the ends of the scores stay
        enter(table_of(event, each, round_=number), Correction(deltas=(move, -move, 0, 0), reason=WORDS[each]))
    for each in signed:
        sign(table_of(event, each, round_=number))
    give_penalty(
        player=event.players.get(number=1),
        points=MOVES[1],
        reason=WORDS[1],
        client_id=uuid.uuid4(),
        round_=round_of(event, number),
        by=writer_of(event),
    )
    event.refresh_from_db()


AFTER = {
    "/e/cup/standings/", "/e/cup/teams/", "/e/cup/display/", "/e/cup/players/1/", "/e/cup/", "/e/cup/rounds/2/",
    "/api/v1/events/cup/standings", "/e/cup/recap/", "/e/cup/players/1/card.png", "/e/cup/standings/2/",
    "/e/cup/race/story.gif",
    "/e/cup/overlay/ticker/", "/e/cup/players/1/cards/result/story.png", "/s/cup/", "/s/cup/how/", "/s/cup/season.json",
    "/s/cup/season.csv", f"/p/{UID}/", "/s/", "/s/cup/proof.json", "/s/cup/records/",
}  # fmt: skip


RECORD = b"/e/cup/rounds/2/tables/"  # the largest hand: its figure is no marker, its address is


def live_pages(*tables: int) -> set[str]:
    ends = ((f"/e/cup/rounds/2/tables/{each}/", f"/api/v1/events/cup/rounds/2/tables/{each}") for each in tables)
    return set().union(*ends)


def test_every_public_address_is_searched():
    addresses = public_addresses()
    assert len(addresses) == len(set(addresses))
    assert {*AFTER, *live_pages(1, 2), "/", "/e/cup/version/", "/api/v1/events/cup/version"} <= set(addresses)


def test_nothing_of_a_round_is_seen_before_its_release(client: Client, event: Event):
    mark(event, 2)
    client.get("/e/cup/?me=1")
    assert searched(client, fragments=True) == {}
    assert RECORD not in client.get("/e/cup/recap/").content
    release_round(round_=round_of(event, 2), by=writer_of(event))
    assert found_on(client, AFTER).keys() == AFTER
    assert found_on(client, live_pages(1, 2)).keys() == live_pages(1, 2)
    assert RECORD in client.get("/e/cup/recap/").content


@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize(("hold", "rounds"), [("last", 2), ("before_last", 3)])
def test_nothing_of_a_held_round_is_seen_before_it_is_shown(client: Client, hold: str, rounds: int):
    event = event_of(rounds)
    choose(event, hold=hold, live_tables="hands", live_others="all")
    client.get("/e/cup/?me=1")
    mark(event, 2)
    watched = {*AFTER, *live_pages(1, 2)}
    assert found_on(client, watched) == {}  # nor is it live, though live tables are on
    release_round(round_=round_of(event, 2), by=writer_of(event))
    # everywhere for the one; what holds the other back is the same, and where results go first is looked at again
    assert (searched(client) if hold == "last" else found_on(client, watched)) == {}
    assert RECORD not in client.get("/e/cup/recap/").content
    event.refresh_from_db()
    show_results(event=event, by=writer_of(event))
    assert found_on(client, watched).keys() == watched


def test_a_result_is_live_once_its_sheet_is_signed_and_not_before(client: Client, event: Event):
    choose(event, live_tables="signed", live_others="all")
    mark(event, 2, signed=())
    assert searched(client) == {}
    sign(table_of(event, 2, round_=2))
    assert found_on(client, {*AFTER, *live_pages(1, 2)}) == {
        where: {2} for where in {*live_pages(2), "/e/cup/rounds/2/", "/e/cup/"}
    }


def test_hands_are_live_where_their_tables_are_until_that_is_taken_back(client: Client, event: Event):
    choose(event, live_tables="hands", live_others="all")
    mark(event, 2, signed=())
    assert found_on(client, {*AFTER, *live_pages(1, 2)}).keys() == {*live_pages(1, 2), "/e/cup/rounds/2/", "/e/cup/"}
    choose(event)
    assert found_on(client, {*AFTER, *live_pages(1, 2)}) == {}


def test_with_the_own_table_first_a_phone_sees_no_other(client: Client, event: Event):
    choose(event, live_tables="hands", live_others="own")
    mark(event, 2, signed=())
    client.get("/e/cup/?me=2")
    own = searched(client)
    assert own["/e/cup/rounds/2/tables/1/"] == {1}
    assert set().union(*own.values()) == {1}
    assert not [address for address in own if address.startswith("/api/")]
    other = table_of(event, 2, round_=2).seats.first()
    assert other
    client.get("/e/cup/", {"me": other.player.number})  # of table 2; the phone follows 2 besides
    assert set().union(*found_on(client, [*public_addresses(), *AFTER]).values()) == {2}
    client.get("/e/cup/?me=2")
    assert set().union(*found_on(client, [*public_addresses(), *AFTER]).values()) == {1}
    stranger = Client()  # what is kept for one phone is given to no other
    assert found_on(stranger, [*public_addresses(), *AFTER]) == {}
    sign(table_of(event, 1, round_=2))
    assert set().union(*found_on(client, live_pages(1, 2)).values()) == {1, 2}
    assert found_on(stranger, live_pages(1, 2)) == {}


# ---------------------------------------------------------------- names

HIDDEN, HOME = "Quendolin Farnborough", "Elbmarsch"


def said_on(client: Client, addresses: Iterable[str], headers: dict[str, str] | None = None) -> set[str]:
    """Return the addresses on which anything of the person stands that is not to be shown."""
    found = set()
    for address in addresses:
        answer = client.get(address, headers=headers or {})
        text = source_of(answer) + str(dict(answer.items()))
        if any(word in text for word in (HIDDEN, "Quendolin", "04070011", HOME)):
            found.add(address)
    return found


def test_a_name_that_is_not_to_be_shown_is_at_no_public_address(client: Client, event: Event):
    one, two = event.players.get(number=1), event.players.get(number=2)
    for each, name in ((one, HIDDEN), (two, "Birk")):
        each.person.preferred_name, each.person.legal_name = name, "Quendolin of the passport"
        each.person.ema_number, each.person.club = "04070011", HOME if each is one else ""
        each.person.save()
    wide = Publication(live_tables="hands", live_others="all", show_needs=True)
    set_publication(event=event, publication=wide, by=writer_of(event))
    mark(event, 2, signed=())
    everywhere = public_addresses()
    cache.clear()
    before = said_on(client, everywhere)  # what is kept of now must not be given out later
    of_seasons = {"/s/cup/", "/s/cup/season.json", "/s/cup/season.csv", "/s/cup/proof.json", f"/p/{UID}/"}
    assert {"/api/v1/events/cup/players", "/e/cup/players/1/", "/e/cup/rounds/2/tables/2/", *of_seasons} <= before
    etags = {address: client.get(address).headers.get("ETag") for address in ("/e/cup/standings/", "/e/cup/display/")}

    set_names_shown(event=event, numbers=[1], shown=False, by=writer_of(event))

    assert said_on(client, everywhere) == set()
    pages = [address for address in everywhere if address.startswith("/e/")]
    assert said_on(client, pages, HTMX) == set()
    client.get("/e/cup/?me=1")
    assert said_on(client, ["/e/cup/", "/e/cup/rounds/2/"]) == set()
    assert "Farnborough" not in client.get("/e/cup/?q=Quendolin").content.decode()  # nor can it be searched for
    assert "Player 1" in client.get("/e/cup/").content.decode()
    client.cookies["django_language"] = "de"
    assert "js/pick" not in client.get("/e/cup/").content.decode()  # known again in any language
    client.cookies["django_language"] = "en-gb"
    assert {address: client.get(address).headers.get("ETag") for address in etags} != etags
    assert HIDDEN in organiser(event).get("/desk/cup/players/").content.decode()
    # the desk's answers are kept apart from the public's, and the copy for a club's site is made of public pages
    assert said_on(client, before) == set()
    file = io.BytesIO()
    write_site(event, ["en-gb"], file)
    with zipfile.ZipFile(file) as copy:
        texts = [copy.read(name) for name in copy.namelist() if name.endswith(".html")]
    assert [text for text in texts if b"Quendolin" in text] == []
    assert len(texts) > 5


def test_a_phone_that_followed_a_person_elsewhere_finds_nobody_behind_a_number(client: Client, event: Event):
    evening = play_evening(1, (HIDDEN, "Birk", "Cyan", "Dora"))
    Person.objects.filter(preferred_name=HIDDEN).update(known=KnownPerson.objects.get(uid=UID))
    counted = [CountedEvent(event.pk), CountedEvent(evening.pk)]
    set_season_events(season=Season.objects.get(), events=counted, by=writer_of(event))
    client.get("/e/evening-1/?me=1")
    followed = client.cookies[CHOICES].value
    assert "me-cup" in client.get("/e/cup/").cookies  # shown by name: the same person, as the season says
    set_names_shown(event=event, numbers=[1], shown=False, by=writer_of(event))
    phone = Client()
    phone.cookies[CHOICES] = followed
    pages = [address for address in public_addresses() if address.startswith("/e/cup/")]
    assert said_on(phone, pages) == said_on(phone, pages, HTMX) == set()
    assert "me-cup" not in phone.cookies
    assert phone.get("/e/cup/")["ETag"] == Client().get("/e/cup/")["ETag"]  # the page of a stranger


def test_an_online_name_is_at_no_public_address_even_of_who_agreed(client: Client, event: Event):
    for number in (1, 2):
        person = event.players.get(number=number).person
        add_alias(person=person, kind=AliasKind.TENHOU, name=f"Quendolin_{number}", by=writer_of(event))
    file = get_event_file(event, online_names=True)
    assert ("Quendolin_1" in file, "Quendolin_2" in file) == (True, False)
    choose(event, live_tables="hands", live_others="all", show_needs=True)
    mark(event, 2, signed=())
    assert said_on(client, [*public_addresses(), "/desk/cup/export/event.json?online_names"]) == set()


MOMENT = re.compile(r"data-moment=|is-yakuman|yakuman-wall|class=\"stands\"")


def with_moments(client: Client) -> set[str]:
    cache.clear()
    pages = [
        each for each in public_addresses() if each.startswith("/e/") and not each.endswith((".pdf", ".png", ".gif"))
    ]
    return {each for each in pages if MOMENT.search(source_of(client.get(each)))}


@pytest.mark.usefixtures("others_aside")
def test_a_moment_is_seen_nowhere_before_it_is_public(client: Client):
    event = event_of(2)
    start_round(round_=round_of(event, 2), by=writer_of(event))
    for line in ("1t y", "2r1 330", "1r2 330", "2r3 330", "3r4 330", "4r1 330", "1r2 330", "2r3 330"):
        enter(table_of(event, 1, round_=2), line)
    enter(table_of(event, 2, round_=2), "2r1 330")
    wide = {"live_tables": "hands", "live_others": "all", "show_needs": True}
    for hidden in ({"live_tables": "nothing"}, {"live_tables": "signed"}, {"live_others": "own"}, {"hold": "last"}):
        choose(event, **{**wide, **hidden})
        event.refresh_from_db()
        assert with_moments(client) == set(), hidden
    choose(event, **wide)
    assert {"/e/cup/", "/e/cup/display/", "/e/cup/rounds/2/tables/1/overlay/"} <= with_moments(client)
    assert 'class="stands"' in client.get("/e/cup/").content.decode()
