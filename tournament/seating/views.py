"""Seats before the start: wishes, drafts and their comparison, the draw with its report, publication.

A search runs in a thread of this process; the page polls its progress.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_refusal, to_int
from tournament.pages.sign_in import confirm_first
from tournament.players.actions import SUBSTITUTE
from tournament.publication.names import names_mark
from tournament.publication.queries import by_version
from tournament.rounds.actions import publish_rounds
from tournament.seating.actions import (
    discard_draft,
    discard_draw,
    draw_seats,
    restart_draft,
    search_in_background,
    start_draft,
    stop_draft,
    take_draft,
)
from tournament.seating.forms import (
    DrawForm,
    asked_by,
    form_of,
    new_seed,
    read_form,
    read_seed,
    wishes_context,
    with_line,
)
from tournament.seating.messages import (
    TABLE_NOTES,
    figure_lines,
    figure_rows,
    say_outcome,
    say_place,
    say_rounds,
    say_wish,
)
from tournament.seating.models import DrawDraft
from tournament.seating.plan import (
    KINDS,
    DrawReport,
    DrawWishes,
    Plan,
    Seats,
    WishResult,
    meetings,
    read_asked,
)
from tournament.seating.queries import DraftRow, Draw, count_draw, get_draw, get_field, list_drafts
from tournament.seating.redraw_views import named_tables
from tournament.seating.search.draw import UnevenSeating
from tournament.seating.search.quality import count_winds
from tournament.seating.search.wishes import PRESETS
from tournament.text.languages import colon
from tournament.text.problems import problem_text

MAX_TABLES = 600  # of all rounds that are shown together
FORM_ACTS = ("up", "down", "preset", "add", "look")  # acts that only change the form


@require_http_methods(["GET", "POST"])
@who_may(Right.DRAW_SEATS)
def seating(request: DeskRequest, event: Event) -> HttpResponse:
    """Show wishes, drafts and the draw; act on them. An open event has the page of its tables instead."""
    if event.is_open:
        return redirect("desk:open_play", event.slug)
    if request.method != "POST":
        return _page(request, event)
    act, _colon, what = request.POST.get("act", "").partition(":")
    with flash_refusal(request):
        if act in FORM_ACTS or act == "start":
            return _act_on_form(request, event, act, what)
        if act in DRAFT_ACTS:
            DRAFT_ACTS[act](request, _draft(event, request.POST.get("draft", "")))
        elif act == "publish" and (asked := _ask_to_publish(request, event)):
            return asked
        elif act in DRAW_ACTS:
            DRAW_ACTS[act](request, event)
    return redirect("desk:seating", event.slug)


@require_safe
@who_may(Right.DRAW_SEATS)
def progress(request: DeskRequest, event: Event) -> HttpResponse:
    """Return the drafts alone, for the page that polls during a search."""
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("desk:seating", event.slug)
    context = drafts_context(_list_drafts(event, get_field(event)), published=is_published(event))
    answer = render(request, "seating/seating.html#drafts", {"event": event, **context})
    answer["Cache-Control"] = "no-store"
    return answer


@require_safe
@who_may(Right.DRAW_SEATS)
def report(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the whole report of the event's draw."""
    field, draw = get_field(event), get_draw(event)
    counted = _counted(event, field, draw)
    if counted is None:
        raise Http404("There is no draw yet.")
    names, page = names_of(event), request.GET.get("page", "")
    context = report_context(draw.numbers, field.table_size, counted, names, _resting(field, draw), page=page)
    context |= {"title": _("The draw"), "seed": draw.seed, "draft": None}
    return render(request, "seating/seating_report.html", desk_context(request, event, "seating", **context))


def _counted(event: Event, field: Plan, draw: Draw) -> DrawReport | None:
    """Return the quality of the draw, counted once for each version of the event."""
    return by_version(
        event,
        f"draw-counted:{names_mark()}",
        lambda: count_draw(draw, table_size=field.table_size, entrants=field.entrants),
    )


