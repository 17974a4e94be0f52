"""What the pages of a draw show: its wishes as a form, drafts side by side, figures and pictures, in words.

Reads what selectors give and words it; writes nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from tournament.draws.report import DrawReport, Seats, meetings, table_paths, wind_counts
from tournament.draws.wishes import ALWAYS, Asked, Entrant, groups_by
from tournament.models import Event
from tournament.seating.errors import SeatingError
from tournament.seating.uneven import UnevenOption, Way
from tournament.seating.uneven import options_for as options_of
from tournament.selectors.draws.drafts import DraftRow
from web.seating.draw_form import DrawForm
from web.seating.meeting_picture import picture_of, words_of
from web.words.draw import (
    PRESETS,
    TABLE_NOTES,
    figure_lines,
    figure_rows,
    say_cost,
    say_outcome,
    say_place,
    say_rounds,
    say_way,
    say_wish,
)
from web.words.problems import say

PICKED = {"families": 4, "together": 4, "fixed": 1, "seeds": 1}  # how many people a line of a wish names at once
TEXTS = ("families", "together", "fixed", "rooms", "seeds")
UNTIL = {"clubs": "clubs", "countries": "countries", "families": "families_until"}
_BETTER = {"shared_least": -1}  # of all other figures less is better
OPEN_TO_ALL = ("repeats", "winds", "tables")


def wishes_context(
    event: Event, form: DrawForm, entrants: Sequence[Entrant], names: Mapping[int, str], asked: Asked
) -> dict[str, Any]:
    """Return the form of the wishes: one item for each in the organiser's order, presets, ways of an odd field."""
    options = _options(len(entrants), event)
    return {
        "form": form,
        "wishes": [_item(key, form, event, entrants, asked) for key in form.order],
        "presets": list(PRESETS.items()),
        "ways": [_way(option, form) for option in options if option.way != Way.FULL],
        "odd": bool(options) and options[0].way != Way.FULL,
        "people": sorted(names.items()),
        "wishes_used": sorted(asked.used),
    }


def _options(players: int, event: Event) -> Sequence[UnevenOption]:
    try:
        return options_of(players, event.ruleset.players, event.rounds_planned)
    except SeatingError:
        return ()


def _way(option: UnevenOption, form: DrawForm) -> dict[str, Any]:
    return {
        "value": option.way.value,
        "name": say_way(option),
        "cost": say_cost(option),
        "closed": option.way == Way.OTHER_TABLES,
        "chosen": form.way == option.way.value,
    }


def _item(key: str, form: DrawForm, event: Event, entrants: Sequence[Entrant], asked: Asked) -> dict[str, Any]:
    until = UNTIL.get(key)
    return {
        "key": key,
        "name": say_wish(key),
        "always": key in OPEN_TO_ALL,
        "used": key in asked.used or (key in TEXTS and bool(getattr(form, key).strip())),
        "text": getattr(form, key) if key in TEXTS else None,
        "until_name": until,
        "rounds": _rounds(getattr(form, until), event.rounds_planned, key) if until else [],
        "groups": len(groups_by(entrants, {"clubs": "club", "countries": "country"}[key]))
        if key in ("clubs", "countries")
        else None,
        "picks": range(PICKED.get(key, 0)),
        "numbered": {"together": _("Round"), "fixed": _("Table")}.get(key, ""),
        "said": say_rounds(getattr(form, until)) if until and getattr(form, until) else "",
    }


def _rounds(chosen: int, rounds: int, key: str) -> list[dict[str, Any]]:
    values = [*([] if key == "families" else [0]), ALWAYS, *range(1, rounds)]
    return [
        {
            "value": {ALWAYS: "always", 0: ""}.get(value, value),
            "name": say_rounds(value) if value else _("no matter"),
            "chosen": value == chosen,
        }
        for value in values
    ]


def drafts_context(event: Event, drafts: Sequence[DraftRow], *, published: bool) -> dict[str, Any]:
    """Return the drafts as cards, and whether a search is on."""
    done = [draft for draft in drafts if draft.done]
    return {
        "drafts": [_card(event, draft, letter(drafts, draft.id)) for draft in drafts],
        "searching": any(draft.searching for draft in drafts),
        "comparable": len(done) > 1,
        "published": published,
    }


