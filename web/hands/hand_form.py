"""A hand as submitted, one line of shorthand or a form with a row for each player: read, written back, and shown."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring import shorthand
from scoring.bare_han import MOST_BARE_HAN, refuse_bare_han
from scoring.check_win import MOST_YAKUMAN
from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Tsumo, Win, from_json
from scoring.fu import possible_fu
from scoring.paid import PaidWin, read_paid, written
from scoring.problems import InvalidInput, error
from scoring.value import MANGAN_HAN, most_of_one
from tournament.rights import Verb
from tournament.selectors.tables.tables import LoadedTable
from web.words.people import names_at
from web.words.readback import ABORT_WORDS

YAKUMAN = "y"
MOST_DIGITS = 6
TICKS = ("winner", "loser", "tenpai", "offenders", "riichi", "dead")


class Fields(Protocol):
    """A submitted form: one value or all values of a name."""

    def get(self, key: str, default: str, /) -> str: ...
    def getlist(self, key: str, /) -> list[str]: ...


def verb_for(entry: Entry | None, *, corrects: bool) -> Verb:
    """Return the verb that a hand needs; `corrects` where it replaces one, voids one or goes before one."""
    if corrects or isinstance(entry, Correction):
        return Verb.CORRECT_HANDS
    return Verb.RULE if isinstance(entry, Chombo) else Verb.ENTER_HANDS


# ---------------------------------------------------------------- reading


def read_hand(fields: Fields) -> Entry:
    """Return the entry of a submitted line or form; raises InvalidInput."""
    if fields.get("how", "line") != "form":
        return shorthand.parse(fields.get("line", ""))
    kind = fields.get("kind", "")
    entry = _with_payments(from_json({"kind": kind, **_parts(kind, fields), **_common(fields)}), fields)
    refuse_bare_han(entry)
    said = "".join(fields.get("said", "").replace(",", "").split())
    wins = isinstance(entry, Ron | Tsumo)  # for other kinds the field is hidden, but may still hold a text
    return replace(entry, announced=shorthand.announced_for(entry, said)) if said and wins else entry


def _parts(kind: str, fields: Fields) -> dict[str, Any]:
    match kind:
        case "ron":
            return {"loser": _number(fields, "loser", "form.loser_missing"), "winners": _wins(fields)}
        case "tsumo":
            return {"winners": _wins(fields)}
        case "draw":
            return {"tenpai": _seats(fields, "tenpai")}
        case "nagashi":
            return {
                "winners": [{"seat": seat} for seat in _seats(fields, "winner")],
                "tenpai": _seats(fields, "tenpai"),
            }
        case "abort":
            return {"reason": fields.get("abort", "")}
        case "chombo":
            return {"offenders": _seats(fields, "offenders")}
    raise InvalidInput([error("form.kind_missing")])


def _wins(fields: Fields) -> list[dict[str, Any]]:
    return [_win(fields, seat) for seat in _seats(fields, "winner")]


def _win(fields: Fields, seat: int) -> dict[str, Any]:
    han = fields.get(f"han-{seat}", "")
    win: dict[str, Any] = {"seat": seat}
    if _paid_text(fields, seat):
        if han or fields.get(f"fu-{seat}", ""):
            raise InvalidInput([error("paid.and_han", seat=seat)])
        win["han"] = 1  # a placeholder until _with_payments puts the payment in
    elif han.startswith(YAKUMAN):
        win["yakuman"] = _whole(han.removeprefix(YAKUMAN) or "1")
    else:
        win["han"] = _number(fields, f"han-{seat}", "form.han_missing", seat=seat)
        if fields.get(f"fu-{seat}", ""):
            win["fu"] = _whole(fields.get(f"fu-{seat}", ""))
    if fields.get(f"pao-{seat}", ""):
        win["pao"] = _whole(fields.get(f"pao-{seat}", ""))
    if fields.get(f"chips-{seat}", "").strip():
        win["chips"] = _whole(fields.get(f"chips-{seat}", "").strip())
    return win


def _with_payments(entry: Entry, fields: Fields) -> Entry:
    """Replace the value of each win for which a payment was typed."""
    if not isinstance(entry, Ron | Tsumo):
        return entry
    typed = [(win, _paid_text(fields, win.seat)) for win in entry.winners]
    wins = (
        PaidWin(seat=win.seat, paid=read_paid(text), pao=win.pao, chips=win.chips) if text else win
        for win, text in typed
    )
    return replace(entry, winners=tuple(wins))


def _paid_text(fields: Fields, seat: int) -> str:
    return fields.get(f"paid-{seat}", "").strip()


def _common(fields: Fields) -> dict[str, Any]:
    """Return the parts that any kind of entry may have."""
    values = {"riichi": _seats(fields, "riichi"), "dead": _seats(fields, "dead")}
    note = " ".join(fields.get("note", "").split())
    stops = {"stops": True} if fields.get("stops", "") else {}
    return {name: seats for name, seats in values.items() if seats} | ({"note": note} if note else {}) | stops


def _seats(fields: Fields, name: str) -> list[int]:
    return [_whole(value) for value in fields.getlist(name)]


def _number(fields: Fields, name: str, missing: str, **params: int) -> int:
    text = fields.get(name, "")
    if not text:
        raise InvalidInput([error(missing, **params)])
    return _whole(text)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise InvalidInput([error("form.not_a_number", value=text[:20])])
    return int(text)


# ---------------------------------------------------------------- writing


def fields_of(entry: Entry | None) -> Fields:
    """Return an entry as a submitted form; empty for none, or a kind that the form lacks."""
    return MultiValueDict(write_fields(entry) if entry else {})


def write_fields(entry: Entry) -> dict[str, list[str]]:
    """Return the fields that `read_hand` reads back as this entry: name → values.

    >>> write_fields(Draw(tenpai=(0, 2), riichi=(2,)))
    {'kind': ['draw'], 'tenpai': ['0', '2'], 'riichi': ['2']}
    """
    fields = _own_fields(entry)
    if not fields:
        return {}
    said = shorthand.said_of(entry)
    common = {
        "riichi": _texts(entry.riichi),
        "dead": _texts(entry.dead),
        "said": [said] if said else [],
        "note": [entry.note] if entry.note else [],
        "stops": ["on"] if entry.stops else [],
    }
    return {name: values for name, values in ({"kind": [entry.kind]} | fields | common).items() if values}


def _own_fields(entry: Entry) -> dict[str, list[str]]:
    match entry:
        case Ron():
            return {"loser": [str(entry.loser)]} | _write_wins(entry.winners)
        case Tsumo():
            return _write_wins(entry.winners)
        case Draw():
            return {"tenpai": _texts(entry.tenpai)}
        case Nagashi():
            return {"winner": _texts(entry.winners), "tenpai": _texts(entry.tenpai)}
        case Abort():
            return {"abort": [entry.reason]}
        case Chombo():
            return {"offenders": _texts(entry.offenders)}
    return {}


def _write_wins(wins: Sequence[Win]) -> dict[str, list[str]]:
    fields = {"winner": _texts([win.seat for win in wins])}
    for win in wins:
        fields[f"pao-{win.seat}"] = [] if win.pao is None else [str(win.pao)]
        fields[f"chips-{win.seat}"] = [] if win.chips is None else [str(win.chips)]
        if isinstance(win, PaidWin):
            fields[f"paid-{win.seat}"] = [written(win.paid)]
            continue
        fields[f"han-{win.seat}"] = [f"{YAKUMAN}{win.yakuman}" if win.yakuman else str(win.han)]
        fields[f"fu-{win.seat}"] = [str(win.fu)] if win.fu else []
    return fields


def _texts(seats: Sequence[int]) -> list[str]:
    return [str(seat) for seat in seats]


# ---------------------------------------------------------------- showing


def form_context(table: LoadedTable, typed: Fields) -> dict[str, Any]:
    """Return what hands/table_form.html shows, with what was typed ticked and chosen."""
    rules = table.rules
    return {
        "kinds": [(kind, word, kind == typed.get("kind", "")) for kind, word in _kinds(rules)],
        "aborts": [(name, ABORT_WORDS[name], name == typed.get("abort", "")) for name in rules.abortive_draws],
        "liable": bool(rules.pao),
        "chips": bool(rules.chip_points),
        "choice": rules.yame_choice,
        "stops": bool(typed.get("stops", "")),
        "rows": [_row(table, seat, typed) for seat in range(rules.players)],
        "said": typed.get("said", "")[:40],
        "note": typed.get("note", "")[:200],
    }


def _kinds(rules: Ruleset) -> list[tuple[str, str]]:
    """List what can happen under these rules."""
    nagashi = [("nagashi", _("Nagashi mangan"))] if rules.nagashi != "none" else []
    abort = [("abort", _("Abortive draw"))] if rules.abortive_draws else []
    always = [("ron", _("Ron")), ("tsumo", _("Tsumo")), ("draw", _("Draw"))]
    return [*always, *nagashi, *abort, ("chombo", _("Chombo"))]


def _han_choices(rules: Ruleset, chosen: str) -> list[tuple[str, str]]:
    """List the values to choose from, han and yakuman, always with the chosen one."""
    han = [(str(number), str(number)) for number in range(1, MOST_BARE_HAN + 1)]
    most = MOST_YAKUMAN if rules.yakuman_add_up else most_of_one(rules)
    yakuman = [
        (f"{YAKUMAN}{count}", _("yakuman") if count == 1 else _("%(count)d yakuman") % {"count": count})
        for count in range(1, most + 1)
    ]
    choices = dict([*han, *yakuman])
    return list(({**choices, chosen: choices.get(chosen, chosen)} if chosen else choices).items())


def _fu_choices(rules: Ruleset, chosen: str) -> list[str]:
    """List the fu that a hand below mangan can have, always with the chosen one."""
    hands = ((han, tsumo) for han in range(1, MANGAN_HAN) for tsumo in (True, False))
    possible = {fu for han, tsumo in hands for fu in possible_fu(han, rules, tsumo=tsumo)}
    return [*map(str, sorted(possible)), *([chosen] if chosen and chosen not in map(str, possible) else [])]


def _row(table: LoadedTable, seat: int, typed: Fields) -> dict[str, Any]:
    """Return one player's row: the ticks of the seat, and the choices with the chosen one marked."""
    han, fu, pao, paid = (typed.get(f"{name}-{seat}", "") for name in ("han", "fu", "pao", "paid"))
    others = [str(other.seat) for other in table.seats if other.seat != seat]
    return {
        "seat": seat,
        "number": seat + 1,
        "name": names_at(table)[seat],
        **{name: str(seat) in typed.getlist(name) for name in TICKS},
        "han": [(value, word, value == han) for value, word in _han_choices(table.rules, han)],
        "fu": [(value, value == fu) for value in _fu_choices(table.rules, fu)],
        "paid": paid[:20],
        "chips": typed.get(f"chips-{seat}", "")[:4],
        "pao": [(other, int(other) + 1, other == pao) for other in others],
    }
