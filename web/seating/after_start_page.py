"""Pages of what happens after the start put together: figures side by side, names for numbers, tables as shown.

It arranges what others have counted.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.draws.redraw import FieldNow, RedrawPlan
from tournament.seating.quality import Tally
from tournament.seating.redraw import SwapEffect
from tournament.seating.schedule import Round
from web.words.after_start import FILLS, say_figures, say_missed
from web.words.draw import WISHES

MOST_SHOWN = 12


def redraw_context(
    field: FieldNow, going: Sequence[int], published: Sequence[int], plans: Sequence[RedrawPlan]
) -> dict[str, Any]:
    """Return what seating/redraw.html shows of the field and of each way."""
    chosen = set(going)
    return {
        "people": [{"guest": guest, "on": guest.number in chosen} for guest in field.guests],
        "kept": [each.number for each in field.rounds if each.stage == "begun"],
        "open": [each.number for each in field.rounds if each.stage == "open"],
        "published": [
            {"number": each.number, "on": each.number in published}
            for each in field.rounds
            if each.stage == "published"
        ],
        "figures": _side_by_side([plans[0].before, *(plan.after for plan in plans)]) if plans else [],
        "heads": [FILLS[plan.asked.fill] for plan in plans],
        "repeats": [plan.new_repeats for plan in plans],
        "plans": [_plan(field, plan) for plan in plans],
        "going": ",".join(map(str, going)),
        "published_text": ",".join(map(str, published)),
    }


def _side_by_side(tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    """Return each figure with its value now and in each plan; `worse` where it is more than now."""
    columns = [say_figures(tally) for tally in tallies]
    return [
        {
            "term": row[0][0],
            "now": row[0][1],
            "then": [{"value": value, "worse": value > row[0][1]} for _term, value in row[1:]],
        }
        for row in zip(*columns, strict=True)
    ]


def _plan(field: FieldNow, plan: RedrawPlan) -> dict[str, Any]:
    names = field.names | {number: _("a substitute (%(number)d)") % {"number": number} for number in plan.substitutes}
    again = [each for each in plan.again if each.new] or []
    return {
        "fill": plan.asked.fill,
        "label": FILLS[plan.asked.fill],
        "rounds": sorted(plan.rounds),
        "pairs": [(names[leaver], names[joiner]) for leaver, joiner in plan.pairs],
        "substitutes": len(plan.substitutes),
        "resting": [
            (number, ", ".join(names[who] for who in resting)) for number, resting in plan.resting.items() if resting
        ],
        "again": [
            (" – ".join(names[who] for who in each.players), _rounds(each.rounds)) for each in again[:MOST_SHOWN]
        ],
        "more_again": max(0, len(again) - MOST_SHOWN),
        "missed": [
            say_missed(each, str(WISHES.get(each.wish.key, each.wish.key)), plan.missed_before.get(each.wish.key, 0))
            for each in plan.missed
            if each.wish.key not in {"repeats", "winds", "tables"}
        ],
        "left": ", ".join(names[who] for who in plan.left),
        "returned": ", ".join(names[who] for who in plan.returned),
        "still": _still(field, plan),
        "tables": [
            {"number": number, "tables": named_tables(tables, names)} for number, tables in sorted(plan.rounds.items())
        ],
        "seen": plan.fingerprint,
        "moves_published": any(each.stage == "published" and each.number in plan.rounds for each in field.rounds),
        "cut_short": plan.cut_short,
    }


def _still(field: FieldNow, plan: RedrawPlan) -> list[tuple[str, str]]:
    """Return who has left and keeps a seat in a published round that does not change, and in which."""
    seated = [
        (who, each.number)
        for each in field.rounds
        if each.stage == "published" and each.number not in plan.asked.published
        for table in each.tables
        for who in table
        if who in plan.left
    ]
    return [
        (field.names[who], _rounds([number for other, number in seated if other == who]))
        for who in sorted({who for who, _number in seated})
    ]


def named_tables(tables: Round, names: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return the tables of a round as pages list them, seats in order."""
    return [
        {
            "number": number,
            "seats": [
                {"seat": seat, "number": who, "name": names.get(who, str(who))} for seat, who in enumerate(table)
            ],
        }
        for number, table in enumerate(tables, start=1)
        if table
    ]


def _rounds(numbers: Sequence[int]) -> str:
    said = ngettext("round %(rounds)s", "rounds %(rounds)s", len(numbers))
    return said % {"rounds": ", ".join(map(str, numbers))}


def swap_context(tried: SwapEffect, names: Mapping[int, str], two: Sequence[int]) -> dict[str, Any]:
    """Return what a swap changes: figures before and after, who meets again, wishes before and after."""
    before = {outcome.wish.key: outcome.missed for outcome in tried.outcomes_before}
    wishes = [
        (str(WISHES.get(outcome.wish.key, outcome.wish.key)), before[outcome.wish.key], outcome.missed)
        for outcome in tried.outcomes_after
        if outcome.wish.key not in {"repeats", "winds", "tables"}
    ]
    return {
        "figures": _side_by_side([tried.before, tried.after]),
        "again": [
            (names[who], ", ".join(names[other] for other in mates))
            for who, mates in zip(two, tried.again, strict=True)
            if mates
        ],
        "wishes": [{"label": label, "now": now, "then": then, "worse": then > now} for label, now, then in wishes],
    }