def letter(drafts: Sequence[DraftRow], draft: int) -> str:
    """Return the letter by which a draft is called on a page: A for the oldest.

    >>> letter([], 1)
    ''
    """
    ids = [each.id for each in drafts]
    return chr(ord("A") + ids.index(draft) % 26) if draft in ids else ""


def _card(event: Event, draft: DraftRow, called: str) -> dict[str, Any]:
    report = draft.report
    return {
        "row": draft,
        "letter": called,
        "url": reverse("desk:draft", args=[event.slug, draft.id]),
        "asked": asked_words(draft.asked) + _way_words(draft),
        "percent": draft.share // 10,
        "best": _best(draft),
        "facts": figure_lines(report)[:2] if report else [],
        "met": _met(report) if report else "",
        "problem": say(draft.problem) if draft.problem else "",
        "takeable": draft.done and not draft.stale and not draft.taken,
        "again": (not draft.searching and not draft.done) or draft.cut_short,
    }


def asked_words(asked: Asked) -> list[str]:
    """Return what is asked for beside what every draw has, in order."""
    until = {"clubs": asked.clubs, "countries": asked.countries, "families": asked.families_until}
    return [
        f"{say_wish(key)} ({say_rounds(until[key])})" if key in until else say_wish(key)
        for key in asked.order
        if key in asked.used
    ]


def _way_words(draft: DraftRow) -> list[str]:
    if draft.way == Way.SUBSTITUTES:
        return [_("with substitutes")]
    return [_("with rests in turn")] if draft.way == Way.RESTS else []


def _best(draft: DraftRow) -> list[str]:
    """Say how the best so far does by the wishes that it misses; nothing until there is one."""
    if not draft.best:
        return []
    missed = [(key, times) for key, times in draft.best if times and key != "tables"]
    return [f"{say_wish(key)}: {times}" for key, times in missed] or [_("every wish is met so far")]


def _met(report: DrawReport) -> str:
    met = sum(not wish.missed for wish in report.wishes)
    return _("%(met)d of %(all)d wishes met") % {"met": met, "all": len(report.wishes)}


def report_context(
    rounds: Seats, table_size: int, report: DrawReport, names: Mapping[int, str], resting: Sequence[Sequence[int]] = ()
) -> dict[str, Any]:
    """Return everything about a draw: figures, wishes, who meets again, picture, winds, tables, in words."""
    pairs = meetings(rounds)
    seated = sorted({who for tables in rounds for table in tables for who in table})
    called = {number: names.get(number, str(number)) for number in seated}
    return {
        "figures": figure_lines(report),
        "tables_note": TABLE_NOTES.get(report.figures.tables_note, ""),
        "outcomes": outcome_rows(report, names),
        "meetings": [
            {"names": (called[one], called[other]), "rounds": when}
            for (one, other), when in pairs.items()
            if len(when) > 1
        ],
        "picture": picture_of(seated, pairs),
        "met": words_of(called, pairs),
        "winds": range(table_size),
        "wind_rows": [
            {"number": who, "name": called[who], "counts": counts, "uneven": max(counts) - min(counts) > 1}
            for who, counts in wind_counts(rounds, table_size).items()
        ],
        "path_rows": [{"number": who, "name": called[who], "path": path} for who, path in table_paths(rounds).items()],
        "round_numbers": range(1, len(rounds) + 1),
        "rests": [
            {"round": number, "names": [names.get(who, str(who)) for who in who_rest]}
            for number, who_rest in enumerate(resting, start=1)
            if who_rest
        ],
    }


