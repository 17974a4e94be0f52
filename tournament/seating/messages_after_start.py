"""Words for changes of the draw after the start: redraws, swaps by hand, rounds by standing, cuts, teams."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.standings import Carried
from tournament.models.rounds import Cut
from tournament.seating.search.outcome_1 import Outcome
from tournament.seating.search.quality_1 import Tally
from tournament.text.languages import Words, counted, side_by_side
from tournament.text.numbers_formatting import p

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


FILLS: Final["Mapping[str, StrOrPromise]"] = {
    "put_in": gettext_lazy("Others take the seats"),
    "full": gettext_lazy("Redraw with full tables"),
    "substitutes": gettext_lazy("Redraw with substitutes"),
    "rests": gettext_lazy("Redraw with players resting in turn"),
}

# the same in the trail, in the middle of a sentence
FILL_WORDS: Words = {
    "put_in": "others take the seats",
    "full": "redrawn with full tables",
    "substitutes": "redrawn with substitutes",
    "rests": "redrawn with players resting in turn",
}

METHODS: Final["Mapping[str, tuple[StrOrPromise, StrOrPromise]]"] = {
    "swiss": (
        gettext_lazy("Swiss"),
        gettext_lazy("players of nearby ranks, with as few repeated meetings as possible"),
    ),
    "progressive": (gettext_lazy("Progressive"), gettext_lazy("the standing in blocks, each mixed")),
    "interval": (gettext_lazy("Interval"), gettext_lazy("ranks a fixed step apart: with 5, 1-6-11-16")),
    "snake": (gettext_lazy("Snake"), gettext_lazy("with four tables 1-8-9-16, 2-7-10-15 …")),
    "ranked": (gettext_lazy("By rank"), gettext_lazy("1-2-3-4, 5-6-7-8 …: final tables")),
    "lot": (gettext_lazy("By lot"), gettext_lazy("only the seed decides")),
}
CARRIES: Final["Mapping[str, StrOrPromise]"] = {
    "whole": gettext_lazy("all their points"),
    "halved": gettext_lazy("half of their points"),
    "cleared": gettext_lazy("nothing"),
}
OTHERS: Final["Mapping[str, StrOrPromise]"] = {
    "stop": gettext_lazy("stop"),
    "play_on": gettext_lazy("play on for the places below"),
}
APART: Final["Mapping[str, StrOrPromise]"] = {
    "clubs": gettext_lazy("club-mates"),
    "countries": gettext_lazy("countrymen"),
    "teams": gettext_lazy("team-mates"),
}
_MISSED: Final["Mapping[str, StrOrPromise]"] = {
    "round.apart": gettext_lazy("sit together, though they should not"),
    "round.group": gettext_lazy("are of one club, country or team"),
    "round.fixed_table": gettext_lazy("leaves the table that is kept"),
    "round.thrice": gettext_lazy("meet for the third time or more"),
}
_REASONS: Final["Mapping[str, StrOrPromise]"] = {
    "not_asked": gettext_lazy("the format sets the tables"),
    "crowded": gettext_lazy("there are more of them than tables"),
    "conflict": gettext_lazy("nothing better was found"),
}


def say_figures(tally: Tally) -> list[tuple[str, int]]:
    """Return the figures of a whole event as terms and values, all of which are better when they are less."""
    return [
        (_("Repeat meetings"), tally.repeats),
        (_("Pairs who meet again"), tally.pairs_met_again),
        (_("Pairs who meet three times or more"), tally.pairs_met_thrice),
        (_("One wind, most to least"), tally.winds_spread),
        (_("Most often at one table"), tally.tables_most),
        (_("Rounds without a seat, at most"), tally.rests_most),
    ]


def say_missed(outcome: Outcome, label: str, before: int) -> str:
    """Say of a wish how often it is missed, and how often it was before."""
    times = counted("missed once", "missed %(count)d times", outcome.missed)
    return _("%(wish)s: %(times)s (before: %(before)d)") % {"wish": label, "times": times, "before": before}


def say_round_missed(code: str, names: Iterable[str], reason: str) -> str:
    """Say what a round by standing misses, and why."""
    return _("%(who)s: %(what)s (%(why)s)") % {
        "who": " – ".join(names),
        "what": _MISSED.get(code, code),
        "why": _REASONS.get(reason, reason),
    }


def say_carried(carried: Iterable[Carried]) -> str:
    """Say what the cuts left of somebody's points, in thousands.

    >>> say_carried([Carried(5, 23400, 46800)])
    'carried 23.4 of 46.8 after round 5'
    """
    return side_by_side(
        _("carried %(points)s of %(of)s after round %(round)d")
        % {"points": p(each.points), "of": p(each.of), "round": each.after_round}
        for each in carried
    )


def say_cut(cut: Cut) -> str:
    """Say what a cut is."""
    return _("Cut to %(top)d after round %(round)d: those through carry %(carry)s, the others %(others)s.") % {
        "top": len(cut.through),
        "round": cut.after_round,
        "carry": CARRIES[cut.carry],
        "others": OTHERS[cut.others],
    }
