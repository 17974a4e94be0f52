"""A table entered from its paper sheet alone: the typed fields read as numbers, and the contexts of its pages."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from django.urls import reverse
from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.paper_sheet import Numbers, PaperSheet, scores_of, sheet_problems, totals_of
from scoring.placement import places_of
from scoring.problems import InvalidInput, Problem, ProblemType, errors_of, printable_excerpt, warnings_of
from tournament.events.models import Event
from tournament.pages.forms import likes_of
from tournament.pages.requests import MAX_TYPED, read_score, read_sticks, wrong_seats
from tournament.pages.tables import facts_of_table
from tournament.players.queries import get_presence
from tournament.publication.names import list_names
from tournament.sheets.queries import TypedReading, WaitingSheet, get_typed_for, get_waiting, load_pile
from tournament.tables.messages import names_at, seated_now, short_names_at
from tournament.tables.queries import LoadedTable
from tournament.tables.rows import SeatedPlayer
from tournament.text.languages import join_and
from tournament.text.numbers import ordinal_place, points
from tournament.text.problems import problem_text

TOTALS_NUMBER_MISSING = ProblemType("totals.number_missing", "The number of {seat} is missing.")
TOTALS_NOT_A_NUMBER = ProblemType("totals.not_a_number", "'{value}' of {seat} cannot be read: write 45200 or 45.2.")
TOTALS_LEFTOVER_UNREADABLE = ProblemType(
    "totals.leftover_unreadable", "'{value}' is not an amount of riichi sticks: write 1, 1000 or 1.0."
)

TOTALS_PLUS_SIGN = ProblemType(
    "totals.plus_sign",
    "'{value}' of {seat} has a plus sign, and this page expects final scores: are these differences?",
)

KINDS = ("sheet_gap.look_like_differences", "sheet_gap.look_like_totals", "totals.plus_sign")
GAPS = ("sheet_gap.short", "sheet_gap.over")
# problems of one number; the other sheet_gap problems are likely causes of a gap, listed below it as questions
OF_ONE_NUMBER = ("sheet_gap.off_unit", "sheet_gap.loan_negative", "sheet_gap.leftover_odd", "points.not_for_each_seat")
REASON_NEEDED = "entry.reason_needed"


@dataclass(frozen=True, slots=True)
class TypedFields:
    """The typed texts by seat; `numbers` is what their page expected."""

    counts: tuple[str, ...]
    loans: tuple[str, ...]
    leftover: str
    numbers: Numbers
    reason: str
    client_id: str
    again: bool

    @property
    def missing(self) -> list[int]:
        """The seats without a typed number."""
        return [seat for seat, text in enumerate(self.counts) if not text.strip()]


def typed_fields(fields: Any, players: int, numbers: str) -> TypedFields:
    """Read the submitted fields; `numbers` is what the event expects, used where the page does not say."""
    expected = fields.get("numbers", numbers)
    return TypedFields(
        counts=tuple(fields.get(f"count-{seat}", "")[:MAX_TYPED] for seat in range(players)),
        loans=tuple(fields.get(f"loan-{seat}", "")[:MAX_TYPED] for seat in range(players)),
        leftover=fields.get("leftover", "")[:MAX_TYPED],
        numbers=cast("Numbers", expected if expected in ("totals", "differences") else numbers),
        reason=fields.get("reason", "").strip()[:500],
        client_id=fields.get("client_id", ""),
        again=bool(fields.get("again")),
    )


def read_sheet(typed: TypedFields, deposit: int) -> tuple[PaperSheet | None, list[Problem]]:
    """Return the sheet, None where a number is missing or unreadable, and the problems of the fields.

    `deposit` is what a riichi stick is worth: those left may be typed by count.
    """
    problems = [
        TOTALS_PLUS_SIGN(seat=seat, value=printable_excerpt(text.strip(), MAX_TYPED))
        for seat, text in enumerate(typed.counts)
        if text.strip().startswith("+") and typed.numbers != "differences"
    ]
    counts = [_read(text, seat, problems) for seat, text in enumerate(typed.counts)]
    loans = [_read(text or "0", seat, problems) for seat, text in enumerate(typed.loans)]
    leftover = read_sticks(typed.leftover, deposit)
    if leftover is None:
        problems.append(TOTALS_LEFTOVER_UNREADABLE(value=printable_excerpt(typed.leftover, MAX_TYPED)))
    if problems or typed.missing or leftover is None:
        return None, problems
    whole, lent = (tuple(number or 0 for number in numbers) for numbers in (counts, loans))
    return PaperSheet(whole, lent, leftover, typed.numbers), []


def whole_sheet(typed: TypedFields, deposit: int) -> PaperSheet:
    """Return a submitted sheet; raises InvalidInput with each field that is missing or unreadable."""
    sheet, problems = read_sheet(typed, deposit)
    if sheet is None:
        raise InvalidInput([*problems, *(TOTALS_NUMBER_MISSING(seat=seat) for seat in typed.missing)])
    return sheet


def _read(text: str, seat: int, problems: list[Problem]) -> int | None:
    if not text.strip():
        return None
    points = read_score(text)
    if points is None:
        problems.append(TOTALS_NOT_A_NUMBER(seat=seat, value=printable_excerpt(text.strip(), MAX_TYPED)))
    return points


# ---------------------------------------------------------------- pages


@dataclass(frozen=True, slots=True)
class SeatReading:
    """A seat's numbers as one person typed them; `score` is the count with the loan taken off."""

    player: SeatedPlayer
    count: int
    loan: int
    score: int


