"""Payments typed instead of han and fu: which values pay them, and that lines with han and fu read as before."""

import dataclasses
import itertools
from collections.abc import Iterator
from functools import cache

import pytest

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.bare_han import MAX_BARE_HAN
from scoring.check import problems
from scoring.check_win import MAX_HAN
from scoring.entries import Entry, Ron, Tsumo, Win
from scoring.fu import possible_fu
from scoring.paid import PaidWin, other_readings, payment_for, read_paid, readings, settle, write_payment
from scoring.payments import deltas_of, transfers_of
from scoring.problems import InvalidInput, errors_of
from scoring.shorthand import _is_paid, _split, parse, write
from scoring.state import TableState
from scoring.value import MANGAN_HAN, base_points, limit_from_han
from tests.scoring.table import state
from tests.table_test import tabled

SITUATIONS = [(seat, tsumo, riichi) for seat in (0, 1) for tsumo in (False, True) for riichi in (False, True)]

# ---------------------------------------------------------------- the notation


def old_split(digits: str) -> tuple[int, int]:
    """Part han from fu as the notation did before it knew points: written down once more, to be held against."""
    if len(digits) <= 2:
        return int(digits), 0
    han, fu = digits[:-3], digits[-3:]
    long = bool(han) and (fu in ("100", "110") or (fu in ("120", "130", "140") and int(han) >= 4))
    at = 3 if long else 2
    return int(digits[:-at]), int(digits[-at:])


UP_TO_FOUR = [f"{number:0{length}}" for length in range(1, 5) for number in range(10**length)]
OF_FIVE = [f"{number:05}" for number in range(10**5)]
# han of two digits with each fu that can be written: those below mangan, at it, the largest
SOME_OF_FIVE = [digits for digits in OF_FIVE if digits[:2] in ("00", "01", "04", "05", "10", "13", "39", "99")]


@pytest.mark.parametrize(
    "strings",
    [UP_TO_FOUR + SOME_OF_FIVE, pytest.param(UP_TO_FOUR + OF_FIVE, marks=pytest.mark.nightly)],
    ids=["most", "all"],
)
def test_of_all_numbers_those_with_two_noughts_that_are_no_fu_below_mangan_are_points(strings: list[str]) -> None:
    changed = []
    for digits in strings:
        if not _is_paid(digits) and _split(digits)[0] > MAX_BARE_HAN:
            continue  # refused: test_bare_han.py
        win = parse(f"1t{digits}").winners[0]  # type: ignore[attr-defined]
        if isinstance(win, PaidWin):
            assert win == PaidWin(seat=0, paid=(int(digits),))
            changed.append(digits)
        else:
            assert (win.han, win.fu) == old_split(digits)
    meant = [digits for digits in strings if len(digits) >= 3 and digits.endswith("00")]
    assert changed == [digits for digits in meant if not (old_split(digits)[1] == 100 and old_split(digits)[0] < 5)]


def test_no_hand_was_ever_written_with_two_noughts_for_fu() -> None:
    for han in range(1, MAX_HAN + 1):
        for fu in (0, *range(20, 150, 10), 25):
            entry = Tsumo(winners=(Win(seat=0, han=han, fu=fu),))
            assert parse(write(entry)) == entry


PAYMENTS = {
    "2r3 3900": (3900,),
    "2r3 12000": (12_000,),
    "2r3 =7100": (7100,),
    "1t =500": (500,),
    "1t 2000": (2000,),
    "2t 1300-2600": (1300, 2600),
    "2t 300−500": (300, 500),
    "2T １０００－２０００": (1000, 2000),
    "2r3 =96000": (96_000,),
    "2r3 =128000": (128_000,),
}


@pytest.mark.parametrize(("line", "paid"), PAYMENTS.items(), ids=list(PAYMENTS))
def test_points_are_read_and_written(line: str, paid: tuple[int, ...]) -> None:
    entry = parse(line)
    assert isinstance(entry, Ron | Tsumo)
    assert entry.winners == (PaidWin(seat=entry.winners[0].seat, paid=paid),)
    assert parse(write(entry)) == entry
    assert parse(write(entry).replace(" ", "")) == entry


