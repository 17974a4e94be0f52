"""Write docs/developer/keystrokes.md: keys by line and taps by cards of a real hand. Run it when either has changed.

It takes 300 hands of tests/data/games-4p.jsonl by a fixed rule, writes each with the program's own writer, and counts.
"""

import json
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

REPO = Path(__file__).resolve().parent.parent
CASES = REPO / "tests" / "data"
PAGE = REPO / "docs" / "developer" / "keystrokes.md"
sys.path.insert(0, str(REPO))

from rules.books import load  # noqa: E402
from rules.ruleset import Ruleset  # noqa: E402
from scoring.entries import Chombo, Draw, Entry, Nagashi, Ron, Tsumo, Win, from_json  # noqa: E402
from scoring.game import fold  # noqa: E402
from scoring.paid import PaidWin, payment_for, readings_of  # noqa: E402
from scoring.shorthand import parse, write  # noqa: E402
from scoring.state import TableState  # noqa: E402

HANDS = 300
KINDS: dict[str, Callable[[Entry], bool]] = {
    "ron": lambda entry: isinstance(entry, Ron) and len(entry.winners) == 1,
    "ron with several winners": lambda entry: isinstance(entry, Ron) and len(entry.winners) > 1,
    "tsumo": lambda entry: entry.kind == "tsumo",
    "draw": lambda entry: entry.kind == "draw",
    "abortive draw": lambda entry: entry.kind == "abort",
}


class Played(NamedTuple):
    """A hand of the cases with the table that it was played at."""

    entry: Entry
    state: TableState
    rules: Ruleset


class Keys(NamedTuple):
    """Keys of several hands, Enter included."""

    hands: int
    mean: float
    high: int
    most: int