@dataclass(slots=True)
class TotalsDraft:
    """The sheet being typed, and what is wrong with it; `sent` tells a submitted one from a previewed one."""

    typed: TypedFields
    problems: Sequence[Problem] = ()
    meanwhile: Sequence[str] = ()
    client_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    sent: bool = False


def empty_draft(event: Event, table: LoadedTable, *, again: bool = False) -> TotalsDraft:
    """Return a draft in which nothing is typed."""
    fields = {"again": "1"} if again else {}
    return TotalsDraft(typed_fields(fields, table.rules.players, event.sheet_numbers))


def totals_context(event: Event, table: LoadedTable, draft: TotalsDraft, *, viewer: str) -> dict[str, Any]:
    """Return what sheets/totals.html shows; `viewer` is the reader's uid."""
    waiting, following = get_waiting(table), load_pile(event, table.round, viewer).next(table.number)
    mine = waiting.of(viewer) if waiting else None
    others = [each for each in waiting.typed if each.by != viewer] if waiting else []
    likes = likes_of(list_names(event))
    return {
        "table": table,
        "title": _("Sheet of table %(number)d") % {"number": table.number},
        "state": _state(table, event, mine, others, draft),
        "mine": read_by_seat(table, mine) if mine else [],
        "mine_at": mine.at if mine else None,
        "typed_by": join_and([each.name or _("somebody") for each in others]),
        "differs": differs_words(table, waiting.differs) if waiting else "",
        "typed": draft.typed,
        "rows": [
            (player, draft.typed.counts[player.seat], draft.typed.loans[player.seat], likes.get(player.number, ""))
            for player in seated_now(table)
        ],
        "focus": _focus(table, draft),
        "wrong": wrong_seats(draft.problems),
        "meanwhile": draft.meanwhile,
        "client_id": draft.client_id,
        "not_here": say_not_here(event, table),
        "other_kind": _other(draft.typed.numbers),
        "wanted": table.rules.start_points * table.rules.players,
        "next": following if following != table.number else None,
        "facts": facts_of_table(event, table, reverse("desk:table", args=[event.slug, table.round, table.number])),
        "jump_url": reverse("desk:sheets", args=[event.slug, table.round]),
        **preview_context(table, draft),
    }


def say_not_here(event: Event, table: LoadedTable) -> str:
    """Name who has a seat at a table that is not signed and is not checked in; one query."""
    return "" if table.signed else join_and([each.name for each in get_presence(event).missing_at(table)])


def counted_context(table: LoadedTable) -> dict[str, Any]:
    """Return what the page adds for a table that counts by its totals: scores, places, and the paper's loans."""
    paper = get_typed_for(table)
    lent = paper.sheet.loans if paper else ()
    return {
        "games": table.seat_games,
        "loans": [(names_at(table)[seat], points(loan)) for seat, loan in enumerate(lent) if loan],
        "left": paper.sheet.leftover if paper else 0,
    }


def preview_context(table: LoadedTable, draft: TotalsDraft) -> dict[str, Any]:
    """Return the context of sheets/totals.html#preview: the sum, the gap and its likely causes.

    A number that is not typed yet is no error until the sheet is sent.
    """
    sheet, unread = read_sheet(draft.typed, table.rules.riichi_deposit)
    problems = list(draft.problems) if draft.sent else [*unread, *(sheet_problems(sheet, table.rules) if sheet else ())]
    names = short_names_at(table)
    gap = [each for each in problems if each.code.startswith("sheet_gap.") and each.code not in OF_ONE_NUMBER]
    causes = [each for each in errors_of(gap) if each.code not in (*GAPS, *KINDS)]
    own = [each for each in errors_of(problems) if each not in gap and each.code not in (*KINDS, REASON_NEEDED)]
    wrong = bool(errors_of([p for p in problems if p.code != REASON_NEEDED]))
    return {
        "kind_words": [problem_text(problem, names) for problem in problems if problem.code in KINDS],
        "gap_words": next((problem_text(problem, names) for problem in problems if problem.code in GAPS), ""),
        "causes": [
            (problem_text(each, names), *(repair_of(each, sheet, table.rules) if sheet else ("", 0))) for each in causes
        ],
        "errors": [problem_text(problem, names) for problem in own],
        "warnings": [problem_text(problem, names) for problem in warnings_of(problems)],
        "reason_missing": next((problem_text(problem) for problem in problems if problem.code == REASON_NEEDED), ""),
        "left_to_type": len(draft.typed.missing),
        "so_far": sum(map(_score, draft.typed.counts)) - sum(map(_score, draft.typed.loans)),
        "readback": _readback(table, sheet) if sheet and not wrong else [],
        "other_kind": _other(draft.typed.numbers),
    }


