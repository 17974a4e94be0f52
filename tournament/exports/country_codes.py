"""A country's code of two letters from the ISO code of three: some ranking sites want that. It knows no names."""

import csv
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).parent.parent / "imports" / "countries.csv"


def two_letters(code: str) -> str:
    """Return the code of two letters, "" for a code that is none.

    >>> two_letters("DEU"), two_letters("GER")
    ('DE', '')
    """
    return _codes().get(code, "")


@cache
def _codes() -> dict[str, str]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return {row["alpha3"]: row["alpha2"] for row in csv.DictReader(file, delimiter=";")}
