"""What is quoted of many times: the median and the 99th percentile, in milliseconds."""

import statistics
from collections.abc import Mapping, Sequence


def percentiles(took: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return median, 99th percentile and worst by name, in milliseconds; nothing for what happened less than twice."""
    found: dict[str, float] = {}
    for name, times in took.items():
        if len(times) > 1:
            found[f"{name}_median_ms"] = round(statistics.median(times), 1)
            found[f"{name}_p99_ms"] = round(statistics.quantiles(times, n=100, method="inclusive")[98], 1)
            found[f"{name}_worst_ms"] = round(max(times), 1)
    return found
