"""How fast hands are counted, beside `mahjong` on the same hands, and what a count costs before the first one.

Below that how fast entries fold to scores, and how long it takes to say what each player needs in a last hand.

Inputs are made beforehand for both. We begin with nothing kept and count every hand once. Blocks of both take turns, so
that noise of the machine hits both.
"""

import contextlib
import functools
import gc
import io
import itertools
import json
import operator
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from bootstrap import REPO
from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.alllast import all_last
from scoring.count import count
from scoring.explain import explain
from scoring.game import fold
from scoring.hand import WinningHand, read_hand
from scoring.payments import payment_of
from scoring.problems import InvalidInput
from scoring.readings import Memo
from scoring.state import TableState
from tools.bench.games import Games, recorded_games
from tools.oracles.hands import some_hands
from tools.oracles.mahjong_oracle import Question, question_of
from web.management.base import to_json_line
from web.management.commands.score import score
from web.management.json_lines import answer_lines

RULES = load("tenhou-yonma")
SEED = 2026
HANDS, QUICK_HANDS = 20_000, 500
BLOCK = 500
IMPORT = "import time; start = time.process_time(); import scoring.count; print(time.process_time() - start)"
IMPORTS, QUICK_IMPORTS = 15, 3
# fourteen tiles of one suit: those with the most readings, nine gates, and shapes that are pairs and sequences at once
MANY_READINGS = (
    *(f"1112345678999{number}" for number in range(1, 10)),
    "22334455667788", "11223344556677", "11122233344455", "22233344455566", "11112222333344", "33344455566677",
    "22223333444455", "11123334445556", "12233344455566",
)  # fmt: skip

Input = TypeVar("Input")


