"""All benchmarks, on a database of their own: `python -m tools.bench` prints one JSON object.

`manage.py bench` runs this with a data directory that is removed afterwards; alone it needs HANCHAN_DATA for the same.
"""

import json
import os
import platform
import statistics
import sys
from collections.abc import Callable
from typing import Any


def main() -> int:
    """Measure, each figure with the busy loop beside it, and print."""
    if not os.environ.get("HANCHAN_DATA"):
        sys.stderr.write("HANCHAN_DATA must name a directory for the database; `manage.py bench` sees to that.\n")
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")
    import django
    from django.core.management import call_command

    from web.server.tuning import tune_gc

    tune_gc()  # as every process of the desk
    django.setup()
    call_command("migrate", verbosity=0)
    from web.management.commands.desk import collect_static

    collect_static()  # pages name their files by content
    sys.stdout.write(json.dumps(measure_all(quick="--quick" in sys.argv[1:])) + "\n")
    return 0


def measure_all(*, quick: bool, paper: bool = True) -> dict[str, Any]:
    """Return all figures, or all but those of printing, measured in the database of the settings."""
    from tools.bench.booklets import booklets_s, desk_while_printing_ms
    from tools.bench.busy import busy_loop_per_second
    from tools.bench.hand_latency import post_hand_ms, way_hand_ms
    from tools.bench.seating import seating_beside, seating_rows
    from tools.bench.standings import standings_cold_ms
    from tools.bench.starting import starting
    from tools.bench.valuing import (
        alllast_ms,
        chinitsu_worst_ms,
        fold_hands_per_second,
        score_import_ms,
        value_ratio_to_mahjong,
    )

    measures: list[Callable[..., dict[str, object]]] = [
        value_ratio_to_mahjong,
        chinitsu_worst_ms,
        score_import_ms,
        fold_hands_per_second,
        alllast_ms,
        standings_cold_ms,
        post_hand_ms,
        way_hand_ms,
        *((booklets_s, desk_while_printing_ms) if paper else ()),
        seating_rows,
        seating_beside,
        starting,
    ]
    figures: dict[str, Any] = {}
    beside: dict[str, int] = {}
    look = 0.02 if quick else 1
    for measure in measures:
        before = busy_loop_per_second(seconds=look)
        figures |= measure(quick=quick)
        beside[measure.__name__] = (before + busy_loop_per_second(seconds=look)) // 2
    return {
        **figures,
        "busy_loop_per_second": round(statistics.median(beside.values())),
        "busy_loop_beside": beside,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }


if __name__ == "__main__":
    sys.exit(main())
