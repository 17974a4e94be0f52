"""Seasons in words: the rule, figures, who is first, and how one person's figure comes about."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.mers import exact_base_rank
from scoring.season_needs import PlaceGives
from scoring.seasons import Points
from tournament.events.models import Event, Visibility
from tournament.moments.messages import yakuman_items
from tournament.seasons.queries import DeclaredRule, Evening, RankingList, SeasonLine, SeasonView
from tournament.seasons.records import RecordKind, SeasonRecords, WonHand
from tournament.seasons.tonight import Tonight
from tournament.tables.messages import say_nameless
from tournament.text.hands import yaku_of
from tournament.text.languages import Words, join_and, join_commas, join_or, plural_text
from tournament.text.numbers import MINUS, number_separators, points, say_place, signed_p
from tournament.text.readback import value_words

READY_MADE_WORDS: Final[Words] = {
    "sum": gettext_lazy("Sum of all games"),
    "mean": gettext_lazy("Mean of all games, at least 9"),
    "best": gettext_lazy("Sum of the best 8 evenings"),
    "m_league": gettext_lazy("M-League: half of all points is carried into the next phase"),
    "mers": gettext_lazy("EMA’s ranking (MERS)"),
    "uk": gettext_lazy("UK list"),
    "austria": gettext_lazy("Austrian list"),
}
LIST_WORDS: Final[Words] = {
    RankingList.MERS: gettext_lazy(
        "EMA’s rule: each event counts by base rank and weight, halved after one year and gone after two, counted from "
        "the last event. Half of the figure is the weighted mean of the best results, five and four fifths of those "
        "beyond; half is that of the four with the best base rank."
    ),
    RankingList.UK: gettext_lazy(
        "The UK list’s rule: each day of an event counts by base rank. Half of the figure is the mean of the best nine "
        "tenths, half that of the best eight; at least ten days, missing ones are 0."
    ),
    RankingList.AUSTRIA: gettext_lazy(
        "Austria’s rule: the points of all events at home and of the best three abroad; players outside the upper half "
        "get nothing."
    ),
}
MOST_NAMED = 2  # people who take a rank away
RECORD_WORDS: Final[Words] = {
    RecordKind.GAME: gettext_lazy("Best game"),
    RecordKind.EVENING: gettext_lazy("Best evening"),
    RecordKind.HAND: gettext_lazy("Largest hand"),
    RecordKind.NO_LAST: gettext_lazy("Longest run without a last place"),
}
MEAN_PLACES = 10  # points to which a mean is rounded on pages


@dataclass(frozen=True, slots=True)
class Part:
    """One value of a person's figure: the evening or the head start, the figure as text, and whether it counts."""

    evening: str
    figure: str
    counts: bool


def rule_sentences(rule: DeclaredRule) -> list[str]:
    """Put the rule of a season into sentences."""
    if rule.ranking_list:
        return [str(LIST_WORDS[rule.ranking_list])]
    counts = rule.counts
    evening, base = counts.unit == "evening", counts.measure == "base_rank"
    if base:
        said = [
            _("Each evening counts by its rank: 1000 for the first, 0 for the last.")
            if evening
            else _("Each game counts by its place: 1000 for the first, 0 for the last.")
        ]
    else:
        said = [
            _("Each evening counts by the sum of its points, with uma and penalties.")
            if evening
            else _("Each game counts by its points, with uma and penalties.")
        ]
    if rule.halved:
        said.append(_("Half of all points is carried into the next phase."))
    best = counts.best
    if best:
        said.append(ngettext("The best %(n)d counts.", "The best %(n)d count.", best) % {"n": best})
    said.append(_("The figure is their mean.") if counts.gather == "mean" else _("The figure is their sum."))
    if counts.least > 1:
        said.append(
            ngettext("A rank needs at least %(n)d game.", "A rank needs at least %(n)d games.", counts.least)
            % {"n": counts.least}
        )
    return said


