"""Find the tables of games that were played online: who is who, where they sit, what keeps a game out."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from rules.ruleset import Ruleset
from scoring.problems import InvalidInput, Problem, ProblemType
from tournament.events.models import Event
from tournament.imports.listing import Source
from tournament.imports.queries import list_imports
from tournament.online_logs.games import GamePreview, judge_online_game
from tournament.online_logs.readers import OnlineGame
from tournament.people.models import Alias
from tournament.people.queries import current_person
from tournament.seating.queries import list_entrants
from tournament.tables.queries import LoadedTable, load_tables
from tournament.text.names import clean_text, printable, same_name_keys

LOG_NO_NAMES = ProblemType("log.no_names", "The log does not name its players: import it at its table.")
LOG_UNKNOWN_NAMES = ProblemType(
    "log.unknown_names", "Not found among the players: {people}. Add a line to the aliases."
)
LOG_NAME_TWICE = ProblemType("log.name_twice", "Two names in the log mean the same player.")
LOG_NO_TABLE = ProblemType("log.no_table", "These players have no empty table together in a published round.")
LOG_SEATS_FOLLOW = ProblemType("log.seats_follow", "The players change seats at this table: the log says who was East.")
LOG_TAKEN_ALREADY = ProblemType(
    "log.taken_already", "This game was already imported ({file}). Take that import back first."
)
LOG_TWICE = ProblemType("log.twice", "This game appears twice: see {file}.")
LOG_ALIAS_LINE = ProblemType(
    "log.alias_line", "Aliases, line {line}: “{given}” is not a name in the log and a player, with a comma between."
)
LOG_ALIASES_TOO_MANY = ProblemType("log.aliases_too_many", "At most {most} aliases.")

Aliases = Mapping[str, str]  # the name in a log, folded → a player's name or number
MAX_ALIASES = 1000
_PARTS = re.compile(r"\s*(?:\t|;|,|=|→)\s*")


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A log with its table: `players` are the numbers of the players by seat, 0 for an unknown one.

    `mark` is the same for the same game in any file. With `opens` the game gets a table of its own.
    """

    preview: GamePreview
    mark: str = ""
    names: tuple[str, ...] = ()
    players: tuple[int, ...] = ()
    table: LoadedTable | None = None
    opens: bool = False
    problems: tuple[Problem, ...] = ()

    @property
    def source(self) -> Source:
        return Source(self.preview.filename, self.mark)

    @property
    def asks(self) -> bool:
        """Say whether all that keeps the game out is a name that nobody knows."""
        return self.preview.is_sound and [each.code for each in self.problems] == [LOG_UNKNOWN_NAMES.code]

    @property
    def is_sound(self) -> bool:
        """Say whether the game can be entered at its table as it is."""
        return (
            (self.table is not None or self.opens)
            and self.preview.is_sound
            and not any(problem.severity == "error" for problem in self.problems)
        )


