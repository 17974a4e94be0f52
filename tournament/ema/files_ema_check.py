"""Check an event's results before they are sent to the federation.

An error is what its reader refuses or what would be another player's points; a warning is what somebody should know.
What EMA asks of the event itself is in rules.ema_events.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from rules.ema_events import BOOKS, LEAST_PLAYERS, MOST_SUBSTITUTES, TABLE
from scoring.problems import Problem, ProblemType
from tournament.ema.files_ema import DIGITS, EmaEvent, EmaPlayer
from tournament.text.names_countries import two_letters

EMA_SANMA = ProblemType(
    "ema.sanma", "This is a game for {players}. EMA ranks riichi for four only: no list takes these results."
)
EMA_OTHER_RULES = ProblemType("ema.other_rules", "The event was played by the rules “{rules}”, not by EMA's own book.")
EMA_HOST_MISSING = ProblemType("ema.host_missing", "The country where it was played is missing.")
EMA_HOST_UNKNOWN = ProblemType(
    "ema.host_unknown", "“{given}” is not a country code: three letters, such as DEU or GBR."
)
EMA_PLACE_MISSING = ProblemType("ema.place_missing", "The town is missing.")
EMA_DAYS = ProblemType("ema.days", "{days} days: an event has at least one.")
EMA_ROUNDS = ProblemType(
    "ema.rounds", "{rounds} of {planned} rounds are counted: what is held or not released is not in the file."
)
EMA_NUMBER_MISSING = ProblemType(
    "ema.number_missing", "No EMA number: {people}. They are listed, and the result counts for no ranking."
)
EMA_NUMBER_INVALID = ProblemType(
    "ema.number_invalid", "{who}: “{number}” is not an EMA number, which has {digits} digits."
)
EMA_NUMBER_FEDERATION = ProblemType(
    "ema.number_federation", "No federation that this desk knows gives EMA numbers that begin with {start}: {people}."
)
EMA_NUMBER_COUNTRY = ProblemType(
    "ema.number_country", "{who}: number {number} is from {home}, the country given is {country}."
)
EMA_NUMBER_TWICE = ProblemType("ema.number_twice", "EMA number {number} belongs to more than one player: {people}.")
EMA_COUNTRY_MISSING = ProblemType("ema.country_missing", "No country: {people}.")
EMA_COUNTRY_UNKNOWN = ProblemType(
    "ema.country_unknown", "{who}: “{given}” is not a country code: three letters, such as DEU or GBR."
)
EMA_NAME_HALF = ProblemType(
    "ema.name_half",
    "EMA wants a first and a last name: {people}. Enter the full name with the player; here it stays as it is.",
)
EMA_NAME_TWICE = ProblemType("ema.name_twice", "{times} players are called {who}.")
EMA_PLACE_GAP = ProblemType("ema.place_gap", "Place {place} follows where place {expected} should be.")
EMA_SHARED = ProblemType(
    "ema.shared",
    "Place {place} is shared: {people}. EMA prints running places, and all of them get the base rank of the "
    "better one.",
)
EMA_SHARED_UNLIKE = ProblemType("ema.shared_unlike", "Place {place} is shared with unlike totals: {people}.")
EMA_ORDER = ProblemType("ema.order", "{who} has more points than {ahead} and is ranked behind.")
EMA_CUT = ProblemType(
    "ema.cut", "A cut took points, so that the results of the rounds do not add up to the total: {people}."
)
EMA_TOTAL = ProblemType("ema.total", "{who}: the total is {total}; results less penalties are {wanted}.")
EMA_GAMES = ProblemType("ema.games", "Not all {rounds} rounds played: {people}.")
EMA_NOBODY = ProblemType("ema.nobody", "There are no results yet.")
EMA_FEW_PLAYERS = ProblemType(
    "ema.few_players", "{count} players only: ask your federation whether that is enough for the list."
)
EMA_FEW_COUNTRIES = ProblemType("ema.few_countries", "All players are from one country ({country}).")
EMA_LEFT_OUT = ProblemType(
    "ema.left_out",
    "Played and have no place: {people}. EMA counts up to {limit} substitutes among the players; they are not in "
    "the file.",
)
EMA_DISQUALIFIED = ProblemType("ema.disqualified", "Disqualified, and not in the file: {people}.")

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
        *([EMA_DISQUALIFIED.warning(people=tuple(disqualified))] if disqualified else ()),
    ]
    return sorted(found, key=lambda problem: problem.severity)


def _event(event: EmaEvent) -> Iterator[Problem]:
    if event.table_size != TABLE:
        yield EMA_SANMA(players=event.table_size)
    elif event.rules not in BOOKS:
        yield EMA_OTHER_RULES.warning(rules=event.rules)
    if not event.country:
        yield EMA_HOST_MISSING()
    elif not two_letters(event.country):
        yield EMA_HOST_UNKNOWN(given=event.country)
    if not event.place:
        yield EMA_PLACE_MISSING()
    if event.days < 1:
        yield EMA_DAYS(days=event.days)
    if event.rounds < event.planned:
        yield EMA_ROUNDS.warning(rounds=event.rounds, planned=event.planned)


def _numbers(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    missing = tuple(player.name for player in players if not player.ema_number)
    if missing:
        yield EMA_NUMBER_MISSING.warning(people=missing)
    owners, strange = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for player in players:
        number = player.ema_number
        if not number:
            continue
        owners[number].append(player.name)
        if len(number) != DIGITS or not (number.isascii() and number.isdigit()):
            yield EMA_NUMBER_INVALID(who=player.name, number=number, digits=DIGITS)
            continue
        home = FEDERATIONS.get(number[:2])
        if home is None:
            strange[number[:2]].append(player.name)
        elif player.country and home != player.country:
            yield EMA_NUMBER_COUNTRY.warning(who=player.name, number=number, home=home, country=player.country)
    for start, people in strange.items():
        yield EMA_NUMBER_FEDERATION.warning(start=start, people=tuple(people))
    for number, people in owners.items():
        if len(people) > 1:
            yield EMA_NUMBER_TWICE(number=number, people=tuple(people))


def _countries(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    missing = tuple(player.name for player in players if not player.country)
    if missing:
        yield EMA_COUNTRY_MISSING(people=missing)
    for player in players:
        if player.country and not two_letters(player.country):
            yield EMA_COUNTRY_UNKNOWN(who=player.name, given=player.country)


def _names(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    half = tuple(player.name for player in players if not (player.first_name and player.last_name))
    if half:
        yield EMA_NAME_HALF(people=half)
    seen = Counter((player.first_name.casefold(), player.last_name.casefold()) for player in players)
    for (first, last), times in seen.items():
        if times > 1:
            yield EMA_NAME_TWICE.warning(who=f"{first} {last}".strip().title(), times=times)


def _places(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    """Judge the places: shared ones are said, and they must fall as the totals do within each group of a cut."""
    by_place = defaultdict[int, list[EmaPlayer]](list)
    for player in players:
        by_place[player.position].append(player)
    above = 0
    for place, people in sorted(by_place.items()):
        if place != above + 1:
            yield EMA_PLACE_GAP(place=place, expected=above + 1)
        above += len(people)
        if len(people) > 1:
            yield EMA_SHARED.warning(place=place, people=tuple(player.name for player in people))
            if len({player.score for player in people}) > 1:
                yield EMA_SHARED_UNLIKE(place=place, people=tuple(player.name for player in people))
    for one, other in pairwise(sorted(players, key=lambda player: player.position)):
        if one.group == other.group and one.score < other.score:
            yield EMA_ORDER(who=other.name, ahead=one.name)


def _totals(event: EmaEvent, players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    cut = tuple(player.name for player in players if player.cut)
    if cut:
        yield EMA_CUT.warning(people=cut)
    for player in players:
        explained = sum(result or 0 for result in player.results) - player.penalties
        if not player.cut and explained != player.score:
            yield EMA_TOTAL(who=player.name, total=player.score, wanted=explained)
    short = tuple(player.name for player in players if _games(player) < event.rounds)
    if short:
        yield EMA_GAMES.warning(rounds=event.rounds, people=short)


def _games(player: EmaPlayer) -> int:
    return sum(result is not None for result in player.results)


def _size(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    if not players:
        yield EMA_NOBODY()
        return
    if len(players) < LEAST_PLAYERS:
        yield EMA_FEW_PLAYERS.warning(count=len(players))
    countries = {player.country for player in players if player.country}
    if 0 < len(countries) < FEW_COUNTRIES:
        yield EMA_FEW_COUNTRIES.warning(country=next(iter(countries)))


def _guests(left_out: Iterable[str]) -> Iterator[Problem]:
    people = tuple(left_out)
    if people:
        yield EMA_LEFT_OUT.warning(people=people, limit=MOST_SUBSTITUTES)
