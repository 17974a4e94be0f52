"""The desk in the event's language: no page of it keeps anything English, its problems and its trail are said in it.

Japanese shows what is left: there every Latin word stands out that no translator wrote. Whole catalogues do the rest.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from babel.messages.pofile import read_po
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from django.utils.translation import get_language, override

from scoring.problems import Problem
from tests.factories import make_event, writer_of
from tests.web.at_desk import client_of, organiser
from tests.web.languages_read import read
from tests.web.shown import texts
from tests.web.test_languages import names
from tournament.models import (
    Account,
    Event,
    LedgerEntry,
    Penalty,
    RefereeCall,
    Seat,
    Substitution,
)
from tournament.services.access import get_site_organiser
from tournament.services.calls import call_referee
from tournament.services.sample import load_samples
from tournament.services.substitutions import Replacement, put_substitute_in
from web.trail_wording import say_verb
from web.wording import say

pytestmark = pytest.mark.django_db

CATALOGUE = Path(__file__).resolve().parent.parent.parent / "locale" / "ja" / "LC_MESSAGES" / "django.po"
SLUG = "sanmatsuri-sample"
# states of a page that its bare address does not show
ASKED = (
    "?round=1", "?round=4", "?q=zz", "?print", "mishaps/?player=1", "wrong-person/?one=1&other=2&round=1&round=3&look=1",
    "seating/redraw/?look=1&seed=1", "penalties/give/?round=3&table=5&player=1&section=5",
    "penalties/give/?player=1&pick=late", "penalties/give/?player=1&pick=obstruction.first",
    "penalties/give/?player=1&pick=late.7", "rounds/3/tables/1/", "rounds/3/tables/5/", "rounds/3/tables/8/",
    "rounds/3/tables/4/?correct=2", "rounds/3/tables/4/?void=2", "rounds/3/tables/4/?before=2",
    "rounds/3/tables/8/totals/", "rounds/3/tables/4/preview/?line=1r2+340", "rounds/3/tables/4/preview/?line=1r2+190",
    "rounds/3/tables/8/totals/preview/?count-0=45200&count-1=30000&count-2=2",
)  # fmt: skip
FILES = (".pdf", ".xlsx", ".json")
WORD = re.compile(r"[A-Za-z][A-Za-z'’]+")
PLACE = re.compile(r"%\(\w+\)[sd]|\{\w+\}|<[^>]+>")
KEYS = {"P", "Tab", "Shift"}


@pytest.fixture(autouse=True)
def no_language_stays() -> Iterator[None]:
    """Leave the language as it was: a request leaves its own behind in the thread."""
    with override(get_language()):
        yield


def busy_event() -> Event:
    """Return a sample in mid-play in which somebody is replaced, and a referee called to the same table."""
    (event,) = load_samples(now=timezone.now(), only=[SLUG])
    by = get_site_organiser()
    seat = Seat.objects.get(round__event=event, round__number=3, table__number=4, seat=1)
    replaced = Replacement(when="before", reason="0815", name="Xaver")
    put_substitute_in(table=seat.table, player=seat.player, client_id=uuid4(), by=by, replacement=replaced)
    call_referee(table=seat.table, client_id=uuid4(), question="", by=by)
    return event


def addresses(event: Event) -> list[str]:
    """List every address of the desk that may be a page, filled with what the event has."""
    fill = {
        "slug": event.slug, "number": "1", "other": "2", "round_number": "3", "table_number": "4", "time_id": "1",
        "penalty_id": str(Penalty.objects.filter(event=event, cancelled_at=None)[0].pk),
        "substitution_id": str(Substitution.objects.get().pk), "call_id": str(RefereeCall.objects.get().pk),
    }  # fmt: skip
    found = [
        "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match: fill.get(match[1], "1"), route)
        for route in routes(get_resolver())
        if route.startswith("desk/") and not route.endswith(FILES)
    ]
    return [*found, *(f"/desk/{event.slug}/{end}" for end in ASKED)]


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for part in resolver.url_patterns:
        route = before + str(part.pattern)
        if isinstance(part, URLPattern):
            yield route
        else:
            yield from routes(part, route)


def typed_by_people() -> set[str]:
    """Return what stands on the pages of the sample and is nobody's translation: names, and what somebody typed."""
    kept = [
        *Account.objects.values_list("display_name", flat=True),
        *LedgerEntry.objects.values_list("reason", flat=True),
        *(text for row in Penalty.objects.values_list("reason", "cancel_reason", "clause") for text in row),
        "Xaver",
    ]
    return names() | {text for text in kept if text}


def latin_of_translators() -> set[str]:
    """Return the Latin words of the Japanese catalogue: what translators left as it is, on purpose."""
    with CATALOGUE.open("rb") as file:
        said = [message.string for message in read_po(file) if message.id]
    whole = [text for each in said for text in ([each] if isinstance(each, str) else each)]
    return {word for text in whole for word in WORD.findall(PLACE.sub("", text))}


def said_at(client: Client, url: str) -> tuple[str, list[str]]:
    """Return language and texts of an address; nothing where it is no page of its own."""
    answer = client.get(url, headers={"Accept-Language": "ja"})
    if answer.status_code != 200 or "html" not in answer["Content-Type"]:
        return "", []
    return read(answer.content.decode())


def test_no_page_of_the_desk_keeps_anything_english() -> None:
    event = busy_event()
    Event.objects.update(language="ja")
    client = client_of(get_site_organiser())
    known = sorted(typed_by_people(), key=len, reverse=True)
    allowed = latin_of_translators() | KEYS
    left, pages = set(), 0
    for url in addresses(event):
        language, said = said_at(client, url)
        pages += bool(said)
        assert language in ("ja", ""), url
        for text in said:
            bare = text
            for name in known:
                bare = bare.replace(name, "")
            if any(word not in allowed for word in WORD.findall(bare)):
                left.add((url, text))
    assert sorted(left) == []
    assert pages > 60
