"""Read, freeze and compare rule sets; invalid book files are refused with a message."""

import dataclasses
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules.books import BOOKS, Citation, book_keys, from_json, load, load_book, read_book
from rules.ruleset import Difference, RulesetError, diff, rule_fields
from tests.table_test import tabled

EMA = (BOOKS / "ema-2025.toml").read_text(encoding="utf-8")


@pytest.fixture
def refusal(tmp_path: Path) -> Any:
    """Return a function that reads a book of the given text and returns what it is refused with."""

    def read(text: str) -> str:
        path = tmp_path / "my-event.toml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(RulesetError) as refused:
            read_book(path)
        return str(refused.value)

    return read


def with_line(name: str, line: str) -> str:
    """Return the EMA book with the whole line of one key replaced."""
    text, times = re.subn(rf"^{name} *=.*$", lambda _: line, EMA, flags=re.MULTILINE)
    assert times == 1
    return text


VALUES = [
    ("start_points", '"30000"', "must be of type int, not '30000'"),
    ("start_points", "30000.0", "must be of type int, not 30000.0"),
    ("start_points", "true", "must be of type int, not True"),
    ("start_points", "nan", "must be of type int, not nan"),
    ("start_points", "[1]", "must be of type int, not [1]"),
    ("start_points", "{ a = 1 }", "must be of type int, not {'a': 1}"),
    ("bust", "0", "must be of type bool, not 0"),
    ("bust", '"no"', "must be of type bool, not 'no'"),
    ("ties", '"coin"', "must be one of share, seat_order, not 'coin'"),
    ("ties", "1", "must be one of share, seat_order, not 1"),
    ("ties", '["share"]', "must be one of share, seat_order, not ['share']"),
    ("pao", '"daisangen"', "must be a list, not 'daisangen'"),
    ("pao", '["daisangan"]', "must be one of daisangen, daisuushii, suukantsu, rinshan, not 'daisangan'"),
    ("red_fives", '["5z"]', "must be one of 5m, 5p, 5s, not '5z'"),
    ("uma", "[15000.0, 5000, -5000, -15000]", "must be of type int, not 15000.0"),
    ("limits", "[[5, 2000], [11]]", "must be a list of 2, not [11]"),
    ("limits", "[5, 2000]", "must be a list of 2, not 5"),
    ("limits", '[["five", 2000]]', "must be of type int, not 'five'"),
]


@pytest.mark.parametrize(("name", "value", "message"), VALUES)
def test_a_value_of_another_type_is_named_with_file_and_key(refusal: Any, name: str, value: str, message: str) -> None:
    text = with_line(name, f'{name} = {{ is = {value}, clause = "x" }}')
    assert refusal(text) == f"my-event.toml: key '{name}' {message}"


def test_a_very_long_value_is_cut_in_the_message(refusal: Any) -> None:
    text = with_line("limits", f'limits = {{ is = "{"x" * 5000}", clause = "x" }}')
    assert refusal(text) == f"my-event.toml: key 'limits' must be a list, not '{'x' * 79}…"


RANGES = [
    ("players", "5", "must be 3 or 4, not 5"),
    ("uma", "[15000, 0, -15000]", "has 3 places for 4 players"),
    ("limits", "[]", "must begin at 5 han"),
    ("limits", "[[6, 3000], [8, 4000]]", "must begin at 5 han"),
    ("limits", "[[5, 2000], [8, 4000], [6, 6000]]", "must rise in han and in points"),
    ("limits", "[[5, 3000], [6, 2000]]", "must rise in han and in points"),
    ("limits", "[[5, 2000], [5, 3000]]", "must rise in han and in points"),
    ("limits", "[[5, 2000], [6, 2000]]", "must rise in han and in points"),
    ("north_share", '"lost"', "'lost' makes no sense with 4 players"),
    ("rounds", "0", "must be at least 1, not 0"),
    ("riichi_deposit", "0", "must be at least 1, not 0"),
    *((name, "-1", "must be at least 0, not -1") for name in ("start_points", "honba_ron", "noten_pool", "minutes")),
]


@pytest.mark.parametrize(("name", "value", "message"), RANGES)
def test_a_value_that_cannot_be_played_is_named_with_file_and_key(
    refusal: Any, name: str, value: str, message: str
) -> None:
    text = with_line(name, f'{name} = {{ is = {value}, clause = "x" }}')
    assert refusal(text) == f"my-event.toml: key '{name}': {message}"


