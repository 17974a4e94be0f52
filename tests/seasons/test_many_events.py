"""Pages over many events ask no more questions for more of them, and their work grows no faster than n log n."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.db.models import Count
from django.test import Client

from tests.factories import make_account
from tests.pages.at_desk import client_of
from tests.pages.html_reader import text, texts
from tests.seasons.many_events import make_many_events
from tools.bench.growth import Asked, ask, exponent
from tournament.people.models import KnownPerson
from tournament.publication.names import read_for_public
from tournament.seasons.models import Season
from tournament.seasons.queries import get_season_view
from tournament.seasons.views import AT_ONCE, NEWEST
from tournament.tables.messages import say_nameless

SIZES = (8, 24, 72)
MOST = 1.25  # n log n has 1.20
FEW = 100  # calls

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def pages_of(season: Season) -> Mapping[str, tuple[Client, str]]:
    public, desk = Client(), client_of(make_account("Desk", superuser=True))
    known = KnownPerson.objects.annotate(events=Count("people")).order_by("pk")
    # a page of a person costs what the person's own events do
    rarely, often = known.filter(events__lte=3).order_by("-events", "pk")[0], known.order_by("-events", "pk")[0]
    return {
        "season": (public, f"/s/{season.slug}/"),
        "records": (public, f"/s/{season.slug}/records/"),
        "how it is counted": (public, f"/s/{season.slug}/how/"),
        "a name of it": (public, f"/s/{season.slug}/?q=Akelei"),
        "proof": (public, f"/s/{season.slug}/proof.json"),
        "person": (public, f"/p/{rarely.uid}/"),
        "person of many events": (public, f"/p/{often.uid}/"),
        "hall of fame": (public, "/s/"),
        "events": (public, "/"),
        "people": (desk, "/desk/people/"),
        "a name": (desk, "/desk/people/?q=Akelei"),
        "season at the desk": (desk, f"/desk/seasons/{season.slug}/"),
    }


def walk(events: int) -> dict[str, Asked]:
    """Ask for each page of a site with so many events, with nothing kept; leave no row."""
    with transaction.atomic():
        pages = pages_of(make_many_events(events))
        found = {name: ask(client, address) for name, (client, address) in pages.items()}
        transaction.set_rollback(True)
    assert {name: asked.status for name, asked in found.items() if asked.status != 200} == {}
    return found


def test_more_events_ask_no_more_and_take_no_more_than_their_part():
    walk(2)  # the first to ask loads what is loaded once
    sizes = [walk(size) for size in SIZES]
    found = {name: [asked[name] for asked in sizes] for name in sizes[0]}
    assert {name: asked for name, asked in found.items() if asked[2].queries > asked[1].queries} == {}
    calls = {
        name: (one.calls, max(two.calls, one.calls + FEW), three.calls) for name, (one, two, three) in found.items()
    }
    assert {name: each for name, each in calls.items() if exponent(SIZES, each) > MOST} == {}
    assert calls["events"][2] < calls["events"][0] + FEW  # the start page leads to the season alone


def test_an_unchanged_season_is_asked_for_in_one_query(django_assert_num_queries: object):
    season = make_many_events(3)
    client = Client()
    client.get(f"/s/{season.slug}/")
    with django_assert_num_queries(1):  # type: ignore[operator]
        client.get(f"/s/{season.slug}/")


def test_few_people_with_a_page_are_listed_and_many_are_searched():
    make_many_events(4)
    few = Client().get("/")
    assert len(texts(few, "details li")) == KnownPerson.objects.filter(people__isnull=False).distinct().count() == 8
    make_many_events(60)
    many, found = Client().get("/"), Client().get("/?q=birk+2")
    assert (texts(many, "details"), texts(many, "label[for=find]")) == ([], ["Find a person"])
    names = texts(found, ".links li")
    assert {"Birk 2"} <= set(names) <= {"Season 4 4 events", "Season 60 60 events", "Birk 2"}
    assert "No player matches." in text(Client().get("/?q=nobody+here"), "main")


def test_a_long_season_shows_its_newest_events_and_all_where_asked():
    season = make_many_events(NEWEST + 1)
    client = Client()
    few, everything = client.get(f"/s/{season.slug}/"), client.get(f"/s/{season.slug}/?events=all")
    shown = [texts(page, ".season-events a") for page in (few, everything)]
    assert (len(shown[0]), shown[0], shown[1][-1]) == (NEWEST, shown[1][:NEWEST], "Evening 0")


def test_names_are_read_of_who_is_shown_and_of_all_for_a_search(django_assert_num_queries: Any):
    season = make_many_events(72)
    view, client = get_season_view(season), Client()
    assert len(view.ranked) > AT_ONCE
    first, second, *others = (line.row.person for line in view.lines)
    with django_assert_num_queries(1):
        view.names.read([first, second])
    with django_assert_num_queries(0):
        assert all(view.names[key] and view.names.get_page(key) for key in (first, second))
    with django_assert_num_queries(1):
        assert all(view.names[key] for key in others)
    for shown in ("", "page=2", "q=Akelei"):
        cache.clear()
        with read_for_public(say_nameless):
            get_season_view(season)
        for queries in (2, 1):
            with django_assert_num_queries(queries):
                assert client.get(f"/s/{season.slug}/?{shown}").status_code == 200
