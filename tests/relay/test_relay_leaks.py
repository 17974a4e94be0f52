"""What the hall keeps back never leaves it, and a relay has no page but the public ones: under every setting.

The markers and the addresses are those of test_nothing_leaks; a relay draws its pages by the same views.
"""

import itertools

import pytest
from django.test import Client, override_settings
from django.urls import URLResolver, get_resolver, include, path, resolve
from django.urls.resolvers import RegexPattern

from tests.factories import fresh, round_of, sign, table_of, writer_of
from tests.pages.html_reader import source_of
from tests.pages.test_audiences import walk
from tests.pages.test_nothing_leaks import (
    AFTER,
    HIDDEN,
    HOME,
    MARKERS,
    choose,
    event_of,
    found_on,
    live_pages,
    mark,
    public_addresses,
    tables_in,
)
from tests.relay.at_relay import Sender, at_relay, forget_hall, pages, part_of
from tournament.core.hash_chain import canonical
from tournament.events.actions import Publication, set_publication, show_results
from tournament.events.models import Event, Hold, LiveOthers, LiveTables, Visibility
from tournament.people.actions import add_alias
from tournament.people.models import AliasKind
from tournament.privacy.actions import set_names_shown
from tournament.relay.queries import EVENT
from tournament.relay.wire import State
from tournament.rounds.actions import release_round
from web import urls_relay
from web.server.health import health

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

CLOSED = frozenset(
    {"public:proof", "public:crew_drill", "api:record", "metrics",
     # who signs up does so at the hall's desk
     "public:about", "public:sign_up", "public:sign_up_form", "public:my_sign_up",
     # who signs a game sits at its table
     "public:sign", "public:sign_seat", "public:play",
     # seasons and people over events are the hall's
     "season", "season_how", "season_json", "season_csv", "season_feed", "season_calendar", "season_frame",
     "season_proof", "season_records", "season_teams_json",
     "season_teams_csv", "season_teams", "season_line_ups", "person", "person_card", "hall_of_fame"}
)  # fmt: skip
HALL_ALONE = ("/s/", "/p/")
SECRET = frozenset(
    {"second_person", "wishes", "drawn", "observer_report", "other_address", "record_salt", "redactions", "club_code"}
)


def hands_in(state: State) -> set[int]:
    """Return the tables whose markers stand in a state."""
    return {table for table, marker in MARKERS.items() if marker.search(canonical(state))}


def live_for_all(live: str) -> set[int]:
    return {"hands": {1, 2}, "signed": {1}, "nothing": set()}[live]


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """Return an event whose second of three rounds is played: table 1 is signed."""
    event = event_of(3)
    mark(event, 2, signed=(1,))
    return event


def test_only_what_is_public_leaves_the_hall_under_every_setting(played: Event):
    settings = itertools.product(Hold.values, LiveTables.values, LiveOthers.values)
    event = fresh(played)
    sent = {}
    for hold, live, others in settings:
        choose(event, hold=hold, live_tables=live, live_others=others)
        sent[hold, live, others] = hands_in(part_of(event))
    # the second of three rounds is held by one setting alone
    assert sent == {
        (hold, live, others): set() if hold == "before_last" else live_for_all(live) for hold, live, others in sent
    }


def test_nothing_held_stands_at_any_address_of_a_relay(played: Event):
    event = fresh(played)
    sign(table_of(event, 2, round_=2))
    choose(event, hold="before_last", live_tables="nothing")
    states = [part_of(event)]
    release_round(round_=round_of(event, 2), by=writer_of(event))
    states.append(part_of(event))
    show_results(event=fresh(event), by=writer_of(event))
    states.append(part_of(event))
    forget_hall(event)
    with at_relay() as relay:
        sender = Sender(relay, "cup")
        sender.send(states[0])
        relay.get("/e/cup/?me=1")
        assert found_on(relay, AFTER) == {}
        sender.send(states[1])
        assert found_on(relay, public_addresses()) == {}
        sender.send(states[2])
        assert found_on(relay, AFTER).keys() == {each for each in AFTER if not each.startswith(HALL_ALONE)}


@pytest.mark.postgresql
def test_what_is_taken_back_is_gone_with_the_next_message(played: Event):
    event, watched = fresh(played), {*AFTER, *live_pages(1, 2)}
    choose(event, live_tables="hands", live_others="all")
    shown = part_of(event)
    choose(event, live_tables="nothing")
    back = part_of(event)
    Event.objects.filter(pk=event.pk).update(visibility=Visibility.DRAFT)
    draft = part_of(event)
    forget_hall(event)
    with at_relay() as relay:
        sender = Sender(relay, "cup")
        sender.send(shown)
        assert found_on(relay, watched).keys() == {*live_pages(1, 2), "/e/cup/rounds/2/", "/e/cup/"}
        sender.send(back)
        assert found_on(relay, watched) == {}
        assert relay.get("/e/cup/").status_code == 200
        assert draft == {}
        sender.send(draft)
        assert relay.get("/e/cup/").status_code == 404
        assert tables_in(source_of(relay.get("/"))) == set()


