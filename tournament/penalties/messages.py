"""Words for fouls and the register: what the table must do now, what it costs, kinds and columns.

The foul itself is in the words of the event's catalogue.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext as _

from rules.fouls import Act, Case, Penalty
from tournament.penalties.models import PenaltyKind
from tournament.penalties.queries import Proposal
from tournament.tables.rows import PenaltyRow
from tournament.text.acts import word_details
from tournament.text.languages import Words, colon, join_commas, join_spaced
from tournament.text.numbers import points, who_text

KINDS: Words = {
    PenaltyKind.WARNING: ("Warning", "Warnings"),
    PenaltyKind.POINTS: ("Points", "Points"),
    PenaltyKind.DEAD_HAND: ("Dead hand", "Dead hands"),
    PenaltyKind.CHOMBO: ("Chombo", "Chombo"),
    PenaltyKind.OTHER: ("Note", "Notes"),
}
# in a table of fouls, beside the amount
SHORT: Words = {
    "nothing": "nothing",
    "legal": "allowed",
    "fix": "correct it",
    "warning": "warning",
    "void_call": "the call does not count",
    "deposit_back": "riichi stick goes back",
    "dead_hand": "dead hand",
    "redeal": "deal again",
    "chombo": "chombo",
    "points": "points",
    "substitute": "a substitute takes the seat",
    "referee": "the referee decides",
    "disqualification": "disqualification",
}
# what a referee may make of what the book leaves open; empty: it is only noted
DECISION_WORDS: Words = {
    "": "Only noted",
    "warning": "Warning",
    "points": "Points",
    "dead_hand": "Dead hand",
    "chombo": "Chombo",
}
# what the table does now, one sentence each; those with an amount are worded with it
NOW: Words = {
    "nothing": "No penalty: play goes on.",
    "legal": "This is allowed: play goes on.",
    "fix": "Correct what can be corrected.",
    "warning": "A warning, kept so that a repeat is known.",
    "void_call": "The call does not count.",
    "deposit_back": "The riichi stick of this declaration goes back.",
    "dead_hand": "Dead hand: no call and no win in this hand, noten at a draw.",
    "redeal": "The hand is dealt again, nobody pays.",
    "chombo": "Chombo: the hand is dealt again.",
    "substitute": "A substitute takes the seat.",
    "referee": "The referee decides.",
    "disqualification": "Disqualification.",
}


def say_kind(kind: str) -> str:
    """Name the kind of one row of the register.

    >>> say_kind(PenaltyKind.DEAD_HAND)
    'Dead hand'
    """
    return _(KINDS[kind][0])


def say_short(penalty: Penalty) -> list[str]:
    """Say each case of a penalty as a table of fouls prints it, with its condition in front.

    >>> from rules.foul_books import catalogue
    >>> wrc = catalogue("wrc-2025").penalties
    >>> say_short(wrc["false_tenpai"]), say_short(wrc["late"])
    (['warning; from the second time on: 5,000 points'], ['1,000 points a minute, up to 10'])
    """
    return [say_case(case) for case in penalty.cases]


def say_case(case: Case) -> str:
    """Say one case in a few words: acts, amount, what a repeat comes to."""
    said = join_commas(_in_short(act, case) for act in case.acts)
    if case.repeated:
        again = join_commas(_in_short(act, case.at(case.repeated.times)) for act in case.repeated.acts)
        said = _("%(now)s; from the second time on: %(again)s") % {"now": said, "again": again}
    return f"{case.when}{colon()}{said}" if case.when else said


def _in_short(act: Act, case: Case) -> str:
    if act == "chombo" and case.points:
        return _("chombo %(points)s") % {"points": points(case.points)}
    if act != "points" or not case.points:  # without an amount it is the referee's
        return _(SHORT[act])
    amount = points(case.points)
    if case.most > case.points:
        amount = _("%(least)s to %(most)s") % {"least": amount, "most": points(case.most)}
    if case.per == "minute":
        return _("%(points)s points a minute, up to %(units)d") % {"points": amount, "units": case.units}
    each = _("%(points)s points for each player of the table") if case.each_player else _("%(points)s points")
    return each % {"points": amount}


def say_now(proposal: Proposal) -> list[str]:
    """Say what the table does now, a sentence an act."""
    return [_act_now(act, proposal) for act in proposal.case.acts]


def _act_now(act: Act, proposal: Proposal) -> str:
    words = {"points": points(proposal.points), "minutes": proposal.minutes}
    if act == "chombo" and proposal.points:
        return _("Chombo: %(points)s points, the hand is dealt again.") % words
    if act != "points":
        return _(NOW[act])
    if proposal.case.per == "minute":
        return _("%(minutes)d minutes late: %(points)s points off the total.") % words
    if proposal.case.each_player:
        return _("%(points)s points off the total of each player of the table.") % words
    return _("%(points)s points off the total, play goes on.") % words


def amounts_text(changes: Iterable[Mapping[str, Any]]) -> str:
    """Say which amounts of fouls changed, as the audit trail keeps them.

    >>> amounts_text([{"field": "late", "before": 1000, "after": 500}])
    'late from 1,000 to 500'
    """
    return join_spaced(
        _("%(foul)s from %(before)s to %(after)s")
        % {"foul": one["field"], "before": _kept(one["before"]), "after": _kept(one["after"])}
        for one in changes
    )


def _kept(value: Any) -> str:
    return points(value) if isinstance(value, int) else _("none")


def charge_text(row: PenaltyRow) -> str:
    """Say for whom a replaced player pays and why; "" for everybody else's penalties."""
    if not row.charge_reason:
        return ""
    done_by = row.done_by or _("a substitute")
    return _("charged for what %(name)s did: %(why)s") % {"name": done_by, "why": row.charge_reason}


