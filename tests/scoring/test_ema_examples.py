"""The ten worked examples of EMA 2025 (pages 26 to 28), and every cell of the payments of SanMatsuri 2026.

The book gives ideas and results; the hands are our own, and what they should pay was worked out by hand.
"""

import pytest

from rules.books import load
from scoring.payments import Payment
from tests.scoring.hand_table import counted, hand_of, paid, rows_of
from tests.scoring.table import deltas
from tests.table_test import tabled

EMA, SAN = load("ema-2025"), load("sanmatsuri-2026")

# The example's number | hand | yaku | han with dora | fu before rounding | what East gets | what another gets: by ron
# one number, by tsumo the share of each or, where East pays, of each other and of East.
EXAMPLES = """
1  | 123456789m55p234s r t     | riichi menzen_tsumo pinfu ittsu               | 5  | 20 | 4000  | 2000 4000
2  | 123456789m55p234s r       | riichi pinfu ittsu                            | 4  | 30 | 12000 | 8000
3  | 123456m55p234s 789m d3s   | ittsu                                         | 2  | 22 | 2900  | 2000
4  | 22233m444p66688s8s t      | suuankou                                      | 13 | 38 | 16000 | 8000 16000
5  | 22233m444p66688s8s d1m    | tanyao toitoi sanankou                        | 8  | 44 | 24000 | 16000
6  | 22446688m557733p r i t    | riichi ippatsu menzen_tsumo tanyao chiitoitsu | 6  | 25 | 6000  | 3000 6000
7  | 1133m5577p99s4455z        | chiitoitsu                                    | 2  | 25 | 2400  | 1600
8  | 112233m445566p77z t       | menzen_tsumo ryanpeikou                       | 4  | 26 | 4000  | 2000 4000
9  | 12379m44z8m 111z 999m d1m | seat_wind round_wind chanta honitsu           | 6  | 30 | 18000 | -
10 | 1234567899m444z3m t       | menzen_tsumo honitsu                          | 4  | 32 | -     | 2000 4000
"""


@pytest.mark.parametrize("row", rows_of(EXAMPLES), ids=lambda row: row[0])
def test_a_worked_example(row: list[str]) -> None:
    _, line, yaku, han, fu, east, another = row
    for winds, pays in (("wEE", east), ("wES", another)):
        if pays != "-":
            count = counted(f"{line} {winds}", EMA)
            assert [name for name, _ in count.yaku] == yaku.split()
            assert (count.han, sum(item.fu for item in count.fu_items)) == (int(han), int(fu))
            assert shares(paid(f"{line} {winds}", EMA)) == pays


def shares(payment: Payment) -> str:
    """Return what the payers pay, each share once."""
    [amounts] = payment.as_json().values()
    return " ".join(map(str, amounts if isinstance(amounts, list) else [amounts]))


def test_the_examples_that_round_up_to_a_mangan_do_so_by_the_book() -> None:
    # E25 4.1.2: 4 han 30 fu; without it examples 2 and 8 would pay 7,700 and 7,900
    assert [counted(line, EMA).limit for line in ("123456789m55p234s r wES", "112233m445566p77z t wES")] == [
        "mangan"
    ] * 2
    tenhou = load("tenhou-yonma")
    assert shares(paid("123456789m55p234s r wES", tenhou)) == "7700"
    assert shares(paid("112233m445566p77z t wES", tenhou)) == "2000 3900"


# ---------------------------------------------------------------- SanMatsuri: tsumo loss, kiriage mangan