def _resting(field: Plan, draw: Draw) -> list[list[int]]:
    """List who has no seat in each round of a draw in which players rest."""
    if draw.drawn is None or draw.drawn.way != UnevenSeating.RESTS:
        return []
    seated = [{who for table in tables for who in table} for tables in draw.numbers]
    return [[each.number for each in field.entrants if each.number not in here] for here in seated]


def _page(
    request: DeskRequest, event: Event, form: DrawForm | None = None, errors: list[str] | None = None
) -> HttpResponse:
    field, draw, names = get_field(event), get_draw(event), names_of(event)
    asked = read_asked(event.wishes)
    odd = len(field.entrants) % field.table_size
    way = UnevenSeating.SUBSTITUTES if odd else UnevenSeating.FULL
    form = form or form_of(asked, names, seed=new_seed(), way=way.value)
    published = any(row.state != "drawn" for row in draw.rounds)
    wishes = wishes_context(event, form, field.entrants, names, asked_by(form, names)[0])
    context = {
        **_draw(event, field, draw, names),
        "round_shown": _round_shown(draw, request.GET.get("round", "")),
        **wishes,
        **drafts_context(_list_drafts(event, field), published=published),
        "errors": errors or [],
        "form_open": bool(request.method == "POST" or wishes["wishes_used"] or wishes["odd"]),
        "quick": not wishes["wishes_used"] and not wishes["odd"],
        "new_seed": new_seed(),
    }
    fragment = bool(request.htmx) and request.method == "POST"  # type: ignore[attr-defined]
    template = "seating/seating.html#wishes" if fragment else "seating/seating.html"
    page = desk_context(request, event, "seating", **context)
    return render(request, template, page, status=UNPROCESSABLE if errors else 200)


def _round_shown(draw: Draw, asked: str) -> int | None:
    """Return the one round whose tables stand on the page, None for all: seats of many rounds make it slow."""
    if sum(len(row.tables) for row in draw.rounds) <= MAX_TABLES:
        return None
    numbers = {row.number: row.state for row in draw.rounds}
    if to_int(asked) in numbers:
        return to_int(asked)
    return next((number for number, state in numbers.items() if state != "released"), max(numbers))


def _draw(event: Event, field: Plan, draw: Draw, names: dict[int, str]) -> dict[str, Any]:
    counted = _counted(event, field, draw)
    context: dict[str, Any] = {
        "draw": draw,
        "players": len(field.entrants),
        "table_size": field.table_size,
        "unpublished": [row.number for row in draw.rounds if row.state == "drawn"],
        "open_round": next((row.number for row in draw.rounds if row.state != "released"), None),
    }
    if counted:
        context |= figures_context(draw.numbers, counted, names)
        seed = _("none") if draw.seed is None else str(draw.seed)
        context["figures"] = [(_("Seed"), seed), *context["figures"]]
    return context


def _list_drafts(event: Event, field: Plan) -> list[DraftRow]:
    return list_drafts(event, fingerprint=field.fingerprint, at=timezone.now())


# ---------------------------------------------------------------- acts


def _act_on_form(request: DeskRequest, event: Event, act: str, what: str) -> HttpResponse:
    """Change the form and show it again, or start the search that it asks for."""
    names = names_of(event)
    form = read_form(request.POST)
    if act == "add":
        form = with_line(form, what, request.POST)
    asked, problems = asked_by(form, names)
    if act in ("up", "down", "preset"):
        asked = _moved(asked, act, what)
        form = replace(form, order=asked.order, clubs=asked.clubs)
    if act != "start":
        return _page(request, event, form)
    if problems:
        return _page(request, event, form, [problem_text(problem) for problem in problems])
    try:
        draft = start_draft(event=event, seed=read_seed(form.seed), asked=asked, way=form.way, by=request.user)
    except DomainError as refused:
        return _page(request, event, form, [problem_text(problem) for problem in refused.problems])
    search_in_background(draft)
    answer = redirect("desk:seating", event.slug)
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(headers={"HX-Redirect": answer["Location"]})
    return answer


def _moved(asked: DrawWishes, act: str, what: str) -> DrawWishes:
    if act == "preset":
        return asked.preset(what) if what in PRESETS else asked
    return asked.moved(what, -1 if act == "up" else 1) if what in KINDS else asked


