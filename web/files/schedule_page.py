"""What the page of a schedule made elsewhere shows: verdicts in words, the seats as understood, and their figures.

It words what the reader found, and decides nothing.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournament.imports.schedule import SchedulePreview
from tournament.seating.schedule import Report, Rounds
from web.files.import_page import rows_context, said
from web.words.imports import LAYOUT_WORDS

MOST_NAMES = 40


def preview_context(preview: SchedulePreview, names: Mapping[int, str], table_size: int) -> dict[str, Any]:
    """Return a preview in words; `names` are the players by number."""
    return {
        "preview": preview,
        "layout": LAYOUT_WORDS.get(str(preview.layout), ""),
        "file_errors": said(preview.problems, "error"),
        "file_warnings": said(preview.problems, "warning"),
        "errors": sum(problem.severity == "error" for problem in preview.all_problems),
        **rows_context(preview.rows),
        "rounds": _rounds(preview.rounds, names),
        "figures": _figures(preview.report) if preview.report else [],
        "again": [
            {"names": [names[number] for number in pair.players], "rounds": pair.rounds}
            for pair in preview.again[:MOST_NAMES]
        ],
        "again_count": len(preview.again),
        "again_more": max(0, len(preview.again) - MOST_NAMES),
        "winds": _uneven_winds(preview.rounds, names, table_size),
    }


def _rounds(rounds: Rounds, names: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return rounds of tables of seats with number and name."""
    return [
        {
            "number": round_,
            "tables": [
                {
                    "number": table,
                    "seats": [
                        {"seat": seat, "number": number, "name": names[number]} for seat, number in enumerate(players)
                    ],
                }
                for table, players in enumerate(tables, start=1)
            ],
        }
        for round_, tables in enumerate(rounds, start=1)
    ]


def _figures(report: Report) -> list[tuple[str, str]]:
    """Return the report as terms and values."""
    repeats = _("nobody meets twice") if not report.repeats else str(report.repeats)
    bound = _("proven least: %(bound)d") % {"bound": report.repeats_bound}
    once = pgettext("how often two meet", "once")
    most = _("%(times)d times") % {"times": report.met_most} if report.met_most > 1 else once
    kept = ngettext("%(count)d time", "%(count)d times", report.tables_kept) % {"count": report.tables_kept}
    possible = _("possible: %(bound)d") % {"bound": report.winds_bound}
    winds = _("differ by %(count)d") % {"count": report.winds_spread}
    return [
        (_("Repeat meetings"), f"{repeats} ({bound})"),
        (_("Most often together"), most),
        (_("One wind, most to least"), f"{winds} ({possible})"),
        (_("One table, most to least"), _("differ by %(count)d") % {"count": report.tables_spread}),
        (_("Somebody stays at a table"), kept),
    ]


def _uneven_winds(rounds: Rounds, names: Mapping[int, str], table_size: int) -> list[dict[str, Any]]:
    """List who has one wind at least twice more often than another, the most uneven first, with the counts by seat."""
    had = Counter((player, seat) for tables in rounds for table in tables for seat, player in enumerate(table))
    players = sorted({player for player, _seat in had})
    counts = {player: [had[player, seat] for seat in range(table_size)] for player in players}
    uneven = [player for player in players if max(counts[player]) - min(counts[player]) > 1]
    uneven.sort(key=lambda player: min(counts[player]) - max(counts[player]))
    return [{"name": names[player], "counts": list(enumerate(counts[player]))} for player in uneven[:MOST_NAMES]]
