"""Points that were paid instead of han and fu, in words: numbers, readings, and what is wrong. It decides nothing."""

import re

from django.utils.translation import gettext as _

from scoring.entries import Win
from scoring.problems import Param
from web.words.formatting import points
from web.words.languages import Words, either, listed

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
    return listed([re.sub(r"\d+", lambda found: points(int(found[0])), text) for text in texts])


def readings_words(value: Param) -> str:
    """Write readings, han and fu of each.

    >>> readings_words(("3.30", "2.60"))
    '3 han 30 fu or 2 han 60 fu'
    """
    texts = [str(text).partition(".") for text in (value if isinstance(value, tuple) else (value,))]
    return either([_("%(han)d han %(fu)d fu") % {"han": int(han), "fu": int(fu)} for han, _dot, fu in texts])


def value_words(win: Win) -> str:
    """Say a reading on its button.

    >>> value_words(Win(seat=0, han=3, fu=30)), value_words(Win(seat=0, han=5)), value_words(Win(seat=0, yakuman=1))
    ('3 han 30 fu', '5 han', 'yakuman')
    """
    if win.yakuman:
        return _("yakuman") if win.yakuman == 1 else _("%(count)d yakuman") % {"count": win.yakuman}
    if not win.fu:
        return _("%(han)d han") % {"han": win.han}
    return _("%(han)d han %(fu)d fu") % {"han": win.han, "fu": win.fu}


PARAMS = {"paid": points_words, "nearest": points_words, "readings": readings_words}
