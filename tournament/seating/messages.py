"""Words for a draw and for its changes after the start: wishes, figures, redraws, rounds by standing, cuts, teams."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from django.db.models import Count
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.standings import Carried
from tournament.events.models import Event
from tournament.seating.plan import ALWAYS, DrawReport, MissedPlace, WishResult
from tournament.seating.queries import get_origin
from tournament.seating.search.draw import UnevenOption, UnevenSeating
from tournament.seating.search.outcome import Outcome
from tournament.seating.search.quality import Figures, Tally
from tournament.standings.models import Cut
from tournament.tables.rows import DrawOrigin
from tournament.text.acts import word_details
from tournament.text.languages import Words, join_and, join_commas, join_spaced, plural_text, sentences
from tournament.text.numbers import p

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


WISHES: Final[Mapping[str, Promise]] = {
    "fixed": gettext_lazy("Players who keep a table"),
    "together": gettext_lazy("At one table in a given round"),
    "repeats": gettext_lazy("Nobody meets twice"),
    "winds": gettext_lazy("Each starting wind equally often"),
    "clubs": gettext_lazy("Clubs apart"),
    "countries": gettext_lazy("Countries apart"),
    "families": gettext_lazy("Families and pairs apart"),
    "seeds": gettext_lazy("Strong players spread in round one"),
    "tables": gettext_lazy("Nobody at one table too often"),
    "rooms": gettext_lazy("Rooms: nobody always in one, nobody always moving"),
    "indirect": gettext_lazy("Opponents in common for those who never meet"),
    "substitutes": gettext_lazy("Substitutes at different tables"),
}

PRESETS: Final[Mapping[str, Promise]] = {
    "meetings": gettext_lazy("Meet nobody twice"),
    "apart": gettext_lazy("Keep clubs apart"),
    "tables": gettext_lazy("Spread tables and rooms"),
}

WHY: Final[Mapping[str, Promise]] = {
    "group_larger_than_tables": gettext_lazy("the largest group has more players than there are tables"),
    "fixed_together": gettext_lazy("two of them keep the same table"),
    "fixed_apart": gettext_lazy("they keep different tables"),
    "group_too_large": gettext_lazy("the group is larger than a table"),
    "meetings_exceed_players": gettext_lazy("in so many rounds everybody would need more opponents than there are"),
    "meetings_do_not_fit": gettext_lazy("so many players and rounds do not go together better, which is proved"),
}

TABLE_NOTES: Final[Mapping[str, Promise]] = {
    "tables.fewer_than_rounds": gettext_lazy(
        "There are fewer tables than rounds, so that everybody comes to some table again."
    ),
    "tables.some_of_each": gettext_lazy(
        "There are so few tables that each round takes somebody of every table to every table: a few stay where they "
        "are, however the tables are numbered."
    ),
}


def say_wish(key: str) -> str:
    """Name a wish by its key.

    >>> str(say_wish("together-3"))
    'At one table in round 3'
    """
    kind, _dash, number = key.partition("-")
    if number:
        return _("At one table in round %(number)s") % {"number": number}
    return str(WISHES.get(kind, kind))


def say_rounds(until: int) -> str:
    """Say in which rounds a wish holds."""
    if until == ALWAYS:
        return _("always")
    return _("in round 1") if until == 1 else _("in rounds 1 to %(last)d") % {"last": until}


def say_outcome(judged: WishResult) -> str:
    """Say what came of a wish: met, or how often it is missed, the least that is possible, and why.

    >>> say_outcome(WishResult("clubs", 3, 2, "group_larger_than_tables", ()))
    'missed 3 times; no draw can do with fewer than 2, because the largest group has more players than there are tables'
    """
    if not judged.missed:
        return _("met")
    times = plural_text("missed once", "missed %(count)d times", judged.missed)
    if not judged.least:
        return times
    why = WHY.get(judged.why)
    because = _(", because %(why)s") % {"why": why} if why else ""
    if judged.missed <= judged.least:
        return _("%(times)s, which no draw can avoid%(because)s") % {"times": times, "because": because}
    told = {"times": times, "least": judged.least, "because": because}
    return _("%(times)s; no draw can do with fewer than %(least)d%(because)s") % told


def say_place(place: MissedPlace, names: Mapping[int, str]) -> str:
    """Say where a wish is missed, and by whom.

    >>> say_place(MissedPlace(2, 5, (1, 7)), {1: "Ada", 7: "Ben"})
    'Round 2, table 5: Ada, Ben'
    """
    who = join_commas(names.get(number, str(number)) for number in place.players)
    if place.round and place.table:
        return _("Round %(round)d, table %(table)d: %(who)s") % {
            "round": place.round, "table": place.table, "who": who,
        }  # fmt: skip
    if place.round:
        return _("Round %(round)d: %(who)s") % {"round": place.round, "who": who}
    return _("Table %(table)d: %(who)s") % {"table": place.table, "who": who} if place.table else who


def list_draws(event: Event) -> list[str]:
    """Say of the rounds with public seats how each draw can be repeated, one sentence for each seed; one query."""
    drawn: defaultdict[tuple[int | None, DrawOrigin | None], dict[int, int]] = defaultdict(dict)
    public = event.rounds.filter(published_at__isnull=False).annotate(seats_count=Count("seats"))
    for round_ in public.order_by("number"):
        drawn[get_origin(event, round_)][round_.number] = round_.seats_count
    said = []
    for (seed, origin), seats in drawn.items():
        sentence = seed_sentence(seed, origin or DrawOrigin(players=max(seats.values())))
        said.append(_("%(rounds)s: %(said)s") % {"rounds": rounds_text(list(seats)), "said": sentence})
    return said


def seed_sentence(seed: int | None, origin: DrawOrigin) -> str:
    """Say where seats come from and how the draw can be repeated; it goes on from a colon.

    >>> seed_sentence(5, DrawOrigin("standing"))
    'drawn by standing, with lots from seed 5.'
    """
    if origin.by == "standing":
        by_lot = _("drawn by standing, with lots from seed %(seed)d.")
        return _("drawn by standing.") if seed is None else by_lot % {"seed": seed}
    if seed is None:
        return _("no seed, because the seats were not drawn by this program.")
    if origin.by == "redraw":
        return _("redrawn after the start, from seed %(seed)d and the rounds before.") % {"seed": seed}
    extras = extras_of(origin)
    drawn = _("drawn by lot with seed %(seed)d from the list of %(players)d players in order of their numbers.")
    if extras:
        drawn = _(
            "drawn by lot with seed %(seed)d from the list of %(players)d players in order of their numbers, with "
            "%(extras)s."
        )
    said = drawn % {"seed": seed, "players": origin.players, "extras": join_and(extras)}
    if origin.ended_early:
        return sentences([said, _("The search was ended early: the seed alone does not repeat it.")])
    return sentences([said, _("The same seed, list and wishes give the same draw on any desk.")])


def rounds_text(numbers: list[int]) -> str:
    """Name rounds in few words.

    >>> rounds_text([3]), rounds_text([1, 2, 3, 4]), rounds_text([1, 3, 4])
    ('Round 3', 'Rounds 1 to 4', 'Rounds 1, 3, 4')
    """
    if len(numbers) == 1:
        return _("Round %(number)d") % {"number": numbers[0]}
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return _("Rounds %(first)d to %(last)d") % {"first": numbers[0], "last": numbers[-1]}
    return _("Rounds %(rounds)s") % {"rounds": join_commas(map(str, numbers))}


def say_repeats(figures: Figures) -> str:
    """Say how many meetings are repeats, against what can be proved."""
    if not figures.repeats:
        return _("nobody meets twice")
    if figures.repeats == figures.repeats_least:
        return _("%(count)d, and no draw can have fewer") % {"count": figures.repeats}
    return _("%(count)d; proven least: %(least)d") % {"count": figures.repeats, "least": figures.repeats_least}


def say_met(figures: Figures) -> str:
    """Say how often those meet who meet most often."""
    if figures.met_most <= 1:
        return pgettext("how often two meet", "once")
    if figures.met_most == 2:
        return ngettext("twice (%(pairs)d pair)", "twice (%(pairs)d pairs)", figures.pairs_again) % {
            "pairs": figures.pairs_again
        }
    told = {"times": figures.met_most, "pairs": figures.pairs_thrice}
    return (
        ngettext(
            "%(times)d times (%(pairs)d pair 3 times or more)",
            "%(times)d times (%(pairs)d pairs 3 times or more)",
            figures.pairs_thrice,
        )
        % told
    )


def say_spread(found: int, least: int) -> str:
    """Say by how much counts differ, against the least possible."""
    if not found:
        return _("the same for everybody")
    differ = _("differ by %(count)d") % {"count": found}
    return _("%(differ)s, the least possible") % {"differ": differ} if found <= least else differ


def say_visits(figures: Figures) -> str:
    """Say how often somebody comes to one table."""
    most = plural_text("once at most", "%(count)d times at most", figures.tables_most)
    return _("%(most)s, the least possible") % {"most": most} if figures.tables_most <= figures.tables_least else most


def say_kept(figures: Figures) -> str:
    """Say how often somebody stays at a table from one round to the next."""
    if not figures.tables_kept:
        return _("never")
    times = plural_text("once", "%(count)d times", figures.tables_kept)
    forced = figures.tables_kept_least and figures.tables_kept <= figures.tables_kept_least
    return _("%(times)s, the least possible") % {"times": times} if forced else times


def figure_rows(report: DrawReport) -> list[tuple[str, str, str]]:
    """Return the figures of a draw as key (a field of `Figures`), term and value."""
    figures = report.figures
    rows = [
        ("repeats", _("Repeat meetings"), say_repeats(figures)),
        ("met_most", _("Most often together"), say_met(figures)),
        ("pairs_never", _("Pairs who never meet"), str(figures.pairs_never)),
        ("winds_spread", _("One wind, most to least"), say_spread(figures.winds_spread, figures.winds_least)),
        ("tables_most", _("At one and the same table"), say_visits(figures)),
        ("tables_kept", _("Same table twice running"), say_kept(figures)),
    ]
    if figures.shared_least is not None:
        rows.insert(3, ("shared_least", _("Opponents in common, at least"), str(figures.shared_least)))
    if figures.rests_most:
        rests = _("%(least)d to %(most)d rounds") % {"least": figures.rests_least, "most": figures.rests_most}
        rows.append(("rests_most", _("Rests of one player"), rests))
    return rows


def figure_lines(report: DrawReport) -> list[tuple[str, str]]:
    """Return the figures of a draw as terms and values."""
    return [(term, value) for _key, term, value in figure_rows(report)]


def say_way(option: UnevenOption) -> str:
    """Name a way to seat an odd field."""
    if option.way == UnevenSeating.SUBSTITUTES:
        return plural_text("%(count)d substitute", "%(count)d substitutes", option.substitutes)
    if option.way == UnevenSeating.RESTS:
        told = ngettext("%(count)d player rests in each round", "%(count)d players rest in each round", option.rests)
        return told % {"count": option.rests}
    if option.way == UnevenSeating.OTHER_TABLES:
        count = option.sizes.count(option.sizes[-1])
        told = ngettext("%(count)d table of %(size)d", "%(count)d tables of %(size)d", count)
        return told % {"count": count, "size": option.sizes[-1]}
    return _("full tables")


def say_cost(option: UnevenOption) -> str:
    """Say what a way to seat an odd field costs."""
    if option.way == UnevenSeating.SUBSTITUTES:
        return _(
            "Everybody plays every round. The substitutes are added to the list of players when you use the draw: "
            "they are seated and scored like everybody, but not ranked."
        )
    if option.way == UnevenSeating.RESTS:
        told = {"least": option.rests_least, "most": option.rests_most}
        often = (
            _("Each player rests in %(most)d rounds of the event") % told
            if option.rests_least == option.rests_most
            else _("Each player rests in %(least)d to %(most)d rounds of the event") % told
        )
        return often + _(": no seat, no game and no points in that round.")
    return _("No rule set of this desk knows tables of another size: hands could not be entered there.")


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


def figures_text(tally: Tally) -> list[tuple[str, int]]:
    """Return the figures of a whole event as terms and values, all of which are better when they are less."""
    return [
        (_("Repeat meetings"), tally.repeats),
        (_("Pairs who meet again"), tally.pairs_again),
        (_("Pairs who meet three times or more"), tally.pairs_thrice),
        (_("One wind, most to least"), tally.winds_spread),
        (_("Most often at one table"), tally.tables_most),
        (_("Rounds without a seat, at most"), tally.rests_most),
    ]


def say_missed(outcome: Outcome, label: str, before: int) -> str:
    """Say of a wish how often it is missed, and how often it was before."""
    times = plural_text("missed once", "missed %(count)d times", outcome.missed)
    return _("%(wish)s: %(times)s (before: %(before)d)") % {"wish": label, "times": times, "before": before}


def say_round_missed(code: str, names: Iterable[str], reason: str) -> str:
    """Say what a round by standing misses, and why."""
    return _("%(who)s: %(what)s (%(why)s)") % {
        "who": " – ".join(names),
        "what": _MISSED.get(code, code),
        "why": _REASONS.get(reason, reason),
    }


def say_carried(carried: Sequence[Carried]) -> str:
    """Say what the cuts left of somebody's points, in thousands.

    >>> say_carried([Carried(5, 23400, 46800)])
    'carried 23.4 of 46.8 after round 5'
    """
    if not carried:  # as for nearly everybody
        return ""
    return join_spaced(
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


def extras_of(origin: DrawOrigin) -> list[str]:
    """Say what a draw was made with beside the list of players."""
    some = origin.substitutes
    return [
        *([ngettext("%(count)d substitute", "%(count)d substitutes", some) % {"count": some}] if some else []),
        *([_("rests in turn")] if origin.rests else []),
        *([_("the organiser’s wishes")] if origin.wishes else []),
    ]


word_details(fill=FILL_WORDS, method=lambda value: str(METHODS[value][0]) if value in METHODS else str(value))
