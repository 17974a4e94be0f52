"""What a phone says that the last evening gives in the season, and where nothing of it may be said."""

import dataclasses
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.seasons import SeasonRule
from tests.factories import make_account
from tests.pages.at_desk import client_of
from tests.pages.html_reader import texts
from tests.seasons.evenings import SCORES, link_all_names, play_evening
from tournament.accounts.models import Account
from tournament.events.actions import publication_of, set_details, set_publication, set_visibility, show_results
from tournament.events.models import Event, Visibility
from tournament.imports.actions import import_results
from tournament.imports.results import read_results
from tournament.penalties.actions import give_penalty
from tournament.privacy.actions import set_names_shown
from tournament.seasons.actions import CountedEvent, SeasonFacts, change_season, create_season, set_season_events
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE, DeclaredRule

pytestmark = [pytest.mark.django_db, pytest.mark.once]

A, B, C, D, E = "Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik", "Ede Holm"
HEAD = "What this event gives in the season"
EVENINGS = SeasonRule(unit="evening", measure="base_rank", gather="sum")


@pytest.fixture
def by() -> Account:
    return make_account("Owner", superuser=True)


@pytest.fixture
def club(by: Account) -> list[Event]:
    """Two evenings, and a third with one of its three games still to come."""
    events = [play_evening(1, (A, B, C, D)), play_evening(2, (B, A, D, C)), play_evening(3, (D, C, B, A), (A, B, D, C))]
    link_all_names()
    plan(events[2], 3, by)
    return events


def plan(event: Event, rounds: int, by: Account) -> None:
    event.refresh_from_db()
    set_details(event=event, name=event.name, date=event.date, place="", rounds=rounds, by=by)


def make(events: list[Event], rule: DeclaredRule, by: Account, **facts: object) -> Season:
    season = create_season(facts=SeasonFacts("Autumn", rule, **facts), by=by)  # type: ignore[arg-type]
    set_season_events(season=season, events=[CountedEvent(event.pk) for event in events], by=by)
    return season


def phone(event: Event, name: str = "", client: Client | None = None) -> Any:
    client = client or Client()
    if name:
        number = event.players.get(person__preferred_name=name).number
        client.get(f"/e/{event.slug}/?me={number}")
    return client.get(f"/e/{event.slug}/")


def given(event: Event, name: str) -> list[str]:
    return drawn(phone(event, name))


def drawn(page: Any) -> list[str]:
    return [each.replace(" →", "") for each in texts(page, ".need-seats > li")]


def test_points_that_the_last_game_needs_for_each_rank(club: list[Event], by: Account):
    make(club, READY_MADE["sum"], by)
    # 25,000 + 8,000 − 25,000 + 25,000 against 8,000 + 25,000 − 8,000 + 8,000: Ana and Birk share the first rank
    assert given(club[2], A) == ["1st 0.0 or more"]
    # Dora: −25,000 − 8,000 + 25,000 − 8,000 = −16,000; Cyan: −8,000 − 25,000 + 8,000 − 25,000 = −50,000
    assert given(club[2], D) == ["1st +49.0 or more", "3rd −34.0 or more"]
    assert given(club[2], C) == ["1st +83.0 or more", "3rd +34.0 or more"]


def test_places_of_an_evening_are_varied_with_all_others(club: list[Event], by: Account):
    make(club, DeclaredRule(EVENINGS), by)
    # Ana 1000 + 667, Birk 667 + 1000, Cyan 333 + 0, Dora 0 + 333
    assert given(club[2], A) == [
        "1st 1st",
        "2nd 1st, unless Birk Sol wins",
        "3rd 1st, unless Birk Sol comes 2nd or better",
        "4th 2nd",
    ]
    assert given(club[2], D) == [
        "1st 3rd",
        "2nd 3rd, unless Cyan Lund wins",
        "3rd 3rd, unless Cyan Lund comes 2nd or better",
        "4th 4th",
    ]