def _draft(event: Event, text: str) -> DrawDraft:
    return get_object_or_404(event.drafts.select_related("event"), pk=to_int(text))


def _take(request: DeskRequest, draft: DrawDraft) -> None:
    take_draft(draft=draft, by=request.user)
    messages.success(request, _("Seats are drawn from seed %(seed)d.") % {"seed": draft.seed})


def _discard_draft(request: DeskRequest, draft: DrawDraft) -> None:
    discard_draft(draft=draft, by=request.user)
    messages.success(request, _("This draw is discarded."))


def _search_again(request: DeskRequest, draft: DrawDraft) -> None:
    search_in_background(restart_draft(draft=draft, by=request.user))


def _stop(request: DeskRequest, draft: DrawDraft) -> None:
    stop_draft(draft=draft, by=request.user)


def _draw_plainly(request: DeskRequest, event: Event) -> None:
    seed = read_seed(request.POST.get("seed", ""))
    draw_seats(event=event, seed=seed, by=request.user)
    messages.success(request, _("Seats are drawn from seed %(seed)d.") % {"seed": seed})


def _discard(request: DeskRequest, event: Event) -> None:
    discard_draw(event=event, by=request.user)
    messages.success(request, _("The draw is discarded; the list of players is open again."))


def _ask_to_publish(request: DeskRequest, event: Event) -> HttpResponse | None:
    return confirm_first(
        request,
        event,
        title=_("Publish the seats?"),
        text=_("Players see them at once. Published seats are final and cannot be drawn again."),
        submit=_("Publish for good"),
        back=request.path,
        tab="seating",
    )


def _publish(request: DeskRequest, event: Event) -> None:
    numbers = [int(text[:4]) for text in request.POST.getlist("rounds") if text.isascii() and text.isdigit()]
    publish_rounds(event=event, numbers=numbers, by=request.user)
    messages.success(request, _("The seats are published: players see them now."))


# ---------------------------------------------------------------- drafts


