"""A hand in one line, as players tell it: "Eszter tsumo 1,000/2,000"."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.entries import Abort, Chombo, Correction, Draw, Nagashi, Ron, Totals, Tsumo, Win
from scoring.game import Hand
from scoring.payments import payment_at
from scoring.value import base_points, limit_name
from tournament.text.languages import listed
from tournament.text.numbers_formatting import wind_initial
from tournament.text.readback import ABORT_WORDS, say_amount

LONG = 14  # letters of a name that still fits on a phone's line


def short_names(names: Sequence[str]) -> list[str]:
    """Return names for one line: the first word of a long one, where no other at the table begins with it.

    >>> short_names(["Maximiliane-Theodora von Hohenwaldenburg", "Ada Moss", "Birk Hohenwaldenburg", "Birk Elmenhorst"])
    ['Maximiliane-Theodora', 'Ada Moss', 'Birk Hohenwaldenburg', 'Birk Elmenhorst']
    """
    first = [name.split(" ", 1)[0] for name in names]
    return [one if len(name) > LONG and first.count(one) == 1 else name for name, one in zip(names, first, strict=True)]


def hand_number(hand: Hand) -> str:
    """Name a hand in short: "E1"."""
    return _("%(wind)s%(kyoku)d") % {"wind": wind_initial(hand.before.round_wind), "kyoku": hand.before.kyoku}


def say_brief(hand: Hand, names: Sequence[str], rules: Ruleset) -> str:
    """Say what happened and what it was worth, honba and riichi sticks aside."""
    entry, names = hand.entry, short_names(names)
    match entry:
        case Ron():
            return _ron(entry, hand, names, rules)
        case Tsumo():
            return _("%(who)s tsumo %(points)s") % {
                "who": names[entry.win.seat],
                "points": _points(entry.win, hand, rules),
            }
        case Draw():
            tenpai = listed([names[seat] for seat in sorted(entry.tenpai)])
            return _("Draw, tenpai: %(who)s") % {"who": tenpai} if tenpai else _("Draw, nobody tenpai")
        case Nagashi():
            return _("Nagashi mangan: %(who)s") % {"who": listed([names[seat] for seat in entry.winners])}
        case Abort():
            return _("Abortive draw: %(why)s") % {"why": _(ABORT_WORDS.get(entry.reason, entry.reason))}
        case Chombo():
            return _("Chombo: %(who)s") % {"who": listed([names[seat] for seat in sorted(entry.offenders)])}
        case Correction():
            return _("Correction")
        case Totals():
            return _("Final scores from the sheet")
    raise TypeError(f"no words for {type(entry).__name__}")


def gains(hand: Hand) -> list[int]:
    """Return what a hand brought its winners, or those who gained by a draw; nothing where nobody did."""
    return sorted({delta for delta in hand.deltas if delta > 0}, reverse=True)


def _ron(entry: Ron, hand: Hand, names: Sequence[str], rules: Ruleset) -> str:
    said = [(names[win.seat], _points(win, hand, rules)) for win in entry.winners]
    loser = names[entry.loser]
    if len(said) == 1:
        return _("%(who)s ron from %(loser)s %(points)s") % {"who": said[0][0], "loser": loser, "points": said[0][1]}
    return _("%(who)s ron from %(loser)s") % {"who": listed([" ".join(each) for each in said]), "loser": loser}


def _points(win: Win, hand: Hand, rules: Ruleset) -> str:
    base, tsumo = base_points(win, rules), isinstance(hand.entry, Tsumo)
    limit = None if (win.yakuman or 0) > 1 else limit_name(base, rules)
    paid = say_amount(payment_at(base, rules, tsumo=tsumo, deals=win.seat == hand.before.dealer))
    return f"{_(limit)} {paid}" if limit else paid