# Han and fu, or the limit | a hand | another's ron | his tsumo: from the other, from East, in all | East's ron | his
# tsumo: from each, in all. The same tiles won either way; kita are the han that are wanted.
PAYMENTS = """
1/30      | 123567p78s99m6s 777z           | 1000  | 300 500 800      | 1500  | 500 1000
1/40      | 123p78s99m333z6s 777z          | 1300  | 400 700 1100     | 2000  | 700 1400
2/20      | 123567p23478s99m6s             | -     | 400 700 1100     | -     | 700 1400
2/30      | 123567p78s99m6s 777z k1        | 2000  | 500 1000 1500    | 2900  | 1000 2000
2/40      | 123p78s99m333z6s 777z k1       | 2600  | 700 1300 2000    | 3900  | 1300 2600
3/20      | 123567p23478s99m6s k1          | -     | 700 1300 2000    | -     | 1300 2600
3/30      | 123567p78s99m6s 777z k2        | 3900  | 1000 2000 3000   | 5800  | 2000 4000
3/40      | 123p78s99m333z6s 777z k2       | 5200  | 1300 2600 3900   | 7700  | 2600 5200
3/50      | 78s99m333z6s 777z x5555p k2    | 6400  | 1600 3200 4800   | 9600  | 3200 6400
3/60      | 12378s99m6s 777z x1111p k2     | 8000  | 2000 4000 6000   | 12000 | 4000 8000
4/20      | 123567p23478s99m6s k2          | -     | 1300 2600 3900   | -     | 2600 5200
4/25      | 1133p5577s99m1155z k2          | 6400  | -                | 9600  | -
4/25      | 1133p5577s99m1155z k1          | -     | 1600 3200 4800   | -     | 3200 6400
4/30      | 123567p78s99m6s 777z k3        | 8000  | 2000 4000 6000   | 12000 | 4000 8000
mangan    | 123567p78s99m6s 777z k4        | 8000  | 2000 4000 6000   | 12000 | 4000 8000
haneman   | 123567p78s99m6s 777z k3 d3z    | 12000 | 3000 6000 9000   | 18000 | 6000 12000
baiman    | 123567p78s99m6s 777z k4 d3z    | 16000 | 4000 8000 12000  | 24000 | 8000 16000
sanbaiman | 123567p78s99m6s 777z k4 d3z3z  | 24000 | 6000 12000 18000 | 36000 | 12000 24000
yakuman   | 19m19p19s11234567z             | 32000 | 8000 16000 24000 | 48000 | 16000 32000
"""
CELLS = [
    (value, f"{line} {how}".strip(), cell)
    for value, line, *cells in rows_of(PAYMENTS)
    for how, cell in zip(("wES", "t wES", "", "t"), cells, strict=True)
    if cell != "-"
]


@tabled("value, line, cell", CELLS)
def test_a_cell_of_the_sanmatsuri_payments(value: str, line: str, cell: str) -> None:
    count, payment = counted(line, SAN), paid(line, SAN)
    assert value in (f"{count.han}/{count.fu}", count.limit)
    in_all = [] if payment.ron else [str(payment.value)]
    assert " ".join([shares(payment), *in_all]) == cell


@pytest.mark.parametrize("honba", [0, 1, 7])
def test_counters_of_sanmatsuri(honba: int) -> None:
    # S0 Honba Payments: 200 by ron, 100 from each who pays by tsumo
    for how, value, each in (("wES", 3900, 200), ("t wES", 3000, 200), ("", 5800, 200), ("t", 4000, 200)):
        line = f"123567p78s99m6s 777z k2 h{honba} {how}"
        assert paid(line, SAN).total(hand_of(line, SAN).honba, SAN) == value + each * honba


@pytest.mark.parametrize("honba", [0, 1, 7])
def test_counters_of_ema(honba: int) -> None:
    # E25 3.4.4: 300 by ron, 100 from each of three by tsumo
    for how, value in (("wES", 2000), ("t wES", 2000), ("", 2900), ("t", 3000)):
        line = f"123567p78s99m6s 777z h{honba} d1p {how}"
        assert paid(line, EMA).total(hand_of(line, EMA).honba, EMA) == value + 300 * honba


def test_a_nagashi_of_sanmatsuri_is_a_mangan_by_tsumo_with_counters() -> None:
    # S0 Nagashi Mangan, Honba Payments
    assert deltas("sanmatsuri-2026", "n2") == (-4000, 6000, -2000)
    assert deltas("sanmatsuri-2026", "n1") == (8000, -4000, -4000)
    assert deltas("sanmatsuri-2026", "n2", honba=3) == (-4300, 6600, -2300)
    assert deltas("sanmatsuri-2026", "n1", honba=3) == (8600, -4300, -4300)
