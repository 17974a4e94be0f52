"""What a text begins with that a spreadsheet would run."""

from typing import Final

FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")
