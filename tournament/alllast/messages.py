"""What a player needs, in the words that players use: 5,200; 1,300/2,600; mangan; any win; tenpai alone.

Honba and riichi sticks are never in a hand's name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.alllast import DrawCase, Price
from tournament.text.languages import join_and
from tournament.text.numbers import points, wind_word

MAX_NAMED = 2  # seats in what is said of draws: more cannot be read at a glance


@dataclass(frozen=True, slots=True)
class NeedOption:
    """One way to a place: `main` is the hand or draw that it takes, `sub` its points or han, `note` a tie.

    `state` is "any" where any win or draw of that kind is enough, "none" where no one is.
    """

    name: str
    main: str
    sub: str = ""
    note: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class PlaceWays:
    """The ways to a place or a better one, two lines at most; `state` is that of all ways where they have the same."""

    place: str
    lines: tuple[tuple[NeedOption, ...], ...]
    state: str


@dataclass(frozen=True, slots=True)
class SeatCard:
    """A player in the last hand, with the ways to each place.

    Left out are the last place and places that need the same as the better one.
    """

    seat: int
    number: int
    name: str
    wind: str
    score: int
    place: str
    deals: bool
    riichi: bool
    goals: tuple[PlaceWays, ...]
    mine: bool = False


def pays_text(price: Price) -> str:
    """Say what a hand costs as it is called out: by ron, by tsumo the others and the dealer, or each."""
    payment = price.payment
    if payment.ron is not None:
        return points(payment.ron)
    if payment.dealer:
        return f"{points(payment.others)}/{points(payment.dealer)}"
    return _("%(points)s all") % {"points": points(payment.others)}


def limit_text(name: str | None) -> str:
    """Name the limit of a hand; nothing below mangan."""
    return _(name) if name else ""


def han_text(price: Price) -> str:
    """Say the han and fu of the cheapest such hand; only han from mangan on."""
    if price.yakuman:
        return ""
    if price.han > 4 or not price.fu:
        return _("%(han)d han") % {"han": price.han}
    return _("%(han)d han %(fu)d fu") % {"han": price.han, "fu": price.fu}


def any_win() -> str:
    """Say that the cheapest hand does."""
    return pgettext("what a player needs", "any win")


def tie_text(clear: str) -> str:
    """Say that the hand ties, and which does more, "" for none."""
    if clear:
        return _("tie; %(hand)s to win outright") % {"hand": clear}
    return pgettext("of a place", "tie")


def draw_tie_text(*, always: bool) -> str:
    """Say that the draws that do share the place, all of them or some."""
    return pgettext("of a place", "tie") if always else pgettext("of a place", "at worst a tie")


def tsumo_text() -> str:
    """Name the way by one of the player's own draws."""
    return _("Tsumo")


def any_ron_text() -> str:
    """Name the way by a ron from any player."""
    return pgettext("what a player needs", "Any ron")


def direct_hit_text(winds: Sequence[str]) -> str:
    """Name the way by a ron from the players with these winds."""
    return _("Direct hit from %(winds)s") % {"winds": join_and([wind_word(wind) for wind in winds])}


def draw_text() -> str:
    """Name the way by a hand that nobody wins."""
    return pgettext("end of a hand", "Draw")


def any_draw() -> str:
    """Say that any hand which nobody wins does."""
    return _("any draw")


def some_draws() -> str:
    """Say that only draws lead there, and which cannot be said in few words."""
    return _("only some draws")


def draws_text(cases: Sequence[DrawCase], seat: int, winds: Sequence[str]) -> str:
    """Say which draws do for a seat, "" where that cannot be read at a glance; `winds` by seat.

    >>> cases = [DrawCase((1,), (0, 2)), DrawCase((1,), ()), DrawCase((1,), (0,)), DrawCase((), (1,))]
    >>> [draws_text([case], 1, "ESW") for case in cases]
    ['tenpai alone', 'tenpai', 'tenpai and East noten', 'noten']
    >>> draws_text([DrawCase((1,), (0,)), DrawCase((1,), (2,))], 1, "ESW")
    'tenpai, unless everybody is'
    >>> draws_text([DrawCase((1,), (0,)), DrawCase((), (0, 2))], 1, "ESW")
    ''
    """
    others = [other for other in range(len(winds)) if other != seat]
    if list(cases) == [DrawCase((seat,), tuple(others))]:
        return _("tenpai alone")
    if len(others) > 1 and set(cases) == {DrawCase((seat,), (other,)) for other in others}:
        return _("tenpai, unless everybody is")
    if sum(len(case.tenpai) + len(case.noten) for case in cases) > MAX_NAMED:
        return ""
    return pgettext("between ways to a place", " or ").join(_case_text(case, seat, winds) for case in cases)


def _case_text(case: DrawCase, seat: int, winds: Sequence[str]) -> str:
    said = [_("tenpai")] if seat in case.tenpai else [pgettext("not tenpai", "noten")] if seat in case.noten else []
    said += [_("%(name)s tenpai") % {"name": wind_word(winds[other])} for other in case.tenpai if other != seat]
    said += [_("%(name)s noten") % {"name": wind_word(winds[other])} for other in case.noten if other != seat]
    return join_and(said)


def ranks_base_text(playing: Sequence[int], unknown: Sequence[tuple[int, int]]) -> str:
    """Say what the places in the standings rest on: every other table signed, as they stand now, or nothing."""
    if unknown:
        tables = join_and(
            [_("round %(round)d, table %(table)d") % {"round": at, "table": table} for at, table in unknown]
        )
        return _("Places in the standings are not known yet. Missing: %(tables)s.") % {"tables": tables}
    if playing:
        numbers = join_and([str(number) for number in playing])
        return _("If these tables end as they stand now: %(tables)s. They are not signed yet.") % {"tables": numbers}
    return _("Every other table of the last round is signed.")