@dataclass(frozen=True, slots=True)
class Card:
    """A draft as pages show it, with its letter: A for the oldest."""

    row: DraftRow
    letter: str

    @property
    def asked(self) -> list[str]:
        """What this draft was asked for beyond what every draw has."""
        ways = {
            UnevenSeating.SUBSTITUTES.value: [_("with substitutes")],
            UnevenSeating.RESTS.value: [_("with rests in turn")],
        }
        return asked_words(self.row.asked) + ways.get(self.row.way, [])

    @property
    def percent(self) -> int:
        """How far the search is."""
        return self.row.share // 10

    @property
    def best(self) -> list[str]:
        """The wishes that the best draw so far misses; empty until there is one."""
        if not self.row.best:
            return []
        missed = [(key, times) for key, times in self.row.best if times and key != "tables"]
        return [f"{say_wish(key)}{colon()}{times}" for key, times in missed] or [_("every wish is met so far")]

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The first figures of the report."""
        return figure_lines(self.row.report)[:2] if self.row.report else []

    @property
    def met(self) -> str:
        """How many wishes are met."""
        if self.row.report is None:
            return ""
        wishes = self.row.report.wishes
        met = sum(not wish.missed for wish in wishes)
        return _("%(met)d of %(all)d wishes met") % {"met": met, "all": len(wishes)}

    @property
    def problem(self) -> str:
        """Why the search failed."""
        return problem_text(self.row.problem) if self.row.problem else ""

    @property
    def takeable(self) -> bool:
        """Whether this draft fits the event and is not the draw yet."""
        return self.row.done and not self.row.stale and not self.row.taken

    @property
    def again(self) -> bool:
        """Whether its search can run again."""
        return (not self.row.searching and not self.row.done) or self.row.cut_short


@require_safe
@who_may(Right.DRAW_SEATS)
def draft(request: DeskRequest, event: Event, draft_id: int) -> HttpResponse:
    """Show a draft: seats, figures, wishes met and missed, pictures."""
    field = get_field(event)
    rows = list_drafts(event, fingerprint=field.fingerprint, at=timezone.now())
    card = next((card for card in cards_of(rows) if card.row.id == draft_id), None)
    if card is None or (found := card.row.report) is None:
        raise Http404("There is no such draft, or its search is not over.")
    row = card.row
    # substitutes become players when a draft is taken, so until then their names are made up
    new = {field.last + at: f"{SUBSTITUTE} {at}" for at in range(1, row.substitutes + 1)}
    names = new | names_of(event)
    context = report_context(row.rounds, field.table_size, found, names, row.resting, page=request.GET.get("page", ""))
    context |= {
        "title": _("Draw %(letter)s") % {"letter": card.letter},
        "seed": row.seed,
        "draft": row,
        "asked": asked_words(row.asked),
        "published": is_published(event),
        "rounds": [named_tables(tables, names) for tables in row.rounds],
    }
    return render(request, "seating/seating_report.html", desk_context(request, event, "seating", **context))


def cards_of(rows: Sequence[DraftRow]) -> list[Card]:
    """Return the drafts with their letters."""
    return [Card(row, chr(ord("A") + at % 26)) for at, row in enumerate(rows)]


def names_of(event: Event) -> dict[int, str]:
    """Return the name of each player of an event by number; one query."""
    return dict(event.players.order_by("number").values_list("number", "person__preferred_name"))


def is_published(event: Event) -> bool:
    """Whether a round of the event is published; one query."""
    return event.rounds.filter(published_at__isnull=False).exists()


def asked_words(asked: DrawWishes) -> list[str]:
    """Return what is asked for beyond what every draw has, in order."""
    until = {"clubs": asked.clubs, "countries": asked.countries, "families": asked.families_until}
    return [
        f"{say_wish(key)} ({say_rounds(until[key])})" if key in until else say_wish(key)
        for key in asked.order
        if key in asked.used
    ]


# ---------------------------------------------------------------- the report


CELL: Final = 10  # units of the drawing
WIDEST: Final = 900  # pixels
LARGEST: Final = 22  # pixels of a cell where few play
FONT: Final = 12  # pixels that a number should have
PICTURED: Final = 300  # players
AT_ONCE: Final = 100  # players on a page

Pairs = Mapping[tuple[int, int], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Label:
    """A number at the edge of the picture."""

    x: int
    y: int
    text: int


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes of an SVG without colours, which CSS adds: a path for pairs who meet once, twice, more often."""

    view: str
    width: int
    once: str
    twice: str
    more: str
    own: str
    lines: str
    font: int
    left: tuple[Label, ...]
    top: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a wish, in words; `unavoidable` if no draw could miss it less often."""

    name: str
    met: bool
    unavoidable: bool
    said: str
    places: list[str]


def figures_context(rounds: Seats, report: DrawReport, names: Mapping[int, str]) -> dict[str, Any]:
    """Return what every page of a draw shows: figures, what came of each wish, who meets again."""
    return {
        "figures": figure_lines(report),
        "tables_note": TABLE_NOTES.get(report.figures.tables_note, ""),
        "outcomes": [_outcome(report, wish, names) for wish in report.wishes],
        "meetings": [
            (names.get(one, str(one)), names.get(other, str(other)), when)
            for (one, other), when in meetings(rounds).items()
            if len(when) > 1
        ],
    }


def report_context(
    rounds: Seats,
    table_size: int,
    report: DrawReport,
    names: Mapping[int, str],
    resting: Sequence[Sequence[int]] = (),
    *,
    page: str = "",
) -> dict[str, Any]:
    """Return the context of seating/seating_report.html; `resting` has the players without a seat in each round.

    Players are listed a page at a time. Of very many there is no picture: its squares would be too small to be seen.
    """
    pairs = meetings(rounds)
    seated = sorted({who for tables in rounds for table in tables for who in table})
    shown = Paginator(seated, AT_ONCE).get_page(page)
    called = {number: names.get(number, str(number)) for number in shown}
    winds = count_winds(rounds)
    tables_of = [{who: at for at, table in enumerate(tables, start=1) for who in table} for tables in rounds]
    return {
        **figures_context(rounds, report, names),
        "page": shown,
        "picture": picture_of(seated, pairs) if len(seated) <= PICTURED else None,
        "met": words_of(called, pairs),
        "winds": range(table_size),
        "wind_rows": [
            (who, called[who], counts, max(counts) - min(counts) > 1)
            for who in shown
            for counts in [[winds[who, seat] for seat in range(table_size)]]
        ],
        "path_rows": [(who, called[who], [at.get(who, 0) for at in tables_of]) for who in shown],
        "round_numbers": range(1, len(rounds) + 1),
        "rests": [
            (number, [names.get(who, str(who)) for who in who_rest])
            for number, who_rest in enumerate(resting, start=1)
            if who_rest
        ],
    }


def _outcome(report: DrawReport, wish: WishResult, names: Mapping[int, str]) -> Outcome:
    # what forces people to a table again is shown as a note, not as a fault
    note = str(TABLE_NOTES.get(report.figures.tables_note, "")) if wish.key == "tables" and wish.missed else ""
    return Outcome(
        name=say_wish(wish.key),
        met=not wish.missed,
        unavoidable=bool(wish.missed) and (wish.missed <= wish.least or bool(note)),
        said=say_outcome(wish) + (f". {note}" if note else ""),
        places=[say_place(place, names) for place in wish.places],
    )


def picture_of(numbers: Sequence[int], pairs: Pairs) -> Picture:
    """Return the matrix of these players, in this order; `pairs` gives the rounds in which two meet."""
    count = len(numbers)
    scale = min(LARGEST, WIDEST / count) / CELL
    step = 1 if count <= 40 else 5 if count <= 100 else 10
    font = max(7, round(FONT / scale)) if step > 1 else 7
    margin = font * 2 + 2
    place = {number: at for at, number in enumerate(numbers)}
    cells: dict[int, list[str]] = {1: [], 2: [], 3: []}
    for (one, other), rounds in pairs.items():
        for row, column in ((one, other), (other, one)):
            cells[min(len(rounds), 3)].append(_square(margin, place[column], place[row]))
    shown = [at for at in range(count) if step == 1 or not at or (at + 1) % step == 0]
    side = margin + count * CELL
    return Picture(
        view=f"0 0 {side + font} {side + 2}",  # the last number at the top is wider than its cell
        width=round((side + font) * scale),
        once="".join(cells[1]),
        twice="".join(cells[2]),
        more="".join(cells[3]),
        own="".join(_square(margin, at, at) for at in range(count)),
        lines="".join(_report_line(margin, at, side) for at in range(0, count + 1, 5 if count <= 100 else 10)),
        font=font,
        left=tuple(Label(margin - 3, margin + at * CELL + (CELL + font) // 2 - 1, numbers[at]) for at in shown),
        top=tuple(Label(margin + at * CELL + CELL // 2, margin - 3, numbers[at]) for at in shown),
    )


def words_of(names: Mapping[int, str], pairs: Pairs) -> list[tuple[int, str, list[int], list[tuple[int, int]]]]:
    """Return of each player in order: number, name, who is met once, and (who, times) of those met more often."""
    met: dict[int, list[tuple[int, int]]] = {number: [] for number in names}
    for pair, rounds in pairs.items():
        for who, other in (pair, pair[::-1]):
            if who in met:
                met[who].append((other, len(rounds)))
    return [
        (
            number,
            names[number],
            [other for other, times in sorted(found) if times == 1],
            [(other, times) for other, times in sorted(found) if times > 1],
        )
        for number, found in sorted(met.items())
        if found
    ]


def _square(margin: int, column: int, row: int) -> str:
    return f"M{margin + column * CELL} {margin + row * CELL}h9v9h-9z"


def _report_line(margin: int, at: int, side: int) -> str:
    here = margin + at * CELL
    return f"M{here - 0.5:g} {margin}V{side}M{margin} {here - 0.5:g}H{side}"


DRAFT_ACTS: dict[str, Callable[[DeskRequest, DrawDraft], None]] = {
    "take": _take,
    "stop": _stop,
    "again": _search_again,
    "discard_draft": _discard_draft,
}
DRAW_ACTS: dict[str, Callable[[DeskRequest, Event], None]] = {
    "draw": _draw_plainly,
    "discard": _discard,
    "publish": _publish,
}

Line = tuple[str, tuple[str, str], str, int | None]  # term, both values, which is better in words, and by how much
_BETTER = {"shared_least": -1}  # of all other figures less is better


@require_safe
@who_may(Right.DRAW_SEATS)
def compare(request: DeskRequest, event: Event) -> HttpResponse:
    """Show two drafts side by side, and which is better in what."""
    cards = cards_of(list_drafts(event, fingerprint=get_field(event).fingerprint, at=timezone.now()))
    wanted = set(request.GET.getlist("draft"))
    done = [card for card in cards if card.row.done]
    chosen = [card for card in done if str(card.row.id) in wanted] if wanted else done[-2:]
    reports = [card.row.report for card in chosen if card.row.report]
    if len(reports) != 2:
        messages.error(request, _("Choose two draws to compare."))
        return redirect("desk:seating", event.slug)
    one, other = reports
    letters = (chosen[0].letter, chosen[1].letter)
    keys = dict.fromkeys(wish.key for report in reports for wish in report.wishes)
    context = {
        "cards": chosen,
        "letters": letters,
        "lines": list(_figure_lines(one, other, letters)),
        "wish_lines": [_wish_line(key, one, other, letters) for key in keys],
        "verdict": _verdict(one, other, letters),
        "published": is_published(event),
    }
    return render(request, "seating/seating_compare.html", desk_context(request, event, "seating", **context))


def drafts_context(rows: Sequence[DraftRow], *, published: bool) -> dict[str, Any]:
    """Return the context of seating/seating.html#drafts: cards, and whether a search is on."""
    return {
        "drafts": cards_of(rows),
        "searching": any(row.searching for row in rows),
        "comparable": sum(row.done for row in rows) > 1,
        "published": published,
    }


