"""Names of people and countries: compare and find them, whatever the accents, in alphabetical order.

No letter and no case is changed, and no two people are merged: names that are alike are only found. Countries are ISO
3166 codes of three letters.
"""

import csv
import difflib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from tournament.core.limits import MAX_NAME

_DUST = dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\u2060\ufeff"))  # invisible remains of copying
_UNPRINTABLE = frozenset({"Cc", "Co", "Cs", "Cn"})
_DIRECTION_SIGNS = frozenset(
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)  # they turn the letters behind them round
_NOT_FIRST_NAMES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "dr", "md"})
_LETTERS_APART = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
_ASIAN = "\u2e80"
_LONGEST_ALIKE = 200  # signs: what is longer is no name, and its traces take memory in the square of its length
_SHORTEST_TYPO = 5  # letters: of shorter names too many are alike by nature
_SHORTEST_ASIAN_TYPO = 4  # signs, gaps left out: a family name and a first name of two signs each
_SHORTEST_FIRST_NAME = 2  # letters: an initial is no name


def clean_name(text: str) -> str:
    r"""Compose the letters, drop invisible ones, make every gap one space, and put "LAST, First" in order.

    That is the given name first, but the family's in scripts that write it first.

    >>> clean_name("  MUSTER,\u00a0Anna ")
    'Anna MUSTER'
    >>> clean_name("佐藤, 健太")
    '佐藤 健太'
    """
    tidy = clean_text(text)
    last, comma, first = tidy.replace("，", ",").partition(",")
    first = first.strip()
    if not comma or not last.strip() or not first or "," in first or first.casefold().rstrip(".") in _NOT_FIRST_NAMES:
        return tidy
    return f"{last.strip()} {first}" if is_family_first(tidy) else f"{first} {last.strip()}"


def is_family_first(name: str) -> bool:
    """Say whether a name is in a script that writes the family's name first: Chinese, Japanese or Korean.

    >>> is_family_first("佐藤 健太"), is_family_first("김 민수"), is_family_first("Kenta Sato")
    (True, True, False)
    """
    return any(sign >= _ASIAN for sign in name)


def clean_text(text: str) -> str:
    """Compose the letters, drop invisible ones and make every gap one space."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_DUST).split())


def has_controls(text: str) -> bool:
    """Say whether a text holds signs that cannot be printed or that turn others round."""
    return any(unicodedata.category(sign) in _UNPRINTABLE or sign in _DIRECTION_SIGNS for sign in text)


def printable(text: str) -> str:
    """Make a text safe to be quoted in a message: what cannot be printed becomes a box, and it is cut."""
    return "".join("□" if has_controls(sign) else sign for sign in text[:MAX_NAME])


def repair_garbled(text: str) -> str | None:
    """Read a name again that was UTF-8 taken for Windows-1252; None if it was not.

    >>> repair_garbled("JÃ¼rgen"), repair_garbled("Jürgen")
    ('Jürgen', None)
    """
    try:
        repaired = text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return None
    return repaired if repaired != text else None


def name_key(text: str) -> str:
    """Fold a name for comparison: no case, no accents, no punctuation, the order of its words forgotten.

    >>> name_key("Żółć-Muster Ana") == name_key("ana zolc muster")
    True
    """
    return " ".join(sorted(_words(text)))


def same_name_keys(text: str) -> frozenset[str]:
    """Give every key under which a name counts as the same; Asian names also without their gap."""
    words = _words(text)
    keys = {" ".join(sorted(words))}
    if any(sign >= _ASIAN for sign in text):
        keys.add("".join(words))
        keys.add("".join(sorted(words)))
        keys.add("".join(reversed(words)))
    return frozenset(keys - {""})


def find_similar(names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield (index, smaller index) for each name that is nearly an earlier one: a letter off, or a word more.

    Works by taking letters away and comparing what is left, so thousands of names take about a second.
    """
    seen: dict[str, int] = {}
    keys = [same_name_keys(name) for name in names]
    digits = [re.sub(r"\D", "", name) for name in names]
    for index, name in enumerate(names):
        traces = list(_traces(name))
        earlier = sorted({seen[sought] for sought, _ in traces if sought in seen})
        # "Guest 1" and "Guest 2" are meant; names that are quite the same are another matter
        match = next((old for old in earlier if digits[old] == digits[index] and not keys[old] & keys[index]), None)
        if match is not None:
            yield index, match
        for _, left in traces:
            seen.setdefault(left, index)


