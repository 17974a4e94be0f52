"""Check an event's results before they are sent to the federation.

An error is what its reader refuses or what would be another player's points; a warning is what somebody should know.
What EMA asks of the event itself is in rules.ema_events.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from rules.ema_events import BOOKS, LEAST_PLAYERS, MOST_SUBSTITUTES, TABLE
from scoring.problems import Problem, error, warning
from tournament.exports.ema import DIGITS, EmaEvent, EmaPlayer
from tournament.imports.countries import two_letters

# The first two digits of a number say who gave it. Others may have come since: they are asked about, not refused.
FEDERATIONS: Final = {
    "01": "AUT", "02": "BEL", "03": "DNK", "04": "FRA", "05": "DEU", "06": "HUN", "07": "ITA", "08": "NLD", "09": "SWE",
    "10": "ESP", "11": "GBR", "12": "PRT", "14": "FIN", "15": "RUS", "16": "CHE", "17": "SVK", "19": "POL",
}  # fmt: skip
FEW_COUNTRIES: Final = 2


def check_ema(
    event: EmaEvent, players: Sequence[EmaPlayer], *, left_out: Sequence[str] = (), disqualified: Sequence[str] = ()
) -> list[Problem]:
    """List what is wrong with these results for the federation, errors first; `left_out` are who played unranked."""
    found = [
        *_event(event),
        *_numbers(players),
        *_countries(players),
        *_names(players),
        *_places(players),
        *_totals(event, players),
        *_size(players),
        *_guests(left_out),
        *([warning("ema.disqualified", people=tuple(disqualified))] if disqualified else ()),
    ]
    return sorted(found, key=lambda problem: problem.severity)


def _event(event: EmaEvent) -> Iterator[Problem]:
    if event.table_size != TABLE:
        yield error("ema.sanma", players=event.table_size)
    elif event.rules not in BOOKS:
        yield warning("ema.other_rules", rules=event.rules)
    if not event.country:
        yield error("ema.host_missing")
    elif not two_letters(event.country):
        yield error("ema.host_unknown", given=event.country)
    if not event.place:
        yield error("ema.place_missing")
    if event.days < 1:
        yield error("ema.days", days=event.days)
    if event.rounds < event.planned:
        yield warning("ema.rounds", rounds=event.rounds, planned=event.planned)


def _numbers(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    missing = tuple(player.name for player in players if not player.ema_number)
    if missing:
        yield warning("ema.number_missing", people=missing)
    owners, strange = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for player in players:
        number = player.ema_number
        if not number:
            continue
        owners[number].append(player.name)
        if len(number) != DIGITS or not (number.isascii() and number.isdigit()):
            yield error("ema.number_invalid", who=player.name, number=number, digits=DIGITS)
            continue
        home = FEDERATIONS.get(number[:2])
        if home is None:
            strange[number[:2]].append(player.name)
        elif player.country and home != player.country:
            yield warning("ema.number_country", who=player.name, number=number, home=home, country=player.country)
    for start, people in strange.items():
        yield warning("ema.number_federation", start=start, people=tuple(people))
    for number, people in owners.items():
        if len(people) > 1:
            yield error("ema.number_twice", number=number, people=tuple(people))


def _countries(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    missing = tuple(player.name for player in players if not player.country)
    if missing:
        yield error("ema.country_missing", people=missing)
    for player in players:
        if player.country and not two_letters(player.country):
            yield error("ema.country_unknown", who=player.name, given=player.country)


def _names(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    half = tuple(player.name for player in players if not (player.first_name and player.last_name))
    if half:
        yield error("ema.name_half", people=half)
    seen = Counter((player.first_name.casefold(), player.last_name.casefold()) for player in players)
    for (first, last), times in seen.items():
        if times > 1:
            yield warning("ema.name_twice", who=f"{first} {last}".strip().title(), times=times)


def _places(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    """Judge the places: shared ones are said, and they must fall as the totals do within each group of a cut."""
    by_place = defaultdict[int, list[EmaPlayer]](list)
    for player in players:
        by_place[player.position].append(player)
    above = 0
    for place, people in sorted(by_place.items()):
        if place != above + 1:
            yield error("ema.place_gap", place=place, expected=above + 1)
        above += len(people)
        if len(people) > 1:
            yield warning("ema.shared", place=place, people=tuple(player.name for player in people))
            if len({player.score for player in people}) > 1:
                yield error("ema.shared_unlike", place=place, people=tuple(player.name for player in people))
    for one, other in pairwise(sorted(players, key=lambda player: player.position)):
        if one.group == other.group and one.score < other.score:
            yield error("ema.order", who=other.name, ahead=one.name)


def _totals(event: EmaEvent, players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    cut = tuple(player.name for player in players if player.cut)
    if cut:
        yield warning("ema.cut", people=cut)
    for player in players:
        explained = sum(result or 0 for result in player.results) - player.penalties
        if not player.cut and explained != player.score:
            yield error("ema.total", who=player.name, total=player.score, wanted=explained)
    short = tuple(player.name for player in players if _games(player) < event.rounds)
    if short:
        yield warning("ema.games", rounds=event.rounds, people=short)


def _games(player: EmaPlayer) -> int:
    return sum(result is not None for result in player.results)


def _size(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    if not players:
        yield error("ema.nobody")
        return
    if len(players) < LEAST_PLAYERS:
        yield warning("ema.few_players", count=len(players))
    countries = {player.country for player in players if player.country}
    if 0 < len(countries) < FEW_COUNTRIES:
        yield warning("ema.few_countries", country=next(iter(countries)))


def _guests(left_out: Iterable[str]) -> Iterator[Problem]:
    people = tuple(left_out)
    if people:
        yield warning("ema.left_out", people=people, limit=MOST_SUBSTITUTES)
