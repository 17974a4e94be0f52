"""The order of names in a list: Latin letters without their accents, kana by the fifty sounds, then other signs.

German (ä as a, ß as ss), French (accents count last) and English lists are all ordered so; a kanji does not say how it
is read and stands after the kana, by its place among characters. It compares and never changes a name.
"""

import unicodedata

from web.words.name_search import fold

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
