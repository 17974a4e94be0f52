"""The big comparison: `python -m tools.oracles --hands 200000 --seed 1` prints what was compared and what disagrees."""

import argparse
import sys
from collections import Counter

from rules.books import load
from tools.oracles.compare import Report, compare

BOOKS = ("tenhou-yonma", "tenhou-sanma")


def main() -> int:
    """Compare half of the hands with four players, half with three; return 1 if anything disagrees."""
    parser = argparse.ArgumentParser(prog="python -m tools.oracles", description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000, help="how many hands in all (default 20000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same hands (default 1)")
    given = parser.parse_args()
    disagree = 0
    for key in BOOKS:
        report = compare(load(key), seed=given.seed, count=given.hands // len(BOOKS))
        sys.stdout.write(text_of(key, report))
        disagree += len(report.found)
    sys.stdout.write(f"\n{given.hands // len(BOOKS) * len(BOOKS)} hands, seed {given.seed}: {disagree} disagreements\n")
    return 1 if disagree else 0


def text_of(key: str, report: Report) -> str:
    """Write what one book's hands gave."""
    parts = [f"{key}: {report.kinds.total()} hands", "  kinds of hand", *_table(report.kinds)]
    parts += ["  yaku", *_table(report.yaku), "  differences on purpose"]
    parts += [f"    {count:8} {oracle}: {name}" for (oracle, name), count in report.excused.most_common()]
    parts += [str(each) for each in report.found]
    return "\n".join(parts) + "\n"


def _table(counted: Counter[str]) -> list[str]:
    return [f"    {count:8} {name}" for name, count in counted.most_common()]


if __name__ == "__main__":
    sys.exit(main())