def figure_text(rule: DeclaredRule, figure: Points) -> str:
    """Write a figure: points in thousands, a mean of them to the nearest ten points, a rank to one decimal."""
    if rule.ranking_list or rule.counts.measure == "base_rank":
        tenths = round(Fraction(figure) * 10)
        whole_part, tenth = divmod(abs(tenths), 10)
        return f"{MINUS if tenths < 0 else ''}{whole_part}{number_separators()[1]}{tenth}"
    if rule.counts.gather == "sum":
        return signed_p(round(Fraction(figure)))
    point = number_separators()[1]
    whole, _point, decimals = signed_p(round(Fraction(figure) / MEAN_PLACES) * MEAN_PLACES).rpartition(point)
    return f"{whole}{point}{decimals:0<2}"


def evening_name(evening: Evening) -> str:
    """Return the name of an evening, or what stands for one that only its address leads to."""
    return evening.name if evening.listed else _("an unlisted event")


def line_name(line: SeasonLine) -> str:
    """Return the name of a line, or what stands for it."""
    return line.name or say_nameless().replace("{number}", str(line.number))


def together_sentences(view: SeasonView) -> list[str]:
    """Say which ranks are not apart yet."""
    return [
        _("Ranks %(first)d to %(last)d are not yet apart.") % {"first": first, "last": last}
        for first, last in view.together
    ]


def say_champions(view: SeasonView) -> str:
    """Name who won a closed season, "" for an open one."""
    return join_commas(line_name(line) for line in view.champions)


def percent_text(part: Fraction) -> str:
    """Write a part of all replays; less than half a percent as such."""
    percent = round(part * 100)
    return _("%(number)s%%") % {"number": percent} if percent else _("less than 1%")


def figure_parts(view: SeasonView, line: SeasonLine) -> list[Part]:
    """List a person's head start, if any, and the values of the figure in the order of the evenings, by the rule."""
    found: list[tuple[str, Fraction]] = []
    base = view.rule.counts.measure == "base_rank"
    for evening, event in zip(view.evenings, view.events, strict=True):
        key, weight = line.row.person, Fraction(event.weight)
        if view.rule.counts.unit == "evening" and key in evening.points:
            among = event.totals if event.forgotten else evening.points
            value = _rank_value(among, key) if base else evening.points[key] * weight
            found.append((evening_name(evening), Fraction(value)))
        elif view.rule.counts.unit == "game" and key in event.columns[0]:
            games = [game for game in event.games if key in game]
            found += [
                (evening_name(evening), Fraction(_rank_value(game, key) if base else game[key] * weight))
                for game in games
            ]
    order = sorted(range(len(found)), key=lambda at: -found[at][1])
    counted = set(order[: view.rule.counts.best])
    parts = [Part(name, _value_text(view.rule, value), at in counted) for at, (name, value) in enumerate(found)]
    start = view.carried.get(line.row.person)
    return [Part(_("Head start"), _value_text(view.rule, Fraction(start)), counts=True), *parts] if start else parts


def _rank_value(points: Mapping[int, Points], key: int) -> Fraction:
    return exact_base_rank(1 + sum(each > points[key] for each in points.values()), len(points))


def _value_text(rule: DeclaredRule, value: Fraction) -> str:
    return figure_text(rule._replace(counts=replace(rule.counts, gather="sum")), value)


def say_tonight_base(tonight: Tonight) -> str:
    """Say what is varied in what the last event gives: see `scoring.season_needs`."""
    counts = tonight.view.rule.counts
    if tonight.missing:
        return ngettext(
            "After this event you are %(n)d game short of a rank.",
            "After this event you are %(n)d games short of a rank.",
            tonight.missing,
        ) % {"n": tonight.missing}
    if tonight.places:
        return _("What each place in this event gives, however the others end; equal places are left out.")
    said = _("If the figures of all others stay as they are.")
    even = counts.unit == "game" and counts.best
    more = _("The points are spread evenly over these games.") if even else ""
    return " ".join(filter(None, [_("The points that you need in the games that are left."), said, more]))


