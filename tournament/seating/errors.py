"""Errors in a request for a schedule or in a schedule made elsewhere: codes and sentences.

A page may word a code in its own way; a command prints the sentence.
"""

from collections.abc import Mapping
from typing import Final

SENTENCES: Final[Mapping[str, str]] = {
    "seating.table_size_unknown": "Tables seat {allowed} players, not {table_size}.",
    "seating.too_few": "{players} players are too few: one table needs {table_size}.",
    "seating.too_many": "{players} players are more than this desk draws for (at most {most}).",
    "seating.not_a_multiple": (
        "{players} players do not fill tables of {table_size}: {spare} would be left over. "
        "Ask for {below} or {above} players, with substitutes if need be."
    ),
    "seating.rounds_too_few": "There must be at least one round, not {rounds}.",
    "seating.rounds_too_many": "{rounds} rounds are more than this desk draws for (at most {most}).",
    "seating.time_limit_too_short": "The time limit must be more than 0 seconds, not {time_limit}.",
    "seating.fixed_player_unknown": "Player {player} cannot have a fixed table: players are numbered 0 to {last}.",
    "seating.fixed_table_unknown": "Player {player} cannot be fixed to table {table}: tables are numbered 0 to {last}.",
    "seating.fixed_table_full": "Table {table} seats {table_size}, but {players} players are fixed to it.",
    "seating.tables_wrong_number": "Round {round} has {found} tables where {tables} are needed.",
    "seating.table_wrong_size": "Round {round}, table {table}: {found} players sit where {table_size} should.",
    "seating.player_unknown": "Round {round}, table {table}: there is no player {player}, only 0 to {last}.",
    "seating.player_twice": "Round {round}: player {player} sits twice.",
    "seating.player_missing": "Round {round}: player {player} has no seat.",
    "seating.fixed_table_left": "Round {round}: player {player} sits at table {found}, not at the fixed table {table}.",
    "seating.wish_twice": "Two wishes are both called {key}.",
    "seating.wish_player_unknown": "Wish {key}: there is no player {player}.",
    "seating.wish_round_unknown": "Wish {key}: there is no round {round}, only 1 to {last}.",
    "seating.way_closed": "{players} players cannot be seated in {table_size}s by {way}.",
    "seating.round_unknown": "There is no round {round}, only 1 to {last}.",
    "seating.fixed_tables_too_many": "{fixed} tables are kept for somebody, but only {tables} are needed.",
    "seating.wish_table_unknown": "Wish {key}: there is no table {table}.",
    "seating.order_twice": "Player {player} appears twice in the order of standing.",
    "seating.order_falls": "Player {player} has rank {rank} but comes after rank {before}: the order is best first.",
    "seating.player_unranked": "Round {round}, table {table}: player {player} is not in the order of standing.",
    "seating.blocks_unfit": "{tables} tables cannot be cut into {blocks} blocks: ask for 1 to {tables}.",
    "seating.interval_unfit": "An interval of {step} ranks does not fit {tables} tables: ask for 1 to {tables}.",
    "seating.cut_unfit": "A cut to {top} of {players} players leaves nobody or everybody: ask for 1 to {most}.",
    "seating.final_too_many": "{players} players are too many to compare every final: at most {most}.",
}


class SeatingError(ValueError):
    """An invalid request or schedule: a code, its parameters, and the sentence they make.

    Rounds count from 1; players and tables have the numbers of the schedule, which start at 0.

    >>> str(SeatingError("seating.rounds_too_few", {"rounds": 0}))
    'There must be at least one round, not 0.'
    """

    def __init__(self, code: str, params: Mapping[str, int | float | str]) -> None:
        super().__init__(SENTENCES[code].format(**params))
        self.code = code
        self.params = dict(params)
