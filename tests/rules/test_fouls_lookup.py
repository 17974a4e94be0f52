"""What every catalogue of fouls promises: words and clauses, amounts an event changes, repeats, lateness, search."""

import re
from dataclasses import replace
from typing import Any

import pytest

from rules.books import book_keys, load
from rules.foul_books import catalogue, catalogue_keys
from rules.fouls import ACTS, TAKES, FoulError, amounts, find, foul_of, of_lateness, with_amounts
from tests.processor_time import count_loops
from tests.table_test import tabled

KEYS = catalogue_keys()


# ---------------------------------------------------------------- all catalogues


def test_every_book_has_its_catalogue() -> None:
    missing = sorted(set(book_keys()) - set(KEYS))
    assert not missing, f"write rules/books/fouls/KEY.toml (docs/developer/fouls.md says how) for {missing}"


@pytest.mark.parametrize("key", ["house", "sanma", "every-book", "../fouls/ema-2025"])
def test_a_book_without_a_list_has_an_empty_catalogue(key: str) -> None:
    fouls = catalogue(key)
    assert (fouls.key, fouls.fouls, fouls.source, dict(fouls.penalties)) == (key, (), "", {})
    assert (find(fouls, "tsumo"), amounts(fouls), of_lateness(fouls, 3)) == ([], {}, None)


@pytest.mark.parametrize("key", KEYS)
def test_every_foul_has_its_words_and_its_clause(key: str) -> None:
    fouls = catalogue(key)
    assert [foul.key for foul in fouls.fouls] == list(fouls.penalties)
    assert len({foul.what for foul in fouls.fouls}) == len(fouls.fouls)
    for foul in fouls.fouls:
        penalty = fouls.penalties[foul.key]
        assert all((foul.what, foul.words, foul.section_title, penalty.clause.strip()))
    assert (bool(fouls.title), bool(fouls.source)) == (True, True)


@pytest.mark.parametrize("key", KEYS)
def test_sections_come_in_order_and_have_one_title_each(key: str) -> None:
    fouls = catalogue(key).fouls
    assert [foul.section for foul in fouls] == sorted(foul.section for foul in fouls)
    titles = {foul.section: foul.section_title for foul in fouls}
    assert {(foul.section, foul.section_title) for foul in fouls} == set(titles.items())
    assert sorted(titles) == list(range(1, len(titles) + 1))


@pytest.mark.parametrize("key", KEYS)
def test_amounts_and_acts_belong_together(key: str) -> None:
    for name, penalty in catalogue(key).penalties.items():
        for case in penalty.cases:
            may_be_nought = "referee" in case.acts or bool(case.taken) or not TAKES & set(case.acts)
            assert (name, case.points > 0 or may_be_nought) == (name, True)
            assert (name, case.points == 0 or bool(TAKES & set(case.acts))) == (name, True)
            assert (name, case.acts) == (name, tuple(act for act in ACTS if act in case.acts))
            assert (name, case.most == 0 or case.most > case.points) == (name, True)


@pytest.mark.parametrize("key", KEYS)
def test_fouls_that_the_desk_knows_by_key_are_in_every_list(key: str) -> None:
    known = {"late_over", "all_last_sheet", "report_sheet", "unsigned_sheet", "noten_riichi", "false_noten"}
    known |= {"late"} if load(key).late_points else set()
    assert known - set(catalogue(key).penalties) == set()


@pytest.mark.parametrize("key", [key for key in KEYS if not catalogue(key).beside])
def test_a_book_without_a_second_column_differs_from_nothing(key: str) -> None:
    fouls = catalogue(key)
    assert (fouls.beside, dict(fouls.official)) == ("", {})
    assert [foul.key for foul in fouls.fouls if fouls.differs(foul.key) or fouls.differs_by_chombo(foul.key)] == []


