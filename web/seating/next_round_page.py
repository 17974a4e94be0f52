"""The page of the next round by standing put together: what can be chosen, and what a plan would be in names.

It arranges what others have counted.
"""

from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from tournament.draws.by_standing import NextPlan, StandingField
from tournament.seating.round_report import RoundReport
from web.seating.after_start_page import MOST_SHOWN, named_tables
from web.words.after_start import APART, CARRIES, METHODS, OTHERS, say_round_missed
from web.words.formatting import p


def choices(fields: QueryDict, field: StandingField) -> dict[str, Any]:
    """Return the choices of the form with what is chosen, as the page sends them back."""
    method = fields.get("method", "swiss")
    return {
        "methods": [
            {"key": key, "label": label, "about": about, "on": key == method} for key, (label, about) in METHODS.items()
        ],
        "carries": [
            {"key": key, "label": label, "on": key == fields.get("carry", "whole")} for key, label in CARRIES.items()
        ],
        "others": [
            {"key": key, "label": label, "on": key == fields.get("others", "stop")} for key, label in OTHERS.items()
        ],
        "apart": [{"key": key, "label": label, "on": key in fields.getlist("apart")} for key, label in APART.items()],
        "step": fields.get("step", "2")[:5],
        "top": fields.get("top", "")[:5],
        "spread": fields.get("numbering") == "spread",
        "fill": "fill" in fields,
        "drop": "drop" in fields,
        "playing": sum(map(len, field.groups)),
        "sent": _sent(fields),
    }


def _sent(fields: QueryDict) -> list[tuple[str, str]]:
    """Return what was looked at as the hidden fields that take it."""
    names = ("method", "seed", "step", "numbering", "top", "carry", "others", "apart", "fill")
    return [(name, value[:20]) for name in names for value in fields.getlist(name)]


def plan_context(field: StandingField, plan: NextPlan) -> dict[str, Any]:
    """Return a plan in names: its tables with ranks, figures, who meets again, who is through and with what."""
    people = {each.number: each for group in field.groups for each in group} | {
        each.number: each for each in field.reserves
    }
    names = {number: each.name for number, each in people.items()}
    names |= {number: _("a substitute (%(number)d)") % {"number": number} for number in plan.substitutes}
    ranks = {number: each.rank for number, each in people.items()}
    report = plan.report
    return {
        "number": plan.number,
        "tables": [
            {**table, "final": table["number"] <= plan.finals, "ranks": _ranks(table["seats"], ranks)}
            for table in named_tables(plan.tables, names)
        ],
        "figures": _figures(report),
        "again": [
            _("%(names)s: %(times)d times with this round")
            % {"names": " – ".join(names[who] for who in each.players), "times": each.times}
            for each in report.met_again[:MOST_SHOWN]
        ],
        "more_again": max(0, len(report.met_again) - MOST_SHOWN),
        "missed": [
            say_round_missed(each.code, (names[who] for who in each.players), each.reason)
            for each in report.missed[:MOST_SHOWN]
        ],
        "through": [{"name": names[each.number], "points": p(each.points), "of": p(each.of)} for each in plan.through],
        "tied_out": ", ".join(names[who] for who in plan.tied_out),
        "stopped": len(plan.stopped),
        "sitting_out": ", ".join(names[who] for who in plan.sitting_out),
        "substitutes": len(plan.substitutes),
        "seen": plan.fingerprint,
    }


def _ranks(seats: list[dict[str, Any]], ranks: dict[int, int]) -> str:
    """Return the ranks at a table in order, a dash for who has none."""
    found = sorted(ranks.get(seat["number"], 0) or 10**6 for seat in seats)
    return " · ".join("–" if rank == 10**6 else str(rank) for rank in found)


def _figures(report: RoundReport) -> list[tuple[str, str]]:
    return [
        (_("New repeat meetings"), str(report.repeats)),
        (_("Most often together"), str(report.met_most)),
        (_("Widest table, in ranks"), str(report.rank_width_most)),
        (_("Mean table, in ranks"), f"{report.rank_spread:.1f}"),
        (_("One wind, most to least"), str(report.winds_spread)),
        (_("Players at their last table"), str(report.tables_kept)),
    ]
