"""Count how often real games have which hands, and write the tables of scoring/slips/likely.py."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

REPO = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPO))

from scoring.entries import Draw, Ron, Tsumo, from_json  # noqa: E402  (found by the line above)
from scoring.slips.likely import role_of  # noqa: E402

DATA = REPO / "tests" / "data"
MODULE = REPO / "scoring" / "slips" / "likely.py"
GAMES = ("games-4p", "games-3p", "games-3p-engine")
HANDS = ("hands-4p", "hands-3p", "hands-3p-engine")
HEADS = {
    "KINDS": "KINDS: dict[str, int]",
    "RIICHI": "# by players and role: whether that player had riichi\nRIICHI: dict[tuple[int, str], dict[bool, int]]",
    "TENPAI": "# by players: how many are tenpai\nTENPAI: dict[int, dict[int, int]]",
    "VALUES": "# by players, tsumo and winner's riichi: han, then fu\n"
    "VALUES: dict[tuple[int, bool, bool], dict[int, dict[int, int]]]",
}

Tables = dict[str, dict[Any, Any]]


def main() -> None:
    """Write the tables in their place."""
    found = count(_lines(GAMES), _lines(HANDS))
    tables = "\n\n".join(f"{head} = {found[name]!r}" for name, head in HEADS.items())
    text = MODULE.read_text(encoding="utf-8")
    MODULE.write_text(re.sub(r"KINDS: .*?(?=RARE = )", f"{tables}\n\n", text, flags=re.DOTALL), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", str(MODULE)], check=True)


def count(games: Iterable[dict[str, Any]], hands: Iterable[dict[str, Any]]) -> Tables:
    """Count the hands of games and single winning hands, lines of `tests/data`; return the tables by name."""
    found: Tables = {name: {} for name in HEADS}
    for game in games:
        players = len(game["expect"]["hands"][0]["scores"])
        for entry in map(from_json, game["game"]["entries"]):
            _add(found, "KINDS", entry.kind)
            for seat in range(players):
                _add(found, "RIICHI", (players, role_of(entry, seat)), seat in entry.riichi)
            if isinstance(entry, Ron | Tsumo):
                for win in (each for each in entry.winners if not each.yakuman):
                    form = (players, isinstance(entry, Tsumo), win.seat in entry.riichi)
                    _add(found, "VALUES", form, win.han, win.fu or 30)
            if isinstance(entry, Draw):
                _add(found, "TENPAI", players, len(entry.tenpai))
    for line in hands:
        hand, said, players = line["hand"], line["expect"], 4 if line["rules"].endswith("yonma") else 3
        if said["han"] and not said["yakuman"]:
            _add(found, "VALUES", (players, hand["tsumo"], bool(hand["riichi"])), said["han"], said["fu"] or 30)
    return {name: _in_order(table) for name, table in found.items()}


def _add(found: Tables, *keys: Any) -> None:
    """Count one more behind these keys."""
    table: dict[Any, Any] = found
    for key in keys[:-1]:
        table = table.setdefault(key, {})
    table[keys[-1]] = table.get(keys[-1], 0) + 1


def _in_order(table: dict[Any, Any]) -> dict[Any, Any]:
    return {key: _in_order(value) if isinstance(value, dict) else value for key, value in sorted(table.items())}


def _lines(names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for name in names:
        for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


if __name__ == "__main__":
    main()
