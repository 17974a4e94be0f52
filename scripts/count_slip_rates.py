"""Count how often real games have which hands, and write scoring/slips/rates.py."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REPO = Path(__file__).resolve().parent.parent
DATA = REPO / "tests" / "data"
HEAD = '''"""How often real games have which hands: counts by `scripts/count_slip_rates.py`, never edited by hand."""

'''
GAMES = ("games-4p", "games-3p", "games-3p-engine")
HANDS = ("hands-4p", "hands-3p", "hands-3p-engine")


def main() -> None:
    """Write the module."""
    values: Counter[tuple[int, bool, bool, int, int]] = Counter()
    kinds: Counter[str] = Counter()
    riichi: Counter[tuple[str, bool]] = Counter()
    tenpai: Counter[tuple[int, int]] = Counter()
    for game in _lines(GAMES):
        players = len(game["expect"]["hands"][0]["scores"])
        for entry in game["game"]["entries"]:
            kinds[entry["kind"]] += 1
            for seat in range(players):
                riichi[role(entry, seat), seat in entry.get("riichi", ())] += 1
            for win in entry.get("winners", ()):
                if "han" in win:
                    closed = win["seat"] in entry.get("riichi", ())
                    values[players, entry["kind"] == "tsumo", closed, win["han"], win.get("fu", 30)] += 1
            if entry["kind"] == "draw":
                tenpai[players, len(entry["tenpai"])] += 1
    for line in _lines(HANDS):
        hand, said, players = line["hand"], line["expect"], 4 if line["rules"].endswith("yonma") else 3
        if said["han"] and not said["yakuman"]:
            values[players, hand["tsumo"], bool(hand["riichi"]), said["han"], said["fu"] or 30] += 1
    text = HEAD + _dict("KINDS", kinds, "str") + "\n# role and whether the player had riichi\n"
    text += _dict("RIICHI", riichi, "tuple[str, bool]") + "\n# players, how many are tenpai\n"
    text += _dict("TENPAI", tenpai, "tuple[int, int]") + "\n# players, tsumo, winner's riichi, han, fu\n"
    text += _dict("VALUES", values, "tuple[int, bool, bool, int, int]")
    (REPO / "scoring" / "slips" / "rates.py").write_text(text, encoding="utf-8")
    sys.stdout.write("scoring/slips/rates.py is written; format it.\n")


def role(entry: dict[str, Any], seat: int) -> str:
    """Return what a seat did in a hand, as `scoring.slips.likely` names it."""
    if seat in [win["seat"] for win in entry.get("winners", ())]:
        return f"{entry['kind']}_winner"
    if seat == entry.get("loser"):
        return "loser"
    if entry["kind"] == "draw":
        return "tenpai" if seat in entry["tenpai"] else "noten"
    return f"{entry['kind']}_other"


def _lines(names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for name in names:
        for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def _dict(name: str, counts: Counter[Any], key: str) -> str:
    rows = "".join(f"    {each!r}: {counts[each]},\n" for each in sorted(counts))
    return f"{name}: dict[{key}, int] = {{\n{rows}}}\n"


if __name__ == "__main__":
    main()
