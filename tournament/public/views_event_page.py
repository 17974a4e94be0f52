"""What an event's page shows a spectator: leaders or podium, live tables, schedule, and where everything else is."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.models.event import Event
from tournament.pages.hooks import find_address
from tournament.players.queries import list_players
from tournament.public.rows import StandingLine, round_items
from tournament.publication.queries import seen_by_public
from tournament.signup.queries import get_shown_page
from tournament.standings.columns import StandingRow
from tournament.standings.queries import has_teams
from tournament.tables.round_queries_rounds import RoundRow
from tournament.text.numbers_formatting import say_place

PODIUM = 3  # places
MOST_ON_PODIUM = 6  # more share a place only where hardly anything was played
LEADERS = 5


def spectator(
    event: Event, lines: Sequence[StandingLine], rounds: Sequence[RoundRow], names: Mapping[int, str], *, over: bool
) -> dict[str, Any]:
    """Return what the page adds for somebody who follows nobody; `over` says that all results are public."""
    steps = podium(event, [line.row for line in lines]) if over else []
    items = round_items(event, rounds)
    about = get_shown_page(event) is not None
    return {
        "podium": steps,
        "leaders": [] if steps else lines[:LEADERS],
        "live_tables": _live_tables(event, names),
        "schedule": items,
        "rounds_done": sum(item["state"] == "released" for item in items),
        "has_times": any(item["planned"] for item in items),
        "about_url": reverse("public:about", args=[event.slug]) if about else "",
        "links": _links(event, played=bool(seen_by_public(event).rounds), about=about),
    }


def podium(event: Event, rows: Iterable[StandingRow]) -> list[dict[str, Any]]:
    """Return the best three places with who has them, club and country."""
    best = [row for row in rows if row.rank <= PODIUM][:MOST_ON_PODIUM]
    about = {person.number: " · ".join(filter(None, (person.club, person.country))) for person in list_players(event)}
    return [
        {
            "row": row,
            "place": say_place(row.rank, row.shared),
            "about": about.get(row.number, ""),
            "url": reverse("public:player", args=[event.slug, row.number]),
        }
        for row in best
    ]


def _live_tables(event: Event, names: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return the tables that a phone may look at which follows nobody, those that still play first."""
    tables = sorted(seen_by_public(event).live_for(None), key=lambda table: (table.signed, table.round, table.number))
    return [
        {
            "number": table.number,
            "signed": table.signed,
            "url": reverse("public:table", args=[event.slug, table.round, table.number]),
            "names": [names[number] for number in sorted(table.players) if number in names],
        }
        for table in tables
    ]


def _links(event: Event, *, played: bool, about: bool) -> list[tuple[str, str]]:
    pages = [
        ("public:about", _("About the event"), about),
        ("public:records", _("Records"), played),
        ("public:teams", _("Teams"), played and has_teams(event)),
        ("public:rules", _("Rules"), True),
        ("public:fouls", _("Penalty list"), True),
        ("public:calculator", _("Score calculator"), True),
        ("public:display", _("Hall screen"), True),
    ]
    return [(address, label) for name, label, shown in pages if shown and (address := find_address(name, event.slug))]
