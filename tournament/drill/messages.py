"""Words for the drill: what is asked, the answers on offer, the slip behind a wrong one, the rules that decide."""

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _

from rules.fouls import Case
from rules.ruleset import Ruleset
from scoring.drill import FoulAsked, HandAsked, Option, PaymentAsked, Question, Worth
from scoring.entries import Draw, Entry, Nagashi, Ron, Tsumo, Win
from scoring.hand import FLAGS, WinningHand
from scoring.state import TableState
from tournament.penalties.messages import say_case
from tournament.text.fouls import say_foul
from tournament.text.hands import CAUSES, CONDITIONS, yaku_name
from tournament.text.languages import Words, join_and, join_commas, join_sentences, plural_text
from tournament.text.numbers import wind_word
from tournament.text.readback import riichi_of, say_amount, say_worth, value_words
from tournament.text.rules import rule_name

KIND_WORDS: Words = {"value": "Value a hand", "pay": "Pay a hand", "foul": "Rule on a foul"}
ASKS: Words = {
    "value": "What is this hand worth, without honba?",
    "pay": "What does each player gain or lose, riichi sticks included?",
    "foul": "What does the referee rule?",
}
# a slip that leads to a wrong answer, beside those of a wrongly announced payment
SLIPS: Words = {
    "lower_reading": "is there a reading of the tiles that pays more?",
    "dora_forgotten": "were the dora forgotten?",
    "limit_more": "is this limit too high?",
    "limit_less": "is this limit too low?",
    "deposits_forgotten": "were the riichi sticks on the table forgotten?",
    "own_deposit_forgotten": "were the riichi sticks of this hand forgotten?",
    "tenpai_reversed": "who pays whom: noten or tenpai?",
    "deposits_to_another": "who of several winners gets the riichi sticks?",
    "honba_to_another": "who of several winners gets the honba?",
    "pool_of_others": "how much do noten players pay in total?",
    "tsumo_loss_mixed": "who pays the share of the missing North?",
    "pao_honba_mixed": "who pays the honba of a liable hand?",
    "honba_of_others": "how much is one honba on a ron?",
    "honba_each_mixed": "how much is one honba from each payer?",
    "nagashi_mixed": "is nagashi mangan a win or a draw here?",
    "other_case": "this is the rule for another case of the same foul.",
    "beside": "this is the other list’s penalty.",
    "other_foul": "this is the rule for another foul.",
}
# rules that a question names otherwise than the list of rules: no field, and the field of the limits
RULES: Words = {"": "clause", "limits": "table of values"}


class Clause(NamedTuple):
    """A rule that decides: its name, where it is stated, and whether that is our own reading.

    `text` is empty for a value of an event's own.
    """

    name: str
    text: str
    ours: bool


def seat_words(players: int) -> list[str]:
    """Name the seats of a question, in which seat 0 deals.

    >>> seat_words(3)
    ['East', 'South', 'West']
    """
    return [wind_word(wind) for wind in "ESWN"[:players]]


def facts_text(question: Question, rules: Ruleset) -> list[str]:
    """Say what happened, a line each."""
    match question.asked:
        case HandAsked(hand):
            return [_won(hand)]
        case PaymentAsked(entry, state):
            names = seat_words(rules.players)
            return [line for line in (_happened(entry, names), riichi_of(entry, names), _on_table(state)) if line]
        case FoulAsked(foul, case):
            return [say_foul(text) for text in (foul.what, case.when) if text]


def option_text(option: Option) -> str:
    """Say an answer; nothing for changes, which are shown seat by seat."""
    answer = option.answer
    if isinstance(answer, Worth):
        return f"{say_worth(answer)} · {say_amount(answer.payment)}"
    if isinstance(answer, Case):
        return say_case(dataclasses.replace(answer, when=""))
    return ""


def slip_text(cause: str) -> str:
    """Say which slip leads to an answer; nothing for the right one."""
    return _(SLIPS.get(cause) or CAUSES[cause]) if cause else ""


def clauses_text(question: Question) -> list[Clause]:
    """List the rules that decide a question with their clauses."""
    return [
        Clause(
            _(RULES[field]) if field in RULES else rule_name(field),
            citation.text if citation else "",
            bool(citation and citation.ours),
        )
        for field, citation in question.cited
    ]


def _won(hand: WinningHand) -> str:
    """Say how a hand was won: winds, by ron or tsumo, conditions."""
    winds = [
        _("{wind} round").format(wind=wind_word(hand.round_wind - 27)),
        _("{wind} seat").format(wind=wind_word(hand.seat_wind - 27)),
    ]
    flags = [name for name in FLAGS if getattr(hand, name)]
    riichi = {0: "", 1: _(CONDITIONS["riichi"]), 2: yaku_name("double_riichi")}[hand.riichi]
    won = _("tsumo") if hand.tsumo else _("ron")
    return join_commas(word for word in (*winds, won, riichi, *(_(CONDITIONS[name]) for name in flags)) if word)


def _happened(entry: Entry, names: list[str]) -> str:
    match entry:
        case Ron():
            said = _("%(who)s ron from %(loser)s")
            return join_sentences(
                _valued(said % {"who": names[win.seat], "loser": names[entry.loser]}, win, names)
                for win in entry.winners
            )
        case Tsumo():
            return _valued(_("%(who)s wins by tsumo") % {"who": names[entry.win.seat]}, entry.win, names)
        case Draw():
            return _("Draw, tenpai: %(who)s") % {"who": join_and([names[seat] for seat in entry.tenpai])}
        case Nagashi():
            tenpai = join_and([names[seat] for seat in entry.tenpai]) or _("nobody")
            return join_sentences(
                (
                    _("Nagashi mangan: %(who)s") % {"who": join_and([names[seat] for seat in entry.winners])},
                    _("Tenpai: %(who)s") % {"who": tenpai},
                )
            )
    raise TypeError(f"no words for {type(entry).__name__}")


def _valued(what: str, win: Win, names: list[str]) -> str:
    return _("%(what)s: %(value)s") % {"what": what, "value": _value(win, names)}


def _value(win: Win, names: list[str]) -> str:
    said = value_words(win)
    if win.pao is None:
        return said
    yaku = join_and([yaku_name(name) for name in win.yaku or ()])
    return join_commas((yaku or said, _("%(who)s is liable") % {"who": names[win.pao]}))


def _on_table(state: TableState) -> str:
    def parts() -> Iterator[str]:
        if state.honba:
            yield _("%(count)d honba") % {"count": state.honba}
        if state.sticks:
            yield plural_text(
                "%(count)d riichi stick on the table", "%(count)d riichi sticks on the table", state.sticks
            )

    return join_commas(parts())
