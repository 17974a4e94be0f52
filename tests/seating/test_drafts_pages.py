"""Draws with wishes on the seating page: the form, drafts and their progress, the report, two side by side."""

import datetime as dt
from typing import Any

import pytest

from tests.factories import make_account, writer_of
from tests.pages.at_desk import HTMX, organiser
from tests.pages.html_reader import text, texts
from tournament.core.models import AuditRow
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players
from tournament.seating.actions import run_draft, start_draft
from tournament.seating.models import DrawDraft
from tournament.seating.plan import ALWAYS, DrawWishes, read_asked

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/seating/"


def event_of(players: int, *, rounds: int = 3, clubs: int = 4) -> Event:
    writer = make_account("Organiser")
    day = dt.date(2026, 9, 12)
    event = create_event(name="Cup", date=day, rules_key="ema-2025", rounds=rounds, slug="cup", by=writer)
    people = [NewPlayer(f"Player {index}", club=f"Club {index % clubs}") for index in range(1, players + 1)]
    add_players(event=event, players=people, by=writer)
    return event


def draft_of(event: Event, *, seed: int = 5, asked: DrawWishes | None = None, way: str = "full") -> DrawDraft:
    draft = start_draft(event=event, seed=seed, asked=asked or DrawWishes(), way=way, by=writer_of(event))
    run_draft(draft)
    draft.refresh_from_db()
    return draft


def order_of(page: Any) -> list[str]:
    return [line.removeprefix("Move up: ") for line in texts(page, ".unseen") if line.startswith("Move up: ")]


def test_a_search_is_started_with_the_wishes_of_the_form():
    event = event_of(16)
    client = organiser(event)
    data = {"act": "start", "seed": "42", "order": ["clubs", "repeats"], "clubs": "1", "families": "1, 2\n3, 4"}
    assert client.post(URL, data)["Location"] == URL
    draft = DrawDraft.objects.get()
    assert read_asked(draft.asked) == DrawWishes(
        order=read_asked(draft.asked).order, clubs=1, families=((1, 2), (3, 4)), families_until=ALWAYS
    )
    assert (draft.seed, read_asked(draft.asked).order[:2]) == (42, ("clubs", "repeats"))
    page = client.get(URL)
    assert "Searching, 0 %" in text(page, ".draft")
    assert "Good enough, stop here" in texts(page, "button")
    fragment = client.get(f"{URL}progress/", headers=HTMX)
    assert (text(fragment, ".draft"), fragment["Cache-Control"]) == (text(page, ".draft"), "no-store")
    client.post(URL, {"act": "stop", "draft": draft.pk})
    assert "Ending with the best so far…" in text(client.get(URL), ".draft")
    draft.refresh_from_db()
    run_draft(draft)
    assert "hx-trigger" not in client.get(f"{URL}progress/", headers=HTMX).content.decode()


def test_wishes_are_ordered_by_buttons_and_nothing_typed_is_lost():
    client = organiser(event_of(16))
    first = order_of(client.get(URL))
    assert first[:3] == ["Players who keep a table", "At one table in a given round", "Nobody meets twice"]
    typed = {"families": "1, Nobody", "seed": "x", "clubs": "2"}
    page = client.post(URL, {**typed, "act": "down:fixed", "order": ["fixed", "together"]})
    assert order_of(page)[:2] == ["At one table in a given round", "Players who keep a table"]
    assert "1, Nobody" in texts(page, "textarea")
    page = client.post(URL, {**typed, "act": "preset:apart"}, headers=HTMX)
    assert order_of(page)[2] == "Clubs apart"
    assert texts(page, "h1") == []
    page = client.post(URL, {**typed, "act": "add:families", "families_pick_0": "3 Player 3", "families_pick_1": "4"})
    assert "1, Nobody 3 Player 3, 4" in texts(page, "textarea")


def test_bad_wishes_are_said_and_stay_in_the_form():
    event = event_of(16)
    page = organiser(event).post(URL, {"act": "start", "seed": "1", "families": "1, Nobody", "fixed": "1: 9"})
    assert page.status_code == 422
    assert texts(page, ".note")[0] == "Error Families and pairs apart, line 1: nobody here is called “Nobody”."
    assert "1, Nobody" in texts(page, "textarea")
    page = organiser(event).post(URL, {"act": "start", "seed": "1", "fixed": "1: 9"})
    assert texts(page, ".note")[0] == "Error Player 1 cannot keep table 9: there are tables 1 to 4."
    page = organiser(event).post(URL, {"act": "start", "seed": ""})
    assert texts(page, ".note")[0] == "Error A seed is a whole number from 0 to 2,147,483,647."
    assert DrawDraft.objects.count() == 0


@pytest.mark.follows("before/seating.md")
@pytest.mark.once
def test_a_draft_is_looked_at_taken_and_published():
    event = event_of(16)
    client = organiser(event)
    draft = draft_of(event, asked=DrawWishes(clubs=1))
    card = text(client.get(URL), ".draft")
    assert card == (
        "Draw A seed 5 Clubs apart (in round 1) Repeat meetings nobody meets twice Most often together once "
        "3 of 4 wishes met Use draw A View Discard draw A"
    )
    page = client.get(f"{URL}drafts/{draft.pk}/")
    assert text(page, "h1") == "Draw A"
    assert text(page, ".outcomes").startswith(
        "Nobody meets twice: met Each starting wind equally often: met Clubs apart: met "
        "Nobody at one table too often: missed 12 times. There are so few tables that each round takes somebody"
    )
    assert len(texts(page, ".met-words")) == 1
    client.post(URL, {"act": "take", "draft": draft.pk})
    page = client.get(URL)
    assert texts(page, ".note") == ["Done Seats are drawn from seed 5."]
    assert texts(page, ".tag") == ["in use"]
    assert text(client.get(f"{URL}report/"), "h1") == "The draw"
    client.post(URL, {"act": "publish", "sure": "1", "rounds": ["1", "2", "3"]})
    assert "seed" not in client.get("/e/cup/rounds/1/").content.decode()
    assert (
        "Rounds 1 to 3: drawn by lot with seed 5 from the list of 16 players in order of their numbers, with the "
        "organiser’s wishes. The same seed, list and wishes give the same draw on any desk."
    ) in texts(client.get("/e/cup/rules/"), "p")
    assert "Find a draw" not in texts(client.get(URL), "button")
    assert AuditRow.objects.filter(verb="seats_drawn").count() == 1


