"""Count how often real games have which hands, and write scoring/slips/likely.py."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

REPO = Path(__file__).resolve().parent.parent
DATA = REPO / "tests" / "data"
HEAD = '''"""How often real games have which hands: counts by `scripts/count_slip_rates.py`, never edited by hand."""

'''
GAMES = ("games-4p", "games-3p", "games-3p-engine")
HANDS = ("hands-4p", "hands-3p", "hands-3p-engine")
KEYS = {
    "KINDS": "str",
    "RIICHI": "tuple[int, str, bool]",
    "TENPAI": "tuple[int, int]",
    "VALUES": "tuple[int, bool, bool, int, int]",
}
COMMENTS = {
    "KINDS": "",
    "RIICHI": "# players, role, whether that player had riichi\n",
    "TENPAI": "# players, how many are tenpai\n",
    "VALUES": "# players, tsumo, winner's riichi, han, fu\n",
}


Counts = dict[str, Counter[Any]]


def main() -> None:
    """Write the module."""
    found = count(_lines(GAMES), _lines(HANDS))
    text = HEAD + "\n".join(f"{COMMENTS[name]}{_dict(name, found[name], KEYS[name])}" for name in KEYS)
    (REPO / "scoring" / "slips" / "rates.py").write_text(text, encoding="utf-8")
    sys.stdout.write("scoring/slips/likely.py is written; format it.\n")


def count(games: Iterable[dict[str, Any]], hands: Iterable[dict[str, Any]]) -> Counts:
    """Count the hands of games and single winning hands, lines of `tests/data`; return the tables by name."""
    found: Counts = {name: Counter() for name in KEYS}
    for game in games:
        players = len(game["expect"]["hands"][0]["scores"])
        for entry in game["game"]["entries"]:
            _count_hand(entry, players, found)
    for line in hands:
        hand, said, players = line["hand"], line["expect"], 4 if line["rules"].endswith("yonma") else 3
        if said["han"] and not said["yakuman"]:
            found["VALUES"][players, hand["tsumo"], bool(hand["riichi"]), said["han"], said["fu"] or 30] += 1
    return found


def _count_hand(entry: dict[str, Any], players: int, found: Counts) -> None:
    found["KINDS"][entry["kind"]] += 1
    for seat in range(players):
        found["RIICHI"][players, role(entry, seat), seat in entry.get("riichi", ())] += 1
    for win in entry.get("winners", ()):
        if "han" in win:
            closed = win["seat"] in entry.get("riichi", ())
            found["VALUES"][players, entry["kind"] == "tsumo", closed, win["han"], win.get("fu", 30)] += 1
    if entry["kind"] == "draw":
        found["TENPAI"][players, len(entry["tenpai"])] += 1


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
