"""Chips and the dealer's choice on the page of a table."""

import pytest

from tests.factories import make_event, play_round, writer_of
from tests.pages.at_desk import organiser, table_url
from tests.pages.html_reader import text, texts
from tournament.rulesets.actions import change_rules

pytestmark = pytest.mark.once


@pytest.mark.django_db
def test_chips_have_a_button_only_where_they_are_played() -> None:
    played, none = (make_event(key, tables=1, rounds=2) for key in ("kansai-sanma", "sanmatsuri-2026"))
    for event, shown in ((played, True), (none, False)):
        page = organiser(event).get(table_url(event)).content.decode()
        assert ('data-mode="chips"' in page) is shown
        assert 'data-tap="stops"' not in page
        play_round(event, 1, "2r3 5 c2" if shown else "2r3 5")
        released = organiser(event).get(f"/e/{event.slug}/rounds/1/tables/1/")
        assert ("Chips" in texts(released, "th")) is shown
        assert ("2 chips" in text(released, "main")) is shown


@pytest.mark.django_db
def test_the_dealers_choice_has_a_button_where_there_is_one() -> None:
    event = make_event("tenhou-yonma", tables=1, rounds=1)
    change_rules(event=event, values={"yame_choice": True}, reason="", by=writer_of(event))
    assert 'data-tap="stops"' in organiser(event).get(table_url(event)).content.decode()
