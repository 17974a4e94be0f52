"""Find the ISO 3166 code of three letters for what people write for a country.

It knows ISO codes of two and three letters, the Olympic committee's where they differ, and names in English, partly in
German, French, Japanese and the country's own language. Misspelt names are only suggested.
"""

import csv
import difflib
import unicodedata
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).with_name("countries.csv")
_CUT_OFF = 0.8


def find_country(text: str) -> str | None:
    """Find the ISO alpha-3 code, None if it is not known.

    ISO codes win over others: BRN is Brunei, whatever Bahrain's team shirts say.

    >>> find_country("de"), find_country("GER"), find_country("Deutschland"), find_country("Atlantis")
    ('DEU', 'DEU', 'DEU', None)
    """
    table = _codes_by_text()
    return table.get(_fold(text)) or table.get(_fold(text.partition("(")[0]))


def two_letters(code: str) -> str:
    """Return the code of two letters for one of three, "" for a code that is none.

    >>> two_letters("DEU"), two_letters("GER")
    ('DE', '')
    """
    return _two_letters().get(code, "")


def name_of_country(code: str) -> str:
    """Return the English name for a code of three letters, "" for a code that is none.

    >>> name_of_country("DEU"), name_of_country("")
    ('Germany', '')
    """
    return _english_names().get(code, "")


def suggest_country(text: str) -> tuple[str, str] | None:
    """Propose (alpha-3 code, English name) for a misspelt name of at least five letters."""
    folded = _fold(text)
    if len(folded) < 5:
        return None
    table = _codes_by_text()
    alike = difflib.get_close_matches(folded, [known for known in table if len(known) > 3], n=1, cutoff=_CUT_OFF)
    return (table[alike[0]], _english_names()[table[alike[0]]]) if alike else None


@cache
def _two_letters() -> dict[str, str]:
    return {row["alpha3"]: row["alpha2"] for row in _read_table()}


@cache
def _codes_by_text() -> dict[str, str]:
    rows = _read_table()
    codes = {
        _fold(text): row["alpha3"] for row in rows for text in row["other_codes"].split("|") + row["names"].split("|")
    }
    for row in rows:
        codes[_fold(row["alpha2"])] = codes[_fold(row["alpha3"])] = row["alpha3"]
    codes.pop("", None)
    return codes


@cache
def _english_names() -> dict[str, str]:
    return {row["alpha3"]: row["names"].partition("|")[0] for row in _read_table()}


def _read_table() -> list[dict[str, str]]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


def _fold(text: str) -> str:
    spread = unicodedata.normalize("NFKD", text.casefold().replace("&", " and "))
    bare = unicodedata.normalize("NFC", "".join(sign for sign in spread if not "\u0300" <= sign <= "\u036f"))
    return "".join(sign for sign in bare if sign.isalnum() or sign == "ー").removeprefix("the")