def sample(cases: Path) -> list[Played]:
    """Return 300 hands spread evenly over all games: of n in file order those numbered i × n / 300, rounded down."""
    played = [hand for line in _lines(cases / "games-4p.jsonl") for hand in _game(line)]
    return [played[index * len(played) // HANDS] for index in range(HANDS)]


def typed(entry: Entry) -> str:
    """Return the line as it is typed at speed: the writer's own, blanks left out, which mean nothing to the desk."""
    return write(entry).replace(" ", "")


def with_points(hand: Played) -> Entry:
    """Return the entry with points in place of han and fu wherever one value alone pays them."""
    entry = hand.entry
    if not isinstance(entry, Ron | Tsumo):
        return entry
    return replace(entry, winners=tuple(_points_of(win, entry, hand) for win in entry.winners))


def taps(entry: Entry) -> int:
    """Count the taps that enter a hand by the cards, the last on *Enter hand*; held to the page by tests/e2e.

    A ron is the winners' cards, the discarder's and their values; a tsumo the winner's card, the button and the value.
    Two winners with riichi are one button. At a draw a stick is riichi and tenpai in one.
    """
    riichi, dead = len(entry.riichi), len(entry.dead) + bool(entry.dead)
    if isinstance(entry, Ron):
        winners = {win.seat for win in entry.winners}
        liable = sum(2 + (len(winners) > 1) for win in entry.winners if win.pao is not None)
        together = len(winners) - 1 if winners <= set(entry.riichi) else 0
        return 2 * len(winners) + 1 + liable + riichi - together + dead + 1
    if isinstance(entry, Tsumo):
        return 3 + (2 if entry.win.pao is not None else 0) + riichi + dead + 1
    if isinstance(entry, Draw | Nagashi):
        nagashi = 2 * len(entry.winners) - 1 if isinstance(entry, Nagashi) else 0
        tenpai, noten = set(entry.tenpai) - set(entry.riichi), set(entry.riichi) - set(entry.tenpai)
        return 1 + nagashi + riichi + len(tenpai) + len(noten) + dead + 1
    if isinstance(entry, Chombo):
        return 1 + len(entry.offenders) + riichi + bool(riichi) + dead + 1
    return 2 + riichi + dead + 1


def count_taps(hands: Sequence[Played]) -> dict[str, Keys]:
    """Return the taps by kind of hand."""
    counted = [(hand.entry, taps(hand.entry)) for hand in hands]
    found = {name: [taken for entry, taken in counted if of_kind(entry)] for name, of_kind in KINDS.items()}
    return {name: spread(taken) for name, taken in {"all hands": [taken for _, taken in counted], **found}.items()}


def count(lines: Iterable[str]) -> Keys:
    """Count the keys of lines, Enter with each."""
    return spread(len(line) + 1 for line in lines)


def spread(counts: Iterable[int]) -> Keys:
    """Return mean, 95th percentile and most."""
    keys = sorted(counts)
    return Keys(len(keys), sum(keys) / len(keys), keys[math.ceil(0.95 * len(keys)) - 1], keys[-1])


def table(hands: Sequence[Played]) -> dict[str, Keys]:
    """Return the keys by kind, and of all hands in three spellings."""
    by_kind = {name: [typed(hand.entry) for hand in hands if of_kind(hand.entry)] for name, of_kind in KINDS.items()}
    rows = {name: count(lines) for name, lines in by_kind.items() if lines}
    return {
        "all hands": count(typed(hand.entry) for hand in hands),
        **rows,
        "all, with blanks as they are written": count(write(hand.entry) for hand in hands),
        "all, points for han and fu where one value pays them": count(typed(with_points(hand)) for hand in hands),
    }


def page(hands: Sequence[Played]) -> str:
    """Return the text of the page."""
    rows = table(hands)
    assert sum(rows[name].hands for name in list(rows)[1:-2]) == len(hands), "a kind of hand is missing"  # noqa: S101
    pointed = sum(with_points(hand) != hand.entry for hand in hands)
    listed = "\n".join(
        f"| {name} | {keys.hands} | {keys.mean:.2f} | {keys.high} | {keys.most} |" for name, keys in rows.items()
    )
    tapped = "\n".join(
        f"| {name} | {found.hands} | {found.mean:.2f} | {found.high} | {found.most} |"
        for name, found in count_taps(hands).items()
    )
    return _PAGE.format(hands=len(hands), pointed=pointed, rows=listed, taps=tapped)


_PAGE = """# Keystrokes

How many keys a hand takes: {hands} hands of the real games for four, spread evenly over all of them, each written by
`scoring.shorthand.write` and typed without blanks. Enter counts, a shifted letter is one key. Every line reads back
as its entry. Written by `scripts/write_keystrokes_docs.py`; `tests/scoring/test_keystrokes.py` holds the page to it and
the figures to their bounds.

| | hands | mean | 95th percentile | most |
|---|---|---|---|---|
{rows}

Points stand for han and fu in {pointed} of the {hands}: elsewhere two values pay the same (3,900 is 3 han 30 fu
or 2 han 60 fu), and Enter, a number and Enter choose one. Points are for the paper that has no han; for speed type han
and fu.

| | keys |
|---|---|
| a ron without riichi, `2r3340` | 7 |
| a ron with riichi, `2r3340/2` | 9 |
| a draw, one riichi, `d13/1` | 6 |
| the last hand corrected | ↑, and the hand as it was: one more than its own |
| a table from anywhere | its number and Enter; from the line Esc before it |

`tests/e2e/test_keyboard_only.py` presses just these keys in a browser.

## Taps by the cards

The same {hands} hands, tapped together on the players' cards: the winner's and the discarder's, or the winner's and
*Tsumo*, the value, a card for each riichi, *Enter hand*; at a draw a card for tenpai, a stick for riichi and tenpai in
one. `tests/e2e/test_hand_cards.py` taps hands of each kind in a browser and counts.

| | hands | mean | 95th percentile | most |
|---|---|---|---|---|
{taps}
"""


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _game(line: str) -> list[Played]:
    case = json.loads(line)
    rules = load(case["rules"])
    entries = [from_json(entry) for entry in case["game"]["entries"]]
    return [
        Played(hand.entry, hand.before, rules) for hand in fold(entries, rules, start=case["game"].get("start")).hands
    ]


def _points_of(win: Win, entry: Ron | Tsumo, hand: Played) -> Win:
    paid = payment_for(win, hand.state, tsumo=isinstance(entry, Tsumo), rules=hand.rules)
    pointed = PaidWin(seat=win.seat, paid=paid, pao=win.pao)
    return pointed if len(readings_of(pointed, entry, hand.state, hand.rules)) == 1 else win


if __name__ == "__main__":
    hands = sample(CASES)
    PAGE.write_text(page(hands), encoding="utf-8")
    print(PAGE)
    assert all(parse(typed(hand.entry)) == hand.entry for hand in hands)  # noqa: S101
