"""Holds our counts of random hands against both oracles, and keeps what differs with the seed that brings it back.

It knows no rule: what may differ stands in `differences`.
"""

import importlib.util
import itertools
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.ruleset import Ruleset
from tools.oracles import mahjong_oracle, ours
from tools.oracles.answer import Answer, agree
from tools.oracles.differences import Oracle, excuse
from tools.oracles.hands import hands, spoiled

Ask = Callable[[dict[str, Any], int], Answer | None]
Wins = Callable[[dict[str, Any], int], bool]


class Asked(NamedTuple):
    """What an oracle can be asked: what a hand is worth, and whether it wins at all."""

    answer_of: Ask
    wins: Wins


def oracles() -> Mapping[Oracle, Asked]:
    """Return the oracles that are installed: riichienv has no wheel for some systems."""
    found: dict[Oracle, Asked] = {"mahjong": Asked(mahjong_oracle.answer_of, mahjong_oracle.wins)}
    if importlib.util.find_spec("riichienv"):
        from tools.oracles import riichienv_oracle

        found["riichienv"] = Asked(riichienv_oracle.answer_of, riichienv_oracle.wins)
    return found


ORACLES = oracles()


class Disagreement(NamedTuple):
    """A hand of which an oracle says something else, and no difference of ours explains it."""

    oracle: str
    seed: int
    number: int
    hand: dict[str, Any]
    ours: Answer | None
    theirs: Answer | None

    def __str__(self) -> str:
        where = f"{self.oracle}, seed {self.seed}, hand {self.number}: {json.dumps(self.hand)}"
        return f"{where}\n  ours:   {self.ours}\n  theirs: {self.theirs}"


@dataclass(slots=True)
class Report:
    """What was compared: hands by kind, yaku by name, differences that were excused, and what was not."""

    kinds: Counter[str] = field(default_factory=Counter)
    yaku: Counter[str] = field(default_factory=Counter)
    excused: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: list[Disagreement] = field(default_factory=list)


def compare(rules: Ruleset, *, seed: int, count: int) -> Report:
    """Compare so many hands of a seed."""
    report = Report()
    for number, made in enumerate(itertools.islice(hands(rules, seed), count)):
        answer = ours.answer_of(made.hand, rules)
        report.kinds[made.recipe] += 1
        report.yaku.update(answer.yaku if answer else ["none"])
        for oracle, asked in ORACLES.items():
            theirs = asked.answer_of(made.hand, rules.players)
            if agree(answer, theirs):
                continue
            difference = excuse(oracle, made.hand, answer, theirs)
            if difference:
                report.excused[oracle, difference.name] += 1
            else:
                report.found.append(Disagreement(oracle, seed, number, made.hand, answer, theirs))
    return report


def compare_wins(rules: Ruleset, *, seed: int, count: int) -> tuple[Counter[bool], list[str]]:
    """Compare whether hands with one tile exchanged still win: how many do or do not, and those in dispute."""
    verdicts: Counter[bool] = Counter()
    disputed = []
    for made in itertools.islice(spoiled(rules, seed), count):
        wins = ours.wins(made.hand, rules)
        verdicts[wins] += 1
        if any(asked.wins(made.hand, rules.players) is not wins for asked in ORACLES.values()):
            disputed.append(json.dumps(made.hand))
    return verdicts, disputed
