"""Whom a phone followed at the last event it follows at the next, as far as public pages say who is who."""

import random
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import fresh, make_account, name_of
from tests.open_play.evening import count_together as open_together
from tests.open_play.evening import finish, make_evening, sit_down
from tests.pages.html_reader import text, texts
from tests.seasons.evenings import link_all_names, play_evening
from tournament.accounts.models import Account
from tournament.events.actions import set_visibility
from tournament.events.models import Event, Visibility
from tournament.pages.public_page import CHOICES, MOST_CHOICES
from tournament.people.actions import link_people, part_person, set_person_page, undo_link
from tournament.people.models import KnownPerson
from tournament.people.queries import list_links
from tournament.players.actions import change_player, player_facts
from tournament.players.models import Person
from tournament.privacy.actions import erase_person, set_names_shown
from tournament.privacy.queries import say_forgotten
from tournament.seasons.actions import CountedEvent, SeasonFacts, change_season, create_season, set_season_events
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE
from tournament.signup.settings import set_sign_up_page

pytestmark = [pytest.mark.django_db, pytest.mark.once]

A, B, C, D, E = "Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik", "Ede Holm"
SEASON = "tuesdays"


@pytest.fixture
def by() -> Account:
    return make_account("Owner", superuser=True)


@pytest.fixture
def evenings() -> list[Event]:
    """Three evenings with the same four people, linked."""
    events = [play_evening(1, (A, B, C, D)), play_evening(2, (B, A, D, C)), play_evening(3, (D, C, B, A))]
    link_all_names()
    return events


def facts(visibility: str = Visibility.PUBLIC) -> SeasonFacts:
    return SeasonFacts(SEASON.title(), READY_MADE["sum"], None, visibility)


def count_together(events: Iterable[Event], by: Account) -> Season:
    season = Season.objects.filter(slug=SEASON).first() or create_season(facts=facts(), by=by)
    set_season_events(season=season, events=[CountedEvent(event.pk) for event in events], by=by)
    return season


def player(event: Event, name: str) -> int:
    return event.players.get(person__preferred_name=name).number


def person(event: Event, name: str) -> Person:
    return Person.objects.get(players__event=event, preferred_name=name)


def hide(event: Event, name: str, by: Account, *, shown: bool = False) -> None:
    set_names_shown(event=event, numbers=[player(event, name)], shown=shown, by=by)


def agree(event: Event, name: str, by: Account, *, agreed: bool = True) -> None:
    known = KnownPerson.objects.get(people=person(event, name))
    set_person_page(known=known, agreed=agreed, by=by)


def phone_of(event: Event, *names: str) -> Client:
    """Return a phone that follows these players of an event, whose page it shows last."""
    client = Client()
    for name in names:
        client.get(f"/e/{event.slug}/", {"me": player(event, name)})
    return client


def opened(client: Client, event: Event) -> list[str]:
    """Open the page of an event; list whom the phone follows there, the one that it shows first."""
    page = client.get(f"/e/{event.slug}/", follow=True)
    if page.status_code == 404:
        return []
    shown, several = text(page, "title").partition(" · ")[0], texts(page, ".followed .name")
    return several or [shown] * (shown != text(page, "title"))


# ---------------------------------------------------------------- whom


def test_a_phone_follows_the_same_people_at_the_next_evening_and_says_so_once(evenings: list[Event], by: Account):
    count_together(evenings, by)
    Event.objects.filter(slug="evening-1").update(name="<b>Tuesday</b>")
    phone = phone_of(evenings[0], C, B, A)
    page = phone.get("/e/evening-2/")
    # all that it gets: no session, and nothing with which it could sign
    assert {name: each["path"] for name, each in page.cookies.items()} == {
        "me-evening-2": "/e/evening-2/", CHOICES: "/e/",
    }  # fmt: skip
    assert "ETag" not in page
    assert texts(page, ".followed .name") == [A, B, C]
    assert texts(page, ".message .note") == ["Note This phone follows 3 players, as at <b>Tuesday</b>. Choose again"]
    assert '<a href="?me=nobody">Choose again</a>' in page.text
    again, other = phone.get("/e/evening-2/"), phone_of(evenings[1], A)
    assert (texts(again, ".followed .name"), texts(again, ".message")) == ([A, B, C], [])
    assert texts(other.get("/e/evening-2/"), ".message") == []
    assert opened(phone, evenings[2]) == [A, B, C]  # by what was taken over, not chosen