@dataclass(frozen=True, slots=True)
class PenaltyColumn:
    """A column of the register: its heading, the kind of its values, and the value of a row."""

    heading: Callable[[], str]
    kind: Literal["text", "count", "points", "moment"]
    value: Callable[[PenaltyRow], str | int | dt.datetime | None]


def _reason(row: PenaltyRow) -> str:
    """Say what it was for, and why it costs another amount than usual."""
    said = row.reason
    if row.amount_reason:
        said = _("%(reason)s; amount: %(why)s") % {"reason": row.reason, "why": row.amount_reason}
    return join_spaced(part for part in (said, charge_text(row)) if part)


def _cancelled(row: PenaltyRow) -> str | None:
    """Say what was cancelled and why; its points are in no column that somebody may add up."""
    if not row.cancelled:
        return None
    return _("%(points)s points: %(reason)s") % {"points": points(row.points), "reason": row.cancel_reason}


# the register on pages, in csv and in the workbook
PENALTY_COLUMNS: Mapping[str, PenaltyColumn] = {
    "at": PenaltyColumn(lambda: _("Given at"), "moment", lambda row: row.at),
    "round": PenaltyColumn(lambda: _("Round"), "count", lambda row: row.round),
    "table": PenaltyColumn(lambda: _("Table"), "count", lambda row: row.table),
    "name": PenaltyColumn(lambda: _("Name"), "text", lambda row: who_text(row.name, row.plays_for)),
    "kind": PenaltyColumn(lambda: _("Kind"), "text", lambda row: say_kind(row.kind)),
    "points": PenaltyColumn(lambda: _("Points"), "points", lambda row: None if row.cancelled else row.points),
    "reason": PenaltyColumn(lambda: _("Reason"), "text", _reason),
    "clause": PenaltyColumn(lambda: _("Clause"), "text", lambda row: row.clause),
    "by": PenaltyColumn(lambda: _("Given by"), "text", lambda row: row.by),
    "cancelled": PenaltyColumn(lambda: _("Cancelled"), "text", _cancelled),
}


word_details(amounts=amounts_text, kind=lambda value: _(KINDS[value][0]) if value in KINDS else str(value))
