"""Rounds by standing, all in one place: Swiss, progressive, interval, snake, in order of rank, by lot; and the cut.

Each takes a Pairing and a seed and returns a DrawnRound whose report was counted again. Holds nothing of its own.
"""

from tournament.seating.finals import Carried, Cut, cut, interval_round, lot_round, ranked_round, snake_round
from tournament.seating.pairing import Pairing, Ranked, Weights, rank_by_order
from tournament.seating.round_report import DrawnRound, MetAgain, Missed, RoundReport, count_round
from tournament.seating.swiss import progressive_round, swiss_round

__all__ = [
    "Carried",
    "Cut",
    "DrawnRound",
    "MetAgain",
    "Missed",
    "Pairing",
    "Ranked",
    "RoundReport",
    "Weights",
    "count_round",
    "cut",
    "interval_round",
    "lot_round",
    "progressive_round",
    "rank_by_order",
    "ranked_round",
    "snake_round",
    "swiss_round",
]
