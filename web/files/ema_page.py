"""What the desk shows before results go to rankings: the check, the weight, and everybody's base rank and day results.

What the desk does not know of an event (country, town, days, a qualification) is asked for and stands in the address.
It keeps nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from tournament.exports.ema import EmaEvent, EmaPlayer, base_rank, day_results, weight_in_halves
from tournament.exports.ema_check import check_ema
from tournament.imports.countries import find_country
from tournament.models import Event
from tournament.selectors.files.paper import guess_host, list_ema_players
from tournament.selectors.people.incidents import count_listed
from tournament.selectors.public.standings import Standings
from tournament.selectors.rounds.clock import list_days
from web.words.formatting import ordinal_place, p
from web.words.problems import say

MOST_DAYS: Final = 31
MOST_PLACE: Final = 120


@dataclass(frozen=True, slots=True)
class EmaFile:
    """What goes into the files: the event, its players, and whether an entry was needed (`qualified`)."""

    event: EmaEvent
    players: tuple[EmaPlayer, ...]
    qualified: bool
    left_out: tuple[str, ...]


def read_ema_file(event: Event, standings: Standings, asked: Mapping[str, str]) -> EmaFile:
    """Return what goes into the files, as asked for in the address; what was not asked for is guessed."""
    players = tuple(list_ema_players(event, standings))
    countries = [player.country for player in players if player.country]
    days = _days(asked.get("days"), event)
    qualified, listed = "qualified" in asked, count_listed(event)
    head = EmaEvent(
        name=event.name,
        place=" ".join(asked.get("place", event.place)[:MOST_PLACE].split()),
        country=_country(asked.get("country"), countries),
        day=list_days(event)[0],
        days=days,
        halves=weight_in_halves(days=days, players=listed, countries=len(set(countries)), qualified=qualified),
        listed=listed,
        rounds=len(standings.rounds),
        planned=max(event.rounds_planned, len(standings.rounds)),
        rules=event.ruleset.key,
        table_size=event.ruleset.players,
    )
    return EmaFile(head, players, qualified, tuple(row.name for row in standings.unranked))


def ema_context(file: EmaFile) -> dict[str, Any]:
    """Return what desk/results_ema.html shows."""
    event, players = file.event, file.players
    found = check_ema(event, players, left_out=file.left_out)
    shared = [player.position for player in players]
    return {
        "file": file,
        "weight": p(500 * event.halves),
        "countries": len({player.country for player in players if player.country}),
        "errors": [say(problem) for problem in found if problem.severity == "error"],
        "warnings": [say(problem) for problem in found if problem.severity == "warning"],
        "lines": [_line(player, event, tied=shared.count(player.position) > 1) for player in players],
    }


def _line(player: EmaPlayer, event: EmaEvent, *, tied: bool) -> dict[str, Any]:
    base = base_rank(player.position, max(event.listed, player.position))
    days = len(day_results(base, event.days))
    return {
        "place": ordinal_place(player.position, tied),
        "name": player.name,
        "number": player.ema_number,
        "country": player.country,
        "total": player.score,
        "base": base if player.ema_number else None,
        "days": _("%(days)d × %(base)d") % {"days": days, "base": base} if player.ema_number else "",
    }


def _country(asked: str | None, countries: list[str]) -> str:
    if asked is None:
        return guess_host(countries)
    return find_country(asked) or asked.strip()[:40]


def _days(asked: str | None, event: Event) -> int:
    """Return how many days; 0 for what is no number, which the check then says."""
    if asked is None:
        days = list_days(event)
        return min((days[-1] - days[0]).days + 1, MOST_DAYS)
    text = asked.strip()
    return min(int(text), MOST_DAYS) if text.isascii() and text.isdigit() and len(text) < 5 else 0