def read_aliases(text: str) -> dict[str, str]:
    """Read a list of aliases: a line each with the name in the log and the player's name or number.

    Between them is a tab, comma, semicolon or equals sign. Raises InvalidInput with the lines that are not so.

    >>> read_aliases("crane77, Ada Moss")
    {'crane77': 'Ada Moss'}
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) > MAX_ALIASES:
        raise InvalidInput([LOG_ALIASES_TOO_MANY(most=MAX_ALIASES)])
    wrong, aliases = [], {}
    for number, line in lines:
        parts = _PARTS.split(line)
        if len(parts) == 2 and all(parts):
            aliases[_folded(parts[0])] = parts[1]
        else:
            wrong.append(LOG_ALIAS_LINE(line=number, given=printable(line)))
    if wrong:
        raise InvalidInput(wrong)
    return aliases


def find_games(
    event: Event, logs: Iterable[tuple[str, OnlineGame | tuple[Problem, ...]]], aliases: Aliases
) -> list[FoundGame]:
    """Judge each log by the event's rules and find its table; eight queries and one for each event of its seasons.

    A game belongs to the first empty table of a published round at which just its players sit, or in an open event to a
    table of its own. A game that does not fit keeps its table; a log that was taken before, or that comes twice, has an
    error. Names that people are known to have online are aliases, too; those given here go before them.
    """
    entrants = {each.number: each.name for each in list_entrants(event)}
    aliases = _known_aliases(event) | dict(aliases)
    free, taken = list_free_tables(event), list_taken(event)
    found, seen = [], dict[str, str]()
    for filename, log in logs:
        if not isinstance(log, OnlineGame):
            found.append(FoundGame(GamePreview(filename, (), log)))
            continue
        game = _with_players(log, filename, event.rules_for(len(log.names)), entrants, aliases)
        if game.mark in taken:
            game = replace(game, problems=(LOG_TAKEN_ALREADY(file=taken[game.mark]),))
        elif game.mark in seen:
            game = replace(game, problems=(LOG_TWICE(file=seen[game.mark]),))
        elif not game.problems:
            game = _with_table(game, free, opens=event.is_open)
        seen.setdefault(game.mark, filename)
        found.append(game)
    return found


def list_free_tables(event: Event) -> list[LoadedTable]:
    """List the tables of published rounds at which nothing was entered yet."""
    shown = event.rounds.filter(published_at__isnull=False, released_at=None).values_list("number", flat=True)
    return [table for table in load_tables(event, rounds=sorted(shown)) if table.is_empty]


def list_taken(event: Event) -> dict[str, str]:
    """Return the file of each log that was taken, by mark, also at other events of the same seasons."""
    found = Event.objects.filter(Q(pk=event.pk) | Q(seasons__season__events__event=event)).distinct()
    rows = (row for each in found for row in list_imports(each))
    return {row.digest: row.filename for row in rows if row.kind == "game" and not row.taken_back}


def _known_aliases(event: Event) -> dict[str, str]:
    """Return who of an event's players has which other name, by the number."""
    players = event.players.filter(person__known__isnull=False).values_list("person__known", "number")
    numbers = dict(players)
    rows = Alias.objects.filter(Q(known__in=numbers) | Q(known__merged_into__isnull=False)).select_related("known")
    found = ((each.text, numbers.get(current_person(each.known).pk)) for each in rows)
    return {_folded(text): str(number) for text, number in found if number}


def _folded(name: str) -> str:
    return clean_text(name).casefold()


def _with_players(
    log: OnlineGame, filename: str, rules: Ruleset, entrants: Mapping[int, str], aliases: Aliases
) -> FoundGame:
    numbers = tuple(_player(name, entrants, aliases) for name in log.names)
    game = FoundGame(judge_online_game(log, filename, rules), log.mark, log.names, numbers)
    return replace(game, problems=tuple(_name_problems(game, rules)))


def _player(name: str, entrants: Mapping[int, str], aliases: Aliases) -> int:
    """Return the number of the one player whom a name of a log means, 0 for none or several."""
    wanted = aliases.get(_folded(name), name)
    if wanted.isdecimal():
        return next((number for number in entrants if str(number) == wanted), 0)
    keys = same_name_keys(wanted)
    meant = [number for number, own in entrants.items() if keys & same_name_keys(own)]
    return meant[0] if len(meant) == 1 else 0


def _name_problems(game: FoundGame, rules: Ruleset) -> Iterator[Problem]:
    if len(game.names) != rules.players:
        if not game.preview.problems:
            yield LOG_NO_NAMES()
        return
    unknown = tuple(printable(name) for name, number in zip(game.names, game.players, strict=True) if not number)
    if unknown:
        yield LOG_UNKNOWN_NAMES(people=unknown)
    elif len(set(game.players)) < len(game.players):
        yield LOG_NAME_TWICE()


def _with_table(game: FoundGame, free: list[LoadedTable], *, opens: bool) -> FoundGame:
    """Give a game the first table of its players, and take it from the free ones."""
    table = find_table(free, game.players)
    if table is None:
        return replace(game, opens=opens, problems=() if opens else (LOG_NO_TABLE(),))
    free.remove(table)
    moved = tuple(seat.number for seat in table.seats) != game.players
    return replace(game, table=table, problems=(LOG_SEATS_FOLLOW.warning(),) if moved else ())


def find_table(free: Iterable[LoadedTable], players: Sequence[int]) -> LoadedTable | None:
    """Return the first of these tables at which just these players sit."""
    return next((each for each in free if sorted(seat.number for seat in each.seats) == sorted(players)), None)
