"""Words for what is entered at a table: hands read back, announced points, corrections, sheets of totals."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules.ruleset import Ruleset
from scoring.count import Count
from scoring.drill import Worth
from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo, Win
from scoring.game import Hand
from scoring.payments import Payment, Transfer
from scoring.problems import Param
from scoring.state import TableState
from scoring.value import MANGAN_HAN, base_points, limit_name
from tournament.text.languages import Words, join_and, join_commas, join_sentences, join_spaced, plural_text
from tournament.text.numbers import hand_name as name_of_hand
from tournament.text.numbers import points, signed, wind_word


def points_words(value: Param) -> str:
    """Write payments as they were typed, with separators.

    >>> points_words("3900"), points_words(("1300-2600", "8000"))
    ('3,900', '1,300-2,600 and 8,000')
    """
    texts = [str(text) for text in value] if isinstance(value, tuple) else [str(value)]
    return join_and([re.sub(r"\d+", lambda found: points(int(found[0])), text) for text in texts])


def value_words(win: Win) -> str:
    """Say a reading on its button.

    >>> value_words(Win(seat=0, han=3, fu=30)), value_words(Win(seat=0, han=5)), value_words(Win(seat=0, yakuman=1))
    ('3 han 30 fu', '5 han', 'yakuman')
    """
    if win.yakuman:
        named = {1: _("yakuman"), 2: _("double yakuman")}
        return named.get(win.yakuman) or _("%(count)d yakuman") % {"count": win.yakuman}
    if not win.fu:
        return _("%(han)d han") % {"han": win.han}
    return _("%(han)d han %(fu)d fu") % {"han": win.han, "fu": win.fu}


def say_worth(counted: Count | Worth) -> str:
    """Say a value as players do: a limit by name, else han and fu."""
    if counted.yakuman:
        return _("yakuman") if counted.yakuman == 1 else _("%(count)d yakuman") % {"count": counted.yakuman}
    if counted.limit and counted.han >= MANGAN_HAN:
        return _("%(limit)s, %(han)d han") % {"limit": _(counted.limit), "han": counted.han}
    plain = _("%(han)d han %(fu)d fu") % {"han": counted.han, "fu": counted.fu}
    return join_commas([_(counted.limit), plain]) if counted.limit else plain


def say_amount(payment: Payment) -> str:
    """Write a payment without honba: "5,200", "1,300/2,600", "2,600 each"."""
    if payment.ron is not None:
        return points(payment.ron)
    if payment.dealer:
        return f"{points(payment.others)}/{points(payment.dealer)}"
    return _("%(points)s each") % {"points": points(payment.others)}


PARAMS = {"paid": points_words, "nearest": points_words}


# why a later hand would no longer fit: all that depends on the hands before it
CORRECTION_REASONS: Words = {
    "game.ended": "the game would be over before it.",
    "riichi.short": "a player with riichi in it would have too few points for the riichi stick.",
    "tiles.other_winds": "its tiles were counted with the winds that its players had then; enter it again.",
    "win.no_paarenchan": "the dealer would not have kept the deal so often.",
}


NUMBERS_WORDS: Words = {"totals": "final scores", "differences": "differences"}


ABORT_WORDS: Words = {
    "kyuushu_kyuuhai": "nine terminals and honours",
    "suufon_renda": "four winds",
    "suucha_riichi": "four riichi",
    "suukaikan": "four kan",
    "sanchahou": "three ron",
}
WHY_WORDS: Words = {
    "hand": "hand",
    "pao": "liability",
    "honba": "honba",
    "deposit": "riichi stick",
    "returned": "own riichi stick back",
    "noten": "noten",
    "chombo": "chombo",
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
    """A hand in words: `what` happened, the `value`, who had riichi and whose hand was dead, transfers, changes."""

    name: str
    honba_and_sticks: str
    what: str
    value: str
    riichi: str
    transfers: tuple[Transfer, ...]
    seats: tuple[SeatDelta, ...]

    @property
    def pays(self) -> tuple[str, ...]:
        """The payments, a line for each."""
        names = [seat.name for seat in self.seats]
        return tuple(_payment(transfer, names) for transfer in self.transfers)

    @property
    def say(self) -> str:
        """The whole in one sentence."""
        what = _("%(what)s: %(value)s") % {"what": self.what, "value": self.value} if self.value else self.what
        return join_sentences((what, self.riichi))


def read_back(hand: Hand, names: Sequence[str], rules: Ruleset) -> Readback:
    """Put a played hand into words; `names` are the players by seat."""
    before, winds = hand.before, hand.before.winds
    return Readback(
        name=hand_name(before),
        honba_and_sticks=honba_and_sticks(before),
        what=what_happened(hand.entry, before, names),
        value=value_of(hand.entry, before, names, rules),
        riichi=join_sentences((riichi_of(hand.entry, names), dead_of(hand.entry, names))),
        transfers=hand.transfers,
        seats=tuple(
            SeatDelta(seat + 1, name, winds[seat], hand.deltas[seat], hand.after.scores[seat])
            for seat, name in enumerate(names)
        ),
    )


def hand_name(state: TableState) -> str:
    """Name the hand about to be played at a state.

    >>> hand_name(TableState((0, 0, 0), dealer=1, round=1))
    'South 2'
    """
    return name_of_hand(state.round_wind, state.kyoku)


def honba_and_sticks(state: TableState) -> str:
    """Say the honba and riichi sticks on the table; nothing where there are none."""
    parts = []
    if state.honba:
        parts.append(plural_text("%(count)d honba", "%(count)d honba", state.honba))
    if state.sticks:
        parts.append(plural_text("%(count)d riichi stick", "%(count)d riichi sticks", state.sticks))
    return " · ".join(parts)


def what_happened(entry: Entry, before: TableState, names: Sequence[str]) -> str:
    """Say who did what, players by name with seat number and wind."""
    winds = before.winds

    def who(seat: int) -> str:
        said = {"name": names[seat], "seat": seat + 1, "wind": wind_word(winds[seat])}
        return _("%(name)s (%(seat)d, %(wind)s)") % said

    match entry:
        case Ron():
            return _("%(who)s ron from %(loser)s") % {
                "who": _all(who(win.seat) for win in entry.winners),
                "loser": who(entry.loser),
            }
        case Tsumo():
            return _("%(who)s wins by tsumo") % {"who": who(entry.win.seat)}
        case Draw():
            tenpai = _all(map(who, sorted(entry.tenpai)))
            return _("Draw, tenpai: %(who)s") % {"who": tenpai} if tenpai else _("Draw, nobody tenpai")
        case Nagashi():
            return _("Nagashi mangan: %(who)s") % {"who": _all(map(who, entry.winners))}
        case Abort():
            return _("Abortive draw: %(why)s") % {"why": _(ABORT_WORDS.get(entry.reason, entry.reason))}
        case Chombo():
            return _("Chombo: %(who)s. The hand is dealt again") % {"who": _all(map(who, entry.offenders))}
        case Correction():
            moved = join_commas(f"{names[seat]} {signed(delta)}" for seat, delta in enumerate(entry.deltas) if delta)
            return _("Correction: %(moved)s (%(why)s)") % {"moved": moved, "why": entry.reason}
        case Totals():
            return _("Final scores from the sheet")
    raise TypeError(f"no words for {type(entry).__name__}")


def value_of(entry: Entry, before: TableState, names: Sequence[str], rules: Ruleset) -> str:
    """Say what each winner's hand is worth, honba and riichi sticks aside, and who is liable; nothing where nobody won.

    Several winners are named, each with his own value.
    """
    wins = entry.winners if isinstance(entry, Ron | Tsumo) else ()
    values = [_with_liable(_win_value(win, entry, before, rules), win, names) for win in wins]
    if len(wins) > 1:
        values = [f"{names[win.seat]} {value}" for win, value in zip(wins, values, strict=True)]
    return join_spaced(values)


def _with_liable(value: str, win: Win, names: Sequence[str]) -> str:
    return value if win.pao is None else join_commas((value, _("%(name)s is liable") % {"name": names[win.pao]}))


def riichi_of(entry: Entry, names: Sequence[str]) -> str:
    """Say who put a riichi stick down."""
    return _("Riichi: %(who)s") % {"who": _all(names[seat] for seat in sorted(entry.riichi))} if entry.riichi else ""


def dead_of(entry: Entry, names: Sequence[str]) -> str:
    """Say whose hand was dead."""
    return _("Dead hand: %(who)s") % {"who": _all(names[seat] for seat in sorted(entry.dead))} if entry.dead else ""


def _win_value(win: Win, entry: Entry, before: TableState, rules: Ruleset) -> str:
    from scoring.chips import chips_of
    from scoring.payments import payment_at

    tsumo = isinstance(entry, Tsumo)
    base = base_points(win, rules)
    limit = None if (win.yakuman or 0) > 1 else limit_name(base, rules)  # "double yakuman" names it already
    payment = payment_at(base, rules, tsumo=tsumo, deals=win.seat == before.dealer)
    if payment.ron is not None:
        paid = points(payment.ron)
    elif payment.dealer:
        paid = f"{points(payment.others)}/{points(payment.dealer)}"
    else:
        paid = _("%(points)s all") % {"points": points(payment.others)}
    chips = chips_of(win, rules, tsumo=tsumo) if rules.chip_points else 0
    each = plural_text("%(count)d chip", "%(count)d chips", chips) if chips else ""
    value = "" if win.yakuman == 1 else value_words(win)
    return join_commas(part for part in (value, _(limit) if limit else "", paid, each) if part)


def _payment(transfer: Transfer, names: Sequence[str]) -> str:
    payer = names[transfer.payer] if transfer.payer is not None else pgettext("where riichi sticks lie", "table")
    receiver = (
        names[transfer.receiver] if transfer.receiver is not None else pgettext("where riichi sticks lie", "table")
    )
    said = {"payer": payer, "receiver": receiver, "points": points(transfer.points), "why": _(WHY_WORDS[transfer.why])}
    return _("%(payer)s → %(receiver)s %(points)s (%(why)s)") % said


def _all(words: Iterable[str]) -> str:
    return join_and(list(words))