def repair_of(cause: Problem, sheet: PaperSheet, rules: Ruleset) -> tuple[str, int]:
    """Return the field that a likely cause puts right and what belongs there; no field where the paper must say."""
    params: dict[str, Any] = dict(cause.params)
    code, seat = cause.code.removeprefix("sheet_gap."), params.get("seat", 0)
    field, count = f"count-{seat}", sheet.counts[seat]
    known = {
        "sign_lost": (field, -count),
        "difference_among_totals": (field, count + rules.start_points),
        "total_among_differences": (field, count - rules.start_points),
        "loan_twice": (f"loan-{seat}", 0),
        "given_out": ("leftover", 0),
        "deposit": ("leftover", sheet.leftover + rules.riichi_deposit),
        "deposits": ("leftover", sheet.leftover + rules.riichi_deposit * params.get("count", 0)),
    }
    return (field, params["meant"]) if "meant" in params else known.get(code, ("", 0))


def differs_words(table: LoadedTable, differs: Sequence[int]) -> str:
    """Name the seats in which two entries differ, without any number; empty where they agree."""
    seats = [_("%(name)s (seat %(seat)d)") % {"name": names_at(table)[s], "seat": s + 1} for s in differs if s >= 0]
    return join_and([*seats, *([_("the riichi sticks left")] if -1 in differs else [])])


def exchanged_words(table: LoadedTable, waiting: WaitingSheet) -> str:
    """Name two players whose numbers the two entries have the other way round; empty where it is something else."""
    seats = [seat for seat in waiting.differs if seat >= 0]
    one, other = (scores_of(typed.sheet, table.rules) for typed in waiting.typed)
    if len(seats) != 2 or -1 in waiting.differs or [one[seat] for seat in seats] != [other[s] for s in reversed(seats)]:
        return ""
    names = [names_at(table)[seat] for seat in seats]
    return _("Likely exchanged: %(one)s and %(other)s.") % {"one": names[0], "other": names[1]}


def counted_words(table: LoadedTable) -> str:
    """Read a counted table back: each player's points and place."""
    each = [
        f"{names_at(table)[game.player.seat]} {points(game.score)}"
        + (f" ({ordinal_place(game.place, game.shared)})" if game.place else "")
        for game in table.seat_games
    ]
    return _("Table %(number)d: %(scores)s.") % {"number": table.number, "scores": " · ".join(each)}


def read_by_seat(table: LoadedTable, typed: TypedReading) -> list[SeatReading]:
    """Return what one person typed, seat by seat."""
    rows = zip(
        seated_now(table), typed.sheet.counts, typed.sheet.loans, scores_of(typed.sheet, table.rules), strict=True
    )
    return [SeatReading(*row) for row in rows]


def decide_context(table: LoadedTable, waiting: WaitingSheet) -> dict[str, Any]:
    """Return what sheets/totals_decide.html shows: both entries of a sheet, seat by seat."""
    readings = zip(*(read_by_seat(table, typed) for typed in waiting.typed), strict=True)
    return {
        "table": table,
        "waiting": waiting,
        "lefts": [typed.sheet.leftover for typed in waiting.typed],
        "left_differs": -1 in waiting.differs,
        "exchanged": exchanged_words(table, waiting),
        "rows": [(each[0].player, each, each[0].player.seat in waiting.differs) for each in readings],
        "differs": differs_words(table, waiting.differs),
        "client_id": str(uuid.uuid4()),
    }


def _state(
    table: LoadedTable, event: Event, mine: TypedReading | None, others: Sequence[TypedReading], draft: TotalsDraft
) -> str:
    """Name the state of the page: hands, counted, reopened, kept or form."""
    if table.played:
        return ("counted" if table.signed else "reopened") if table.totals_seq else "hands"
    if mine and not others and event.types_twice and not draft.typed.again:
        return "kept"
    return "form"


def _focus(table: LoadedTable, draft: TotalsDraft) -> int | None:
    """Return the seat to be typed next, one that is wrong or the first empty one; None for the reason."""
    if any(problem.code == REASON_NEEDED for problem in draft.problems):
        return None
    seat = next(iter([*draft.typed.missing, *wrong_seats(draft.problems)]), 0)
    return seat if seat < table.rules.players else 0


def _score(text: str) -> int:
    """Return a typed number, 0 where it cannot be read."""
    return read_score(text) or 0


def _readback(table: LoadedTable, sheet: PaperSheet) -> list[tuple[SeatedPlayer, int, int, bool]]:
    """Return each player's points and place as they would count, and whether the place is shared."""
    scores = totals_of(sheet, table.rules).scores
    places = places_of(scores, table.rules)
    rows = zip(seated_now(table), scores, places, strict=True)
    return [(player, score, place, places.count(place) > 1) for player, score, place in rows]


def _other(numbers: Numbers) -> Numbers:
    return "totals" if numbers == "differences" else "differences"
