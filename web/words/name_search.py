"""Finding a name by typing part of it, whatever its accents; static/js/pick.js folds the same way."""

import unicodedata

PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d"})


def fold(text: str) -> str:
    """Write a text without case and accents.

    >>> fold("Łucja ŚNIEGOCKA"), fold("佐々木")
    ('lucja sniegocka', '佐々木')
    """
    parts = unicodedata.normalize("NFKD", text.lower())
    return "".join(sign for sign in parts if not unicodedata.combining(sign)).translate(PLAIN)


def matches(query: str, name: str, number: int) -> bool:
    """Tell whether each word of a query is part of the name or is the player's number.

    >>> matches("snie lu", "Łucja Śniegocka", 7), matches("7", "Łucja Śniegocka", 7), matches("x", "Łucja Śniegocka", 7)
    (True, True, False)
    """
    folded = fold(name)
    return all(word in folded or word == str(number) for word in fold(query).split())