@pytest.mark.once
def test_two_drafts_are_compared_in_words():
    event = event_of(8, rounds=4)
    client = organiser(event)
    good, bad = draft_of(event, seed=1), draft_of(event, seed=2)
    worse = bad.report
    worse["figures"]["repeats"] += 3
    worse["wishes"][0]["missed"] += 3
    bad.save()
    page = client.get(f"{URL}compare/", {"draft": [good.pk, bad.pk]})
    repeats = good.report["figures"]["repeats"]
    assert texts(page, ".note") == [
        f"A is better by your order: “Nobody meets twice” is missed {repeats} against {repeats + 3} times."
    ]
    assert "A is better" in texts(page, "td")
    assert "alike" in texts(page, "td")
    other = draft_of(event, seed=3, asked=DrawWishes(clubs=1))
    page = client.get(f"{URL}compare/", {"draft": [good.pk, other.pk]})
    assert texts(page, ".note")[0].startswith("These two had different wishes")
    assert client.get(f"{URL}compare/", {"draft": good.pk})["Location"] == URL
    assert texts(client.get(URL), ".note")[0] == "Error Choose two draws to compare."


def test_what_no_draw_can_help_is_no_fault_of_the_draw():
    event = event_of(16, rounds=6)
    client = organiser(event)
    draft = draft_of(event)
    page = client.get(f"{URL}drafts/{draft.pk}/")
    assert draft.report["figures"]["repeats"] == 24
    assert "24, and no draw can have fewer" in text(page, ".facts")
    assert (
        "missed 24 times, which no draw can avoid, because in so many rounds everybody would need more opponents than "
        "there are"
    ) in text(page, ".outcomes")
    assert "There are fewer tables than rounds, so that everybody comes to some table again." in texts(page, ".soft")


@pytest.mark.once
def test_an_odd_field_is_offered_its_ways_with_their_cost():
    event = event_of(9)
    client = organiser(event)
    page = client.get(URL)
    assert "Draw the seats" not in texts(page, "button")
    assert [line.split(" Everybody")[0].split(" Each")[0] for line in texts(page, ".rule-card")] == [
        "3 substitutes",
        "3 tables of 3 No rule set of this desk knows tables of another size: hands could not be entered there.",
        "1 player rests in each round",
    ]
    client.post(URL, {"act": "start", "seed": "5", "way": "rests"})
    draft = DrawDraft.objects.get()
    run_draft(draft)
    client.post(URL, {"act": "take", "draft": draft.pk})
    report = client.get(f"{URL}report/")
    assert "Rests of one player 0 to 1 rounds" in text(report, ".facts")
    assert sum("Round" in line for line in texts(report, "li")) >= 3


@pytest.mark.postgresql
def test_a_draft_of_another_event_is_not_found():
    event = event_of(8)
    draft = draft_of(event)
    other = create_event(
        name="Other", date=dt.date(2026, 9, 12), rules_key="ema-2025", rounds=2, slug="other", by=writer_of(event)
    )
    client = organiser(other)
    assert client.get(f"/desk/other/seating/drafts/{draft.pk}/").status_code == 404
    assert client.post("/desk/other/seating/", {"act": "take", "draft": draft.pk}).status_code == 404
    for unknown in ("x", "9" * 5000):
        assert client.post("/desk/other/seating/", {"act": "take", "draft": unknown}).status_code == 404
    assert client.get("/desk/other/seating/report/").status_code == 404


def test_a_failed_search_can_be_made_again():
    event = event_of(8)
    client = organiser(event)
    draft = draft_of(event)
    DrawDraft.objects.update(state="failed", report={}, problem={"code": "draft.broke", "params": {}})
    page = client.get(URL)
    assert "An error of the desk stopped the search." in text(page, ".draft")
    client.post(URL, {"act": "again", "draft": draft.pk})
    draft.refresh_from_db()
    assert (draft.state, draft.attempt, draft.seed) == ("searching", 2, 5)
    client.post(URL, {"act": "discard_draft", "draft": draft.pk})
    assert DrawDraft.objects.count() == 0


@pytest.mark.once
@pytest.mark.parametrize("players", [8, 24])
def test_the_pages_ask_the_same_number_of_questions_whatever_their_size(django_assert_num_queries: Any, players: int):
    event = event_of(players)
    client = organiser(event)
    one, other = draft_of(event, seed=1), draft_of(event, seed=2)
    client.post(URL, {"act": "take", "draft": one.pk})
    client.get(URL)  # shows the message
    for address, queries in (
        (URL, 9), (f"{URL}report/", 8), (f"{URL}drafts/{other.pk}/", 8), (f"{URL}compare/", 7),
        (f"{URL}progress/", 6),
    ):  # fmt: skip
        with django_assert_num_queries(queries):
            client.get(address, headers=HTMX)
