"""Paper sheets: a typed sheet to final scores or to problems, and a signed sheet compared with the entered hands.

Explains a gap by likely mistakes, as codes, and never fills in a number.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rules.ruleset import Ruleset
from scoring.check import POINTS_NOT_FOR_EACH_SEAT
from scoring.entries import Totals
from scoring.game import Game, fold
from scoring.placement import give_leftover, payment_unit, places_of, settle, shared_first
from scoring.problems import Problem, ProblemType
from scoring.state import TableState

SHEET_GAP_LOAN_NEGATIVE = ProblemType("sheet_gap.loan_negative", "Write the borrowed points of {seat} without a minus.")
SHEET_GAP_LEFTOVER_ODD = ProblemType(
    "sheet_gap.leftover_odd", "{leftover} cannot lie on the table: a riichi stick is {deposit}."
)
SHEET_GAP_OFF_UNIT = ProblemType(
    "sheet_gap.off_unit",
    "{typed} of {seat} ends in points that no payment makes: scores move by {unit}. 452 is read as 452 points; "
    "write 45200 or 45.2.",
)
SHEET_GAP_LOOK_LIKE_DIFFERENCES = ProblemType(
    "sheet_gap.look_like_differences",
    "These look like differences: they sum to {total}, and this page expects final scores. Nothing is entered.",
)
SHEET_GAP_LOOK_LIKE_TOTALS = ProblemType(
    "sheet_gap.look_like_totals",
    "These look like final scores: they sum to {total}, and this page expects differences. Nothing is entered.",
)
SHEET_GAP_SHORT = ProblemType("sheet_gap.short", "Short by {gap}: the sheet makes {total} of {wanted}.")
SHEET_GAP_OVER = ProblemType("sheet_gap.over", "Over by {gap}: the sheet makes {total} of {wanted}.")
SHEET_GAP_DEPOSIT = ProblemType("sheet_gap.deposit", "One riichi stick left on the table?")
SHEET_GAP_DEPOSITS = ProblemType("sheet_gap.deposits", "{count} riichi sticks left on the table?")
SHEET_GAP_STICKS_FORGOTTEN = ProblemType("sheet_gap.sticks_forgotten", "Sticks of {points} forgotten in a count?")
SHEET_GAP_LOAN_FORGOTTEN = ProblemType("sheet_gap.loan_forgotten", "Are borrowed points forgotten ({points})?")
SHEET_GAP_LOAN_TWICE = ProblemType(
    "sheet_gap.loan_twice", "Are the borrowed points of {seat} taken off twice? {loan} is just the gap."
)
SHEET_GAP_GIVEN_OUT = ProblemType(
    "sheet_gap.given_out",
    "The {leftover} left on the table seem to be in a count already: then nothing is left, empty that field.",
)
SHEET_GAP_SIGN_LOST = ProblemType(
    "sheet_gap.sign_lost", "One sign lost? The {typed} of {seat}, counted twice, is just the gap."
)
SHEET_GAP_DIGITS_SWAPPED = ProblemType(
    "sheet_gap.digits_swapped", "{gap} is divisible by nine: two digits swapped at {seat}, {typed} for {meant}?"
)
SHEET_GAP_ZERO_MISSING = ProblemType("sheet_gap.zero_missing", "A zero missing at {seat}, {typed} for {meant}?")
SHEET_GAP_ZERO_TOO_MANY = ProblemType("sheet_gap.zero_too_many", "A zero too many at {seat}, {typed} for {meant}?")
SHEET_GAP_DIGIT_LOST = ProblemType("sheet_gap.digit_lost", "A digit lost at {seat}, {typed} for {meant}?")
SHEET_GAP_DIGIT_DOUBLED = ProblemType("sheet_gap.digit_doubled", "A digit too many at {seat}, {typed} for {meant}?")
SHEET_GAP_DIGIT_MISREAD = ProblemType("sheet_gap.digit_misread", "A digit misread at {seat}, {typed} for {meant}?")
SHEET_GAP_DIFFERENCE_AMONG_TOTALS = ProblemType(
    "sheet_gap.difference_among_totals", "Is {typed} of {seat} a difference among final scores?"
)
SHEET_GAP_TOTAL_AMONG_DIFFERENCES = ProblemType(
    "sheet_gap.total_among_differences", "Is {typed} of {seat} a final score among differences?"
)
SHEET_GAP_CRUMBS = ProblemType(
    "sheet_gap.crumbs",
    "So little is left only where tied winners divided riichi sticks, and then their scores are equal.",
    ("points",),
)
SHEET_GAP_FAR = ProblemType(
    "sheet_gap.far", "{seat} ends at {score}, more than {far} from the start: is that what the paper says?"
)
SHEET_SUM = ProblemType("sheet.sum", "The sheet sums to {total}, {gap_words}; the table has {wanted}.")
SHEET_TOTAL_DIFFERS = ProblemType("sheet.total_differs", "{seat}: the sheet says {paper}, the hands make {computed}.")
SHEET_LEFTOVER_DIFFERS = ProblemType(
    "sheet.leftover_differs",
    "The sheet leaves {paper} points of riichi sticks on the table, the hands leave {computed}.",
)
SHEET_AGREES_BEFORE_HAND = ProblemType(
    "sheet.agrees_before_hand",
    "The sheet agrees with the desk as it stood before hand {hand_number}: is a hand missing on it?",
)
SHEET_AGREES_WITHOUT_HAND = ProblemType(
    "sheet.agrees_without_hand", "The sheet agrees if hand {hand_number} is left out: was it entered wrongly, or twice?"
)
SHEET_TOTALS_SWAPPED = ProblemType("sheet.totals_swapped", "The sheet has the right totals, but {seats} are swapped.")

Numbers = Literal["totals", "differences"]
FAR = 70_000  # of 22,000 recorded scores one in a thousand is 55,000 to 63,000 or more from the start
MAX_CAUSES = 3
A_LOAN = 1_000
UNIT = 100
LOOK_ALIKE = frozenset(
    {"17", "38", "49", "56", "06", "08", "68", "35", "27"}
)  # digits of a hand that are taken for another
MAX_STICKS = 4  # riichi sticks that a game leaves on the table


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """A sheet by seat in points: `counts` are totals or differences (`numbers`), `loans` borrowed points.

    `leftover` are the points in riichi sticks left on the table.
    """

    counts: tuple[int, ...]
    loans: tuple[int, ...]
    leftover: int = 0
    numbers: Numbers = "totals"


def scores_of(sheet: PaperSheet, rules: Ruleset) -> tuple[int, ...]:
    """Return the final scores less loans, leftover riichi sticks not given out (E25 4.1.4: debt counts)."""
    base = rules.start_points if sheet.numbers == "differences" else 0
    return tuple(base + count - loan for count, loan in zip(sheet.counts, sheet.loans, strict=True))


def totals_of(sheet: PaperSheet, rules: Ruleset) -> Totals:
    """Return the entry of a sheet without errors, with leftover riichi sticks given out by the rules.

    >>> from rules.books import load
    >>> sheet = PaperSheet((41000, 30000, 28000, 20000), (0, 0, 0, 0), leftover=1000)
    >>> totals_of(sheet, load("ema-2025")).scores, totals_of(sheet, load("wrc-2025")).leftover
    ((42000, 30000, 28000, 20000), 1000)
    """
    scores = scores_of(sheet, rules)
    final, lost = settle(scores, sheet.leftover or _missing(scores, rules), rules)
    return Totals(scores=final, leftover=lost)


def sheet_problems(sheet: PaperSheet, rules: Ruleset) -> list[Problem]:
    """Return the problems of a sheet, errors first.

    Codes: `sheet_gap.look_like_differences`, `…look_like_totals` (a person must say which it is); `…short` or `…over`
    with `gap`, `total`, `wanted`, then likely causes; `…off_unit`, `…loan_negative`, `…leftover_odd`; a warning `…far`.
    """
    if len(sheet.counts) != rules.players or len(sheet.loans) != rules.players:
        return [POINTS_NOT_FOR_EACH_SEAT(given=len(sheet.counts), players=rules.players)]
    found = [*_fields(sheet, rules)]
    if found:
        return found
    return [*_sum(sheet, rules), *_off_unit(sheet, rules), *_far(sheet, rules)]


def gap_of(sheet: PaperSheet, rules: Ruleset) -> int:
    """Return by how many points a sheet is over the points of its table; negative if short."""
    scores = scores_of(sheet, rules)
    missing = _missing(scores, rules)
    dropped = 0 < missing < rules.riichi_deposit and settle(scores, missing, rules)[1]
    return (sheet.leftover or dropped) - missing


def _missing(scores: Sequence[int], rules: Ruleset) -> int:
    return rules.start_points * rules.players - sum(scores)


def differing_seats(one: PaperSheet, other: PaperSheet, rules: Ruleset) -> tuple[int, ...]:
    """Return the seats in which two readings of a sheet differ; -1 stands for the leftover riichi sticks."""
    pairs = zip(scores_of(one, rules), scores_of(other, rules), strict=True)
    seats = tuple(
        seat for seat, (ours, theirs) in enumerate(pairs) if ours != theirs or one.loans[seat] != other.loans[seat]
    )
    return seats if one.leftover == other.leftover else (*seats, -1)


# ---------------------------------------------------------------- single fields


def _fields(sheet: PaperSheet, rules: Ruleset) -> Iterator[Problem]:
    for seat, loan in enumerate(sheet.loans):
        if loan < 0:
            yield SHEET_GAP_LOAN_NEGATIVE(seat=seat)
    if sheet.leftover < 0 or sheet.leftover % rules.riichi_deposit:
        yield SHEET_GAP_LEFTOVER_ODD(leftover=sheet.leftover, deposit=rules.riichi_deposit)


def _off_unit(sheet: PaperSheet, rules: Ruleset) -> Iterator[Problem]:
    """Refuse scores that no payments make; only a tied winner's share of sticks may be off the hundred (E25 3.7)."""
    scores, unit = scores_of(sheet, rules), payment_unit(rules)
    shared = shared_first(scores, rules)
    for seat, (count, score) in enumerate(zip(sheet.counts, scores, strict=True)):
        if score % unit and seat not in shared:
            yield SHEET_GAP_OFF_UNIT(seat=seat, typed=count, unit=unit)


