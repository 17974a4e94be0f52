"""A stranger follows the links of sample events: no page of the desk, nothing of a person but what is published.

The suite looks at three pages of each kind of one event, the nightly run at all of them of both.

Beside the preferred name a player's page has number, country and club, as organisers enter them to be shown.
"""

import datetime as dt
import html
import re
from collections import Counter, deque

import pytest
from django.test import Client
from django.urls import is_valid_path, resolve

from tests.pages.html_reader import source_of
from tournament.accounts.models import Account
from tournament.demo.sample import SLUGS, load_samples
from tournament.events.models import Event
from tournament.players.models import Person

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.slow]

NOW = dt.datetime(2026, 9, 12, 14, 30, tzinfo=dt.UTC)
LEADS = re.compile(r'\b(?:href|src|action|hx-get|content|data-[\w-]+)="(/[^"#]*)')
JSON_LEADS = re.compile(r'"(/(?:e|api|desk)/[^"]*)"')
LEGAL, WRITER = "Geheimname", "Deskperson"
EMA_NUMBER = re.compile(r"\b\d{8}\b")
MAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w+")
AWAY = ("/static/", "/logout/", "/language/")


def leads_of(text: str) -> set[str]:
    """Return the addresses of this desk that a page leads to, by whatever attribute."""
    found = {html.unescape(url) for url in (*LEADS.findall(text), *JSON_LEADS.findall(text))}
    return {url for url in found if not url.startswith(("//", *AWAY)) and is_valid_path(url.partition("?")[0])}


def sort_of(url: str) -> str:
    """Name what is asked once: the path, with the names of what is asked of it."""
    path, _, query = url.partition("?")
    return path + "?" + "&".join(sorted({part.partition("=")[0] for part in query.split("&")}))


def crawl(client: Client, start: str, most: int) -> dict[str, tuple[int, str]]:
    """Follow every link from here, of each kind of page of an event so many; return status and text, by address."""
    seen, waiting, came = {sort_of(start)}, deque([start]), {}
    kinds: Counter[tuple[object, ...]] = Counter()
    while waiting:
        url = waiting.popleft()
        found = resolve(url.partition("?")[0])
        kind = (found.func, found.kwargs.get("slug"), "?" in url)
        kinds[kind] += 1
        if kinds[kind] > most:
            continue
        answer = client.get(url)
        text = source_of(answer)
        came[url] = (answer.status_code, text + str(dict(answer.items())))
        for lead in sorted(leads_of(text + f' href="{answer.get("Location", "")}"')):
            if sort_of(lead) not in seen:
                seen.add(sort_of(lead))
                waiting.append(lead)
    return came


def hide(event: Event) -> set[str]:
    """Give everybody of an event a legal name, and return the EMA numbers, none of which may be found."""
    people = Person.objects.filter(players__event=event)
    people.update(legal_name=f"{LEGAL} Verborgen")
    return {number for number in people.values_list("ema_number", flat=True) if number}


@pytest.mark.parametrize(("most", "slugs"), [(3, SLUGS[1:]), pytest.param(10_000, SLUGS, marks=pytest.mark.nightly)])
def test_a_stranger_who_follows_every_link_finds_no_desk_and_no_personal_data(most: int, slugs: tuple[str, ...]):
    events = load_samples(now=NOW, only=slugs)
    assert tuple(event.slug for event in events) == tuple(slugs)
    numbers = set().union(*(hide(event) for event in events))
    Account.objects.update(display_name=WRITER, email="writer@example.org")
    came = crawl(Client(), "/", most)
    of_desk = {url for url in came if getattr(resolve(url.partition("?")[0]).func, "audience", "") in ("event", "site")}
    assert of_desk == set()
    assert {url for url, (status, _text) in came.items() if status not in (200, 302, 304)} == set()
    for what in (LEGAL, "Verborgen", WRITER):
        assert {url for url, (_status, text) in came.items() if what in text} == set(), what
    assert {number for _status, text in came.values() for number in EMA_NUMBER.findall(text)} & numbers == set()
    assert {found for _status, text in came.values() for found in MAIL.findall(text)} == set()
    for slug in slugs:  # it went everywhere
        pages = {url.partition("?")[0] for url in came if url.startswith(f"/e/{slug}/")}
        assert {f"/e/{slug}/", f"/e/{slug}/standings/", f"/e/{slug}/display/"} <= pages
        assert any(url.startswith(f"/e/{slug}/players/") for url in pages)
    assert len(numbers) > 10