def test_a_hidden_name_does_not_leave_the_hall(played: Event):
    event = fresh(played)
    one = event.players.get(number=1)
    one.person.preferred_name, one.person.legal_name = HIDDEN, "Quendolin of the passport"
    one.person.ema_number, one.person.club = "04070011", HOME
    one.person.save()
    choose(event, live_tables="hands", live_others="all")
    add_alias(person=one.person, kind=AliasKind.TENHOU, name="kaze_77", by=writer_of(event))
    assert "kaze_77" not in canonical(part_of(event))
    before = canonical(part_of(event))
    assert HIDDEN in before
    assert HOME in before
    assert not [word for word in ("04070011", "passport") if word in before]
    set_names_shown(event=event, numbers=[1], shown=False, by=writer_of(event))
    after = canonical(part_of(event))
    assert not [word for word in (HIDDEN, "Quendolin", HOME) if word in after]


def test_what_an_event_keeps_secret_is_never_declared_for_a_relay(played: Event):
    assert {field.name for field in Event._meta.concrete_fields} >= SECRET
    assert not SECRET.intersection(EVENT)
    assert part_of(fresh(played))["event"].keys() == {*EVENT, "date", "archived_at", "seed"}


def test_every_page_is_open_or_closed_at_a_relay_on_purpose():
    public, others = set[str](), set[str]()
    for address, pattern in walk(get_resolver("web.urls")):
        audience = getattr(pattern.callback, "audience", "")
        name = resolve(address, "web.urls").view_name
        (public if audience in ("anyone", "public") else others).add(name)
    ways_in = {"enter", "sign_in", "sign_in_code", "sign_out", "device"}
    assert public - ways_in == {*urls_relay.OPEN, *CLOSED}
    assert not others & urls_relay.OPEN
    of_desk, of_relay = (
        {address for address, _ in walk(get_resolver(each))} for each in ("web.urls", "web.urls_relay")
    )
    assert of_relay - of_desk == {"/relay/", "/relay/cup/"}


@pytest.mark.parametrize(("space", "wanted"), [("public", ["/a/", "/b/"]), ("desk", []), ("", ["/b/"])])
def test_an_address_below_an_include_is_known_by_the_namespaces_around_it(space: str, wanted: list[str]):
    below = include([path("a/", health, name="standings"), path("b/", health, name="count")])
    around = include(([path("", below)], space)) if space else below
    relay = URLResolver(RegexPattern("^/"), urls_relay._closed([path("", around)]))
    assert [address for address in ("/a/", "/b/") if relay.resolve(address).func is not urls_relay.nowhere] == wanted


def test_a_relay_has_no_page_of_a_desk(client: Client, played: Event):
    addresses = {address: resolve(address, "web.urls").view_name for address, _ in walk(get_resolver("web.urls"))}
    closed = [address for address, name in addresses.items() if name not in urls_relay.OPEN]
    assert sum(address.startswith("/desk/") for address in closed) > 100
    client.force_login(writer_of(played), backend="django.contrib.auth.backends.ModelBackend")
    with override_settings(ROOT_URLCONF="web.urls_relay", RELAY=True):
        assert {resolve(address).func for address in closed} == {urls_relay.nowhere}
        assert [address for address in closed if client.get(address).status_code != 404] == []
        assert client.post("/login/", {"username": "x", "password": "x"}).status_code == 404
        assert 'href="/login/"' not in Client().get("/").content.decode()
        assert 'href="/login/"' not in Client().get("/e/none/").content.decode()


def test_a_relay_shows_what_the_hall_shows(client: Client, played: Event):
    event = fresh(played)
    event.seasons.all().delete()  # seasons stay in the hall, and a relay names none
    wide = Publication(live_tables="hands", live_others="all", show_needs=True)
    set_publication(event=event, publication=wide, by=writer_of(event))
    set_names_shown(event=event, numbers=[3], shown=False, by=writer_of(event))
    addresses = [
        each for each in public_addresses() if not each.endswith((".ics", ".pdf", "/version", "/proof.json", "/record"))
    ]
    addresses = [
        each
        for each in addresses
        if each not in ("/", "/e/cup/record/", "/e/cup/drill/none/", "/e/cup/sign/") and not each.startswith(HALL_ALONE)
    ]
    client.get("/e/cup/?me=1")
    there = {language: pages(client, addresses, language) for language in ("en-gb", "ja")}
    state = part_of(event)
    forget_hall(event)
    with at_relay() as relay:
        Sender(relay, "cup").send(state)
        relay.get("/e/cup/?me=1")
        for language, wanted in there.items():
            found = pages(relay, addresses, language)
            assert {address for address in addresses if found[address] != wanted[address]} == set()
    assert sum(bool(page) for page in there["ja"].values()) > 40
