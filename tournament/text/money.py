"""Amounts of money: read as people type them, and written; in hundredths of a currency."""

import re
import unicodedata
from decimal import Decimal
from typing import Final

from django.utils import formats

from scoring.problems import ProblemType
from tournament.core.errors import DomainError

SIGN_UP_AMOUNT_WRONG = ProblemType("sign_up.amount_wrong", "This is not an amount of money, such as 40 or 37.50.")
MONEY_AMBIGUOUS = ProblemType(
    "money.ambiguous", "“{given}” can be read in two ways: write no separator, or two decimals."
)
MONEY_CURRENCY = ProblemType("money.currency", "“{given}” is in another currency: amounts are in {currency} here.")

MAX_AMOUNT: Final = 10_000_000
MAX_AMOUNT_TEXT: Final = 24
CURRENCIES: Final = ("EUR", "CHF", "CZK", "DKK", "GBP", "HUF", "JPY", "NOK", "PLN", "SEK", "USD")
_WORDS: Final = {
    "€": "EUR", "EURO": "EUR", "EUROS": "EUR", "FR.": "CHF", "SFR.": "CHF", "KČ": "CZK", "£": "GBP", "FT": "HUF",
    "¥": "JPY", "円": "JPY", "ZŁ": "PLN", "$": "USD", **{code: code for code in CURRENCIES},
}  # fmt: skip
_CURRENCY = "|".join(sorted(map(re.escape, [*_WORDS, "KR.", "KR"]), key=len, reverse=True))
_CROWNS = ("CZK", "DKK", "NOK", "SEK")
_AMOUNT = re.compile(
    rf"(?P<sign>[+-]?)\s*(?P<unit>{_CURRENCY})?\s*(?P<minus>-?)(?P<number>[0-9].*?)\s*(?P<after>{_CURRENCY})?"
)
_GROUPED = re.compile(r"[0-9]{1,3}(?:(?P<group>[ '’.,])[0-9]{3})(?:(?P=group)[0-9]{3})*(?P<part>[.,][0-9]{1,2})?")
_PLAIN = re.compile(r"[0-9]{1,9}(?P<part>[.,][0-9]{1,2})?")


def parse_money(text: str, currency: str = "") -> int:
    """Return an amount in hundredths, with or without its currency, a comma or a point, and thousands apart.

    Raises DomainError for anything else, for another currency than `currency` ("" for any), and where a point may be
    of thousands or of hundredths.

    >>> [parse_money(text, "EUR") for text in ("€25", "25,00", "25 EUR", "25.-", "1.250,50 €", "-40", "1 250")]
    [2500, 2500, 2500, 2500, 125050, -4000, 125000]
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).replace("\N{MINUS SIGN}", "-").upper().split())
    found = _AMOUNT.fullmatch(plain)
    if found is None or (found["unit"] and found["after"]):
        raise DomainError(SIGN_UP_AMOUNT_WRONG())
    unit = found["unit"] or found["after"] or currency
    if currency and _WORDS.get(unit, "") != currency and not (unit in ("KR", "KR.") and currency in _CROWNS):
        raise DomainError(MONEY_CURRENCY(given=text.strip()[:MAX_AMOUNT_TEXT], currency=currency))
    number = re.sub("[.,][-\N{EN DASH}]{1,2}$", "", found["number"])
    grouped = _GROUPED.fullmatch(number)
    if grouped and grouped["group"] in ".," and re.fullmatch("[0-9]+[.,][0-9]{3}", number):
        raise DomainError(MONEY_AMBIGUOUS(given=text.strip()[:MAX_AMOUNT_TEXT]))
    match = grouped or _PLAIN.fullmatch(number)
    if match is None or (grouped and grouped["part"] and grouped["part"][0] == grouped["group"]):
        raise DomainError(SIGN_UP_AMOUNT_WRONG())
    part = match["part"] or ""
    whole = re.sub("[^0-9]", "", number[: len(number) - len(part)])
    cents = int(whole) * 100 + int(part[1:].ljust(2, "0") or 0)
    if cents > MAX_AMOUNT:
        raise DomainError(SIGN_UP_AMOUNT_WRONG())
    return -cents if "-" in (found["sign"], found["minus"]) else cents


def decimal_of(cents: int) -> str:
    """Write an amount as spreadsheets read it."""
    return f"{Decimal(cents) / 100:.2f}"


def say_amount_of(cents: int) -> str:
    """Write hundredths of a currency as the language in use does, without decimals where they are none.

    >>> say_amount_of(4000), say_amount_of(123450), say_amount_of(-550)
    ('40', '1,234.50', '−5.50')
    """
    whole = cents % 100 == 0
    text = formats.number_format(Decimal(abs(cents)) / 100, decimal_pos=0 if whole else 2, force_grouping=True)
    return f"{chr(0x2212) if cents < 0 else ''}{text}"


def say_money(cents: int, currency: str) -> str:
    r"""Write an amount with its currency.

    >>> say_money(4000, "EUR") == "40\N{NO-BREAK SPACE}EUR"
    True
    """
    return f"{say_amount_of(cents)}\N{NO-BREAK SPACE}{currency}"