@pytest.mark.parametrize(
    "line", ["2r3 =", "2r3 =39", "2t 1300-", "2t -2600", "2t 1300-2600-1300", "2r3 3,900", "2r3 340000"]
)
def test_what_are_no_points_cannot_be_read(line: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        parse(line)
    assert [problem.code for problem in wrong.value.problems] == ["shorthand.unreadable"]


@pytest.mark.parametrize(
    ("typed", "paid"),
    [
        ("3900", (3900,)),
        (" 3,900 ", (3900,)),
        ("=500", (500,)),
        ("1300-2600", (1300, 2600)),
        ("1,300 - 2,600", (1300, 2600)),
    ],
)
def test_a_field_of_points_is_read(typed: str, paid: tuple[int, ...]) -> None:
    assert read_paid(typed) == paid
    assert read_paid(write_payment(paid)) == paid


@pytest.mark.parametrize("typed", ["", "x", "39", "1300/2600", "1300-", "12345678", "-500", "3.900"])
def test_a_field_that_is_no_points_is_refused(typed: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        read_paid(typed)
    assert [problem.code for problem in wrong.value.problems] == ["paid.unreadable"]


# ---------------------------------------------------------------- examples

ONE: list[tuple[str, str, str]] = [
    # ron: by another, by the dealer; four han 30 fu are mangan where they are rounded up to it
    ("ema-2025", "2r3 1000", "2r3 130"),
    ("ema-2025", "2r3 1300", "2r3 140"),
    ("ema-2025", "2r3 4500", "2r3 270"),
    ("ema-2025", "2r3 =7100", "2r3 2110"),
    ("ema-2025", "1r3 1500", "1r3 130"),
    ("ema-2025", "1r3 10600", "1r3 2110"),
    ("ema-2025", "2r3 8000", "2r3 5"),
    ("ema-2025", "2r3 12000", "2r3 6"),
    ("ema-2025", "1r3 12000", "1r3 5"),
    ("ema-2025", "2r3 32000", "2r3 y"),
    ("tenhou-yonma", "2r3 =64000", "2r3 y2"),
    ("tenhou-yonma", "1r2 18000/1", "1r2 6/1"),
    # tsumo: the others and the dealer; each to the dealer
    ("ema-2025", "2t 300-500", "2t 130"),
    ("ema-2025", "2t 2000-4000", "2t 5"),
    ("ema-2025", "1t =500", "1t 130"),
    ("ema-2025", "1t 4000", "1t 5"),
    # riichi and tsumo are two han
    ("ema-2025", "2t 500-1000/2", "2t 230/2"),
    ("ema-2025", "2t 400-800", "2t 150"),
    # three players: the missing North pays nothing
    ("sanmatsuri-2026", "2t 300-500", "2t 130"),
    ("sanmatsuri-2026", "1t 4000", "1t 5"),
    ("tenhou-sanma", "3t 3000-6000", "3t 6"),
    # liable
    ("ema-2025", "2r3 32000 p4", "2r3 y p4"),
    # two winners, each with his own
    ("ema-2025", "2r3 1300+1 12000/12", "2r3 140+1 5/12"),
    ("ema-2025", "2r3 340+1 12000 !5200+12000 #seen", "2r3 340+1 5 !5200+12000 #seen"),
]


@tabled("key, line, means", ONE)
def test_where_one_value_pays_that_it_is_meant(key: str, line: str, means: str) -> None:
    assert write(settle(parse(line), state(key), load(key))) == means


SEVERAL: list[tuple[str, str, list[str]]] = [
    ("ema-2025", "2r3 3900", ["2r3 330", "2r3 260"]),
    ("ema-2025", "2r3 3900/2", ["2r3 330/2", "2r3 260/2"]),
    ("ema-2025", "2r3 2600", ["2r3 240", "2r3 180"]),
    ("ema-2025", "2r3 3200", ["2r3 325", "2r3 250", "2r3 1100"]),
    ("ema-2025", "2t 700-1300", ["2t 320", "2t 240", "2t 180"]),
    ("ema-2025", "1t 2000", ["1t 330", "1t 260"]),
    ("tenhou-yonma", "2r3 7700", ["2r3 430", "2r3 360"]),
    ("ema-2025", "2r3 1000+1 2900", ["2r3 130+1 230", "2r3 130+1 160"]),
    ("ema-2025", "2r3 2000+1 2900", ["2r3 230+1 230", "2r3 160+1 230", "2r3 230+1 160"]),
]


@pytest.mark.parametrize(("key", "line", "choices"), SEVERAL)
def test_where_several_values_pay_that_the_likeliest_is_taken_and_the_others_are_named(
    key: str, line: str, choices: list[str]
) -> None:
    taken = settle(parse(line), state(key), load(key))
    others = [entry for _win, entry in other_readings(parse(line), state(key), load(key))]
    assert [write(entry) for entry in (taken, *others)] == choices


REFUSED: list[tuple[str, str, str, object]] = [
    ("ema-2025", "2r3 5300", "paid.none", ("5200", "5800")),
    ("ema-2025", "2r3 1200", "paid.none", ("1000", "1300")),
    ("ema-2025", "2r3 99900", "paid.none", ("32000",)),
    ("ema-2025", "2r3 =300", "paid.none", ("1000",)),
    ("ema-2025", "2r3 7700", "paid.none", ("7100", "8000")),
    ("ema-2025", "2t 1300-2700", "paid.none", ("1300-2600", "1500-2900")),
    ("ema-2025", "2t 2600-1300", "paid.none", ("1300-2600", "1500-2900")),
    ("ema-2025", "2t 5200", "paid.both_wanted", None),
    ("ema-2025", "1t 1300-2600", "paid.one_wanted", None),
    ("ema-2025", "2r3 1300-2600", "paid.one_wanted", None),
]


@pytest.mark.parametrize(("key", "line", "code", "near"), REFUSED)
def test_where_no_value_pays_that_the_nearest_are_named(key: str, line: str, code: str, near: object) -> None:
    with pytest.raises(InvalidInput) as wrong:
        settle(parse(line), state(key), load(key))
    (problem,) = wrong.value.problems
    assert (problem.code, problem.params.get("nearest")) == (code, near)


def test_four_counters_leave_no_hand_of_one_han() -> None:
    rules = load("sanma-rule-book")
    table = state("sanma-rule-book")._replace(honba=4)
    with pytest.raises(InvalidInput):
        settle(parse("2r3 1000"), table, rules)
    assert write(settle(parse("2r3 1000"), state("sanma-rule-book"), rules)) == "2r3 130"


@pytest.mark.parametrize("key", book_keys())
def test_a_payment_typed_bare_is_never_entered_as_another_hand(key: str) -> None:
    rules, table = load(key), state(key)
    for seat, tsumo in itertools.product(range(2), (False, True)):
        wins = [dataclasses.replace(win, seat=seat) for win in every_value(rules, tsumo=tsumo, riichi=False)]
        legal = [win for win in wins if not errors_of(problems(entry_of(win, tsumo=tsumo, riichi=False), table, rules))]
        for paid in {payment_for(win, table, tsumo=tsumo, rules=rules) for win in legal}:
            line = f"{seat + 1}{'t' if tsumo else 'r3'} {write_payment(paid)}"
            entry = settle(parse(line), table, rules)
            assert isinstance(entry, Ron | Tsumo), line
            assert payment_for(entry.winners[0], table, tsumo=tsumo, rules=rules) == paid, line


def test_a_payment_to_a_seat_that_is_away_is_left_to_the_check() -> None:
    entry, rules = parse("4r3 1000"), load("sanmatsuri-2026")
    assert settle(entry, state("sanmatsuri-2026"), rules) == entry
    assert [problem.code for problem in problems(entry, state("sanmatsuri-2026"), rules)] == ["seat.not_at_table"]


def test_a_payment_that_nobody_read_is_never_taken_for_a_hand() -> None:
    found = problems(parse("2r3 1000"), state("ema-2025"), load("ema-2025"))
    assert [problem.code for problem in errors_of(found)] == ["win.han_zero"]


# ---------------------------------------------------------------- all of them


def every_value(rules: Ruleset, *, tsumo: bool, riichi: bool) -> Iterator[Win]:
    """Yield every value with han and fu, far beyond the limits, and yakuman."""
    for han in range(1, 15):
        for fu in possible_fu(han, rules, tsumo=tsumo, riichi=riichi):
            yield Win(seat=0, han=han, fu=fu)
    yield Win(seat=0, yakuman=1)
    if rules.yakuman_add_up:
        yield Win(seat=0, yakuman=2)


def entry_of(win: Win, *, tsumo: bool, riichi: bool) -> Entry:
    deposits = (win.seat,) if riichi else ()
    return Tsumo(winners=(win,), riichi=deposits) if tsumo else Ron(loser=2, winners=(win,), riichi=deposits)


def moved(win: Win, table: TableState, rules: Ruleset, *, tsumo: bool) -> set[int]:
    """Return what each payer loses by the real payments."""
    return {
        -delta
        for delta in deltas_of(transfers_of(entry_of(win, tsumo=tsumo, riichi=False), table, rules), rules.players)
        if delta < 0
    }


@pytest.mark.parametrize("key", book_keys())
@pytest.mark.parametrize(("seat", "tsumo", "riichi"), SITUATIONS)
def test_every_legal_value_is_found_by_its_payment_and_every_reading_pays_it(
    key: str, seat: int, tsumo: bool, riichi: bool
) -> None:
    rules, table = load(key), state(key)
    tried = 0

    @cache
    def read_once(paid: tuple[int, ...]) -> list[Win]:
        """Read a payment, which many values share, and hold each reading against the real payments."""
        found = readings(paid, table, seat, tsumo=tsumo, rules=rules, riichi=riichi)
        assert [moved(each, table, rules, tsumo=tsumo) for each in found] == [set(paid)] * len(found)
        for each in found:
            assert errors_of(problems(entry_of(each, tsumo=tsumo, riichi=riichi), table, rules)) == []
        return list(found)

    for value in every_value(rules, tsumo=tsumo, riichi=riichi):
        win = dataclasses.replace(value, seat=seat)
        if errors_of(problems(entry_of(win, tsumo=tsumo, riichi=riichi), table, rules)):
            continue
        tried += 1
        paid = payment_for(win, table, tsumo=tsumo, rules=rules)
        assert set(paid) == moved(win, table, rules, tsumo=tsumo)
        found = read_once(paid)
        if base_points(win, rules) < limit_from_han(MANGAN_HAN, rules):
            assert win in found
        else:
            (limit,) = found
            assert base_points(limit, rules) == base_points(win, rules)
    assert tried > 50


@pytest.mark.parametrize("key", book_keys())
@pytest.mark.parametrize(("seat", "tsumo", "riichi"), SITUATIONS)
def test_no_two_readings_are_the_same_and_the_usual_fu_come_first(
    key: str, seat: int, tsumo: bool, riichi: bool
) -> None:
    rules, table = load(key), state(key)
    payments = {
        payment_for(dataclasses.replace(win, seat=seat), table, tsumo=tsumo, rules=rules)
        for win in every_value(rules, tsumo=tsumo, riichi=riichi)
    }
    for paid in payments:
        found = readings(paid, table, seat, tsumo=tsumo, rules=rules, riichi=riichi)
        fu = [win.fu for win in found]
        assert len(set(found)) == len(found)
        assert fu == sorted(fu, key=lambda each: (each != 30, each))