def _far(sheet: PaperSheet, rules: Ruleset) -> Iterator[Problem]:
    for seat, score in enumerate(scores_of(sheet, rules)):
        if abs(score - rules.start_points) > FAR:
            yield SHEET_GAP_FAR.warning(seat=seat, score=score, far=FAR)


# ---------------------------------------------------------------- the sum and what explains it


def _sum(sheet: PaperSheet, rules: Ruleset) -> Iterator[Problem]:
    gap = gap_of(sheet, rules)
    if not gap:
        return
    if _is_other_kind(sheet, rules):
        total = sum(sheet.counts)
        if sheet.numbers == "totals":
            yield SHEET_GAP_LOOK_LIKE_DIFFERENCES(total=total)
        else:
            yield SHEET_GAP_LOOK_LIKE_TOTALS(total=total)
        return
    scores, wanted = scores_of(sheet, rules), rules.start_points * rules.players
    total = sum(scores) + sheet.leftover
    if gap < 0:
        yield SHEET_GAP_SHORT(gap=-gap, total=total, wanted=wanted)
    else:
        yield SHEET_GAP_OVER(gap=gap, total=total, wanted=wanted)
    yield from [*_causes(sheet, gap, rules)][:MAX_CAUSES]


def _is_other_kind(sheet: PaperSheet, rules: Ruleset) -> bool:
    """Return whether the sum fits the other kind: near 0 for totals, near the table's points for differences."""
    wanted, total = rules.start_points * rules.players, sum(sheet.counts)
    return abs(total) * 4 < wanted if sheet.numbers == "totals" else total * 4 > wanted * 3