NEW = '{ is = 1, clause = "x" }'
PLACES = [
    ("unknown key", with_line("oka", f"flowers = {NEW}"), "unknown key 'placement.flowers'"),
    ("unknown section", f"{EMA}\n[weather]\nrain = {NEW}", "unknown key 'weather.rain'"),
    ("key outside any section", 'colour = "red"\n' + EMA, "unknown key 'colour'"),
    ("missing key", with_line("oka", ""), "key 'oka' is missing"),
    ("missing key that came later", with_line("ron_on_whole_wait", ""), "key 'ron_on_whole_wait' is missing"),
    ("missing section", EMA.split("[time]")[0], "key 'minutes' is missing"),
    ("another section", with_line("bust", f"oka = {NEW}"), "key 'game.oka' belongs to section 'placement'"),
    ("no title", EMA.replace('title = "EMA 2025"', ""), "key 'title' is missing or not a text"),
    ("title not a text", EMA.replace('"EMA 2025"', "2025"), "key 'title' is missing or not a text"),
    ("no source", EMA.replace("source =", "# source ="), "key 'source' is missing or not a text"),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in PLACES], ids=[case[0] for case in PLACES])
def test_a_key_that_is_unknown_missing_or_elsewhere_is_named(refusal: Any, text: str, message: str) -> None:
    assert refusal(text) == f"my-event.toml: {message}"


FORM = "must be written { is = …, clause = … } or { is = …, ours = … }"
SILENT = "does not say where its value comes from"
CELLS = [
    ("0", FORM),
    ("{ is = 0 }", FORM),
    ('{ clause = "E25 3.7" }', FORM),
    ('{ is = 0, clause = "x", why = "y" }', FORM),
    ('{ is = 0, clause = " " }', SILENT),
    ('{ is = 0, ours = "" }', SILENT),
    ('{ is = 0, clause = "x", ours = " " }', SILENT),
    ("{ is = 0, clause = 3.7 }", SILENT),
]


@pytest.mark.parametrize(("cell", "message"), CELLS)
def test_a_cell_of_another_form_is_named(refusal: Any, cell: str, message: str) -> None:
    assert refusal(with_line("oka", f"oka = {cell}")) == f"my-event.toml: key 'oka' {message}"


def test_a_book_that_is_no_toml_is_named(refusal: Any) -> None:
    assert refusal("[game\n").startswith("my-event.toml: not readable as TOML: ")


def test_the_altered_books_fail_for_what_was_altered_and_for_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "ema-2025.toml"
    path.write_text(EMA, encoding="utf-8")
    assert read_book(path) == load_book("ema-2025")


def test_an_unknown_rule_set_is_told_the_known_ones() -> None:
    with pytest.raises(RulesetError) as refused:
        load("ema-1990")
    assert str(refused.value) == f"there is no rule set 'ema-1990'; there are: {', '.join(book_keys())}"


@pytest.mark.parametrize("key", ["../books/ema-2025", "", "ema-2025.toml", "EMA-2025"])
def test_a_key_is_never_taken_for_a_path(key: str) -> None:
    with pytest.raises(RulesetError):
        load(key)


@pytest.mark.parametrize("key", book_keys())
def test_a_frozen_rule_set_comes_back_the_same(key: str) -> None:
    rules = load(key)
    frozen = json.dumps(rules.as_json())
    assert from_json(json.loads(frozen)) == rules
    assert json.dumps(from_json(json.loads(frozen)).as_json()) == frozen


def test_a_frozen_rule_set_states_every_field() -> None:
    assert list(load("ema-2025").as_json()) == [field.name for field in dataclasses.fields(load("ema-2025"))]


def test_a_rule_set_cannot_be_changed_and_has_no_default() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        load("ema-2025").players = 3  # type: ignore[misc]
    assert [f.name for f in rule_fields() if f.default is not dataclasses.MISSING] == []


FROZEN = load("ema-2025").as_json()
THAWED: list[tuple[Any, str]] = [
    ([], "rule set: must be an object with a key for each field, not []"),
    (None, "rule set: must be an object with a key for each field, not None"),
    ({**FROZEN, "colour": "red"}, "rule set: unknown key 'colour'"),
    ({**FROZEN, 7: "red"}, "rule set: unknown key 7"),
    ({key: FROZEN[key] for key in FROZEN if key != "uma"}, "rule set: key 'uma' is missing"),
    ({**FROZEN, "uma": None}, "rule set: key 'uma' must be a list, not None"),
    ({**FROZEN, "title": 3}, "rule set: key 'title' must be of type str, not 3"),
]


@pytest.mark.parametrize(("values", "message"), THAWED)
def test_a_frozen_rule_set_that_was_tampered_with_is_refused(values: Any, message: str) -> None:
    with pytest.raises(RulesetError) as refused:
        from_json(values)
    assert str(refused.value) == message


def test_a_rule_set_frozen_before_a_field_was_added_has_what_was_true_then() -> None:
    now = load("sanma-rule-book")
    younger = {field.name for field in rule_fields() if field.metadata["before"]}
    before = from_json({name: value for name, value in now.as_json().items() if name not in younger})
    assert [each.field for each in diff(before, now)] == ["two_han_whole_wait", "ron_on_whole_wait", "whole_wait_yaku"]
    assert (before.two_han_whole_wait, before.ron_on_whole_wait, before.whole_wait_yaku) == (False, False, ())