def test_choose_again_lets_go_of_all_and_of_the_next_evenings(evenings: list[Event], by: Account):
    count_together(evenings, by)
    phone = phone_of(evenings[0], B, A)
    assert opened(phone, evenings[1]) == [A, B]
    answer = phone.get("/e/evening-2/?me=nobody")
    assert {name: (each.value, each["path"]) for name, each in answer.cookies.items()} == {
        "me-evening-2": ("", "/e/evening-2/"), CHOICES: ("", "/e/"),
    }  # fmt: skip
    page = phone.get("/e/evening-2/")
    assert (page.status_code, texts(page, ".followed"), texts(page, "#pick-title")) == (200, [], ["Choose your name"])
    assert (opened(phone, evenings[2]), opened(phone, evenings[0])) == ([], [A, B])
    phone.get("/e/evening-2/", {"me": player(evenings[1], D)})
    assert opened(phone, evenings[2]) == [D]


def test_the_newest_choice_of_somebody_who_plays_counts(evenings: list[Event], by: Account):
    others = play_evening(4, (E, "Fee Ahl", "Gus Ried", "Hal Ott"))
    count_together([*evenings, others], by)
    phone = phone_of(evenings[0], A)
    phone.get("/e/evening-4/", {"me": 1})  # nobody of evening 2 plays there
    assert opened(phone, evenings[1]) == [A]
    phone.get("/e/evening-2/", {"me": player(evenings[1], C)})
    phone.get("/e/evening-2/?me=")
    phone.get("/e/evening-2/", {"me": player(evenings[1], D)})
    assert opened(phone, evenings[2]) == [D, A]


def test_who_does_not_play_is_left_out(by: Account):
    events = [play_evening(1, (A, B, C, D)), play_evening(2, (E, B, C, D))]
    link_all_names()
    count_together(events, by)
    phone = phone_of(events[0], D, A)
    assert opened(phone, events[1]) == [D]
    assert opened(phone_of(events[0], A), events[1]) == []


def test_an_event_with_a_choice_of_its_own_keeps_it(evenings: list[Event], by: Account):
    count_together(evenings, by)
    phone = phone_of(evenings[1], D)
    phone.get("/e/evening-1/", {"me": player(evenings[0], A)})
    assert opened(phone, evenings[1]) == [D]


def test_a_phone_that_takes_no_new_cookie_gets_the_page_each_time(evenings: list[Event], by: Account):
    count_together(evenings, by)
    mine = phone_of(evenings[0], B, A).cookies[CHOICES].value

    def phone() -> Client:
        client = Client()
        client.cookies[CHOICES] = mine
        return client

    for number in (str(player(evenings[1], C)), "nobody", "99"):
        assert phone().get("/e/evening-2/", {"me": number})["Location"] == "/e/evening-2/"
        page = phone().get("/e/evening-2/")
        assert page.status_code == 200
        assert (texts(page, ".followed .name"), len(texts(page, ".message"))) == ([A, B], 1)
    other = phone_of(evenings[1], B)
    other.get("/e/evening-2/", {"me": player(evenings[1], A)})
    assert texts(other.get("/e/evening-2/"), ".message") == []


# ---------------------------------------------------------------- and no further than public pages


def public_people(one: Event, other: Event) -> set[str]:
    """Read who is one person at two events: rows of a listed season with points of both, people's pages with both."""
    client, found = Client(), set[str]()
    listed = Season.objects.filter(slug=SEASON, visibility=Visibility.PUBLIC).exists()
    table = client.get(f"/s/{SEASON}/season.csv")
    counted = Event.objects.filter(seasons__season__slug=SEASON).exclude(visibility=Visibility.DRAFT).order_by("date")
    slugs = [event.slug for event in counted]
    for line in table.content.decode().splitlines()[1:] if listed and table.status_code == 200 else ():
        _place, name, _figure, _games, *points = line.split(",")
        played = {slug for slug, each in zip(slugs, points, strict=True) if each}
        found |= {name} if {one.slug, other.slug} <= played else set[str]()
    for known in KnownPerson.objects.all():
        page = client.get(f"/p/{known.uid}/")
        if page.status_code == 200 and all(f"/e/{each.slug}/" in page.text for each in (one, other)):
            found.add(text(page, "h1"))
    return found


def again(events: list[Event]) -> set[str]:
    """Follow everybody at the first event, and list whom the phone follows at the last."""
    phone = Client()
    for number in events[0].players.values_list("number", flat=True):
        phone.get(f"/e/{events[0].slug}/", {"me": number})
    return set(opened(phone, events[-1]))


