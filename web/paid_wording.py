"""Points that were paid instead of han and fu, in words: numbers, readings, and what is wrong. It decides nothing."""

import re

from scoring.entries import Win
from scoring.problems import Param
from web.languages import Words

SENTENCES: Words = {
    "paid.several": "{paid} to {seat} is {readings}: choose which, or type han and fu.",
    "paid.none": "No hand of {seat} pays {paid}. The nearest: {nearest}.",
    "paid.both_wanted": (
        "{paid} alone is not enough: {seat} does not deal, so type what the others and what the dealer pays by tsumo, "
        "as 1300-2600."
    ),
    "paid.one_wanted": (
        "{paid} are two payments, and for {seat} one number is wanted: what the discarder pays, or each player to the "
        "dealer."
    ),
    "paid.unreadable": "“{value}” cannot be points: type one number, or two as in 1300-2600.",
    "paid.and_han": "{seat} has points as well as han or fu: give one of them.",
}


def points_words(value: Param) -> str:
    """Write payments as they were typed, with separators.

    >>> points_words("3900"), points_words(("1300-2600", "8000"))
    ('3,900', '1,300-2,600 and 8,000')
    """
    texts = [str(text) for text in value] if isinstance(value, tuple) else [str(value)]
    return " and ".join(re.sub(r"\d+", lambda found: f"{int(found[0]):,}", text) for text in texts)


def readings_words(value: Param) -> str:
    """Write readings, han and fu of each.

    >>> readings_words(("3.30", "2.60"))
    '3 han 30 fu or 2 han 60 fu'
    """
    texts = [str(text).partition(".") for text in (value if isinstance(value, tuple) else (value,))]
    said = [f"{han} han {fu} fu" for han, _, fu in texts]
    return " or ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else "".join(said)


def value_words(win: Win) -> str:
    """Say a reading on its button.

    >>> value_words(Win(seat=0, han=3, fu=30)), value_words(Win(seat=0, han=5)), value_words(Win(seat=0, yakuman=1))
    ('3 han 30 fu', '5 han', 'yakuman')
    """
    if win.yakuman:
        return "yakuman" if win.yakuman == 1 else f"{win.yakuman} yakuman"
    return f"{win.han} han {win.fu} fu" if win.fu else f"{win.han} han"


PARAMS = {"paid": points_words, "nearest": points_words, "readings": readings_words}
