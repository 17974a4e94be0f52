"""Setting what the public sees, and ending a hold: what is written, refused, and left alone."""

import dataclasses
import json

import pytest

from tests.factories import play_round, writer_of
from tests.fixtures import module_event
from tournament.core.errors import DomainError
from tournament.events.actions import Publication, publication_of, set_publication, show_results
from tournament.events.models import Event
from tournament.publication.queries import read_public_view

pytestmark = [pytest.mark.once, pytest.mark.django_db]


made = module_event(tables=1, rounds=2)


def choose(event: Event, **chosen: object) -> bool:
    publication = dataclasses.replace(publication_of(event), **chosen)
    return set_publication(event=event, publication=publication, by=writer_of(event))


def played(event: Event, number: int) -> None:
    play_round(event, number, "1t 230")
    event.refresh_from_db()


def acts(event: Event) -> list[tuple[str, object]]:
    rows = event.audit.filter(verb__in=["publication_set", "results_shown"]).order_by("seq")
    return [(row.verb, json.loads(row.details)) for row in rows]


def test_what_is_new_is_set_and_stands_on_the_trail(event: Event):
    assert choose(event, live_tables="hands", show_needs=True)
    event.refresh_from_db()
    assert publication_of(event) == Publication(live_tables="hands", show_needs=True)
    assert acts(event) == [("publication_set", {"publication": {"live_tables": "hands", "show_needs": True}})]


def test_what_is_set_already_changes_nothing(event: Event):
    version = event.version
    assert not choose(event)
    event.refresh_from_db()
    assert (event.version, acts(event)) == (version, [])


@pytest.mark.parametrize("column", ["live_tables", "live_others", "hold"])
def test_a_value_that_there_is_not_is_refused(event: Event, column: str):
    with pytest.raises(DomainError) as refused:
        choose(event, **{column: "everything"})
    assert [each.code for each in refused.value.problems] == ["event.publication_unknown"]
    event.refresh_from_db()
    assert publication_of(event) == Publication()


def test_what_was_public_stays_public_when_a_hold_is_set(event: Event):
    played(event, 1)
    choose(event, hold="before_last")
    assert read_public_view(event).rounds == (1,)
    played(event, 2)
    assert read_public_view(event).rounds == (1, 2)


def test_a_hold_that_is_taken_away_shows_what_it_held_for_good(event: Event):
    choose(event, hold="last")
    played(event, 1)
    played(event, 2)
    assert read_public_view(event).rounds == (1,)
    choose(event, hold="nothing")
    assert read_public_view(event).rounds == (1, 2)
    choose(event, hold="last")
    assert read_public_view(event).rounds == (1, 2)


def test_held_results_are_shown_once(event: Event):
    choose(event, hold="last")
    played(event, 1)
    assert not show_results(event=event, by=writer_of(event))  # nothing is held yet, and the hold goes on
    played(event, 2)
    assert read_public_view(event).held_rounds == (2,)
    assert show_results(event=event, by=writer_of(event))
    assert not show_results(event=event, by=writer_of(event))
    event.refresh_from_db()
    assert read_public_view(event).rounds == (1, 2)
    assert acts(event)[1:] == [("results_shown", {"rounds": [2]})]


def test_after_the_show_the_last_round_is_public_on_release(event: Event):
    choose(event, hold="before_last")
    played(event, 1)
    assert read_public_view(event).rounds == ()
    show_results(event=event, by=writer_of(event))
    played(event, 2)
    assert read_public_view(event).rounds == (1, 2)