def test_points_of_each_player_of_a_table() -> None:
    found = {
        key: [name for name, penalty in catalogue(key).penalties.items() if any(c.each_player for c in penalty.cases)]
        for key in KEYS
    }
    assert found == {key: ["report_sheet"] for key in KEYS}


# ---------------------------------------------------------------- the event's chombo and own amounts


@pytest.mark.parametrize("key", KEYS)
def test_a_chombo_without_an_amount_costs_what_the_rule_set_says(key: str) -> None:
    bare = [case for penalty in catalogue(key).penalties.values() for case in penalty.cases if case.event_chombo]
    assert {case.points for case in bare} == {load(key).chombo_points}
    dearer = catalogue(replace(load(key), chombo_points=25_000))
    bare = [case for penalty in dearer.penalties.values() for case in penalty.cases if case.event_chombo]
    assert {case.points for case in bare} == {25_000}


def test_a_chombo_costs_what_the_rules_say_but_where_the_book_prints_another_amount() -> None:
    fouls = catalogue(replace(load("rakkii-nomi-2026"), chombo_points=25_000))
    costs = {
        key: fouls.penalties[key].cases[-1].points for key in ("noten_riichi", "tenpai_early_shown", "early_discard")
    }
    assert costs == {"noten_riichi": 25_000, "tenpai_early_shown": 30_000, "early_discard": 25_000}
    assert fouls.official["early_discard"].cases[-1].points == 30_000


def test_an_event_changes_amounts() -> None:
    wrc = catalogue("wrc-2025")
    changed = {
        "late": 2_000,
        "tiles_revealed.few.repeated": 3_000,
        "tiles_revealed.many": 20_000,
        "early_discard.after_south": 0,
    }
    event = with_amounts(wrc, changed)
    assert amounts(event) == amounts(wrc) | changed
    assert event.penalties["late"].cases[0].amount(7) == 14_000
    assert event.penalties["tiles_revealed"].cases[0].at(2).points == 3_000
    assert amounts(wrc)["late"] == 1_000
    untouched = set(wrc.penalties) - {"late", "tiles_revealed", "early_discard"}
    assert all(event.penalties[key] == wrc.penalties[key] for key in untouched)


def test_a_changed_amount_is_marked_as_a_difference() -> None:
    own = catalogue("rakkii-nomi-2026")
    changed = {"late": 2_000, "noten_riichi": 30_000, "early_discard.after_south": 30_000}
    event = with_amounts(own, changed)
    before, now = ({foul.key for foul in own.fouls if fouls.differs(foul.key)} for fouls in (own, event))
    assert (now - before, before - now) == ({"late", "early_discard"}, {"noten_riichi"})


def test_a_changed_amount_above_the_most_is_fixed() -> None:
    event = with_amounts(catalogue("ema-2025"), {"obstruction.first": 12_000, "obstruction.serious": 20_000})
    found = [(case.points, case.most) for case in event.penalties["obstruction"].cases]
    assert found == [(12_000, 0), (20_000, 48_000), (0, 0)]


@pytest.mark.parametrize(
    ("changed", "said_of"),
    [
        ({"nonsense": 1000}, "'nonsense'"),
        ({"empty_call": 1000}, "'empty_call'"),
        ({"tiles_revealed": 1000}, "'tiles_revealed'"),
        ({"late": -1000}, "-1000"),
        ({"late": 1000.0}, "1000.0"),
        ({"late": True}, "True"),
    ],
)
def test_amounts_that_cannot_be_are_refused_by_name(changed: dict[str, Any], said_of: str) -> None:
    with pytest.raises(FoulError, match=f"wrc-2025: .*{re.escape(said_of)}"):
        with_amounts(catalogue("wrc-2025"), changed)


def test_a_foul_that_is_not_there_is_named() -> None:
    assert foul_of(catalogue("wrc-2025"), "late")[0].what == "Late by 1 to 10 minutes"
    with pytest.raises(FoulError, match="wrc-2025: there is no foul 'nonsense'"):
        foul_of(catalogue("wrc-2025"), "nonsense")


