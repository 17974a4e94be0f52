"""Chips and the dealer's choice in the form and on the page of a table."""

import dataclasses

import pytest
from django.utils.datastructures import MultiValueDict

from scoring.entries import Draw, Entry, Tsumo, Win
from scoring.shorthand import parse
from tests.factories import make_event, play_round, writer_of
from tests.web.at_desk import organiser, table_url
from tests.web.shown import text, texts
from tournament.services.core.events import change_rules
from web.hands.hand_form import read_hand, write_fields


@pytest.mark.parametrize(
    "entry",
    [
        parse("2r3 340 c2"),
        Tsumo(winners=(Win(seat=1, yakuman=1, chips=0),)),
        Draw(tenpai=(2,), stops=True),
        dataclasses.replace(parse("2r3 5200 c1"), riichi=(1,)),
    ],
)
def test_the_form_reads_back_what_it_wrote(entry: Entry) -> None:
    fields = MultiValueDict({**write_fields(entry), "how": ["form"]})
    assert read_hand(fields) == entry


@pytest.mark.django_db
def test_chips_have_a_column_only_where_they_are_played() -> None:
    played, none = (make_event(key, tables=1, rounds=2) for key in ("kansai-sanma", "sanmatsuri-2026"))
    for event, shown in ((played, True), (none, False)):
        page = organiser(event).get(table_url(event)).content.decode()
        assert ('name="chips-1"' in page) is shown
        assert 'name="stops"' not in page
        play_round(event, 1, "2r3 5 c2" if shown else "2r3 5")
        released = organiser(event).get(f"/e/{event.slug}/rounds/1/tables/1/")
        assert ("Chips" in texts(released, "th")) is shown
        assert ("2 chips" in text(released, "main")) is shown


@pytest.mark.django_db
def test_the_dealers_choice_has_a_tick_where_there_is_one() -> None:
    event = make_event("tenhou-yonma", tables=1, rounds=1)
    change_rules(event=event, values={"yame_choice": True}, reason="", by=writer_of(event))
    assert 'name="stops"' in organiser(event).get(table_url(event)).content.decode()