def test_a_value_with_a_clause_may_be_ours_in_part(tmp_path: Path) -> None:
    path = tmp_path / "my-event.toml"
    path.write_text(with_line("oka", 'oka = { is = 0, clause = "E25 3.7", ours = "and so on" }'), encoding="utf-8")
    assert read_book(path).citations["oka"] == Citation("E25 3.7", ours=False, reading="and so on")


def test_the_source_of_a_frozen_rule_set_is_named() -> None:
    with pytest.raises(RulesetError, match=r"^event 'spring': key 'key' is missing$"):
        from_json({}, source="event 'spring'")


def test_a_rule_set_does_not_differ_from_itself() -> None:
    assert [diff(load(key), load(key)) for key in book_keys()] == [[]] * len(book_keys())


def test_the_difference_of_two_rule_sets_is_in_reading_order_and_plain() -> None:
    assert diff(load("wrc-2025"), load("rakkii-nomi-2026")) == [
        Difference("red_fives", [], ["5m", "5p", "5s"]),
        Difference("kokushi_robs_ankan", False, True),
        Difference("multiple_ron", "head_bump", "all"),
        Difference("leftover_deposits", "lost", "first"),
        Difference("nagashi", "none", "tsumo"),
        Difference("chombo_points", 30_000, 20_000),
    ]


def test_a_difference_looks_the_other_way_from_the_other_side() -> None:
    there = [(d.field, d.there, d.here) for d in diff(load("ema-2025"), load("wrc-2025"))]
    assert [(d.field, d.here, d.there) for d in diff(load("wrc-2025"), load("ema-2025"))] == there


@pytest.mark.parametrize("key", book_keys())
def test_a_book_is_in_the_order_in_which_a_person_reads_it(key: str) -> None:
    sections = tomllib.loads((BOOKS / f"{key}.toml").read_text(encoding="utf-8"))
    cells = {
        section: cells for section, cells in sections.items() if isinstance(cells, dict) and section != "inherited"
    }
    written = [(name, section) for section, names in cells.items() for name in names]
    order = [(field.name, field.metadata["section"]) for field in rule_fields()]
    assert written == [place for place in order if place in written or "extends" not in sections]


def test_every_field_says_what_it_means() -> None:
    assert [field.name for field in rule_fields() if len(field.metadata["says"]) < 10] == []


@tabled(
    "book, change, message",
    [
        ("ema-2025", {"pao": ["daisangen", "daisangen"]}, "key 'pao': names one thing twice"),
        ("ema-2025", {"daisangen": [0, 0]}, "key 'pao': names 'daisangen', which these rules do not count"),
        (
            "ema-2025",
            {"repeat_before_target": True},
            "key 'repeat_before_target': says how the winds of 'extra_rounds'",
        ),
        ("ema-2025", {"two_han_whole_wait": True}, "key 'two_han_whole_wait': says how two han are made"),
        ("ema-2025", {"whole_wait_yaku": ["ittsu", "ittsu"]}, "key 'whole_wait_yaku': names one thing twice"),
        ("sanma-rule-book", {"ittsu": [0, 0]}, "key 'whole_wait_yaku': names 'ittsu', which these rules do not count"),
        ("tenhou-sanma", {"red_fives": ["5p"] * 5}, "key 'red_fives': has 5 of '5p', and the set has 4"),
        ("ema-2025", {"target_points": 30_000}, "key 'target_points': matter only with 'extra_rounds' or 'agari_yame'"),
        ("ema-2025", {"extra_rounds": 1}, "key 'extra_rounds': are played until somebody reaches 'target_points'"),
        ("ema-2025", {"return_points": 35_000}, "key 'oka': must be 20000: what 'return_points' (35000) takes"),
        ("ema-2025", {"kita": True}, "key 'kita': Norths are not set aside beside 'players' (4)"),
        ("ema-2025", {"kita_furiten": True}, "key 'kita_furiten': says something of kita, which 'kita' does not allow"),
        ("ema-2025", {"noten_pool": 2000}, "key 'noten_pool': cannot be shared among 'players' (4)"),
        ("sanmatsuri-2026", {"red_fives": ["5m"]}, "key 'red_fives': 5m is not in the set beside 'players' (3)"),
        ("sanmatsuri-2026", {"chii": True}, "key 'chii': sequences are not called beside 'players' (3)"),
        ("sanmatsuri-2026", {"north_value": "wind"}, "key 'north_value': 'wind' makes no sense beside 'players' (3)"),
        ("sanmatsuri-2026", {"abortive_draws": ["suufon_renda"]}, "key 'abortive_draws': 'suufon_renda' needs four"),
        ("sanmatsuri-2026", {"triple_ron_aborts": True}, "key 'triple_ron_aborts': three never win at once beside"),
        ("ema-2025", {"limits": [[5, 9000]]}, "key 'limits': pay more than 'yakuman_base' (8000)"),
        ("ema-2025", {"tanyao": [1, 2]}, "key 'tanyao': must be worth 0 to 13, and open no more than closed"),
    ],
)
def test_fields_that_contradict_each_other_are_refused_with_both_named(
    book: str, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(RulesetError, match=re.escape(message)):
        from_json(load(book).as_json() | change)
