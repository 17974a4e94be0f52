"""How a booklet is split: the form first, then a few sheets at a time, so that each step is short.

It splits and never prints.
"""

from collections.abc import Mapping, Sequence
from typing import Any

AT_ONCE = 6  # pages laid out before another print of this process may have its turn


def portions_of(
    values: Mapping[str, Any], sheets: Sequence[Any], at_once: int = AT_ONCE
) -> tuple[Mapping[str, Any], ...]:
    """Split the `sheets` of a template's values into portions; only the first one brings the form.

    >>> [(part["form"], part["sheets"]) for part in portions_of({}, "abc", 2)]
    [(True, 'ab'), (False, 'c')]
    """
    starts = range(0, len(sheets), at_once)
    return tuple({**values, "form": not start, "sheets": sheets[start : start + at_once]} for start in starts)
