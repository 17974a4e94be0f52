"""The hand form put together: the kinds that the rules know, a row for each player, what is ticked. No judging."""

from typing import Any

from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.check_win import MOST_YAKUMAN
from scoring.fu import possible_fu
from scoring.value import MANGAN_HAN
from tournament.selectors.tables.tables import LoadedTable
from web.hands.hand_fields import YAKUMAN, Fields
from web.words.readback import ABORT_WORDS

MOST_HAN_OFFERED = 13

Choice = tuple[str, str]


def form_context(table: LoadedTable, typed: Fields) -> dict[str, Any]:
    """Return what hands/table_form.html shows, with what was typed still ticked and chosen."""
    rules = table.rules
    return {
        "kinds": [(kind, word, kind == typed.get("kind", "")) for kind, word in kinds(rules)],
        "aborts": [(name, ABORT_WORDS[name], name == typed.get("abort", "")) for name in rules.abortive_draws],
        "liable": bool(rules.pao),
        "rows": [_row(table, seat, typed) for seat in range(rules.players)],
        "said": typed.get("said", "")[:40],
        "note": typed.get("note", "")[:200],
    }


def kinds(rules: Ruleset) -> list[Choice]:
    """List what can happen under these rules."""
    nagashi = [("nagashi", _("Nagashi mangan"))] if rules.nagashi != "none" else []
    abort = [("abort", _("Abortive draw"))] if rules.abortive_draws else []
    return [
        ("ron", _("Ron")),
        ("tsumo", _("Tsumo")),
        ("draw", _("Draw")),
        *nagashi,
        *abort,
        ("chombo", _("Chombo")),
    ]


def han_choices(rules: Ruleset, chosen: str) -> list[Choice]:
    """List the values to choose from: han, then yakuman; what is chosen already is always among them."""
    han = [(str(number), str(number)) for number in range(1, MOST_HAN_OFFERED + 1)]
    most = MOST_YAKUMAN if rules.yakuman_add_up else 1
    yakuman = [
        (f"{YAKUMAN}{count}", _("yakuman") if count == 1 else _("%(count)d yakuman") % {"count": count})
        for count in range(1, most + 1)
    ]
    known = {value for value, _word in [*han, *yakuman]}
    return [*han, *yakuman, *([(chosen, chosen)] if chosen and chosen not in known else [])]


def fu_choices(rules: Ruleset, chosen: str) -> list[str]:
    """List the fu that any hand below mangan can have; what is chosen already is always among them."""
    pair = rules.double_wind_pair_fu
    hands = ((han, tsumo) for han in range(1, MANGAN_HAN) for tsumo in (True, False))
    possible = {fu for han, tsumo in hands for fu in possible_fu(han, tsumo=tsumo, double_wind_pair_fu=pair)}
    return [*map(str, sorted(possible)), *([chosen] if chosen and chosen not in map(str, possible) else [])]


def _row(table: LoadedTable, seat: int, typed: Fields) -> dict[str, Any]:
    """Return one player's row: what is ticked for the seat, and the choices with the chosen one marked."""
    han, fu, pao, paid = (typed.get(f"{name}-{seat}", "") for name in ("han", "fu", "pao", "paid"))
    ticks = ("winner", "loser", "tenpai", "offenders", "riichi", "dead")
    ticked = {name: str(seat) in typed.getlist(name) for name in ticks}
    return {
        "seat": seat,
        "number": seat + 1,
        "name": table.seats[seat].name,
        **ticked,
        "han": [(value, word, value == han) for value, word in han_choices(table.rules, han)],
        "fu": [(value, value == fu) for value in fu_choices(table.rules, fu)],
        "paid": paid[:20],
        "pao": [
            (str(other.seat), other.seat + 1, str(other.seat) == pao) for other in table.seats if other.seat != seat
        ],
    }
