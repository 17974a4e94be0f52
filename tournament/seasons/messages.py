"""Seasons in words: the rule, figures, who is first, and how one person's figure comes about."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.seasons import Points
from tournament.seasons.queries import DeclaredRule, Evening, RankingList, SeasonLine, SeasonView
from tournament.tables.messages import say_nameless
from tournament.text.languages import Words, join_commas
from tournament.text.numbers import number_separators, signed_p

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
        "Austria’s rule: the points of all events at home and of the best three abroad; who is not in the upper half "
        "gets nothing."
    ),
}
MEAN_PLACES = 10  # points to which a mean is rounded on pages


@dataclass(frozen=True, slots=True)
class Part:
    """One value of a person's figure: the evening, the figure as text, and whether it counts."""

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
        whole_part, tenth = divmod(round(Fraction(figure) * 10), 10)
        return f"{whole_part}{number_separators()[1]}{tenth}"
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
    return f"{percent} %" if percent else _("less than 1 %")


def figure_parts(view: SeasonView, line: SeasonLine) -> list[Part]:
    """List the values of a person's figure in the order of the evenings, as the rule counts them."""
    found: list[tuple[str, Fraction]] = []
    base = view.rule.counts.measure == "base_rank"
    for evening, event in zip(view.evenings, view.events, strict=True):
        key, weight = line.row.person, Fraction(event.weight)
        if view.rule.counts.unit == "evening" and key in evening.points:
            value = _rank_value(evening.points, key) if base else evening.points[key] * weight
            found.append((evening_name(evening), Fraction(value)))
        elif view.rule.counts.unit == "game":
            games = [game for game in event.games if key in game]
            found += [
                (evening_name(evening), Fraction(_rank_value(game, key) if base else game[key] * weight))
                for game in games
            ]
    order = sorted(range(len(found)), key=lambda at: -found[at][1])
    counted = set(order[: view.rule.counts.best])
    return [Part(name, _value_text(view.rule, value), at in counted) for at, (name, value) in enumerate(found)]


def _rank_value(points: Mapping[int, Points], key: int) -> Fraction:
    better = sum(each > points[key] for each in points.values())
    return Fraction(1000 * (len(points) - 1 - better), max(len(points) - 1, 1))


def _value_text(rule: DeclaredRule, value: Fraction) -> str:
    return figure_text(rule._replace(counts=replace(rule.counts, gather="sum")), value)
