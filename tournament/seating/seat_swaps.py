"""Swaps two people of one round by hand, and says at once what that does to every figure.

Decides nothing: whether it is kept, and why, is for the organiser.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from tournament.seating.errors import SeatingError
from tournament.seating.outcome import Outcome, judge_wishes
from tournament.seating.quality import Tally, tally
from tournament.seating.schedule import Round, Rounds
from tournament.seating.wishes import Wishes

PLAIN: Final = Wishes()


@dataclass(frozen=True, slots=True)
class SwapEffect:
    """Rounds after a swap, the figures and wishes before and after it, and those who now meet again.

    `again`: for each of the two, the people at the new table whom they sit with in another round too.
    """

    rounds: Rounds
    before: Tally
    after: Tally
    outcomes_before: tuple[Outcome, ...]
    outcomes_after: tuple[Outcome, ...]
    again: tuple[tuple[int, ...], tuple[int, ...]]


def swap(rounds: Rounds, number: int, one: int, other: int) -> Rounds:
    """Return the rounds with two people exchanged in a round (from 1); one of them may have had no seat in it.

    The same swap again gives the rounds back. Raises SeatingError for an unknown round, or if neither has a seat.

    >>> swap((((0, 1, 2), (3, 4, 5)),), 1, 2, 3)
    (((0, 1, 3), (2, 4, 5)),)
    """
    if not 1 <= number <= len(rounds):
        raise SeatingError("seating.round_unknown", {"round": number, "last": len(rounds)})
    seated = {player for table in rounds[number - 1] for player in table}
    if not seated & {one, other}:
        raise SeatingError("seating.player_missing", {"round": number, "player": one})
    becomes = {one: other, other: one}
    swapped: Round = tuple(tuple(becomes.get(player, player) for player in table) for table in rounds[number - 1])
    return (*rounds[: number - 1], swapped, *rounds[number:])


def try_swap(
    rounds: Rounds,
    number: int,
    one: int,
    other: int,
    *,
    table_size: int,
    wishes: Wishes = PLAIN,
    among: Collection[int] | None = None,
) -> SwapEffect:
    """Return a swap with its effect; `among` are the people whose winds, tables and rests count."""
    swapped = swap(rounds, number, one, other)
    return SwapEffect(
        rounds=swapped,
        before=tally(rounds, table_size, among),
        after=tally(swapped, table_size, among),
        outcomes_before=judge_wishes(rounds, wishes, table_size),
        outcomes_after=judge_wishes(swapped, wishes, table_size),
        again=(_met_again(swapped, number, one), _met_again(swapped, number, other)),
    )


def put_in(rounds: Rounds, first: int, leaver: int, joiner: int) -> Rounds:
    """Return the rounds with `joiner` in every seat of `leaver` from a round (from 1) on: nothing else changes.

    Raises SeatingError if the joiner has a seat of the own in one of them.

    >>> put_in((((0, 1, 2),), ((2, 0, 1),)), 2, 0, 7)
    (((0, 1, 2),), ((2, 7, 1),))
    """
    for number, tables in enumerate(rounds[first - 1 :], start=first):
        if any(joiner in table for table in tables):
            raise SeatingError("seating.player_twice", {"round": number, "player": joiner})
    later = (
        tuple(tuple(joiner if player == leaver else player for player in table) for table in tables)
        for tables in rounds[first - 1 :]
    )
    return (*rounds[: first - 1], *later)


def _met_again(rounds: Rounds, number: int, player: int) -> tuple[int, ...]:
    here = {mate for table in rounds[number - 1] if player in table for mate in table} - {player}
    elsewhere = {
        mate
        for at, tables in enumerate(rounds, start=1)
        for table in tables
        if at != number and player in table
        for mate in table
    }
    return tuple(sorted(here & elsewhere))
