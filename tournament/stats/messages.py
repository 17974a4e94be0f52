"""The words of a player's and an event's story: where points came from, rates, records, two players who met.

The only arithmetic is averages and percentages.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.player_stats import PlayerStats
from scoring.records import Kind
from tournament.stats.queries import Feeder, HandAt, HandStory, HeadToHeadTables, Lead, Records
from tournament.text.languages import join_and, join_commas, plural_text
from tournament.text.numbers import hand_name, p, points, say_place, signed

SOURCE_WORDS: Final[dict[str, Promise]] = {
    "ron": gettext_lazy("Ron"),
    "tsumo": gettext_lazy("Tsumo"),
    "draw": gettext_lazy("Draws"),
    "honba": gettext_lazy("Honba"),
    "riichi_sticks": gettext_lazy("Riichi sticks"),
    "correction": gettext_lazy("Corrections by a referee"),
}
RECORD_WORDS: Final[dict[Kind, tuple[Promise, Promise]]] = {
    "largest_hand": (gettext_lazy("Largest hand"), gettext_lazy("without honba and riichi sticks")),
    "first_yakuman": (gettext_lazy("First yakuman"), gettext_lazy("in the order of entry")),
    "longest_deal": (gettext_lazy("Longest dealer streak"), gettext_lazy("in a row as dealer, draws included")),
    "most_honba": (gettext_lazy("Most honba"), gettext_lazy("at the start of a hand")),
    "most_riichi_sticks": (gettext_lazy("Most riichi sticks won"), gettext_lazy("with one hand")),
    "largest_comeback": (
        gettext_lazy("Largest comeback"),
        gettext_lazy("biggest deficit overturned"),
    ),
    "closest_table": (gettext_lazy("Closest table"), gettext_lazy("from first to last at the end")),
}


def percent(part: int, whole: int) -> str:
    """Write a share of hundred with one decimal, a half rounded up; a dash where there is no whole.

    >>> percent(2, 9), percent(1, 3), percent(5, 5), percent(0, 0)
    ('22.2%', '33.3%', '100.0%', '–')
    """
    if not whole:
        return "\N{EN DASH}"
    tenths = (2000 * part + whole) // (2 * whole)
    return _("%(number)s%%") % {"number": p(tenths * 100)}


def average(total: int, count: int) -> str:
    """Write the average of points in whole points, a half rounded up; a dash where there is none.

    >>> average(10000, 3), average(0, 0)
    ('3,333', '–')
    """
    return points((2 * total + count) // (2 * count)) if count else "\N{EN DASH}"


def say_hand(at: HandAt) -> str:
    """Say where a hand was played."""
    where = _("round %(round)d, table %(table)d") % {"round": at.round, "table": at.table}
    if at.state is None:
        return where
    hand = hand_name(at.state.round_wind, at.state.kyoku)
    if at.state.honba:
        honba = plural_text("%(count)d honba", "%(count)d honba", at.state.honba)
        hand = f"{hand} · {honba}"
    return join_commas([where, hand])


def say_hands(count: int) -> str:
    """Say how many hands."""
    return plural_text("%(count)d hand", "%(count)d hands", count)


def say_names(names: Sequence[str]) -> str:
    """List names; who has none is a substitute."""
    return join_and([name or _("a substitute") for name in names])


def deal_ins_text(feeder: Feeder) -> str:
    """Say how often somebody dealt in to a player, and for how much."""
    times = plural_text("%(count)d time", "%(count)d times", feeder.times)
    return f"{times} · {_('%(points)s points') % {'points': points(feeder.points)}}"


def say_led(lead: Lead) -> tuple[str, str]:
    """Say for how long a player led, as far as that is known, and in how many hands."""
    said = ngettext("%(led)d of %(count)d hand", "%(led)d of %(count)d hands", lead.of)
    hands = said % {"led": lead.hands, "count": lead.of}
    return (plural_text("%(count)d minute", "%(count)d minutes", lead.minutes), hands) if lead.minutes else (hands, "")


def say_standing(place: int, count: int, *, shared: bool, best: bool) -> str:
    """Say the place of a rate among those of so many players; `best` where the first is the best."""
    if place == 1 and best and not shared:
        return _("best of %(count)d") % {"count": count}
    return _("%(place)s of %(count)d") % {"place": say_place(place, shared), "count": count}


def facts_of(
    story: PlayerStats, everybody: PlayerStats, places: Mapping[Callable[[PlayerStats], str], str]
) -> list[dict[str, str]]:
    """Return the rates of a story as terms with a value, what it is made of, the `average` of everybody, and a place.

    `places` are by what writes the rate. What there is not is "".
    """
    ways = _("%(ron)d by ron, %(tsumo)d by tsumo") % {"ron": story.ron_wins, "tsumo": story.tsumo_wins}
    rates: list[tuple[str, Callable[[PlayerStats], str], str]] = [
        (_("Win rate"), win_rate, ways),
        (_("Average win"), average_win, ""),
        (_("Deal-in rate"), deal_in_rate, plural_text("%(count)d time", "%(count)d times", story.deal_ins)),
        (_("Average deal-in"), average_deal_in, ""),
        (_("Riichi rate"), riichi_rate, _riichi(story)),
        (pgettext("a rate", "Tenpai at a draw"), tenpai_rate, _of_draws(story.tenpai, story.tenpai + story.noten)),
    ]
    rows = [
        (
            _("Hands played"),
            str(story.hands),
            plural_text("in %(count)d game", "in %(count)d games", story.games),
            "",
            "",
        )
    ]
    rows += [(term, write(story), detail, write(everybody), places.get(write, "")) for term, write, detail in rates]
    rows.append((_("Times dealer"), str(story.dealer_turns), say_hands(story.dealer_hands), "", ""))
    if story.nagashi:
        rows.append((_("Nagashi mangan"), str(story.nagashi), "", "", ""))
    if story.chombo:
        rows.append((_("Chombo"), str(story.chombo), _("off the total, not off the score of the table"), "", ""))
    return [dict(zip(("term", "value", "detail", "average", "place"), row, strict=True)) for row in rows]


def win_rate(story: PlayerStats) -> str:
    """Write the share of hands won."""
    return percent(story.wins, story.hands)


def average_win(story: PlayerStats) -> str:
    """Write the average value of a win."""
    return average(story.win_points, story.wins)


def deal_in_rate(story: PlayerStats) -> str:
    """Write the share of hands dealt in."""
    return percent(story.deal_ins, story.hands)


def average_deal_in(story: PlayerStats) -> str:
    """Write the average cost of a deal-in."""
    return average(story.deal_in_points, story.deal_ins)


def riichi_rate(story: PlayerStats) -> str:
    """Write the share of hands with riichi."""
    return percent(story.riichi, story.hands)


def tenpai_rate(story: PlayerStats) -> str:
    """Write the share of draws at which the player was tenpai."""
    return percent(story.tenpai, story.tenpai + story.noten)


def gaps_text(told: HandStory) -> list[str]:
    """Say which games or hands the story does not hold."""
    lines = []
    if told.totals_only:
        count = told.totals_only
        lines.append(
            plural_text(
                "Of %(count)d game only the final scores were entered: it is not in these figures.",
                "Of %(count)d games only the final scores were entered: they are not in these figures.",
                count,
            )
        )
    if told.replaced:
        lines.append(
            _("Hands that a substitute played are the substitute's: round %(rounds)s.") % _rounds(told.replaced)
        )
    if told.unsure:
        lines.append(
            _("It is not known which hands a substitute played in round %(rounds)s: none of them is counted here.")
            % _rounds(told.unsure)
        )
    return lines


def sum_text(told: HandStory) -> str:
    """Say what all sources together come to."""
    text = _("Net %(points)s") if told.whole else _("Net %(points)s in the hands played")
    return text % {"points": signed(told.story.difference)}


def say_figure(kind: Kind, figure: int) -> str:
    """Write the figure of a record."""
    if kind == "longest_deal":
        return say_hands(figure)
    if kind == "most_honba":
        return plural_text("%(count)d honba", "%(count)d honba", figure)
    if kind == "most_riichi_sticks":
        return plural_text("%(count)d riichi stick", "%(count)d riichi sticks", figure)
    return _("%(points)s points") % {"points": points(figure)}


def record_gaps_text(records: Records) -> str:
    """Say how many tables can set no record."""
    count = records.totals_only
    if not count:
        return ""
    said = ngettext(
        "Of %(count)d table only the final scores were entered: it can set no record.",
        "Of %(count)d tables only the final scores were entered: they can set no record.",
        count,
    )
    return said % {"count": count}


def meeting_facts(meeting: HeadToHeadTables) -> list[dict[str, str]]:
    """Return what two players had of each other as terms, with a value for the one and for the other."""
    total = meeting.total
    rows: list[tuple[str, Any, Any]] = [(_("Ahead"), meeting.count_ahead(1), meeting.count_ahead(-1))]
    if any(table.told for table in meeting.tables):
        rows += [
            (_("Rons against"), total.ron_by_one, total.ron_by_other),
            (_("Points won from them"), points(total.to_one), points(total.to_other)),
        ]
    return [{"term": term, "one": str(one), "other": str(other)} for term, one, other in rows]


def _riichi(story: PlayerStats) -> str:
    return _("%(count)d declared, %(won)d won") % {"count": story.riichi, "won": story.riichi_won}


def _of_draws(part: int, draws: int) -> str:
    said = ngettext("%(part)d of %(count)d draw", "%(part)d of %(count)d draws", draws)
    return said % {"part": part, "count": draws}


def _rounds(rounds: Sequence[int]) -> dict[str, str]:
    return {"rounds": join_commas(str(number) for number in rounds)}
