"""A number of han without fu: taken up to thirteen. A larger one is a lost digit far more often than a hand."""

from dataclasses import replace

from rules.ruleset import Ruleset
from scoring.entries import Entry, Ron, Tsumo
from scoring.fu import fu_of_any_rules, possible_fu
from scoring.problems import InvalidInput, Problem, ProblemType
from scoring.value import MANGAN_HAN

SHORTHAND_HAN_TOO_MANY = ProblemType(
    "shorthand.han_too_many", "{value} is not a hand: han go up to {most}. Did you mean {meant}?"
)

MAX_BARE_HAN = 13
_OFFERED = 2


def bare_han_problem(typed: str, *, tsumo: bool) -> Problem:
    """Return the problem of digits that make more than thirteen han.

    >>> bare_han_problem("34", tsumo=False).params["meant"]
    ('340',)
    """
    return SHORTHAND_HAN_TOO_MANY(value=typed, most=MAX_BARE_HAN, meant=meant_by(typed, tsumo=tsumo))


def meant_by(typed: str, *, tsumo: bool) -> tuple[str, ...]:
    """Return the two likeliest values that digits stand for: with a lost digit, else with one too many.

    A lost last digit comes first, then the number nearest to what was typed.

    >>> meant_by("25", tsumo=False), meant_by("20", tsumo=True), meant_by("3340", tsumo=False)
    (('250', '225'), ('220', '230'), ('330', '340'))
    """
    legal = [*_below_mangan(tsumo=tsumo), *(str(han) for han in range(MANGAN_HAN, MAX_BARE_HAN + 1))]
    lost = sorted((text for text in legal if _lacks_one(typed, text)), key=lambda text: not text.startswith(typed))
    doubled = [text for text in legal if _lacks_one(text, typed)]
    near = sorted(legal, key=lambda text: (text[0] != typed[0], abs(len(text) - len(typed)), text))
    return tuple(dict.fromkeys(lost or doubled or near))[:_OFFERED]


def refuse_bare_han(entry: Entry) -> None:
    """Raise InvalidInput for a win of more than thirteen han that names neither fu, yaku nor tiles."""
    for win in entry.winners if isinstance(entry, Ron | Tsumo) else ():
        if win.han > MAX_BARE_HAN and not win.fu and win.yaku is None and win.hand is None:
            raise InvalidInput([bare_han_problem(str(win.han), tsumo=isinstance(entry, Tsumo))])


def nearest_fu(entry: Ron | Tsumo, rules: Ruleset) -> list[Ron | Tsumo]:
    """Return a hand with the one or two nearest possible fu in place of impossible ones; none if all are possible.

    >>> from rules.books import load
    >>> from scoring.entries import Win
    >>> [each.winners[0].fu for each in nearest_fu(Tsumo(winners=(Win(seat=0, han=3, fu=37),)), load("ema-2025"))]
    [40, 30]
    """
    tsumo, found = isinstance(entry, Tsumo), []
    for at, win in enumerate(entry.winners):
        riichi = win.seat in entry.riichi
        known = possible_fu(win.han, rules, tsumo=tsumo, riichi=riichi)
        near = sorted(known, key=lambda fu: abs(fu - win.fu))[:_OFFERED] if win.fu and win.fu not in known else []
        for fu in near:
            wins = (*entry.winners[:at], replace(win, fu=fu), *entry.winners[at + 1 :])
            found.append(replace(entry, winners=wins))
    return found


def _below_mangan(*, tsumo: bool) -> list[str]:
    """Return every han and fu below five han, fewest han first and 30 fu before rarer ones."""
    return [f"{han}{fu}" for han in range(1, MANGAN_HAN) for fu in sorted(fu_of_any_rules(han, tsumo=tsumo))]


def _lacks_one(short: str, whole: str) -> bool:
    """Tell whether a text is another one without one of its characters."""
    return short in {whole[:at] + whole[at + 1 :] for at in range(len(whole))}