def _causes(sheet: PaperSheet, gap: int, rules: Ruleset) -> Iterator[Problem]:
    """Yield the mistakes that would explain a gap, most certain first."""
    if sheet.leftover and gap == sheet.leftover:
        yield SHEET_GAP_GIVEN_OUT(leftover=sheet.leftover)
    yield from _known_loans(sheet, gap)
    yield from _single_slips(sheet.counts, gap)
    yield from _digit_slips(sheet.counts, gap)
    yield from _mixed(sheet, gap, rules)
    deposit = rules.riichi_deposit
    if gap < 0 and -gap % deposit == 0 and -gap < 10 * deposit:
        yield SHEET_GAP_DEPOSIT() if -gap == deposit else SHEET_GAP_DEPOSITS(count=-gap // deposit)
    elif gap > 0 and gap % A_LOAN == 0:
        yield SHEET_GAP_LOAN_FORGOTTEN(points=gap)
    elif gap < 0 and -gap % A_LOAN == 0:
        yield SHEET_GAP_STICKS_FORGOTTEN(points=-gap)
    elif abs(gap) < UNIT:
        yield SHEET_GAP_CRUMBS(points=abs(gap))
    if gap % deposit or abs(gap) > MAX_STICKS * deposit:  # a few riichi sticks are likelier
        yield from _misreads(sheet.counts, gap)


def _known_loans(sheet: PaperSheet, gap: int) -> Iterator[Problem]:
    for seat, loan in enumerate(sheet.loans):
        if loan and gap == -loan:
            yield SHEET_GAP_LOAN_TWICE(seat=seat, loan=loan)


def _mixed(sheet: PaperSheet, gap: int, rules: Ruleset) -> Iterator[Problem]:
    """Yield a difference among totals, or a total among differences."""
    if sheet.numbers == "totals" and gap == -rules.start_points:
        for seat, count in enumerate(sheet.counts):
            if count < 0:
                yield SHEET_GAP_DIFFERENCE_AMONG_TOTALS(seat=seat, typed=count)
    if sheet.numbers == "differences" and gap == rules.start_points:
        seat = sheet.counts.index(max(sheet.counts))
        yield SHEET_GAP_TOTAL_AMONG_DIFFERENCES(seat=seat, typed=sheet.counts[seat])


def _single_slips(counts: Sequence[int], gap: int) -> Iterator[Problem]:
    """Yield each single number that explains the gap: lost sign, swapped digits, a zero too many or too few."""
    for seat, count in enumerate(counts):
        if count and gap == 2 * count:
            yield SHEET_GAP_SIGN_LOST(seat=seat, typed=abs(count))
    for seat, count in enumerate(counts):
        for meant in _swaps(count):
            if meant - count == -gap:
                yield SHEET_GAP_DIGITS_SWAPPED(seat=seat, typed=count, meant=meant, gap=abs(gap))
    for seat, count in enumerate(counts):
        if count and count * 9 == -gap:
            yield SHEET_GAP_ZERO_MISSING(seat=seat, typed=count, meant=count * 10)
        if count and count % 10 == 0 and count * 9 == gap * 10:
            yield SHEET_GAP_ZERO_TOO_MANY(seat=seat, typed=count, meant=count // 10)


def _digit_slips(counts: Sequence[int], gap: int) -> Iterator[Problem]:
    """Yield each number that explains the gap with one digit more or less, zeros at the end aside."""
    for seat, count in enumerate(counts):
        meant = count - gap
        lost, doubled = _loses_to(meant, count), _loses_to(count, meant)
        for slip, slips in ((SHEET_GAP_DIGIT_LOST, lost), (SHEET_GAP_DIGIT_DOUBLED, doubled)):
            if slips and count * meant > 0 and count % UNIT == meant % UNIT and meant not in (count * 10, count // 10):
                yield slip(seat=seat, typed=count, meant=meant)


def _misreads(counts: Sequence[int], gap: int) -> Iterator[Problem]:
    """Yield each number of which one digit is easily read for the one that explains the gap."""
    for seat, count in enumerate(counts):
        meant = count - gap
        if _misread(count, meant) and not count % UNIT and not gap % UNIT:
            yield SHEET_GAP_DIGIT_MISREAD(seat=seat, typed=count, meant=meant)


def _loses_to(longer: int, shorter: int) -> bool:
    """Return whether a number becomes another one where one of its digits is lost.

    >>> _loses_to(31500, 3500), _loses_to(31500, 3150), _loses_to(31500, 3200)
    (True, True, False)
    """
    digits = str(abs(longer))
    return any(digits[:at] + digits[at + 1 :] == str(abs(shorter)) for at in range(len(digits)))


def _misread(one: int, other: int) -> bool:
    """Return whether two numbers differ in one digit that is easily read for the other one.

    >>> _misread(31500, 37500), _misread(31500, 32500)
    (True, False)
    """
    if one * other <= 0 or len(str(one)) != len(str(other)):
        return False
    differ = [pair for pair in zip(str(one), str(other), strict=True) if pair[0] != pair[1]]
    return len(differ) == 1 and "".join(sorted(differ[0])) in LOOK_ALIKE


def _swaps(count: int) -> list[int]:
    """Return the numbers made by swapping two neighbouring digits.

    >>> _swaps(-52200)
    [-25200, -52020]
    """
    digits, sign = str(abs(count)), -1 if count < 0 else 1
    found: list[int] = []
    for at in range(len(digits) - 1):
        swapped = digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :]
        if swapped != digits and not swapped.startswith("0"):
            found.append(sign * int(swapped))
    return found


def before_leftover(paper: Sequence[int], leftover: int, rules: Ruleset) -> list[tuple[int, ...]]:
    """Return what the scores of a signed sheet may have been before leftover riichi sticks were given out.

    Empty where no sticks explain the sum.

    >>> from rules.books import load
    >>> before_leftover((42000, 30000, 28000, 20000), 1000, load("ema-2025"))
    [(41000, 30000, 28000, 20000)]
    >>> before_leftover((41000, 30000, 28000, 20000), 0, load("ema-2025"))
    [(41000, 30000, 28000, 20000)]
    >>> before_leftover((41000, 30000, 28000, 20500), 0, load("ema-2025"))
    []
    """
    missing = rules.start_points * rules.players - sum(paper)
    if missing:
        return [tuple(paper)] if missing > 0 and missing % rules.riichi_deposit == 0 else []
    first = [seat for seat, place in enumerate(places_of(paper, rules)) if place == 1]
    if rules.leftover_deposits == "lost" or len(first) > 1:
        return [tuple(paper)]
    pots = [leftover] if leftover else [sticks * rules.riichi_deposit for sticks in range(MAX_STICKS + 1)]
    return [tuple(score - pot * (seat in first) for seat, score in enumerate(paper)) for pot in pots]


Counted = Callable[[TableState], tuple[int, ...]]


def reconcile(game: Game, paper: Sequence[int], paper_leftover: int, rules: Ruleset) -> list[Problem]:
    """Return the problems of a signed sheet's final scores by seat against the entered hands.

    `paper_leftover` are the points in riichi sticks left at the end. The scores may be before or after these were given
    out (E25 3.7; RK 2.2): after, if their sum says so; else they are compared with the scores that the table shows.
    """
    if len(paper) != rules.players:
        return [POINTS_NOT_FOR_EACH_SEAT(given=len(paper), players=rules.players)]
    given_out = sum(paper) == sum(give_leftover(game.state, rules)[0])
    counted: Counted = (lambda state: give_leftover(state, rules)[0]) if given_out else (lambda state: state.scores)
    pot = game.state.sticks * rules.riichi_deposit
    found = [] if paper_leftover == pot else [SHEET_LEFTOVER_DIFFERS(paper=paper_leftover, computed=pot)]
    return [*found, *_totals_differ(game, tuple(paper), counted, rules)]


def _totals_differ(game: Game, paper: tuple[int, ...], counted: Counted, rules: Ruleset) -> Iterator[Problem]:
    computed = counted(game.state)
    gaps = [ours - theirs for ours, theirs in zip(paper, computed, strict=True)]
    if not any(gaps):
        return
    if sum(gaps):
        yield SHEET_SUM(total=sum(paper), wanted=sum(computed), gap=sum(gaps), deposit=rules.riichi_deposit)
    for seat, gap in enumerate(gaps):
        if gap:
            yield SHEET_TOTAL_DIFFERS(seat=seat, paper=paper[seat], computed=computed[seat])
    yield from _explain_gap(game, paper, counted, rules)


def _explain_gap(game: Game, paper: tuple[int, ...], counted: Counted, rules: Ruleset) -> Iterator[Problem]:
    """Yield what explains the gap: later hands missing on paper, a hand entered too many, swapped totals."""
    start = game.start.scores[0]
    entries = [hand.entry for hand in game.hands]
    for count, hand in reversed(list(enumerate(game.hands))):
        if counted(hand.before) == paper:
            yield SHEET_AGREES_BEFORE_HAND(hand=count)
            return
    for index in range(len(entries)):
        without = fold([*entries[:index], *entries[index + 1 :]], rules, start=start)
        if counted(without.state) == paper:
            yield SHEET_AGREES_WITHOUT_HAND(hand=index)
            return
    computed = counted(game.state)
    moved = [seat for seat, (ours, theirs) in enumerate(zip(paper, computed, strict=True)) if ours != theirs]
    if sorted(paper) == sorted(computed):
        yield SHEET_TOTALS_SWAPPED(seats=tuple(moved))