# ---------------------------------------------------------------- two drafts compared: lines


def _figure_lines(one: DrawReport, other: DrawReport, letters: tuple[str, str]) -> Iterator[Line]:
    """Yield a line for each figure that either report has."""
    first, second = ({row[0]: row for row in figure_rows(report)} for report in (one, other))
    for key in dict.fromkeys([*first, *second]):
        none = ("", "", "–")
        values = (first.get(key, none)[2], second.get(key, none)[2])
        lead = (getattr(other.figures, key) or 0) - (getattr(one.figures, key) or 0)
        neither = key == "pairs_never"  # neither more nor fewer of these pairs is better
        term = first.get(key, second.get(key, none))[1]
        yield _line(term, values, None if neither else _BETTER.get(key, 1) * lead, letters)


def _wish_line(key: str, one: DrawReport, other: DrawReport, letters: tuple[str, str]) -> Line:
    found = [next((wish for wish in report.wishes if wish.key == key), None) for report in (one, other)]
    said = [say_outcome(wish) if wish else _("not asked for") for wish in found]
    lead = found[1].missed - found[0].missed if found[0] and found[1] else 0
    return _line(say_wish(key), (said[0], said[1]), lead, letters)


def _line(term: str, values: tuple[str, str], lead: int | None, letters: tuple[str, str]) -> Line:
    if lead is None:
        better = "–"
    elif lead:
        better = _("%(letter)s is better") % {"letter": letters[0] if lead > 0 else letters[1]}
    else:
        better = _("alike")
    return term, values, better, lead


def _verdict(one: DrawReport, other: DrawReport, letters: tuple[str, str]) -> str:
    """Say which draw is better by the organiser's own order, if both were asked for the same."""
    keys = [wish.key for wish in one.wishes]
    if keys != [wish.key for wish in other.wishes]:
        return _("These two had different wishes, or another order: you decide what matters more.")
    for first, second in zip(one.wishes, other.wishes, strict=True):
        if first.missed != second.missed:
            better = letters[0] if first.missed < second.missed else letters[1]
            told = {"letter": better, "wish": say_wish(first.key)}
            told |= {"less": str(min(first.missed, second.missed)), "more": str(max(first.missed, second.missed))}
            return _("%(letter)s is better by your order: “%(wish)s” is missed %(less)s against %(more)s times.") % told
    return _("By your wishes the two are alike.")