def tonight_rows(tonight: Tonight) -> list[tuple[str, str]]:
    """Return pairs of texts: the place, one or several in a row, and the rank that it gives; or the rank and points."""
    if tonight.points:
        least = [_("%(points)s or more") % {"points": signed_p(each.points)} for each in tonight.points]
        return [(say_place(each.rank), text) for each, text in zip(tonight.points, least, strict=True)]
    rows: list[tuple[str, int, int]] = []
    for each in tonight.places:
        text = _say_gives(each)
        first = rows.pop()[1] if rows and rows[-1][0] == text else each.place
        rows.append((text, first, each.place))
    return [(_say_span(first, last), text) for text, first, last in rows]


def _say_gives(gives: PlaceGives[str]) -> str:
    if not gives.unless or len(gives.unless) > MOST_NAMED:
        return _say_span(gives.best, gives.worst)
    who = [
        _("%(name)s wins") % {"name": name}
        if place == 1
        else _("%(name)s comes %(place)s or better") % {"name": name, "place": say_place(place)}
        for name, place in gives.unless
    ]
    return _("%(rank)s, unless %(others)s") % {"rank": say_place(gives.best), "others": join_or(who)}


def _say_span(first: int, last: int) -> str:
    if first == last:
        return say_place(first)
    return _("%(first)s to %(last)s") % {"first": say_place(first), "last": say_place(last)}


def record_items(found: SeasonRecords) -> list[dict[str, Any]]:
    """Return the records of events as seasons/records.html shows them."""
    return [
        {
            "name": RECORD_WORDS[row.kind],
            "figure": _record_figure(row.kind, row.figure),
            "about": _("without honba and riichi sticks") if row.kind == RecordKind.HAND else "",
            "who": join_and(row.names),
            **(_place_of(row.event, row.hand) if row.event else {}),
            "hand": row.hand.win.hand if row.hand else None,
        }
        for row in found.rows
    ]


def _record_figure(kind: RecordKind, figure: int) -> str:
    if kind == RecordKind.NO_LAST:
        return plural_text("%(count)d game", "%(count)d games", figure)
    return points(figure) if kind == RecordKind.HAND else signed_p(figure)


def _place_of(event: Event, hand: WonHand | None) -> dict[str, str]:
    """Name the event, with its address where everybody finds it, or the table of a hand."""
    if event.visibility != Visibility.PUBLIC:
        return {"where": _("an unlisted event"), "url": ""}
    where = join_commas([event.name, date_format(event.date)])
    if hand is None:
        return {"where": where, "url": reverse("public:phone", args=[event.slug])}
    url = f"{reverse('public:table', args=[event.slug, hand.round, hand.table])}#hand-{hand.number}"
    return {"where": where, "url": url}


def hand_items(found: Iterable[tuple[Event, WonHand]]) -> list[dict[str, Any]]:
    """Return won hands as seasons/records.html shows them."""
    return [
        {"name": _name_hand(hand), "figure": points(hand.value), **_place_of(event, hand), "hand": hand.win.hand}
        for event, hand in found
    ]


def _name_hand(hand: WonHand) -> str:
    yaku = join_and([str(each["name"]) for each in yaku_of(hand.win, hand.rules)]) or value_words(hand.win)
    return f"{yaku[:1].upper()}{yaku[1:]}"


def all_yakuman_items(found: SeasonRecords) -> list[dict[str, Any]]:
    """Return every yakuman of events as moments/yakuman.html shows it, with the event in the place of the table."""
    items = []
    for event, yakuman, name in found.yakuman:
        (item,) = yakuman_items(event, [yakuman])
        place = _place_of(event, None)
        items.append({**item, "name": name, "where": place["where"], "url": place["url"] and item["url"]})
    return items