def find_alike(names: Sequence[str]) -> list[tuple[int, ...]]:
    """Return for each name the indices of the others that somebody in a hurry could take for it, the likest first.

    Alike are the same words in whatever order, one letter off or two letters changed about, the same letters in another
    order; and, behind these, the same first name. "Guest 1" and "Guest 2" are meant, and names of Asian signs begin
    with the family's, which many share. Hundreds of names take some milliseconds.

    >>> find_alike(["Ana Berg", "Mio Sol", "Berg, Ana", "Ana Silva", "Anna Berg", "Guest 1", "Guest 2"])
    [(2, 4, 3), (), (0, 4, 3), (0, 2), (0, 2), (), ()]
    """
    digits = [re.sub(r"\D", "", name) for name in names]
    near, first = _meetings(names, _near_traces), _meetings(names, _first_names)
    return [
        tuple(
            other
            for other in (*sorted(near[index]), *sorted(first[index] - near[index]))
            if digits[other] == digits[index]
        )
        for index in range(len(names))
    ]


def _meetings(names: Sequence[str], traces_of: Callable[[str], Iterable[str]]) -> list[set[int]]:
    """Return for each name the others that share a trace with it."""
    buckets: defaultdict[str, set[int]] = defaultdict(set)
    for index, name in enumerate(names):
        for trace in traces_of(name):
            buckets[trace].add(index)
    found: list[set[int]] = [set() for _ in names]
    for bucket in buckets.values():
        for index in bucket if len(bucket) > 1 else ():
            found[index] |= bucket - {index}
    return found


def _near_traces(name: str) -> set[str]:
    """Return what names that are nearly the same have in common: words, letters, and letters but one."""
    if len(name) > _LONGEST_ALIKE:
        return set()
    words = _words(name)
    whole, is_asian = "".join(words), any(sign >= _ASIAN for word in words for sign in word)
    traces = {f"words:{key}" for key in same_name_keys(name)}
    if len(whole) < (_SHORTEST_ASIAN_TYPO if is_asian else _SHORTEST_TYPO):
        return traces
    traces.add(f"letters:{''.join(sorted(whole))}")
    for spelling in {whole} if is_asian else {" ".join(words), " ".join(sorted(words))}:
        traces.add(spelling)
        traces |= {spelling[:index] + spelling[index + 1 :] for index in range(len(spelling))}
    return traces


def _first_names(name: str) -> Iterator[str]:
    """Yield the first name of a name in letters, if it is more than an initial."""
    words = [word for word in _words(clean_name(name)) if word not in _NOT_FIRST_NAMES]
    if words and len(words[0]) >= _SHORTEST_FIRST_NAME and not any(sign >= _ASIAN for sign in words[0]):
        yield words[0]


def _traces(name: str) -> Iterator[tuple[str, str]]:
    """Yield (trace to look for, trace to leave)."""
    if len(name) > _LONGEST_ALIKE:
        return
    words = _words(name)
    if len(words) >= 2:
        yield from _word_traces(sorted(words))
    if sum(map(len, words)) >= _SHORTEST_TYPO and all(sign < _ASIAN for word in words for sign in word):
        for spelling in {" ".join(words), " ".join(sorted(words))}:
            yield spelling, spelling
            for index in range(len(spelling)):
                shorter = spelling[:index] + spelling[index + 1 :]
                yield shorter, shorter


def _word_traces(words: list[str]) -> Iterator[tuple[str, str]]:
    """Let a whole name look for parts and a part for wholes: two that share only "van der Berg" do not meet."""
    whole = "|".join(words)
    yield f"part:{whole}", f"whole:{whole}"
    if len(words) >= 3:
        for index in range(len(words)):
            part = "|".join(words[:index] + words[index + 1 :])
            yield f"whole:{part}", f"part:{part}"


def _words(text: str) -> list[str]:
    spread = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS_APART))
    bare = "".join(sign for sign in spread if not "\u0300" <= sign <= "\u036f" and sign not in "'’`´")
    composed = unicodedata.normalize("NFC", bare)
    return "".join(sign if sign.isalnum() or sign == "ー" else " " for sign in composed).split()


def first_index_by_key(names: Iterable[str]) -> dict[str, int]:
    """Map every key of every name to the first name that has it."""
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        for key in same_name_keys(name):
            first.setdefault(key, index)
    return first


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


_TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


def search_text(text: str) -> str:
    """Return what a text is found by: its folded forms with an umlaut as one letter and as two.

    >>> search_text("Müller"), search_text("MUELLER"), search_text("Ada")
    ('muller mueller', 'mueller muller', 'ada')
    """
    folded = fold(text)
    spelled = fold(unicodedata.normalize("NFC", text).lower().translate(_TWO_LETTERS))
    return " ".join(dict.fromkeys((folded, spelled, re.sub("([aou])e|aa", lambda pair: pair[0][0], folded))))


def matches(query: str, name: str, number: int) -> bool:
    """Tell whether each word of a query is part of the name or is the player's number.

    >>> matches("snie lu", "Łucja Śniegocka", 7), matches("7", "Łucja Śniegocka", 7), matches("x", "Łucja Śniegocka", 7)
    (True, True, False)
    """
    folded = search_text(name)
    return all(word in folded or word == str(number) for word in fold(query).split())


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
