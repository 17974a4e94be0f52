"""The table of values is what `score` says: every cell, limit and yakuman of every book, by hands of tiles."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations_with_replacement, product
from typing import cast

import pytest

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.count import count
from scoring.explain import explain, score_json
from scoring.fu import fu_list
from scoring.hand import Meld, MeldKind, WinningHand, hand_problems
from scoring.payments import Payment
from scoring.problems import InvalidInput
from scoring.tiles import EAST, SOUTH, Tile, parse_tiles
from scoring.value import MANGAN_HAN
from scoring.value_table import Worth, cells, honba_points, limit_lines, most_yakuman, noten_lines
from tests.scoring.hand_table import ORDINARY

pytestmark = pytest.mark.whole_run

# a place in the hand: its sequence, its triplet of inner tiles, its triplets of outer tiles
PLACES = (
    ("234p", "222p", ("999p",)),
    ("567p", "555p", ("111p",)),
    ("345s", "333s", ("999s",)),
    ("678s", "777s", ("555z", "333z")),
)
PAIRS = ("88p", "66z", "11z", "22z")
Form = tuple[str, str]  # inner or outer tiles or a run, and how the group came together
RUN: Form = ("run", "closed")
FORMS = (RUN, *product(("inner", "outer"), ("pon", "closed", "ankan", "daiminkan")))
PAIRS_HANDS = ("1133p5577s99s1133z", "2244p5577s88s4466p", "2255p5577s88s3366p")
OTHER_WIN = 10  # fu that a hand has more or less where it is won with another of its tiles
Key = tuple[int, int, bool, bool]  # han, fu, tsumo, whether the dealer wins


def hands(*, tsumo: bool, deals: bool) -> Iterator[Iterator[WinningHand]]:
    """Yield hands with every sum of fu, those of the same tiles together, with as few yaku as they can have first."""
    wind = EAST if deals else SOUTH
    for text in PAIRS_HANDS:
        yield _won(parse_tiles(text), (), tsumo=tsumo, wind=wind)
    for forms, pair in product(combinations_with_replacement(FORMS, 4), PAIRS):
        for tiles, melds in _built(forms, pair):
            yield _won(tiles, melds, tsumo=tsumo, wind=wind)


def _built(forms: tuple[Form, ...], pair: str) -> Iterator[tuple[list[Tile], tuple[Meld, ...]]]:
    for last in PLACES[3][2] if forms[3] != RUN else PLACES[3][2][:1]:
        tiles, melds = parse_tiles(pair), []
        for (run, inner, outers), (kind, how) in zip(PLACES, forms, strict=True):
            group = {"run": run, "inner": inner, "outer": last if last in outers else outers[0]}[kind]
            three = parse_tiles(group)
            if how == "closed":
                tiles += three
            else:
                melds.append(Meld(cast("MeldKind", how), tuple(three if how == "pon" else [*three, three[0]])))
        yield tiles, tuple(melds)


def _won(tiles: list[Tile], melds: tuple[Meld, ...], *, tsumo: bool, wind: int) -> Iterator[WinningHand]:
    closed = all(meld.kind == "ankan" for meld in melds)
    for win, riichi, last in product(dict.fromkeys(tiles), (0, 1) if closed else (0,), (False, True)):
        for ippatsu in {False, bool(riichi)}:
            yield WinningHand(
                tiles=tuple(tiles), win=win, tsumo=tsumo, melds=melds, round_wind=wind, seat_wind=wind, riichi=riichi,
                ippatsu=ippatsu, haitei=last and tsumo, houtei=last and not tsumo,
            )  # fmt: skip


def wanted(rules: Ruleset) -> Iterator[Key]:
    for row in cells(rules):
        for cell in row:
            for deals, worth in ((False, cell.other), (True, cell.dealer)):
                for tsumo, payment in zip((False, True), worth, strict=True):
                    if payment:
                        yield cell.han, cell.fu, tsumo, deals


def found(rules: Ruleset) -> dict[Key, WinningHand]:
    """Return a hand for each cell of a table; searched once for books that give these hands the same yaku and fu."""
    worth = tuple(getattr(rules, name) for name in ("haitei", "houtei", "ippatsu", "sanrenkou", "double_wind_pair_fu"))
    if worth not in _FOUND:
        _FOUND[worth] = dict(_search(rules))
    return _FOUND[worth]


_FOUND: dict[tuple[object, ...], dict[Key, WinningHand]] = {}


def _search(rules: Ruleset) -> Iterator[tuple[Key, WinningHand]]:
    without_waits = replace(
        rules, two_han_whole_wait=False, ron_on_whole_wait=False, whole_wait_yaku=()
    )  # to look at waits takes ten times as long
    for tsumo, deals in product((False, True), repeat=2):
        missing = {key for key in wanted(rules) if key[2:] == (tsumo, deals)}
        for same_tiles in hands(tsumo=tsumo, deals=deals):
            if not missing:
                break
            for hand in same_tiles:
                with suppress(InvalidInput):
                    counted = count(hand, without_waits)
                    if all(abs(counted.fu - fu) > OTHER_WIN for _han, fu, *_how in missing):
                        break
                    key = (counted.han, counted.fu, tsumo, deals)
                    right = key in missing and not counted.yakuman and not hand_problems(hand, rules)
                    if right and count(hand, rules) == counted:
                        missing.discard(key)
                        yield key, hand
        assert not missing


def scored(hand: WinningHand, rules: Ruleset) -> dict[str, object]:
    assert hand_problems(hand, rules) == []
    return score_json(explain(hand, rules), hand, rules)


@pytest.mark.states("value_table")
@pytest.mark.parametrize("key", ORDINARY)
def test_every_cell_is_what_score_says_of_such_a_hand(key: str) -> None:
    rules = load(key)
    hand_of, asked = found(rules), 0
    for row in cells(rules):
        for cell in row:
            for deals, tsumo in product((False, True), repeat=2):
                payment = _payment(cell.dealer if deals else cell.other, tsumo=tsumo)
                if payment is None:
                    continue
                said = scored(hand_of[cell.han, cell.fu, tsumo, deals], rules)
                assert (said["han"], said["fu"], said["limit"]) == (cell.han, cell.fu, cell.limit)
                assert (said["payment"], said["value"]) == (payment.as_json(), payment.value)
                asked += 1
    assert asked > 120


def _payment(worth: Worth, *, tsumo: bool) -> Payment | None:
    return worth.tsumo if tsumo else worth.ron


def _riichi_hand(han: int, rules: Ruleset, *, tsumo: bool, deals: bool) -> WinningHand:
    """Return a hand with riichi and as much dora as it takes."""
    wind = EAST if deals else SOUTH
    for text, indicators in product(("34p567p345s678s99s2p", "12223345567888p"), _indicators()):
        tiles, dora = tuple(parse_tiles(text)), tuple(parse_tiles(indicators))
        hand = WinningHand(tiles=tiles, win=tiles[-1], tsumo=tsumo, seat_wind=wind, riichi=1, dora=dora)
        if not hand_problems(hand, rules) and count(hand, rules).han == han:
            return hand
    raise AssertionError(f"no hand of {han} han")


def _indicators() -> Iterator[str]:
    yield "1z"
    for number in range(1, 4):
        for ranks in combinations_with_replacement("124567", number):
            yield "".join(ranks) + "p"
    for number in range(1, 4):
        for ranks in combinations_with_replacement("28", number):
            yield "".join(ranks) + "s"


PON = Meld("pon", tuple(parse_tiles("555z")))
YAKUMAN = {1: "666z777z234p99s", 2: "666z777z222z44z"}  # beside a pon of white dragons


@pytest.mark.parametrize("key", ORDINARY)
def test_every_limit_is_what_score_says_of_its_first_and_its_last_han(key: str) -> None:
    rules = load(key)
    lines = [line for line in limit_lines(rules) if line.han]
    assert [(line.han, line.place) for line in lines] == [(han, at) for at, (han, _base) in enumerate(rules.limits)]
    for line, deals, tsumo in product(lines, (False, True), (False, True)):
        payment = _payment(line.dealer if deals else line.other, tsumo=tsumo)
        for han in filter(None, {line.han, line.most}):
            hand = _riichi_hand(han, rules, tsumo=tsumo, deals=deals)
            assert payment is not None
            assert scored(hand, rules)["payment"] == payment.as_json()


@pytest.mark.parametrize("key", book_keys())
def test_yakuman_are_what_score_says(key: str) -> None:
    rules = load(key)
    lines = [line for line in limit_lines(rules) if line.yakuman]
    assert [line.yakuman for line in lines] == list(range(1, most_yakuman(rules) + 1))
    for line, deals in product(lines, (False, True)):
        tiles = tuple(parse_tiles(YAKUMAN[line.yakuman]))
        hand = WinningHand(tiles=tiles, win=tiles[-1], tsumo=False, melds=(PON,), seat_wind=EAST if deals else SOUTH)
        said = scored(hand, rules)
        payment = (line.dealer if deals else line.other).ron
        assert payment is not None
        assert (said["yakuman"], said["payment"]) == (line.yakuman, payment.as_json())


def test_every_item_of_fu_that_a_hand_has_is_listed() -> None:
    rules = load("tenhou-yonma")
    listed = {(why, fu) for why, inner, outer in fu_list(rules) for fu in (inner, outer)}
    counted = {(item.why, item.fu) for hand in found(rules).values() for item in count(hand, rules).fu_items}
    assert len(counted) > 10
    assert counted <= listed


def test_a_cell_is_there_where_a_hand_can_be_and_only_there() -> None:
    """Four han and 110 fu or more by tsumo, one han and 20 fu and the like are no hands (E25 4.1.3)."""
    rules = load("ema-2025")
    rows = {row[0].fu: row for row in cells(rules)}
    assert list(rows) == [20, 25, *range(30, 111, 10)]
    assert [cell.other.ron for cell in rows[20]] == [None] * 4
    assert [bool(cell.other.tsumo) for cell in rows[20]] == [False, True, True, True]
    assert [bool(cell.other.tsumo) for cell in rows[25]] == [False, False, True, True]
    assert 1 + len(rows[30]) == MANGAN_HAN


def test_without_pinfu_on_a_tsumo_nothing_has_20_fu() -> None:
    assert cells(replace(load("ema-2025"), pinfu_tsumo=False))[0][0].fu == 25


@pytest.mark.parametrize(
    ("key", "honba", "noten"),
    [
        ("ema-2025", (300, 100), [(1, 1000, 3000), (2, 1500, 1500), (3, 3000, 1000)]),
        ("sanmatsuri-2026", (200, 100), [(1, 1000, 2000), (2, 2000, 1000)]),
    ],
)
def test_honba_and_noten(key: str, honba: tuple[int, int], noten: list[tuple[int, int, int]]) -> None:
    rules = load(key)
    assert honba_points(1, rules) == honba
    assert [tuple(line) for line in noten_lines(rules)] == noten
