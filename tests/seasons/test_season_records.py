"""Records of a season, the lines of its people over the evenings, and who sets none."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.seasons import SeasonRule
from tests.factories import (
    enter,
    make_account,
    make_event,
    round_of,
    sign,
    table_of,
    writer_of,
)
from tests.moments.test_yakuman import KOKUSHI
from tests.pages.html_reader import text, texts
from tests.seasons.evenings import link_all_names, play_evening
from tournament.events.models import Event, Visibility
from tournament.privacy.actions import set_names_shown
from tournament.rounds.actions import release_round
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE, DeclaredRule, get_progress, get_season_view
from tournament.seasons.records import get_season_records

pytestmark = [pytest.mark.django_db, pytest.mark.once]

A, B, C, D = "Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik"


@pytest.fixture
def club() -> list[Event]:
    """Four evenings of results; A is never last in six games."""
    events = [play_evening(number, (A, B, C, D), (B, A, D, C)) for number in (1, 2, 3)]
    link_all_names()
    return events


@pytest.fixture
def hands() -> Event:
    """An event of hands: a thirteen orphans, and smaller wins."""
    event = make_event(slug="cup", rounds=1, tables=1)
    enter(table_of(event), KOKUSHI)
    enter(table_of(event), "1t 230")
    sign(table_of(event))
    release_round(round_=round_of(event, 1), by=writer_of(event))
    return event


def make(events: list[Event], rule: DeclaredRule = READY_MADE["sum"]) -> Season:
    by = make_account(superuser=True)
    season = create_season(facts=SeasonFacts("Autumn", rule), by=by)
    set_season_events(season=season, events=[CountedEvent(event.pk) for event in events], by=by)
    return season


def records_of(season: Season) -> dict[str, tuple[int, tuple[str, ...]]]:
    found = get_season_records(get_season_view(season))
    return {str(row.kind): (row.figure, row.names) for row in found.rows}


def test_records_are_the_best_game_evening_hand_and_run(club: list[Event], hands: Event):
    season = make([*club, hands])
    found = records_of(season)
    assert found["no_last"] == (6, (A, B))
    (yakuman,) = get_season_records(get_season_view(season)).yakuman
    winner = hands.players.get(number=yakuman[1].player or 0).person.preferred_name
    assert found["hand"] == (32_000, (winner,))
    assert found["game"] == found["evening"] == (46_000, (winner,))
    page = Client().get(f"/s/{season.slug}/records/")
    assert f"Largest hand 32,000 without honba and riichi sticks {winner} Cup" in " ".join(texts(page, ".records li"))
    assert text(page, ".yakuman-wall").startswith("Kokushi")


def test_who_is_hidden_at_one_evening_sets_no_record(club: list[Event], hands: Event):
    season = make([*club, hands])
    (_event, yakuman, winner), *_rest = get_season_records(get_season_view(season)).yakuman
    set_names_shown(event=hands, numbers=[yakuman.player or 0], shown=False, by=writer_of(hands))
    number = club[0].players.get(person__preferred_name=B).number
    set_names_shown(event=club[0], numbers=[number], shown=False, by=writer_of(club[0]))
    assert records_of(season)["evening"] == (33_000, (A,))
    assert records_of(season)["no_last"] == (6, (A,))
    assert get_season_records(get_season_view(season)).yakuman == ()
    page = Client().get(f"/s/{season.slug}/records/").content.decode()
    assert (winner in page, B in page) == (False, False)


def test_an_unlisted_event_is_not_named_in_records(club: list[Event], hands: Event):
    season = make([*club, hands])
    Event.objects.filter(pk=hands.pk).update(visibility=Visibility.UNLISTED)
    page = Client().get(f"/s/{season.slug}/").content.decode()
    assert "an unlisted event" in page
    assert "/e/cup/" not in page


def test_lines_are_the_figures_after_each_evening(club: list[Event]):
    season = make(club)
    view = get_season_view(season)
    first = view.ranked[0]
    (line,) = get_progress(view, [first.row.person]).values()
    assert [int(each or 0) for each in line] == [33_000, 66_000, 99_000]
    page = Client().get(f"/s/{season.slug}/")
    assert "+99.0" in text(page, ".chart-table")
    assert page.content.decode().count("chart-hit") == 2 * len(club)  # of the phone and the wide drawing
    own = Client().get(f"/s/{season.slug}/how/?row=2")
    assert "Figure after each event" in " ".join(texts(own, "figcaption"))
    assert get_progress(get_season_view(make(club, READY_MADE["mers"])), [first.row.person]) == {}
    mean = get_season_view(make(club, DeclaredRule(SeasonRule(gather="mean"))))
    assert [float(each or 0) for each in get_progress(mean, [first.row.person])[first.row.person]] == [16_500] * 3


def test_an_unchanged_season_with_records_asks_as_much_whatever_its_events(club: list[Event], hands: Event):
    counts = []
    for events in ([club[0], hands], [*club, hands]):
        season = make(events)
        Client().get(f"/s/{season.slug}/")
        with CaptureQueriesContext(connection) as asked:
            Client().get(f"/s/{season.slug}/")
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 3
