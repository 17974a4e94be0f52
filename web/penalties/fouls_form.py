"""A foul as pages send it: who, at which table, what, how much. Mapped to values, not judged."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring.problems import InvalidInput, error
from tournament.selectors.tables.fouls import LATE, Offence
from web.frame.tables import read_amount

MOST_TEXT = 300
DIGITS = 9
LATE_FOULS = (LATE, f"{LATE}_over")


@dataclass(slots=True)
class FoulDraft:
    """A foul being given: what was typed and chosen, with the numbers read where they can be."""

    player: int = 0
    round: int = 0
    table: int = 0
    query: str = ""
    section: int = 0
    foul: str = ""
    case: str = ""
    minutes: int = 0
    amount: str = ""
    amount_reason: str = ""
    note: str = ""
    decision: str = ""
    expected_seq: int = 0
    client_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def pick(self) -> str:
        """The case of the foul as one name, with its minutes; empty where none is chosen."""
        rest = str(self.minutes) if self.minutes and self.foul in LATE_FOULS else self.case
        return f"{self.foul}.{rest}" if rest else self.foul

    def offence(self) -> Offence:
        """Return what the desk is to judge; raises InvalidInput where the amount cannot be read.

        The amount is the one that the page showed or the referee typed: if another is due by now, the desk asks again.
        """
        points = read_amount(self.amount) if self.amount.strip() else None
        if points is None and self.amount.strip():
            raise InvalidInput([error("foul.amount_unreadable")])
        return Offence(
            foul=self.foul,
            case=self.case,
            minutes=self.minutes,
            points=points,
            amount_reason=self.amount_reason,
            note=self.note,
            decision=self.decision,
        )


def read_foul(fields: Mapping[str, str]) -> FoulDraft:
    """Read what a page sent; what is missing or no number is empty or 0."""
    foul, case, minutes = split_pick(fields.get("pick", "")[:130])
    return FoulDraft(
        player=_int(fields.get("player")),
        round=_int(fields.get("round")),
        table=_int(fields.get("table")),
        query=fields.get("q", "")[:MOST_TEXT],
        section=_int(fields.get("section")),
        foul=foul,
        case=case,
        minutes=minutes or _int(fields.get("minutes")),
        amount=fields.get("amount", "")[:20],
        amount_reason=fields.get("amount_reason", "")[:MOST_TEXT],
        note=fields.get("note", "")[:MOST_TEXT],
        decision=fields.get("decision", "")[:20],
        expected_seq=_int(fields.get("expected_seq")),
        client_id=fields.get("client_id") or str(uuid.uuid4()),
    )


def split_pick(pick: str) -> tuple[str, str, int]:
    """Return foul, case and minutes of what was picked; of being late the minutes stand in the place of a case.

    >>> split_pick("tiles_revealed.few"), split_pick("late.7"), split_pick("late_over.12")
    (('tiles_revealed', 'few', 0), ('late', '', 7), ('late_over', '', 12))
    """
    foul, _, case = pick.partition(".")
    return (foul, "", _int(case)) if foul in LATE_FOULS else (foul, case, 0)


def _int(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= DIGITS else 0