ALL = {A, B, C, D}
Case = Callable[[list[Event], Account], object]
CASES: dict[str, tuple[list[Case], set[str]]] = {
    "in no season": ([], set()),
    "in a season": ([count_together], ALL),
    "the first event in no season": ([lambda events, by: count_together(events[1:], by)], set()),
    "a season that is a draft": (
        [count_together, lambda events, by: change_season(season=Season.objects.get(), facts=facts("draft"), by=by)],
        set(),
    ),
    "a season by its address alone": (
        [count_together, lambda events, by: change_season(season=Season.objects.get(), facts=facts("unlisted"), by=by)],
        set(),
    ),
    "the first event is a draft": (
        [count_together, lambda events, by: set_visibility(event=fresh(events[0]), visibility="draft", by=by)],
        set(),
    ),
    "hidden at the first": ([count_together, lambda events, by: hide(events[0], A, by)], {B, C, D}),
    "hidden at the last": ([count_together, lambda events, by: hide(events[2], A, by)], {B, C, D}),
    "hidden at an evening between": ([count_together, lambda events, by: hide(events[1], A, by)], {B, C, D}),
    "hidden between, with a page": (
        [count_together, lambda events, by: hide(events[1], A, by), lambda events, by: agree(events[0], A, by)],
        ALL,
    ),
    "a page alone": ([lambda events, by: agree(events[0], A, by)], {A}),
    "a page that was closed": (
        [
            lambda events, by: agree(events[0], A, by),
            lambda events, by: agree(events[0], A, by, agreed=False),
        ],
        set(),
    ),
    "a page, hidden at the last": (
        [lambda events, by: agree(events[0], A, by), lambda events, by: hide(events[2], A, by)],
        set(),
    ),
    "a page, the last by its address alone": (
        [
            lambda events, by: agree(events[0], A, by),
            lambda events, by: set_visibility(event=fresh(events[2]), visibility="unlisted", by=by),
        ],
        set(),
    ),
    "parted at the first": (
        [count_together, lambda events, by: part_person(person=person(events[0], A), by=by)],
        {B, C, D},
    ),
    "parted, and that undone": (
        [
            count_together,
            lambda events, by: part_person(person=person(events[0], A), by=by),
            lambda events, by: undo_link(seq=list_links()[0].seq, by=by),
        ],
        ALL,
    ),
    "forgotten": (
        [
            count_together,
            lambda events, by: erase_person(
                person=person(events[0], A), stand_in_for=say_forgotten, reason="asked", by=by
            ),
        ],
        {B, C, D},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_only_whom_public_pages_show_as_one_person(evenings: list[Event], by: Account, case: str):
    steps, wanted = CASES[case]
    for step in steps:
        step(evenings, by)
    assert (again(evenings), public_people(evenings[0], evenings[2])) == (wanted, wanted)


def test_two_known_people_who_turn_out_to_be_one_are_found_again(by: Account):
    events = [play_evening(number, (A, B, C, D)) for number in (1, 2, 3, 4)]
    for one, other in ((0, 1), (2, 3)):
        link_people(people=[person(events[one], A).pk, person(events[other], A).pk], by=by)
    count_together(events, by)
    assert again([events[0], events[3]]) == set()
    link_people(people=[person(events[1], A).pk, person(events[2], A).pk], by=by)
    assert again([events[0], events[3]]) == {A}


def test_another_spelling_is_the_same_person_and_the_same_name_alone_is_not(evenings: list[Event], by: Account):
    count_together(evenings, by)
    part_person(person=person(evenings[2], B), by=by)
    row = evenings[2].players.get(person__preferred_name=A)
    change_player(player=row, to=replace(player_facts(row), preferred_name="Anna Berg"), ranked=True, by=by)
    assert again(evenings) == {"Anna Berg", C, D}


def test_before_a_first_public_result_nobody_is_found_again(by: Account):
    """A season that shows nothing of somebody cannot have said who that is."""
    events = [make_evening(4, slug=slug) for slug in ("evening-1", "evening-2")]
    open_together(*events)
    name = name_of(0)
    assert opened(phone_of(events[0], name), events[1]) == []
    finish(sit_down(events[0], 1, 2, 3, 4))
    assert opened(phone_of(events[0], name), events[1]) == [name]


def test_an_event_with_its_own_page_shows_that_until_seats_are_public(by: Account):
    events = [make_evening(4, slug=slug) for slug in ("evening-1", "evening-2")]
    open_together(*events)
    finish(sit_down(events[0], 1, 2, 3, 4))
    set_sign_up_page(event=events[1], terms={"places": 8, "shown": True}, by=by)
    phone = phone_of(events[0], name_of(0))
    assert text(phone.get("/e/evening-2/"), "title").startswith("About the event")
    sit_down(events[1], 4, 3, 2, 1)
    assert opened(phone, events[1]) == [name_of(0)]


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(3, 40))])
def test_whatever_is_hidden_linked_and_parted_a_phone_learns_nothing_new(seed: int, by: Account):
    chance = random.Random(seed)
    events = [play_evening(number, chance.sample((A, B, C, D, E), 4)) for number in (1, 2, 3)]
    link_all_names()
    count_together(events, by)
    people = [(event, row.number) for event in events for row in event.players.all()]

    def act() -> None:
        event, number = chance.choice(people)
        row = event.players.select_related("person").get(number=number)
        kind = chance.choice(("hide", "show", "part", "undo", "agree", "close", "event", "season", "count"))
        if kind in ("hide", "show"):
            set_names_shown(event=event, numbers=[number], shown=kind == "show", by=by)
        elif kind == "part" and row.person.known_id:
            part_person(person=row.person, by=by)
        elif kind == "undo":
            undo_link(seq=chance.choice(list_links()).seq, by=by)
        elif kind in ("agree", "close") and row.person.known:
            set_person_page(known=row.person.known, agreed=kind == "agree", by=by)
        elif kind == "event":
            set_visibility(
                event=fresh(event), visibility=chance.choice(("public", "public", "unlisted", "draft")), by=by
            )
        elif kind == "season":
            shown = chance.choice(("public", "public", "unlisted"))
            change_season(season=Season.objects.get(), facts=facts(shown), by=by)
        elif kind == "count":
            count_together(chance.sample(events, chance.choice((2, 3))), by)

    phone = phone_of(events[0], *events[0].players.values_list("person__preferred_name", flat=True))
    for _step in range(12):
        act()
        stranger = Client()
        stranger.cookies[CHOICES] = phone.cookies[CHOICES].value
        assert set(opened(stranger, events[2])) == public_people(events[0], events[2])