def outcome_rows(report: DrawReport, names: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return what came of each wish, in order; what forces people to a table again is said and not called a fault."""
    note = str(TABLE_NOTES.get(report.figures.tables_note, ""))
    forced = {wish.key: note for wish in report.wishes if wish.key == "tables" and wish.missed and note}
    return [
        {
            "name": say_wish(wish.key),
            "met": not wish.missed,
            "helpless": bool(wish.missed) and (wish.missed <= wish.least or wish.key in forced),
            "said": say_outcome(wish) + (f". {forced[wish.key]}" if wish.key in forced else ""),
            "places": [say_place(place, names) for place in wish.places],
        }
        for wish in report.wishes
    ]


def compare_context(
    event: Event, drafts: Sequence[DraftRow], pair: tuple[DraftRow, DraftRow], reports: tuple[DrawReport, DrawReport]
) -> dict[str, Any]:
    """Return two drafts side by side: each figure and wish of their reports, and which is better, in words."""
    one, other = reports
    letters = (letter(drafts, pair[0].id), letter(drafts, pair[1].id))
    lines = [_line(*row, letters) for row in _compared(one, other)]
    wishes = [_wish_line(key, one, other, letters) for key in _keys(one, other)]
    return {
        "cards": [_card(event, draft, letter(drafts, draft.id)) for draft in pair],
        "letters": letters,
        "lines": lines,
        "wish_lines": wishes,
        "verdict": _verdict(one, other, letters),
    }


def _compared(one: DrawReport, other: DrawReport) -> Iterable[tuple[str, tuple[str, str], int | None]]:
    """Yield each figure of two reports: term, values, and by how much the first is better, None where neither is."""
    first, second = ({row[0]: row for row in figure_rows(report)} for report in (one, other))
    for key in dict.fromkeys([*first, *second]):
        term = first.get(key, second.get(key, ("", "", "")))[1]
        values = tuple(found.get(key, ("", "", "–"))[2] for found in (first, second))
        lead = (getattr(other.figures, key) or 0) - (getattr(one.figures, key) or 0)
        yield term, (values[0], values[1]), _BETTER.get(key, 1) * lead if key != "pairs_never" else None


def _wish_line(key: str, one: DrawReport, other: DrawReport, letters: tuple[str, str]) -> dict[str, Any]:
    found = [next((wish for wish in report.wishes if wish.key == key), None) for report in (one, other)]
    said = tuple(say_outcome(wish) if wish else _("not asked for") for wish in found)
    lead = found[1].missed - found[0].missed if found[0] and found[1] else 0
    return _line(say_wish(key), (said[0], said[1]), lead, letters)


def _line(term: str, values: tuple[str, str], lead: int | None, letters: tuple[str, str]) -> dict[str, Any]:
    if lead is None:
        better = "–"
    else:
        better = _("%(letter)s is better") % {"letter": letters[0] if lead > 0 else letters[1]} if lead else _("alike")
    return {"term": term, "values": values, "better": better, "lead": lead}


def _keys(one: DrawReport, other: DrawReport) -> list[str]:
    return list(dict.fromkeys(wish.key for report in (one, other) for wish in report.wishes))


def _verdict(one: DrawReport, other: DrawReport, letters: tuple[str, str]) -> str:
    """Say which draw is better by the organiser's own order, where both were asked for the same."""
    keys = [wish.key for wish in one.wishes]
    if keys != [wish.key for wish in other.wishes]:
        return _(
            "These two were asked for different wishes, or in another order: which matters more is for you to say."
        )
    for first, second in zip(one.wishes, other.wishes, strict=True):
        if first.missed != second.missed:
            better = letters[0] if first.missed < second.missed else letters[1]
            told = {"letter": better, "wish": say_wish(first.key)}
            told |= {"less": str(min(first.missed, second.missed)), "more": str(max(first.missed, second.missed))}
            return _("%(letter)s is better by your order: “%(wish)s” is missed %(less)s against %(more)s times.") % told
    return _("By your wishes the two are alike.")


def neighbour_links(event: Event) -> list[dict[str, str]]:
    """Return the pages beside this one that this desk has: what comes after the start, and seats made elsewhere."""
    pages = (
        ("desk:redraw", _("Somebody leaves or comes late: draw the rest anew")),
        ("desk:next_round", _("The next round by standing, finals")),
        ("desk:swap_players", _("Exchange two people by hand")),
        ("desk:import_seats", _("Seats made elsewhere: import a schedule")),
    )
    found = []
    for name, title in pages:
        try:
            found.append({"url": reverse(name, args=[event.slug]), "title": title})
        except NoReverseMatch:
            continue
    return found
