"""What the read-back teaches: what is understood of an unfinished line, what can come next, where it goes wrong."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.next_keys import Key, Next, next_keys
from tournament.text.languages import Words
from tournament.text.readback import ABORT_WORDS

PART = 20
# what the keys of a place are, as the end of "expected …"
EXPECTED: Words = {
    "start": "a player number, d for a draw or c for a chombo",
    "winner": "r and the discarder, or t for tsumo",
    "discarder": "the number of the discarder",
    "second": "the number of the second winner",
    "value": "han and fu such as 340, or m, h, b, s, y",
    "fu": "the fu",
    "riichi": "player numbers with riichi",
    "tenpai": "tenpai player numbers, or / for riichi",
    "offender": "the number of the offender",
    "nagashi": "the number of the winner",
    "abort": "the letter of the abortive draw",
    "dead": "the number of the dead hand",
    "liable": "the number of the liable player",
    "end": "/ and the riichi, or the end of the line",
    "other": "the rest of the number",
}
ASKED: Words = {
    "start": "Who won? d is a draw",
    "winner": "%(winner)s wins: r and the discarder is a ron, t a tsumo",
    "discarder": "%(winner)s wins by ron: from whom?",
    "second": "Who else wins?",
    "value": "%(how)s: now han and fu (340), m, h…",
    "fu": "%(how)s: now the fu",
    "riichi": "Who had riichi?",
    "tenpai": "Draw: who is tenpai?",
    "offender": "Chombo: of whom?",
    "nagashi": "Nagashi mangan: of whom?",
    "abort": "Abortive draw: which?",
    "dead": "Whose hand is dead?",
    "liable": "Who is liable?",
}
KEY_WORDS: Words = {
    "ron": "ron",
    "tsumo": "tsumo",
    "draw": "draw",
    "chombo": "chombo",
    "nagashi": "nagashi mangan",
    "abort": "abortive draw",
    "second": "another winner",
    "m": "mangan",
    "h": "haneman",
    "b": "baiman",
    "s": "sanbaiman",
    "yakuman": "yakuman",
}


@dataclass(frozen=True, slots=True)
class Chip:
    """A key to click: the text that it adds, and what it says."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Steps:
    """What is shown below a line: `ask` for what comes next, `wrong` for a key that fits nowhere, `chips` to click.

    `fits` is how many characters of the line can be read, `ghost` what Tab adds.
    """

    line: str
    ask: str
    wrong: str
    chips: tuple[Chip, ...]
    ghost: str
    fits: int


def steps_of(line: str, names: Sequence[str], rules: Ruleset) -> Steps:
    """Return what a line teaches; `names` are the players by seat."""
    found = next_keys(line, rules)
    wrong = "" if found.fits == len(line) else _wrong(line, found)
    chips = tuple(Chip(key.text, _label(key, names)) for key in found.keys)
    return Steps(line, "" if wrong else _ask(found, names), wrong, chips, found.ghost, found.fits)


def _wrong(line: str, found: Next) -> str:
    rest = line[found.fits :].strip()
    part = rest[:PART] + ("…" if len(rest) > PART else "")
    return _("Can't read “%(part)s”: expected %(what)s") % {"part": part, "what": _(EXPECTED[found.place])}


def _ask(found: Next, names: Sequence[str]) -> str:
    asked = ASKED.get(found.place)
    return _(asked) % {"winner": _name(found.winner, names), "how": _how(found, names)} if asked else ""


def _how(found: Next, names: Sequence[str]) -> str:
    winner = _name(found.winner, names)
    if found.loser is None:
        return _("%(winner)s wins by tsumo") % {"winner": winner}
    return _("%(who)s ron from %(loser)s") % {"who": winner, "loser": _name(found.loser, names)}


def _name(seat: int | None, names: Sequence[str]) -> str:
    return names[seat] if seat is not None and seat < len(names) else ""


def _label(key: Key, names: Sequence[str]) -> str:
    if key.what == "riichi" and key.text.startswith("/"):
        return _("riichi %(name)s") % {"name": _name(key.seat, names)}
    if key.seat is not None:
        return _name(key.seat, names)
    if key.what in ABORT_WORDS:
        return _(ABORT_WORDS[key.what])
    if key.what == "han":
        return _("han")
    if key.what == "fu":
        return _("%(fu)d fu") % {"fu": key.fu}
    return _(KEY_WORDS[key.text if key.what == "limit" else key.what])
