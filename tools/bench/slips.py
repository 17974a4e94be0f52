"""Slips seeded into recorded games as a tired typist makes them, and how they are found again.

`python -m tools.bench.slips [--each 200] [--seed 1] [--half 0|1 [--held-out]]` prints a table by kind. It seeds by its
own rules and never asks the engine what a slip is.
"""

import argparse
import json
import math
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rules.books import load
from rules.ruleset import Ruleset
from scoring.announced import changes
from scoring.check import problems
from scoring.entries import Abort, Draw, Entry, Ron, Tsumo, from_json
from scoring.game import Hand, fold
from scoring.problems import errors_of
from scoring.seat_exchange import exchange_seats
from scoring.slips import likely as rates
from scoring.slips.search import Slip, find_slips
from scripts.count_slip_rates import count
from tools.bench.slip_kinds import ONE_HAND

DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
FILES = ("games-4p", "games-3p", "games-3p-engine")
TRIES = 40
FOLDS = 5  # of the same game, to measure a search against


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded game that is right."""

    rules: Ruleset
    start: int | None
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Seeded:
    """A recorded game with one slip; `at` is the hand that was typed wrong, None where it is missing."""

    kind: str
    game: Recorded
    typed: tuple[Entry, ...]
    at: int | None


def recorded() -> list[Recorded]:
    """Read the shared games."""
    found = []
    for name in FILES:
        for line in _file(name):
            held = json.loads(line)
            game = held["game"]
            entries = tuple(from_json(entry) for entry in game["entries"])
            found.append(Recorded(load(held["rules"]), game.get("start"), entries))
    return found


WHOLE_GAME = ("dealer", "forgotten", "twice", "exchanged_all")
KINDS = (*ONE_HAND, *WHOLE_GAME)


def seed(kind: str, games: Sequence[Recorded], chance: random.Random) -> Seeded:
    """Seed one slip of a kind into a game taken at random; one that changes the scores and that the desk accepts."""
    while True:
        game = chance.choice(games)
        for _ in range(TRIES):
            typed, at = _typed(kind, game, chance)
            if typed and _scores(game, typed) != _scores(game, game.entries) and _accepted(game, typed, at):
                return Seeded(kind, game, typed, at)


def _typed(kind: str, game: Recorded, chance: random.Random) -> tuple[tuple[Entry, ...], int | None]:
    entries = list(game.entries)
    at = chance.randrange(len(entries))
    if kind in ONE_HAND:
        wrong = ONE_HAND[kind](entries[at], game.rules, chance)
        return ((*entries[:at], wrong, *entries[at + 1 :]) if wrong else (), at)
    if kind == "exchanged_all":
        one, other = chance.sample(range(game.rules.players), 2)
        return tuple(exchange_seats(entry, one, other) for entry in entries), None
    if kind == "forgotten":
        return (*entries[:at], *entries[at + 1 :]), None
    if kind == "twice":
        return (*entries[: at + 1], *entries[at:]), at + 1
    return _out_of_step(entries, at, game.rules, chance)


def _out_of_step(
    entries: list[Entry], at: int, rules: Ruleset, chance: random.Random
) -> tuple[tuple[Entry, ...], int | None]:
    """Move the dealer alone: a draw that nobody played, or the dealer ticked wrongly where all or none are tenpai."""
    everybody = tuple(range(rules.players))
    still = [index for index, entry in enumerate(entries) if isinstance(entry, Abort) or _pays_nobody(entry, rules)]
    if still and chance.random() < 0.7:
        at = chance.choice(still)
        if chance.random() < 0.5:
            return (*entries[:at], *entries[at + 1 :]), None
        entry = entries[at]
        tenpai = () if getattr(entry, "tenpai", ()) else everybody
        return (*entries[:at], Draw(tenpai=tenpai, riichi=entry.riichi), *entries[at + 1 :]), at
    extra = Draw(tenpai=chance.choice(((), everybody)))
    return (*entries[:at], extra, *entries[at:]), at


def _pays_nobody(entry: Entry, rules: Ruleset) -> bool:
    return isinstance(entry, Draw) and len(entry.tenpai) in (0, rules.players)


def _scores(game: Recorded, entries: Sequence[Entry]) -> tuple[int, ...]:
    return fold(entries, game.rules, start=game.start).state.scores


def _accepted(game: Recorded, typed: Sequence[Entry], at: int | None) -> bool:
    """Return whether the desk takes the wrong hand; that a later one would then be refused is not known yet."""
    if at is None:
        return True
    before = fold(typed[:at], game.rules, start=game.start).state
    wrong = {problem.code for problem in errors_of(problems(typed[at], before, game.rules))}
    return not wrong - {"game.ended"}


# ---------------------------------------------------------------- found again


def with_announced(seeded: Seeded, chance: random.Random) -> tuple[Entry, ...] | None:
    """Return the typed hands with what the table announced: for the wrong hand, or the first that then pays wrong.

    A table says what the winner gets, or what each player pays and gets.
    """
    right = fold(seeded.game.entries, seeded.game.rules, start=seeded.game.start).hands
    wrong = fold(seeded.typed, seeded.game.rules, start=seeded.game.start).hands
    by_entry = dict(_aligned(seeded))
    for index, hand in enumerate(wrong):
        truth = right[by_entry[index]] if index in by_entry else None
        if truth is None or truth.deltas == hand.deltas:
            continue
        said = dict(enumerate(truth.deltas))
        if chance.random() < 0.3 and isinstance(truth.entry, Ron | Tsumo):
            seats = [win.seat for win in truth.entry.winners]
            said = {seat: said[seat] for seat in seats}
        announced = replace(seeded.typed[index], announced=said)
        return (*seeded.typed[:index], announced, *seeded.typed[index + 1 :])
    return None


def _aligned(seeded: Seeded) -> Iterator[tuple[int, int]]:
    """Yield which typed hand is which played hand."""
    typed, played = seeded.typed, seeded.game.entries
    if len(typed) == len(played):
        yield from ((index, index) for index in range(len(typed)))
        return
    first = next(
        (i for i, pair in enumerate(zip(typed, played, strict=False)) if pair[0] != pair[1]),
        min(len(typed), len(played)),
    )
    shift = len(played) - len(typed)
    for index in range(len(typed)):
        if index < first:
            yield index, index
        elif 0 <= index + shift < len(played) and (shift > 0 or index > first):
            yield index, index + shift


def place_of(slips: Sequence[Slip], game: Recorded) -> int:
    """Return the place of the true entries among the answers, 0 for none."""
    said = (tuple(replace(entry, announced=None) for entry in slip.entries) for slip in slips)
    return next((place for place, entries in enumerate(said, 1) if entries == game.entries), 0)


def place_paid_alike(slips: Sequence[Slip], game: Recorded) -> int:
    """Return the place of the true payments, hand by hand: repairs that no points tell apart count as one."""
    true, seen = _paid(game, game.entries), dict.fromkeys(_paid(game, slip.entries) for slip in slips)
    return next((place for place, paid in enumerate(seen, 1) if paid == true), 0)


def _paid(game: Recorded, entries: Sequence[Entry]) -> tuple[tuple[int, ...], ...]:
    return tuple(hand.deltas for hand in fold(entries, game.rules, start=game.start).hands)


def expected(slips: Sequence[Slip]) -> tuple[float, float]:
    """Return how likely the first repair is the true one, and one of the first three, if the rates are right.

    No order of these repairs does better: the paper says the same of each.
    """
    shares = [math.exp(slip.weight - slips[0].weight) for slip in slips]
    return (100 * shares[0] / sum(shares), 100 * sum(shares[:3]) / sum(shares)) if shares else (0, 0)


def measure(each: int, games: Sequence[Recorded], seed_number: int) -> dict[str, dict[str, float]]:
    """Return the figures by kind: announced and from totals, first and in three, in percent.

    Beside them what a search of one slip costs: in milliseconds, and in folds of its game.
    """
    chance = random.Random(seed_number)
    rows: dict[str, dict[str, float]] = {}
    times: list[float] = []
    folds: list[float] = []
    for kind in KINDS:
        held: defaultdict[str, list[int]] = defaultdict(list)
        bounds: list[tuple[float, float]] = []
        for _ in range(each):
            seeded = seed(kind, games, chance)
            game, scores = seeded.game, _scores(seeded.game, seeded.game.entries)
            begun = time.process_time()
            slips = find_slips(seeded.typed, game.rules, scores, start=game.start)
            times.append(time.process_time() - begun)
            begun = time.process_time()
            for _ in range(FOLDS):
                fold(seeded.typed, game.rules, start=game.start)
            folds.append(times[-1] * FOLDS / (time.process_time() - begun))
            held["totals"].append(place_of(slips, game))
            held["paid"].append(place_paid_alike(slips, game))
            bounds.append(expected(slips))
            said = with_announced(seeded, chance)
            if said:
                held["announced"].append(place_of(find_slips(said, game.rules, scores, start=game.start), game))
                held["hand"].append(place_of(find_slips(said, game.rules, None, start=game.start), game))
        first, three = (statistics.mean(each) for each in zip(*bounds, strict=True))
        rows[kind] = {
            "n": each,
            **{f"{name}_{what}": value for name, places in held.items() for what, value in _shares(places)},
            "expected_first": first,
            "expected_three": three,
        }
    rows["mean"] = {key: statistics.mean(row.get(key, 0) for row in rows.values()) for key in rows["digit"]}
    times.sort()
    rows["folds"] = {"median": statistics.median(folds)}
    rows["right games"] = {"n": len(games), "false_alarms": false_alarms(games, chance)}
    rows["ms"] = {"median": times[len(times) // 2] * 1000, "p99": times[int(len(times) * 0.99)] * 1000}
    return rows


def false_alarms(games: Sequence[Recorded], chance: random.Random) -> float:
    """Return the percentage of right games in which a slip is seen, each hand announced, the totals known and not."""
    seen = []
    for game in games:
        hands = fold(game.entries, game.rules, start=game.start).hands
        said = [replace(hand.entry, announced=_said(hand, game.rules, chance)) for hand in hands]
        scores = hands[-1].after.scores
        seen += [bool(find_slips(said, game.rules, each, start=game.start)) for each in (scores, None)]
    return 100 * sum(seen) / len(seen)


def _said(hand: Hand, rules: Ruleset, chance: random.Random) -> dict[int, int]:
    """Return what a table announces for a hand: each change, or the payment without the riichi sticks."""
    if chance.random() < 0.5:
        return dict(enumerate(hand.deltas))
    return dict(enumerate(changes(hand.entry, hand.before, rules)[0]))


def _shares(places: Sequence[int]) -> Iterator[tuple[str, float]]:
    yield "first", 100 * sum(place == 1 for place in places) / len(places)
    yield "three", 100 * sum(1 <= place <= 3 for place in places) / len(places)


def count_other_half(half: int) -> None:
    """Take the rates from the games that nothing is seeded into; single hands may be of any game: none counts."""
    lines = [json.loads(line) for name in FILES for line in _file(name)]
    for name, counts in count(lines[1 - half :: 2], ()).items():
        table = getattr(rates, name)
        table.clear()
        table.update(counts)


def _file(name: str) -> list[str]:
    return (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", type=int, choices=(0, 1), help="seed into every other game alone")
    parser.add_argument("--held-out", action="store_true", help="with the rates of the other half of the games alone")
    chosen = parser.parse_args()
    games = recorded()
    games = games if chosen.half is None else games[chosen.half :: 2]
    if chosen.held_out:
        count_other_half(chosen.half or 0)
    for kind, row in measure(chosen.each, games, chosen.seed).items():
        sys.stdout.write(f"{kind:15} " + "  ".join(f"{key} {value:5.1f}" for key, value in row.items()) + "\n")


if __name__ == "__main__":
    main()
