"""The ways that pages for organisers name, such as *Results → More files*, are gone step by step at the desk.

A step is a link of the page, which is followed, or a heading or a button on it. A way is tried in an event with players
alone, with seats that are not published, and in mid-play.
"""

import re
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.factories import make_account, make_event, play_round, round_of, set_team
from tests.pages.at_desk import client_of, values
from tests.pages.html_reader import text
from tests.test_screen_words import CODE, PAGES, as_id, plain
from tournament.accounts.models import Account
from tournament.events.models import Event
from tournament.pages.permissions import DESK_TABS
from tournament.rounds.actions import start_round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

WAY = re.compile(r"(?<!\*)\*(?!\*)[^*]+\*(?:, \*(?!\*)[^*]+\*)*")
LINK = re.compile(r'<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
ON_EVERY_PAGE = {"Something went wrong": "desk:mishaps", "Hall screen": "desk:wall"}
TABS = {str(label): name for _key, label, name, _verb in DESK_TABS} | ON_EVERY_PAGE


def ways() -> Iterator[tuple[str, list[str]]]:
    """Yield page and steps of each way that begins at a tab of the desk."""
    for page in PAGES:
        said = " ".join(CODE.sub("`", page.read_text(encoding="utf-8")).split())
        for way in WAY.findall(said):
            steps = [step.strip() for part in re.findall(r"\*([^*]+)\*", way) for step in part.split("→")]
            if len(steps) > 1 and steps[1] and steps[0] in TABS:
                yield as_id(page), steps


def lists_alone(by: Account) -> Event:
    """Return an event whose seats are not drawn."""
    event = make_event(slug="listed", by=by)
    event.rounds.all().delete()
    return event


def in_play(by: Account) -> Event:
    """Return an event with a held round, one that is played, a penalty and an imported file."""
    event = make_event(slug="played", by=by)
    Event.objects.filter(pk=event.pk).update(hold="before_last")
    play_round(event, 1, "2r3 340/2")
    start_round(round_=round_of(event, 2), by=by)
    file = SimpleUploadedFile("list.csv", b"player,points,reason\n1,-2000,late\n")
    set_team(player=event.players.get(number=1), team="Elbe", by=by)
    client, url = client_of(by), reverse("desk:import_penalties", args=[event.slug])
    client.post(url, {"confirmed": values(client.post(url, {"file": file}), "confirmed")[0]})
    return event


def goes(client: Client, event: Event, steps: list[str]) -> bool:
    """Tell whether each step is on the page to which the ones before it lead; the last one is not taken."""
    page = client.get(reverse(TABS[steps[0]], args=[event.slug]), {"player": "1"})
    for step, is_last in zip(steps[1:], [*[False] * (len(steps) - 2), True], strict=True):
        words = plain(step)
        links = {plain(inner): href for href, inner in LINK.findall(page.content.decode())}
        href = next((href for inner, href in links.items() if inner.startswith(words)), "")
        if not href and words not in plain(text(page, "main")):
            return False
        if href and not href.startswith("#") and not is_last:
            page = client.get(href.replace("&amp;", "&"))
    return True


def test_each_way_can_be_gone() -> None:
    owner = make_account("Organiser", superuser=True)
    events = [in_play(owner), make_event(slug="drawn", published=False, by=owner), lists_alone(owner)]
    client = client_of(owner)
    named = list(ways())
    assert len(named) > 40
    gone = {tuple(steps): any(goes(client, event, steps) for event in events) for _page, steps in named}
    assert [(page, steps) for page, steps in named if not gone[tuple(steps)]] == []