class Turns(NamedTuple):
    """The seconds of each block, ours and theirs, that were timed one after the other."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]


def value_ratio_to_mahjong(*, quick: bool = False) -> dict[str, object]:
    """Return hands per second, and how many times those of `mahjong` they are: medians over blocks.

    What is paid is worked out within the time of both; a hand without a yaku is found out by both. A line is all that
    `score` does, from JSON text to JSON text; `mahjong` gets its arguments ready-made all the same.
    """
    made = [each.hand for each in some_hands(RULES, SEED, QUICK_HANDS if quick else HANDS)]
    ours = [read_hand(hand, RULES) for hand in made]
    theirs = [question_of(hand, RULES.players) for hand in made]
    lines = [json.dumps(hand).encode() for hand in made]
    plain, explained = _in_turns(_value, ours, theirs), _in_turns(_explain, ours, theirs)
    return figures_of(plain, explained, _in_turns(_line, lines, theirs), hands=len(made))


def figures_of(plain: Turns, explained: Turns, lines: Turns, *, hands: int) -> dict[str, object]:
    """Put the seconds of blocks into the figures that are quoted."""
    return {
        "value_ratio_to_mahjong": _median(map(operator.truediv, plain.theirs, plain.ours)),
        "value_explained_ratio_to_mahjong": _median(map(operator.truediv, explained.theirs, explained.ours)),
        "value_line_ratio_to_mahjong": _median(map(operator.truediv, lines.theirs, lines.ours)),
        "value_line_us": round(_median(seconds / BLOCK * 1e6 for seconds in lines.ours)),
        "value_hands_per_second": round(_median(BLOCK / seconds for seconds in plain.ours)),
        "value_explained_hands_per_second": round(_median(BLOCK / seconds for seconds in explained.ours)),
        "mahjong_hands_per_second": round(_median(BLOCK / seconds for seconds in plain.theirs)),
        "value_hands": hands,
    }


def score_import_ms(*, quick: bool = False) -> dict[str, object]:
    """Return how long a new interpreter works to import the count of a hand, all modules compiled before."""
    with tempfile.TemporaryDirectory() as compiled:
        _import_seconds(compiled)
        runs = [_import_seconds(compiled) for _ in range(QUICK_IMPORTS if quick else IMPORTS)]
    return {"score_import_ms": _median(seconds * 1000 for seconds in runs)}


def chinitsu_worst_ms(*, quick: bool = False) -> dict[str, object]:
    """Return the slowest explained count of a hand of one suit: with nothing kept from before, and once more."""
    hands = [hand for text in MANY_READINGS for hand in _one_suit(text)]
    _explain(hands[0])  # so that all that keeps anything is there to be emptied
    first, second, caches = [], [], _caches()
    for hand in hands[:: 10 if quick else 1]:
        for forget in caches:
            forget()
        first.append(_seconds(_explain, [hand]))
        second.append(_seconds(_explain, [hand]))
    return {
        "chinitsu_worst_ms": round(max(first) * 1000, 3),
        "chinitsu_worst_again_ms": round(max(second) * 1000, 3),
        "chinitsu_hands": len(first),
    }


def _caches() -> list[Callable[[], object]]:
    """Give what empties each thing that the engine keeps from one hand for another: looked for once, they are few."""
    found: list[Callable[[], object]] = []
    for each in gc.get_objects():
        kind = type(each)  # not isinstance: a lazy object of Django's would wake up
        if issubclass(kind, Memo):
            found.append(each.clear)
        elif kind is functools._lru_cache_wrapper and str(each.__module__).startswith("scoring."):
            found.append(each.cache_clear)
    return found


def _one_suit(numbers: str) -> Iterator[WinningHand]:
    """Yield a hand once with each of its tiles as the winning one, by ron and by tsumo."""
    plain: dict[str, Any] = {"tiles": f"{numbers}p", "round_wind": "E", "seat_wind": "S", "dora": "1s"}
    for win, tsumo in itertools.product(sorted(set(numbers)), (False, True)):
        if max(map(numbers.count, numbers)) <= 4:
            yield read_hand(plain | {"win": f"{win}p", "tsumo": tsumo}, RULES)


def _in_turns(work: Callable[[Input], None], ours: Sequence[Input], theirs: Sequence[Question]) -> Turns:
    """Time each block of ours and of theirs; we begin with nothing kept."""
    for forget in _caches():
        forget()
    timed = [
        (_seconds(work, mine), _seconds(Question.ask, yours))
        for mine, yours in zip(_blocks(ours), _blocks(theirs), strict=True)
    ]
    return Turns(tuple(mine for mine, _ in timed), tuple(yours for _, yours in timed))


def _blocks(inputs: Sequence[Input]) -> Iterator[Sequence[Input]]:
    return (inputs[first : first + BLOCK] for first in range(0, len(inputs), BLOCK))


def _seconds(work: Callable[[Input], object], inputs: Sequence[Input]) -> float:
    start = time.process_time()
    for each in inputs:
        work(each)
    return time.process_time() - start


def _value(hand: WinningHand) -> None:
    with contextlib.suppress(InvalidInput):
        _ = payment_of(count(hand, RULES).base, hand, RULES).value


def _explain(hand: WinningHand) -> None:
    with contextlib.suppress(InvalidInput):
        explain(hand, RULES)


def _line(text: bytes) -> None:
    for answer in answer_lines(io.BytesIO(text), functools.partial(score, rules=RULES)):
        to_json_line(answer)


def _import_seconds(compiled: str) -> float:
    environment = os.environ | {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        [sys.executable, "-c", IMPORT], check=True, cwd=REPO, env=environment, capture_output=True, text=True
    )
    return float(done.stdout)


def _median(figures: Iterable[float]) -> float:
    return round(statistics.median(figures), 2)


# ---------------------------------------------------------------- games

FOLD_RUNS = 7
MIN_SECONDS = 0.3
LAST_HANDS = 100  # a rule set


def fold_hands_per_second(*, quick: bool = False) -> dict[str, object]:
    """Return the median of several runs."""
    games = recorded_games()
    hands = sum(len(entries) for _, entries in games)
    return {
        "fold_hands_per_second": round(
            statistics.median(_fold(games, hands) for _ in range(1 if quick else FOLD_RUNS))
        ),
        "fold_games": "cases",
        "fold_hands": hands,
    }


def _fold(games: Games, hands: int) -> float:
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < MIN_SECONDS:
        for rules, entries in games:
            fold(entries, rules)
        done += hands
    return done / (time.perf_counter() - start)


def alllast_ms(*, quick: bool = False) -> dict[str, object]:
    """Return the median and the worst table, in milliseconds of this process's own time.

    `alllast_first_ms` is the slowest of the first tables, one a rule set, which find nothing worked out yet.
    """
    first, taken = list[float](), list[float]()
    for rules, chance in [(load(key), Random(f"last hand {key}")) for key in book_keys()]:
        first.append(_last_hand(rules, chance))
        taken += [_last_hand(rules, chance) for _ in range(3 if quick else LAST_HANDS)]
    return {
        "alllast_ms": round(statistics.median(taken), 2),
        "alllast_worst_ms": round(max(taken), 2),
        "alllast_first_ms": round(max(first), 2),
        "alllast_tables": len(taken),
    }


def _last_hand(rules: Ruleset, chance: Random) -> float:
    scores = [rules.start_points + chance.randrange(-250, 250) * 100 for _ in range(rules.players - 1)]
    scores.append(rules.start_points * rules.players - sum(scores))
    state = TableState(tuple(scores), dealer=rules.players - 1, round=rules.rounds - 1, honba=chance.randrange(3))
    riichi = [seat for seat in range(rules.players) if chance.random() < 0.2]
    start = time.process_time()
    all_last(state, rules, riichi=riichi)
    return (time.process_time() - start) * 1000
