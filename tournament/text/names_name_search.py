"""Names as people look for them: by part, whatever the accents, and in alphabetical order.

static/js/pick.js folds the same way. Order: Latin letters without accents, kana by the fifty sounds, other signs; a
kanji does not say how it is read.
"""

import unicodedata

KATAKANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
SMALL = str.maketrans("ぁぃぅぇぉっゃゅょゎゕゖ", "あいうえおつやゆよわかけ")


def alphabetical(name: str) -> tuple[str, str]:
    """Return what a name is sorted by: its plain letters, and where those are alike the name itself.

    >>> sorted(["Zeder", "Ärmel", "ガク", "Arndt", "かい", "佐々木", "Łuk"], key=alphabetical)
    ['Ärmel', 'Arndt', 'Łuk', 'Zeder', 'かい', 'ガク', '佐々木']
    """
    plain = fold(unicodedata.normalize("NFKC", name)).translate(KATAKANA).translate(SMALL)
    return plain.replace("ー", ""), name


def initial(name: str) -> str:
    """Return the letter under which a name stands.

    >>> initial("Ärmel"), initial("ガク")
    ('A', 'か')
    """
    return alphabetical(name)[0][:1].upper()


PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d"})


def fold(text: str) -> str:
    """Write a text without case and accents.

    >>> fold("Łucja ŚNIEGOCKA"), fold("佐々木")
    ('lucja sniegocka', '佐々木')
    """
    parts = unicodedata.normalize("NFKD", text.lower())
    return "".join(sign for sign in parts if unicodedata.category(sign)[0] != "M").translate(PLAIN)


def matches(query: str, name: str, number: int) -> bool:
    """Tell whether each word of a query is part of the name or is the player's number.

    >>> matches("snie lu", "Łucja Śniegocka", 7), matches("7", "Łucja Śniegocka", 7), matches("x", "Łucja Śniegocka", 7)
    (True, True, False)
    """
    folded = fold(name)
    return all(word in folded or word == str(number) for word in fold(query).split())
