"""Disqualify a player at the desk: shown first, a password, what the public reads, and the way back."""

from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from scoring.entries import Totals
from tests.factories import enter, make_event, round_of, sign, table_of, writer_of
from tests.pages.at_desk import organiser, values
from tests.pages.html_reader import text, texts
from tournament.accounts.queries import list_audit
from tournament.events.models import Event
from tournament.incidents.models import Disqualification, Substitution
from tournament.rounds.actions import release_round
from tournament.text.acts import act_text

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/players/1/disqualify/"
STANDINGS = "/e/cup/standings/"


@pytest.fixture
def event() -> Event:
    """Return an event of two rounds, the first released."""
    cache.clear()
    event = make_event(slug="cup", tables=1, rounds=2)
    enter(table_of(event), Totals(scores=(45_000, 35_000, 25_000, 15_000)))
    sign(table_of(event))
    release_round(round_=round_of(event, 1), by=writer_of(event))
    return event


def form(**fields: str) -> dict[str, str]:
    return {"client_id": str(uuid4()), "reason": "marked tiles", "shown": "reason", "seats": "later"} | fields


@pytest.mark.postgresql
def test_what_it_does_is_shown_before(event: Event):
    page = organiser(event).get(URL)
    assert text(page, "h1") == "Disqualify Akelei?"
    assert texts(page, "li")[-3:] == [
        "Excluded from the ranking from now on, in all files, and from all later draws.",
        "Games played stay as they are: the results of the others do not change.",
        "Round 2, table 1, seat 4: no hand is entered yet",
    ]
    assert texts(page, "tbody")[-1].startswith("Birk 2 → 1 +10,000")


@pytest.mark.follows("during/disqualify.md")
def test_it_is_done_with_a_substitute_and_the_public_reads_what_the_organiser_chose(event: Event):
    client = organiser(event)
    page = client.get(URL)
    sent = form(
        seats="substitute", table=values(page, "table")[-1], name="Kay Fir", client_id=values(page, "client_id")[0]
    )
    for _ in range(2):
        assert client.post(URL, sent)["Location"] == URL
    assert (Disqualification.objects.count(), Substitution.objects.count()) == (1, 1)
    public = Client().get(STANDINGS).content.decode()
    assert "Disqualified:" in public
    assert "(marked tiles)" in public
    assert Client().get("/api/v1/events/cup/players").json()["players"][0]["disqualified"] is True
    client.post(URL, {"act": "show", "shown": "nothing"})
    public = Client().get(STANDINGS).content.decode()
    assert "Disqualified:" not in public
    assert "Not ranked:" in public
    assert "disqualified" not in Client().get("/api/v1/events/cup/standings").json()


@pytest.mark.follows("during/disqualify.md")
def test_it_is_taken_back_with_a_reason(event: Event):
    client = organiser(event)
    client.post(URL, form())
    assert text(client.get(URL), "h1") == "Akelei is disqualified"
    refused = client.post(URL, {"act": "lift", "reason": " "})
    assert (refused.status_code, texts(refused, ".note")) == (
        422,
        ["Error To disqualify a player, or to take it back, needs a reason."],
    )
    assert client.post(URL, {"act": "lift", "reason": "the wrong one"}).status_code == 302
    assert text(client.get(URL), "h1") == "Disqualify Akelei?"
    assert "Akelei" in texts(Client().get(STANDINGS), "tbody")[0]


def test_the_players_page_and_what_went_wrong_lead_to_it(event: Event):
    client = organiser(event)
    assert f'href="{URL}"' in client.get("/desk/cup/mishaps/?player=1").content.decode()
    client.post(URL, form())
    page = client.get("/desk/cup/players/1/").content.decode()
    assert "What the public reads, and how to undo it" in page
    (line,) = [line for line in list_audit(event) if line.verb == "player_disqualified"]
    assert act_text(line.verb, line.details) == ("disqualified player 1 (name and reason are public): marked tiles")
