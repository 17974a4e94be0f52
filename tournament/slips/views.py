"""Likely slips for pages: up to three in words, each with what takes it; nothing is stored before it was looked at."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.entries import Entry
from scoring.game import Hand, fold
from scoring.paper_sheet import before_leftover
from scoring.shorthand import write
from scoring.slips.search import Slip, find_slips
from tournament.events.models import Event
from tournament.hands.draft import Draft
from tournament.hands.plan import write_plan_json
from tournament.tables.history import Forgotten, HandChange, Plan
from tournament.tables.queries import LoadedTable
from tournament.text.hands import SLIPS
from tournament.text.readback import read_back

SHOWN = 3
FAR_BEHIND = 5.0  # so much less likely than the first that it is not shown


@dataclass(frozen=True, slots=True)
class SlipRow:
    """A likely slip in words: `number` of the hand from 1, what it was and would become, empty where there is none.

    `url` shows what taking it changes; or `line` is what the line would have.
    """

    kind: str
    number: int
    was: str
    becomes: str
    url: str = ""
    line: str = ""


def slips_of_sheet(event: Event, table: LoadedTable, totals: Sequence[int], leftover: int) -> list[SlipRow]:
    """Return the likely slips of a table whose hands do not give the totals of its sheet; none without totals."""
    papers = before_leftover(totals, leftover, table.rules) if totals else []
    if table.state.scores in papers:
        return []
    entries = [item.entry for item in table.items if item.entry is not None]
    found = [slip for scores in papers for slip in find_slips(entries, table.rules, scores)]
    return _rows(event, table, entries, sorted(found, key=lambda slip: -slip.weight))


def slips_of_draft(event: Event, table: LoadedTable, draft: Draft) -> list[SlipRow]:
    """Return the likely slips of a new hand that pays something else than the table announced."""
    differs = any(problem.code == "payment.announced_differs" for problem in draft.problems)
    if not differs or draft.entry is None or draft.plan is not None:
        return []
    entries = [*(item.entry for item in table.items if item.entry is not None), draft.entry]
    return _rows(event, table, entries, find_slips(entries, table.rules, None))


def _rows(event: Event, table: LoadedTable, entries: Sequence[Entry], found: Sequence[Slip]) -> list[SlipRow]:
    """Word the best slips; of those that change all scores alike only the best."""
    played = fold(entries, table.rules).hands
    rows: dict[tuple[tuple[int, ...], ...], SlipRow] = {}
    for slip in found:
        if slip.weight < found[0].weight - FAR_BEHIND:
            break
        repaired = fold(slip.entries, table.rules).hands
        row = _row(event, table, slip, played, repaired)
        if row and len(rows) < SHOWN:
            rows.setdefault(tuple(hand.deltas for hand in repaired), row)
    return list(rows.values())


def _row(
    event: Event, table: LoadedTable, slip: Slip, played: Sequence[Hand], repaired: Sequence[Hand]
) -> SlipRow | None:
    edit = slip.edits[0]
    names = [player.name for player in table.seats]
    whole = edit.cut > 1
    was = "" if whole or not edit.cut else read_back(played[slip.at], names, table.rules).say
    becomes = "" if whole or not edit.new else read_back(repaired[slip.at], names, table.rules).say
    row = SlipRow(_(SLIPS[slip.kind]), slip.at + 1, was, becomes)
    plan = _plan_of(table, slip)
    if plan is not None:
        return replace(row, url=_url(event, table, plan, row.kind))
    of_draft = slip.edits == (edit,) and edit.at == len(table.game.hands) and len(edit.new) == 1
    if of_draft:
        return replace(row, line=write(edit.new[0]))
    return None


def _plan_of(table: LoadedTable, slip: Slip) -> Plan | None:
    """Return the plan of corrections that a slip is; None where it names a hand that is not entered yet."""
    hands = [item.seq for item in table.items if item.entry is not None]
    if any(edit.at + max(edit.cut, 1) > len(hands) for edit in slip.edits):
        return None
    forgotten = next((Forgotten(hands[edit.at], edit.new[0]) for edit in slip.edits if not edit.cut), None)
    changes = (
        HandChange(hands[edit.at + step], edit.new[step] if edit.new else None)
        for edit in slip.edits
        for step in range(edit.cut)
    )
    return Plan(tuple(changes), forgotten)


def _url(event: Event, table: LoadedTable, plan: Plan, reason: str) -> str:
    address = reverse("desk:corrections", args=[event.slug, table.round, table.number])
    return f"{address}?{urlencode({'plan': write_plan_json(plan), 'reason': reason})}"
