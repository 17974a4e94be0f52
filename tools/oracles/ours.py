"""Our own engine's answer in the form that the oracles' answers have."""

from typing import Any

from rules.ruleset import Ruleset
from scoring.count import Count, count
from scoring.hand import WinningHand, read_hand
from scoring.payments import payment_of
from scoring.problems import InvalidInput
from tools.oracles.answer import Answer, ordered


def answer_of(hand: dict[str, Any], rules: Ruleset) -> Answer | None:
    """Count a hand; None where it has no yaku. Raises InvalidInput for a hand that cannot be."""
    read = read_hand(hand, rules)
    try:
        counted = count(read, rules)
    except InvalidInput as refused:
        if [problem.code for problem in refused.problems] != ["hand.no_yaku"]:
            raise
        return None
    return answer_from(counted, read, rules)


def wins(hand: dict[str, Any], rules: Ruleset) -> bool:
    """Tell whether a hand has a winning shape, with a yaku or without."""
    try:
        count(read_hand(hand, rules), rules)
    except InvalidInput as refused:
        if [problem.code for problem in refused.problems] != ["hand.not_winning"]:
            return answer_of(hand, rules) is None
        return False
    return True


def answer_from(counted: Count, hand: WinningHand, rules: Ruleset) -> Answer:
    """Put a count into the common form."""
    payment = payment_of(counted.base, hand, rules)
    return Answer(
        han=counted.han,
        fu=counted.fu,
        yakuman=counted.yakuman,
        yaku=ordered([name for name, _ in counted.yaku]),
        dora=None if counted.yakuman else sum(counted.dora),
        value=payment.value,
        total=payment.total(hand.honba, rules),
    )
