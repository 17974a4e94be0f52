"""How a table is set up by each book: held against the sources by hand, and every broken file refused by name."""

from pathlib import Path

import pytest

from rules.books import book_keys, load
from rules.procedure import FILES, procedure_of, read_procedure
from rules.ruleset import RulesetError, rule_fields

TILES = {4: 136, 3: 108}
# from the sources: stacks, dead wall, indicator, replacement tiles, deal, how the seats and the first dealer are found,
# dice, and whether the dead wall is kept whole
SETUPS = {
    "ema-2025": (17, 14, 3, 4, "first_and_third", "list", "first_seat", 2, "one_by_one"),
    "ema-2016": (17, 14, 3, 4, "first_and_third", "list", "first_seat", 2, "one_by_one"),
    "wrc-2025": (17, 14, 3, 4, "first_and_third", "list", "first_seat", 2, "one_by_one"),
    "rakkii-nomi-2026": (17, 14, 3, 4, "first_and_third", "list", "first_seat", 2, "one_by_one"),
    "sanmatsuri-2026": (18, 14, 5, 8, "two_on_top", "list", "first_seat", 2, "split_early"),
    "mcgill-sanma": (18, 14, 5, 8, "first_and_third", "list", "first_seat", 2, "one_by_one"),
    "sanma-rule-book": (18, 14, 5, 8, "first_and_third", "wind_tiles", "die_twice", 1, "one_by_one"),
}
OF_THE_BOOK = {
    ("sanmatsuri-2026", "stacks"): "S0: Tile Wall Etiquette",
    ("sanmatsuri-2026", "refill"): "S0: Dead Wall",
    ("sanma-rule-book", "first_dealer"): "S4 3.2",
    ("ema-2025", "dead_wall"): "E25 2.6",
}


@pytest.mark.states("procedure")
@pytest.mark.parametrize("key", SETUPS)
def test_a_book_sets_its_tables_up_as_its_source_says(key: str) -> None:
    made = procedure_of(load(key)).procedure
    assert SETUPS[key] == (
        *(made.stacks, made.dead_wall, made.indicator, made.replacements, made.deal),
        *(made.seat_draw, made.first_dealer, made.dice, made.refill),
    )


@pytest.mark.states("walls")
@pytest.mark.parametrize("key", book_keys())
def test_the_walls_of_every_book_hold_all_its_tiles(key: str) -> None:
    rules = load(key)
    assert 2 * procedure_of(rules).procedure.stacks * rules.players == TILES[rules.players]


def test_what_stands_in_a_source_is_cited_and_all_else_is_ours() -> None:
    for (key, name), clause in OF_THE_BOOK.items():
        citation = procedure_of(load(key)).citations[name]
        assert (citation.text, citation.ours) == (clause, False)
    assert all(each.ours for each in procedure_of(load("tenhou-yonma")).citations.values())
    assert procedure_of(load("sanmatsuri-2026")).citations["dice"].text == "E25 2.5"


def test_every_file_belongs_to_a_book_or_is_the_usual_one() -> None:
    assert {path.stem for path in FILES.glob("*.toml")} - set(book_keys()) == {"usual-3", "usual-4"}
    assert not {field.name for field in rule_fields()} & set(procedure_of(load("ema-2025")).citations)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("stacks = 17", "key 'stacks' must be written"),
        ('stacks = { is = 17, clause = "2", ours = "x" }', "key 'stacks' must be written"),
        ("stacks = { is = 17, clause = 2 }", "key 'stacks' must be written"),
        ('stacks = { is = "17", clause = "2" }', "key 'stacks' cannot be '17'"),
        ('stacks = { is = true, clause = "2" }', "key 'stacks' cannot be True"),
        ('stacks = { is = 0, clause = "2" }', "key 'stacks' cannot be 0"),
        ('deal = { is = "all", clause = "2" }', "key 'deal' cannot be 'all'"),
        ('walls = { is = 4, clause = "2" }', "unknown key 'walls'"),
        ('stacks = { is = 17, clause = "2" }', "key 'seat_draw' is missing"),
        ('extends = "nobody"', "nobody.toml: not readable"),
        ("stacks = ", "not readable as TOML"),
    ],
)
def test_a_broken_file_is_refused_by_its_key(tmp_path: Path, text: str, wrong: str) -> None:
    path = tmp_path / "house.toml"
    path.write_text(text)
    with pytest.raises(RulesetError, match=wrong):
        read_procedure(path)
