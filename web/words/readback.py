"""A hand read back in words: who won off whom, what it is worth, who pays what and why. It words and never computes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules.ruleset import Ruleset
from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo, Win
from scoring.game import Hand
from scoring.payments import Transfer
from scoring.state import TableState
from scoring.value import base_points, limit_name
from web.words.formatting import hand_name as name_of_hand
from web.words.formatting import points, signed, wind_word
from web.words.languages import Words, in_turn, listed, side_by_side, stated

ABORT_WORDS: Words = {
    "kyuushu_kyuuhai": "nine terminals and honours",
    "suufon_renda": "four winds",
    "suucha_riichi": "four riichi",
    "suukaikan": "four quads",
    "sanchahou": "three ron",
}
WHY_WORDS: Words = {
    "hand": "hand",
    "pao": "liability",
    "honba": "counters",
    "deposit": "deposit",
    "returned": "own deposit back",
    "noten": "noten",
}


@dataclass(frozen=True, slots=True)
class SeatDelta:
    """What a hand does to one seat: change and score after it, in points."""

    number: int
    name: str
    wind: str
    delta: int
    score: int


@dataclass(frozen=True, slots=True)
class Readback:
    """A hand in words: `what` happened, the `value`, who had riichi and whose hand was dead, payments, changes."""

    name: str
    counters: str
    what: str
    value: str
    riichi: str
    pays: tuple[str, ...]
    seats: tuple[SeatDelta, ...]

    @property
    def say(self) -> str:
        """The whole in one sentence."""
        what = _("%(what)s: %(value)s") % {"what": self.what, "value": self.value} if self.value else self.what
        return stated((what, self.riichi))


def read_back(hand: Hand, names: Sequence[str], rules: Ruleset) -> Readback:
    """Put a played hand into words; `names` are the players by seat."""
    before = hand.before
    return Readback(
        name=hand_name(before),
        counters=counters(before),
        what=what_happened(hand.entry, before, names),
        value=value_of(hand.entry, before, rules),
        riichi=stated((riichi_of(hand.entry, names), dead_of(hand.entry, names))),
        pays=tuple(_payment(transfer, names) for transfer in hand.transfers),
        seats=tuple(
            SeatDelta(seat + 1, name, before.wind_of(seat), hand.deltas[seat], hand.after.scores[seat])
            for seat, name in enumerate(names)
        ),
    )


def hand_name(state: TableState) -> str:
    """Name the hand about to be played at a state.

    >>> hand_name(TableState((0, 0, 0), dealer=1, round=1))
    'South 2'
    """
    return name_of_hand(state.round_wind, state.kyoku)


def counters(state: TableState) -> str:
    """Say the counters and deposits on the table; nothing where there are none."""
    parts = []
    if state.honba:
        parts.append(ngettext("%(count)d counter", "%(count)d counters", state.honba) % {"count": state.honba})
    if state.sticks:
        parts.append(ngettext("%(count)d deposit", "%(count)d deposits", state.sticks) % {"count": state.sticks})
    return " · ".join(parts)


def what_happened(entry: Entry, before: TableState, names: Sequence[str]) -> str:
    """Say who did what, players by name with seat number and wind."""
    who = [
        _("%(name)s (%(seat)d, %(wind)s)") % {"name": name, "seat": seat + 1, "wind": wind_word(before.wind_of(seat))}
        for seat, name in enumerate(names)
    ]
    match entry:
        case Ron():
            said = ngettext("%(who)s wins off %(loser)s", "%(who)s win off %(loser)s", len(entry.winners))
            return said % {"who": _all(who[win.seat] for win in entry.winners), "loser": who[entry.loser]}
        case Tsumo():
            return _("%(who)s wins by tsumo") % {"who": who[entry.win.seat]}
        case Draw():
            tenpai = _all(who[seat] for seat in sorted(entry.tenpai))
            return _("Draw, tenpai: %(who)s") % {"who": tenpai} if tenpai else _("Draw, nobody tenpai")
        case Nagashi():
            return _("Nagashi mangan: %(who)s") % {"who": _all(who[seat] for seat in entry.winners)}
        case Abort():
            return _("Abortive draw: %(why)s") % {"why": _(ABORT_WORDS.get(entry.reason, entry.reason))}
        case Chombo():
            return _("Chombo: %(who)s. The hand is dealt again") % {"who": _all(who[seat] for seat in entry.offenders)}
        case Correction():
            moved = in_turn(f"{names[seat]} {signed(delta)}" for seat, delta in enumerate(entry.deltas) if delta)
            return _("Correction: %(moved)s (%(why)s)") % {"moved": moved, "why": entry.reason}
        case Totals():
            return _("Final scores from the sheet")
    raise TypeError(f"no words for {type(entry).__name__}")


def value_of(entry: Entry, before: TableState, rules: Ruleset) -> str:
    """Say what each winner's hand is worth, counters and deposits aside; nothing where nobody won."""
    wins = entry.winners if isinstance(entry, Ron | Tsumo) else ()
    return side_by_side(_win_value(win, entry, before, rules) for win in wins)


def riichi_of(entry: Entry, names: Sequence[str]) -> str:
    """Say who put a deposit down."""
    return _("Riichi: %(who)s") % {"who": _all(names[seat] for seat in sorted(entry.riichi))} if entry.riichi else ""


def dead_of(entry: Entry, names: Sequence[str]) -> str:
    """Say whose hand was dead."""
    return _("Dead hand: %(who)s") % {"who": _all(names[seat] for seat in sorted(entry.dead))} if entry.dead else ""


def _win_value(win: Win, entry: Entry, before: TableState, rules: Ruleset) -> str:
    from scoring.payments import ron_points, tsumo_points

    base = base_points(win, rules)
    limit = limit_name(base, rules)
    deals = win.seat == before.dealer
    if isinstance(entry, Ron):
        paid = points(ron_points(base, dealer=deals))
    elif deals:
        paid = _("%(points)s all") % {"points": points(tsumo_points(base, winner_deals=True, payer_deals=False))}
    else:
        others, dealer = (tsumo_points(base, winner_deals=False, payer_deals=payer) for payer in (False, True))
        paid = f"{points(others)}/{points(dealer)}"
    return in_turn(part for part in (_han_and_fu(win), _(limit) if limit else "", paid) if part)


def _han_and_fu(win: Win) -> str:
    if win.yakuman:
        return "" if win.yakuman == 1 else f"{win.yakuman} ×"
    if not win.fu:
        return _("%(han)d han") % {"han": win.han}
    return _("%(han)d han %(fu)d fu") % {"han": win.han, "fu": win.fu}


def _payment(transfer: Transfer, names: Sequence[str]) -> str:
    payer = names[transfer.payer] if transfer.payer is not None else pgettext("where deposits lie", "table")
    receiver = names[transfer.receiver] if transfer.receiver is not None else pgettext("where deposits lie", "table")
    said = {"payer": payer, "receiver": receiver, "points": points(transfer.points), "why": _(WHY_WORDS[transfer.why])}
    return _("%(payer)s → %(receiver)s %(points)s (%(why)s)") % said


def _all(words: Iterable[str]) -> str:
    return listed(list(words))