def test_the_page_names_the_season_and_the_place_of_the_event_in_it(club: list[Event], by: Account):
    season = make(club, READY_MADE["sum"], by)
    said = phone(club[0]).content.decode()
    assert f'<a href="/s/{season.slug}/">Autumn</a> · event 1 of 3' in said
    assert "event 3 of 3" in phone(club[2]).content.decode()
    for visibility in (Visibility.UNLISTED, Visibility.DRAFT):
        change_season(season=season, facts=SeasonFacts("Autumn", READY_MADE["sum"], None, visibility), by=by)
        for reader in (Client(), client_of(by)):
            said = phone(club[2], A, reader).content.decode()
            assert ("Autumn" in said, HEAD in said) == (False, False)


def test_only_the_last_event_of_an_open_season_says_it_and_only_while_it_is_played(club: list[Event], by: Account):
    season = make(club, READY_MADE["sum"], by)
    assert HEAD in phone(club[2], A).content.decode()
    assert HEAD not in phone(club[2]).content.decode()
    assert HEAD not in phone(club[1], A).content.decode()
    change_season(season=season, facts=SeasonFacts("Autumn", READY_MADE["sum"], closed=True), by=by)
    assert HEAD not in phone(club[2], A).content.decode()
    change_season(season=season, facts=SeasonFacts("Autumn", READY_MADE["sum"]), by=by)
    plan(club[2], 2, by)
    assert HEAD not in phone(club[2], A).content.decode()


def test_a_draft_after_it_makes_an_event_not_the_last_and_is_not_counted(club: list[Event], by: Account):
    later = play_evening(4, (A, B, C, D))
    set_visibility(event=later, visibility=Visibility.DRAFT, by=by)
    make([*club, later], READY_MADE["sum"], by)
    said = phone(club[2], A).content.decode()
    assert ("event 3 of 3" in said, HEAD in said, "evening-4" in said) == (True, False, False)


def test_who_is_hidden_at_one_evening_is_told_nothing_and_is_named_to_nobody(club: list[Event], by: Account):
    make(club, DeclaredRule(EVENINGS), by)
    number = club[0].players.get(person__preferred_name=B).number
    set_names_shown(event=club[0], numbers=[number], shown=False, by=by)
    for reader in (Client(), client_of(by)):
        assert HEAD not in phone(club[2], B, reader).content.decode()
        reader.get(f"/e/{club[2].slug}/?me=")
        assert drawn(phone(club[2], A, reader)) == ["1st 1st", "2nd to 3rd 1st to 2nd", "4th 2nd"]


def test_a_held_game_counts_as_one_that_is_left(club: list[Event], by: Account):
    held = play_evening(4, (A, B, C, D))
    link_all_names()
    plan(held, 2, by)
    make([*club, held], READY_MADE["sum"], by)
    set_publication(event=held, publication=dataclasses.replace(publication_of(held), hold="last"), by=by)
    before = given(held, A)
    assert before == ["1st −17.0 or more"]  # ahead by 17,000
    lines = [f"2,1,{seat},{name},{score}" for seat, (name, score) in enumerate(zip((B, D, C, A), SCORES, strict=True))]
    results = read_results("\n".join(["round,table,seat,player,points", *lines]).encode(), "results.csv")
    import_results(slug=held.slug, preview=results, rules=None, date=held.date, append=True, by=by)
    assert given(held, A) == before
    show_results(event=held, by=by)
    assert given(held, A) == []


def test_a_correction_of_an_earlier_evening_moves_what_the_phone_says(club: list[Event], by: Account):
    make(club, READY_MADE["sum"], by)
    client = Client()
    assert "0.0 or more" in phone(club[2], A, client).content.decode()
    player = club[0].players.get(person__preferred_name=A)
    give_penalty(player=player, points=10_000, reason="late", client_id=uuid4(), round_=None, by=by)
    assert drawn(phone(club[2], A, client)) == ["1st +10.0 or more", "2nd −39.0 or more"]


def test_who_has_too_few_games_is_told_what_is_missing(club: list[Event], by: Account):
    make(club, DeclaredRule(SeasonRule(least=7)), by)
    said = phone(club[2], A)
    assert "After this event you are 2 games short of a rank." in said.content.decode()
