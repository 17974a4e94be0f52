"""The shorthand: the meaning of each form, the place of an error, and the round trip."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo, Win, from_json, to_json
from scoring.problems import InvalidInput
from scoring.shorthand import ABORTS, parse, write
from tests.scoring.strategies import NUMBERS, hand_of, totals_of
from tests.table_test import tabled


def ron(seat: int, loser: int, riichi: tuple[int, ...] = (), **win: Any) -> Ron:
    return Ron(loser=loser, winners=(Win(seat=seat, **win),), riichi=riichi)


def tsumo(seat: int, riichi: tuple[int, ...] = (), **win: Any) -> Tsumo:
    return Tsumo(winners=(Win(seat=seat, **win),), riichi=riichi)


LINES: dict[str, Entry] = {
    # ron and tsumo
    "2r3 340/2": ron(1, 2, (1,), han=3, fu=40),
    "2r3340/2": ron(1, 2, (1,), han=3, fu=40),
    "2 R 3 3 4 0 / 2": ron(1, 2, (1,), han=3, fu=40),
    "1t 230": tsumo(0, han=2, fu=30),
    "1T230/123": tsumo(0, (0, 1, 2), han=2, fu=30),
    "4r1 225": ron(3, 0, han=2, fu=25),
    "3t 220": tsumo(2, han=2, fu=20),
    # fu of three digits, han of two
    "2r3 1100": ron(1, 2, han=1, fu=100),
    "2r3 1110": ron(1, 2, han=1, fu=110),
    "2r3 2110": ron(1, 2, han=2, fu=110),
    "2r3 1130": ron(1, 2, han=11, fu=30),
    "2r3 1240": ron(1, 2, han=12, fu=40),
    "2r3 4120": ron(1, 2, han=4, fu=120),
    "2r3 4130": ron(1, 2, han=4, fu=130),
    "2r3 4140": ron(1, 2, han=4, fu=140),
    "2r3 11110": ron(1, 2, han=11, fu=110),
    "2r3 1.30": ron(1, 2, han=1, fu=30),
    "2r3 3h40": ron(1, 2, han=3, fu=40),
    "2r3 13.30": ron(1, 2, han=13, fu=30),
    # dead hands
    "2r3 340 x14/2": Ron(loser=2, winners=(Win(seat=1, han=3, fu=40),), riichi=(1,), dead=(0, 3)),
    "d13x2": Draw(tenpai=(0, 2), dead=(1,)),
    # limits
    "2r3 5": ron(1, 2, han=5),
    "2r3 13": ron(1, 2, han=13),
    "2r3 m": ron(1, 2, han=5),
    "2r3 h": ron(1, 2, han=6),
    "2r3 b": ron(1, 2, han=8),
    "2r3 s": ron(1, 2, han=11),
    "2r3 M": ron(1, 2, han=5),
    "1t y": tsumo(0, yakuman=1),
    "1t y1": tsumo(0, yakuman=1),
    "1t y2": tsumo(0, yakuman=2),
    # liability
    "1t y p3": tsumo(0, yakuman=1, pao=2),
    "1t y2p3": tsumo(0, yakuman=2, pao=2),
    "2r3 y p1/2": ron(1, 2, (1,), yakuman=1, pao=0),
    # several winners
    "2r3 340+4 5": Ron(loser=2, winners=(Win(seat=1, han=3, fu=40), Win(seat=3, han=5))),
    "2r3 340 + 4 m + 1 y p2 / 24": Ron(
        loser=2,
        winners=(Win(seat=1, han=3, fu=40), Win(seat=3, han=5), Win(seat=0, yakuman=1, pao=1)),
        riichi=(1, 3),
    ),
    # the riichi tile of the discarder
    "2r3 340/23b": ron(1, 2, (1,), han=3, fu=40),
    "2r3 b / 3 B": ron(1, 2, (), han=8),
    "2r3 340+4 5/324b": Ron(loser=2, winners=(Win(seat=1, han=3, fu=40), Win(seat=3, han=5)), riichi=(1, 3)),
    "2r3 340/3 !5200 b": Ron(loser=2, winners=(Win(seat=1, han=3, fu=40),), announced={1: 5200}),
    # draws
    "d": Draw(),
    "d13/1": Draw(tenpai=(0, 2), riichi=(0,)),
    "d1234": Draw(tenpai=(0, 1, 2, 3)),
    "D/3": Draw(riichi=(2,)),
    "n2": Nagashi(winners=(1,)),
    "n2 d13": Nagashi(winners=(1,), tenpai=(0, 2)),
    "n24 d/1": Nagashi(winners=(1, 3), riichi=(0,)),
    "ak": Abort(reason="kyuushu_kyuuhai"),
    "aw": Abort(reason="suufon_renda"),
    "ar/1234": Abort(reason="suucha_riichi", riichi=(0, 1, 2, 3)),
    "aq": Abort(reason="suukaikan"),
    "a3/2": Abort(reason="sanchahou", riichi=(1,)),
    # chombo
    "c4": Chombo(offenders=(3,)),
    "c12/3": Chombo(offenders=(0, 1), riichi=(2,)),
    "c": Chombo(offenders=()),
    # corrections and totals
    "=+1000,-1000,0 dropped stick": Correction(deltas=(1000, -1000, 0), reason="dropped stick"),
    "= +1000, -1000, 0   dropped   stick": Correction(deltas=(1000, -1000, 0), reason="dropped stick"),
    "=100,-100,0,0": Correction(deltas=(100, -100, 0, 0), reason=""),
    "=+100,-100,0 3 sticks": Correction(deltas=(100, -100, 0), reason="3 sticks"),
    "=+100,-100,0 Why / who": Correction(deltas=(100, -100, 0), reason="Why / who"),
    "*30000,42000,18000,0": Totals(scores=(30_000, 42_000, 18_000), leftover=0),
    "*-200, 42000, 47200, 1000": Totals(scores=(-200, 42_000, 47_200), leftover=1000),
    # notes
    "d #somebody left": Draw(note="somebody left"),
    "2r3 340 # Who? # Late": Ron(loser=2, winners=(Win(seat=1, han=3, fu=40),), note="Who? # Late"),
    "=+100,-100,0 see [5] of the sheet": Correction(deltas=(100, -100, 0), reason="see [5] of the sheet"),
    "=+100,-100,0 why #and when": Correction(deltas=(100, -100, 0), reason="why", note="and when"),
    "d13 #\tmany\t\tblanks ": Draw(tenpai=(0, 2), note="many blanks"),
    # typed with a Japanese keyboard
    "２ｒ３　３４０／２": ron(1, 2, (1,), han=3, fu=40),
    "２Ｒ３ ３４０＋４ ５": Ron(loser=2, winners=(Win(seat=1, han=3, fu=40), Win(seat=3, han=5))),
    "ｄ１３／１ ＃親流れ": Draw(tenpai=(0, 2), riichi=(0,), note="親流れ"),
    "＝＋１０００，－１０００，０ 点棒": Correction(deltas=(1000, -1000, 0), reason="点棒"),
    "=+1000,−1000,0 true minus": Correction(deltas=(1000, -1000, 0), reason="true minus"),
}


@tabled("line, entry", LINES.items())
def test_a_line_means(line: str, entry: Entry) -> None:
    assert parse(line) == entry


@tabled("line, entry", LINES.items())
def test_a_line_means_the_same_without_blanks_around_it(line: str, entry: Entry) -> None:
    assert parse(f"  {line}\n") == entry


UNREADABLE = [
    ("x", "x", 1),
    ("2", "2", 1),
    ("2r", "2r", 1),
    ("2r3", "2r3", 1),
    ("r3 340", "r3340", 1),
    ("0r3 340", "0r3340", 1),
    ("2r0 340", "2r0340", 1),
    ("2r3 -340", "2r3-340", 1),
    ("2r3 3.5.40", "2r33.5.40", 1),
    ("2r3 340000", "2r3340000", 1),
    ("2r3 340+", "", 1),
    ("2r3 340+x", "x", 9),
    ("2r3 340 + 4 v5", "4v5", 11),
    ("2r3 340/", "/", 8),
    ("2r3 340/x", "/x", 8),
    ("2r3 340 /0", "/0", 9),
    ("2r3 340/2/3", "/2/3", 8),
    ("2r3 340/b", "/b", 8),
    ("2r3 340/2b", "/2b", 8),
    ("2r3 340/b3", "/b3", 8),
    ("2r3 340/3bb", "/3bb", 8),
    ("2r3 340b", "2r3340b", 1),
    ("2t 230/2b", "/2b", 7),
    ("d13/1b", "/1b", 4),
    ("2r3 340p", "2r3340p", 1),
    ("1t y0", "1ty0", 1),
    ("1t y p0", "1typ0", 1),
    ("1t z", "1tz", 1),
    ("d0", "d0", 1),
    ("d1,3", "d1,3", 1),
    ("n", "n", 1),
    ("n d1", "nd1", 1),
    ("a", "a", 1),
    ("az", "az", 1),
    ("akk", "akk", 1),
    ("c0", "c0", 1),
    ("=", "=", 1),
    ("=abc", "=abc", 1),
    ("=100,-100000000,0 x", "=100,-100000000,0 x", 1),
    ("=100 , -100000000 , 0", "=100 , -100000000 , 0", 1),
    ("=100,-100,0,", "=100,-100,0,", 1),
    ("=100,-100,0why", "=100,-100,0why", 1),
    ("=1.5,-1.5,0 x", "=1.5,-1.5,0 x", 1),
    ("*30000", "*30000", 1),
    ("*30000,v", "*30000,v", 1),
    ("*30000,100000000000", "*30000,100000000000", 1),
    ("٢r٣ ٣٤٠", "٢r٣٣٤٠", 1),
    ("1t ٢٣٠", "1t٢٣٠", 1),
    ("hello world, this is no hand at all, is it? no", "helloworld,thisisnohandatall,isit?no", 1),
]


@tabled("line, part, at", UNREADABLE)
def test_a_line_that_cannot_be_read_says_which_part_and_where(line: str, part: str, at: int) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(line)
    [problem] = refused.value.problems
    assert (problem.code, problem.severity) == ("shorthand.unreadable", "error")
    assert problem.params == {"part": part or line, "at": at}


REFUSED = [
    ("", "shorthand.empty"),
    ("   \t ", "shorthand.empty"),
    ("d" * 301, "entry.text_too_long"),
    ("2" * 10_001, "entry.text_too_long"),
    ("d #" + "x" * 10_000_000, "entry.text_too_long"),
    ("d #" + "\ufdfa" * 100, "entry.text_too_long"),  # one character that stands for eighteen
    ("d #a\x00b", "entry.control_character"),
    ("d #a\x1bb", "entry.control_character"),
    ("d #a\ud800b", "entry.control_character"),
]


@pytest.mark.parametrize(("line", "code"), REFUSED, ids=[f"{line[:8]!a}-{len(line)}" for line, _ in REFUSED])
def test_a_line_that_is_refused_as_a_whole(line: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(line)
    assert [problem.code for problem in refused.value.problems] == [code]


def test_the_longest_line_that_is_read() -> None:
    assert parse("d #" + "x" * 297) == Draw(note="x" * 297)


WRITTEN = [
    ron(1, 2, (1,), han=3, fu=40),
    ron(1, 2, han=1, fu=110),
    ron(1, 2, han=11, fu=30),
    ron(1, 2, han=11, fu=10),  # side by side it would read as 1 han 110
    ron(1, 2, han=4, fu=130),
    ron(1, 2, han=100, fu=0),
    ron(1, 2, han=123, fu=456),
    tsumo(0, yakuman=6, pao=3),
]


@pytest.mark.parametrize("entry", WRITTEN)
def test_odd_values_are_written_so_that_they_read_back(entry: Entry) -> None:
    assert parse(write(entry)) == entry


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("２ｒ３ 3h40 / 2", "2r3 340/2"),
        ("2r3 m+4 b/24", "2r3 5+4 8/24"),
        ("1ty1p3", "1t y p3"),
        ("n24d13", "n24 d13"),
        ("D 1 3 #x", "d13 #x"),
        ("=1000,-1000,0 why", "=+1000,-1000,+0 why"),
        ("*1,2,3", "*1,2,3"),
        ("a 3/ 1", "a3/1"),
    ],
)
def test_there_is_one_way_to_write_an_entry(line: str, written: str) -> None:
    assert write(parse(line)) == written


def test_every_abortive_draw_can_be_typed() -> None:
    for letter, reason in ABORTS.items():
        assert parse(f"a{letter}") == Abort(reason=reason)
        assert write(Abort(reason=reason)) == f"a{letter}"


NOTES = st.lists(st.text(alphabet="abcxyz019.,!?-+/#éß東北", min_size=1, max_size=6), max_size=4).map(" ".join)
REASONS = st.lists(st.text(alphabet="abcxyz019.!?-+/éß東北", min_size=1, max_size=6), max_size=4).map(" ".join)


def without_yaku(entry: Entry) -> Entry:
    """Take out what has no shorthand."""
    plain = to_json(entry)
    for win in plain.get("winners", ()):
        win.pop("yaku", None)
    return from_json(plain)


@given(number=NUMBERS, players=st.sampled_from([3, 4]), note=NOTES)
def test_what_is_written_reads_back(number: int, players: int, note: str) -> None:
    plain = {**to_json(without_yaku(hand_of(number, players))), "note": note}
    entry = from_json(plain)
    assert parse(write(entry)) == entry


@given(number=NUMBERS, players=st.sampled_from([3, 4]))
def test_totals_that_are_written_read_back(number: int, players: int) -> None:
    entry = totals_of(number, players, 30_000)
    assert parse(write(entry)) == entry


@given(deltas=st.lists(st.integers(-9_999_999, 9_999_999), min_size=1, max_size=4), reason=REASONS, note=NOTES)
def test_corrections_that_are_written_read_back(deltas: list[int], reason: str, note: str) -> None:
    entry = Correction(deltas=tuple(deltas), reason=reason, note=note)
    assert parse(write(entry)) == entry


def read(line: str) -> Entry | None:
    """Read a line; None where it is refused, as it must be, with one problem."""
    try:
        return parse(line)
    except InvalidInput as refused:
        if len(refused.problems) != 1:
            raise
        return None


@given(line=st.text(max_size=40) | st.text(alphabet="0123456789rtdnacpymhbs+/=*,-. #", max_size=25))
def test_no_line_breaks_the_reader_and_what_is_read_can_be_stored(line: str) -> None:
    entry = read(line)
    if entry is None:
        return
    assert parse(write(entry)) == entry
    if entry.kind == "nagashi" or all(
        win.get("han") or win.get("yakuman") for win in to_json(entry).get("winners", ())
    ):
        assert from_json(to_json(entry)) == entry


@pytest.mark.parametrize(
    ("line", "announced", "written"),
    [
        ("2r3 340/2 !5200", {1: 5200}, "2r3 340/2 !5200"),
        ("2r3 340 ! 5200 /2", {1: 5200}, "2r3 340/2 !5200"),
        ("2r3 340+4 5 !5200+8000 x1 #said so!", {1: 5200, 3: 8000}, "2r3 340+4 5 x1 !5200+8000 #said so!"),
        ("1t 230 !3000", {0: 3000}, "1t 230 !3000"),
    ],
)
def test_what_was_announced_to_the_winners(line: str, announced: dict[int, int], written: str) -> None:
    entry = parse(line)
    assert entry.announced == announced
    assert write(entry) == written
    assert parse(written) == entry


@pytest.mark.parametrize("line", ["d12 !3000", "2r3 340 !5200+8000", "2r3 340+4 5 !5200", "c2 !1"])
def test_an_amount_for_each_winner_or_none(line: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        parse(line)
    assert [problem.code for problem in wrong.value.problems] == ["shorthand.announced"]


@pytest.mark.parametrize("line", ["2r3 340 !", "2r3 340 !x", "2r3 340 !1 !2", "!5200", "2r3 340 !99999999"])
def test_an_announcement_that_cannot_be_read(line: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        parse(line)
    assert [problem.code for problem in wrong.value.problems] == ["shorthand.unreadable"]


def test_what_was_announced_to_a_payer_has_no_shorthand() -> None:
    entry = Ron(loser=2, winners=(Win(seat=1, han=3, fu=40),), announced={2: -5200})
    assert write(entry) == "2r3 340"


def test_an_entry_of_no_kind_has_no_shorthand() -> None:
    with pytest.raises(TypeError, match="no shorthand for Entry"):
        write(Entry())
