"""What a player needs, in the words that players use: 5,200; 1,300/2,600; mangan; any win; tenpai alone.

Honba and riichi sticks are never in a hand's name.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.alllast import DrawCase, Price
from tournament.text.languages import listed
from tournament.text.numbers import points


def say_pays(price: Price) -> str:
    """Say what a hand costs as it is called out: by ron, by tsumo the others and the dealer, or each."""
    payment = price.payment
    if payment.ron is not None:
        return points(payment.ron)
    if payment.dealer:
        return f"{points(payment.others)}/{points(payment.dealer)}"
    return _("%(points)s all") % {"points": points(payment.others)}


def say_limit(name: str | None) -> str:
    """Name the limit of a hand; nothing below mangan."""
    return _(name) if name else ""


def say_han(price: Price) -> str:
    """Say the han and fu of the cheapest such hand; only han from mangan on."""
    if price.yakuman:
        return ""
    if price.han > 4 or not price.fu:
        return _("%(han)d han") % {"han": price.han}
    return _("%(han)d han %(fu)d fu") % {"han": price.han, "fu": price.fu}


def any_win() -> str:
    """Say that the cheapest hand does."""
    return pgettext("what a player needs", "any win")


def no_way() -> str:
    """Say that not even a yakuman does."""
    return pgettext("what a player needs", "not even with a yakuman")


def say_tie(clear: str) -> str:
    """Say that the hand ties, and which does more, "" for none."""
    if clear:
        return _("tie; %(hand)s to win outright") % {"hand": clear}
    return pgettext("of a place", "tie")


def say_exact(points: str, *, tie: bool) -> str:
    """Say that a rare hand, cheaper than the common one beside it, is enough too."""
    return (
        _("exactly %(points)s ties") % {"points": points}
        if tie
        else _("exactly %(points)s is enough") % {"points": points}
    )


def say_draw_tie(where: str) -> str:
    """Say after which of the draws that do the place is shared, "" for all of them."""
    return _("tie if %(draws)s") % {"draws": where} if where else pgettext("of a place", "tie")


def say_tsumo() -> str:
    """Name the way by one of the player's own draws."""
    return _("Tsumo")


def say_any_ron() -> str:
    """Name the way by a ron from any player."""
    return pgettext("what a player needs", "Any ron")


def say_any_way() -> str:
    """Name the way by a tsumo, or a ron from any player."""
    return _("Tsumo or ron")


def say_direct_hit() -> str:
    """Name the way by a ron from one player, whose wind stands beside it."""
    return pgettext("what a player needs", "Direct hit")


def say_ron(names: Sequence[str], everybody: int) -> str:
    """Name the way by one of these discards; `everybody` is how many could discard."""
    if len(names) == everybody:
        return _("Ron from anyone")
    return _("Ron from %(names)s") % {"names": listed(names)}


def say_draw() -> str:
    """Name the way by a hand that nobody wins."""
    return pgettext("end of a hand", "Draw")


def say_draws(cases: Sequence[DrawCase], seat: int, names: Sequence[str]) -> str:
    """Say which draws do for a seat.

    >>> cases = [DrawCase((1,), (0, 2)), DrawCase((1,), ()), DrawCase((1,), (0,)), DrawCase((), ())]
    >>> [say_draws([case], 1, ["Ito", "Berg", "Sato"]) for case in cases]
    ['tenpai alone', 'tenpai', 'tenpai and Ito noten', 'any draw']
    >>> say_draws([DrawCase((1,), (0,)), DrawCase((1,), (2,))], 1, ["Ito", "Berg", "Sato"]), say_draws([], 1, ["Ito"])
    ('tenpai, unless everybody is', 'not by a draw')
    """
    if not cases:
        return pgettext("what a player needs", "not by a draw")
    others = [other for other in range(len(names)) if other != seat]
    if len(others) > 1 and set(cases) == {DrawCase((seat,), (other,)) for other in others}:
        return _("tenpai, unless everybody is")
    return pgettext("between ways to a place", " or ").join(_say_case(case, seat, names) for case in cases)


def _say_case(case: DrawCase, seat: int, names: Sequence[str]) -> str:
    if not case.tenpai and not case.noten:
        return _("any draw")
    if case.tenpai == (seat,) and len(case.noten) == len(names) - 1:
        return _("tenpai alone")
    said = [_("tenpai")] if seat in case.tenpai else [pgettext("not tenpai", "noten")] if seat in case.noten else []
    said += [_("%(name)s tenpai") % {"name": names[other]} for other in case.tenpai if other != seat]
    said += [_("%(name)s noten") % {"name": names[other]} for other in case.noten if other != seat]
    return listed(said)


def say_ranks_base(playing: Sequence[int], unknown: Sequence[tuple[int, int]]) -> str:
    """Say what the places in the standings rest on: every other table signed, as they stand now, or nothing."""
    if unknown:
        tables = listed(
            [_("round %(round)d, table %(table)d") % {"round": at, "table": table} for at, table in unknown]
        )
        return _("Places in the standings are not known yet. Missing: %(tables)s.") % {"tables": tables}
    if playing:
        numbers = listed([str(number) for number in playing])
        return _("If these tables end as they stand now: %(tables)s. They are not signed yet.") % {"tables": numbers}
    return _("Every other table of the last round is signed.")
