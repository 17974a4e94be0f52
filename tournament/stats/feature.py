"""What statistics add: sections of a player's and a table's page, and the pages and pictures of an event in figures."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from django.urls import path

from tournament.events.models import Event
from tournament.pages.hooks import PHONE_CONTEXT, PLAYER_SECTIONS, TABLE_SECTIONS, Addresses

if TYPE_CHECKING:
    from tournament.tables.queries import LoadedTable


def list_addresses() -> Addresses:
    """Return the addresses; imports the views."""
    from tournament.stats import cards as card
    from tournament.stats import views as recap
    from tournament.stats import views as stories

    return Addresses(
        site=[path("p/<uuid:uid>/card/<slug:shape>.png", card.person_card, name="person_card")],
        public=[
            path("players/<int:number>/card.png", card.player_card, name="player_card"),
            path("players/<int:number>/cards/<slug:kind>/<slug:shape>.png", card.player_card, name="story_card"),
            path("card.png", card.event_card, name="event_card"),
            path("race/<slug:shape>.gif", card.race_file, name="race_file"),
            path("players/<int:number>/against/<int:other>/", stories.against, name="against"),
            path("recap/", recap.recap, name="recap"),
            path("records/", stories.records, name="records"),
        ],
    )


def _player(event: Event, number: int) -> Mapping[str, Any]:
    from tournament.stats.views import story_context

    return story_context(event, number)


def _phone(_request: HttpRequest, event: Event, number: int | None) -> Mapping[str, Any]:
    from tournament.stats.views import rival_items

    return {"rivals": rival_items(event, number) if number is not None else []}


def _table(table: "LoadedTable") -> Mapping[str, Any]:
    from tournament.stats.views import table_chart

    return {"chart": table_chart(table)}


PHONE_CONTEXT.append(_phone)
PLAYER_SECTIONS.append(_player)
TABLE_SECTIONS.append(_table)