# ---------------------------------------------------------------- repeats and lateness


def test_the_second_false_tenpai_costs_points() -> None:
    (case,) = catalogue("rakkii-nomi-2026").penalties["false_tenpai"].cases
    assert [(case.at(n).acts, case.at(n).points) for n in (1, 2, 3)] == [
        (("warning",), 0),
        (("points",), 5_000),
        (("points",), 5_000),
    ]


@pytest.mark.parametrize("key", KEYS)
def test_a_foul_is_repeated_from_the_second_time_on(key: str) -> None:
    repeats = [c.repeated for penalty in catalogue(key).penalties.values() for c in penalty.cases if c.repeated]
    assert {repeat.times for repeat in repeats} == {2}


def test_a_case_without_escalation_stays_as_it_is() -> None:
    (case,) = catalogue("rakkii-nomi-2026").penalties["call_silent"].cases
    assert case.at(9) == case


LATENESS: dict[str, dict[int, int | None]] = {
    "rakkii-nomi-2026": {0: None, 1: 1_000, 10: 10_000, 11: 30_000, 90: 30_000},
    "wrc-2025": {0: None, 1: 1_000, 10: 10_000, 11: 30_000},
    "ema-2025": {-3: None, 1: 1_000, 10: 10_000, 11: 0},
    "sanmatsuri-2026": {1: 1_000, 10: 10_000, 11: 0},
}


@pytest.mark.parametrize("key", LATENESS)
def test_lateness_in_minutes(key: str) -> None:
    for minutes, points in LATENESS[key].items():
        found = of_lateness(catalogue(key), minutes)
        assert (minutes, found and found[1].amount(minutes)) == (minutes, points)
        if found:
            assert ("substitute" in found[1].acts) is (minutes > 10)


# ---------------------------------------------------------------- search

FOUND = [
    ("wrc-2025", "tsumo after disc", ["tsumo_after_discard"]),
    ("rakkii-nomi-2026", "disc after TSUMO", ["tsumo_after_discard"]),
    ("ema-2025", "tsumo after discarding", ["tsumo_after_discard"]),
    ("wrc-2025", "TSÚMÓ  áfter, dîsc!", ["tsumo_after_discard"]),
    ("wrc-2025", "ri not ro", ["riichi_not_rotated"]),
    ("wrc-2025", "unsi", ["unsigned_sheet"]),
    ("wrc-2025", "all-last", ["all_last_sheet"]),
    ("wrc-2025", "kuikae", ["swap_call_before_discard", "swap_call_after_discard"]),
    ("wrc-2025", "late", ["late", "late_over", "call_too_late", "call_after_end"]),
    ("wrc-2025", "12.3.8", ["obstruction", "foreign_objects", "phone", "passing_information", "cheating"]),
    ("sanmatsuri-2026", "kita", ["kita_after_pon", "kita_no_tile", "kita_in_riichi"]),
    ("wrc-2025", "nonsense", []),
    ("wrc-2025", "late nonsense", []),
]


@tabled("key, text, keys", FOUND)
def test_search(key: str, text: str, keys: list[str]) -> None:
    assert [foul.key for foul in find(catalogue(key), text)] == keys


@pytest.mark.parametrize("text", ["", "  ", "?!"])
def test_a_search_for_nothing_lists_all_in_order(text: str) -> None:
    assert find(catalogue("wrc-2025"), text) == list(catalogue("wrc-2025").fouls)


@pytest.mark.parametrize("text", ["tsumo after disc", "draw out of turn tile", "t", "r", "noten riichi dead"])
def test_a_search_takes_milliseconds(text: str) -> None:
    fouls = catalogue("rakkii-nomi-2026")
    assert count_loops(lambda: [find(fouls, text) for _ in range(20)])[1] < 20
