"""References and account numbers with check digits (ISO 7064), which banks and banking apps know. Pure functions."""

import re

_MODULUS = 97


def reference_of(event: int, number: int) -> str:
    """Return the reference of a payment: a creditor reference of ISO 11649, whose check digits banks know.

    >>> reference_of(7, 12)
    'RF23E7N12'
    """
    body = f"E{event}N{number}"
    return f"RF{98 - _remainder(body + 'RF00'):02}{body}"


def is_iban(text: str) -> bool:
    """Tell whether a text without spaces is an IBAN with right check digits.

    >>> is_iban("DE89370400440532013000"), is_iban("DE88370400440532013000"), is_iban("")
    (True, False, False)
    """
    fits = re.fullmatch("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", text)
    return bool(fits) and _remainder(text[4:] + text[:4]) == 1


def _remainder(text: str) -> int:
    """Return the remainder of ISO 7064 (MOD 97-10): letters count as 10 to 35."""
    return int("".join(str(int(sign, 36)) for sign in text)) % _MODULUS