# ---------------------------------------------------------------- the cookie


def test_a_cookie_that_is_not_ours_is_of_no_effect(evenings: list[Event], by: Account):
    count_together(evenings, by)
    good = phone_of(evenings[0], A).cookies[CHOICES].value
    ours = good.partition(":")[2]
    for cookie in (
        "", "x", "~", ":", f"{good}~", f"~{good}", f"{good}~x", f"evening-1:{ours}.", f"evening-1:{ours}.x", f":{ours}",
        f"evening-1:{ours}:{ours}", f"evening\xd9\xa1:{ours}", "~".join([good] * 5), f"{'e' * 61}:{ours}",
        "evening-1:" + ".".join([ours] * 13), f"evening-1:\xd9\xa1-{ours[-8:]}", good * 200, f"nowhere:{ours}",
        f"evening-1:{ours[:-1]}0", "evening-1:99999-00000000", f"evening-2:{ours}",
    ):  # fmt: skip
        phone = Client()
        phone.cookies[CHOICES] = cookie
        assert (cookie, opened(phone, evenings[1])) == (cookie, [])
        phone.get("/e/evening-2/", {"me": player(evenings[1], D)})
        assert (cookie, opened(phone, evenings[2])) == (cookie, [D])


def test_a_number_that_nobody_has_loses_no_choice_of_other_events(evenings: list[Event], by: Account):
    count_together(evenings[:2], by)
    phone = phone_of(evenings[0], A)
    for typed in ("99", "x", "", "nobody"):
        assert phone.get("/e/evening-3/", {"me": typed}).cookies.keys() == set()
    assert opened(phone, evenings[1]) == [A]


def test_the_cookie_holds_the_last_events_and_stays_small(by: Account):
    events = [play_evening(number, (A, B, C, D)) for number in range(1, MOST_CHOICES + 3)]
    phone = Client()
    for event in [*events, events[3]]:
        phone.get(f"/e/{event.slug}/", {"me": 1})
    slugs = [each.partition(":")[0] for each in phone.cookies[CHOICES].value.split("~")]
    assert slugs == [events[at].slug for at in (3, 5, 4, 2)]


def test_a_phone_without_a_choice_costs_nothing_and_four_events_as_much_as_one(by: Account):
    events = [play_evening(number, (A, B, C, D)) for number in range(1, MOST_CHOICES + 2)]
    stranger = play_evening(9, (E, "Fee Ahl", "Gus Ried", "Hal Ott"))
    count_together([*events, stranger], by)

    def asked(phone: Client) -> list[str]:
        assert opened(phone, stranger) == []  # what is kept of events is made
        with CaptureQueriesContext(connection) as queries:
            assert opened(phone, stranger) == []
        return [each["sql"] for each in queries.captured_queries]

    plain, one = asked(Client()), asked(phone_of(events[0], A))
    four = Client()
    for event in events[:MOST_CHOICES]:
        four.get(f"/e/{event.slug}/", {"me": 1})
    assert (len(one) - len(plain), len(asked(four)) - len(plain)) == (3, 3)
