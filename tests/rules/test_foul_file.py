"""Invalid files of fouls are refused with file and foul."""

import tomllib
from pathlib import Path

import pytest

from rules.foul_books import FOULS, catalogue, read_catalogue
from rules.fouls import Case, FoulError, Penalty

HEAD = 'title = "T"\nsource = "S"\nclause = "C"\nsections = ["One"]\n'
ROW = '[[foul]]\nkey = "a"\nsection = 1\nrow = 1\nwhat = "A"\nwords = "a"\nchapter = "1"\n'
GOOD = HEAD + ROW + 'does = ["warning"]\n'

WRONG = {
    "not TOML": ("title = ", "not readable"),
    "no title": (GOOD.replace('title = "T"\n', ""), "'title' is missing"),
    "an unknown head": ("colour = 1\n" + GOOD, "unknown key 'colour'"),
    "an unknown key": (GOOD + "colour = 1\n", "foul 'a': unknown key 'colour'"),
    "no words": (GOOD.replace('words = "a"\n', ""), "foul 'a': key 'words' is missing"),
    "empty words": (GOOD.replace('words = "a"', 'words = ""'), "foul 'a': key 'words'"),
    "a number as text": (GOOD.replace("row = 1", 'row = "1"'), "foul 'a': key 'row' must be of type int"),
    "true as a number": (GOOD.replace("row = 1", "row = true"), "foul 'a': key 'row' must be of type int"),
    "no such section": (GOOD.replace("section = 1", "section = 2"), "no section 2"),
    "no clause": (GOOD.replace('chapter = "1"\n', ""), "its chapter or its clause"),
    "no act": (HEAD + ROW, "foul 'a': says what the table does"),
    "an act that is none": (GOOD.replace("warning", "applause"), "not \\['applause'\\]"),
    "an act twice": (GOOD.replace('["warning"]', '["warning", "warning"]'), "each once"),
    "nothing and a warning": (GOOD.replace('["warning"]', '["nothing", "warning"]'), "nothing is done"),
    "an amount that nothing takes": (GOOD + "points = 1000\n", "no act that takes it"),
    "points without an amount": (GOOD.replace("warning", "points"), "does not say how many"),
    "an amount below zero": (GOOD.replace("warning", "points") + "points = -1\n", "-1 to -1 points"),
    "a most below the least": (GOOD.replace("warning", "points") + "points = 2\nmost = 1\n", "2 to 1 points"),
    "a repeat without its amount": (GOOD + 'repeated = { does = ["points"], from = 2 }\n', "does not say how many"),
    "a unit that is none": (GOOD.replace("warning", "points") + 'points = 1\nper = "hour"\n', "'hour'"),
    "cases and an act": (GOOD + 'cases = [{ key = "x", does = ["fix"] }]\n', "one of the two"),
    "cases without keys": (HEAD + ROW + 'cases = [{ does = ["fix"] }, { does = ["warning"] }]\n', "a key of its own"),
    "a foul that is no table": ("foul = [1]\n" + HEAD, "foul '1': must be a table, not 1"),
    "a case that is no table": (HEAD + ROW + "cases = [1]\n", "foul 'a': must be a table, not 1"),
    "a foul twice": (GOOD + ROW + 'does = ["fix"]\n', "foul 'a' stands there twice"),
    "a note on nothing": (GOOD.replace("[[foul]]", '[note]\nb = "B"\n[[foul]]'), "'b' belongs to no foul"),
}


def written(folder: Path, text: str, name: str = "own") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_right_file_is_read(tmp_path: Path) -> None:
    fouls = read_catalogue(written(tmp_path, GOOD))
    assert (fouls.key, [foul.key for foul in fouls.fouls]) == ("own", ["a"])
    assert fouls.penalties["a"] == Penalty(cases=(Case(acts=("warning",)),), clause="C 1")


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_file_is_refused_by_name(tmp_path: Path, what: str) -> None:
    text, said_of = WRONG[what]
    with pytest.raises(FoulError, match=f"own.toml: .*{said_of}"):
        read_catalogue(written(tmp_path, text))


@pytest.mark.parametrize(("stated_of", "odd"), [("a", "b"), ("abc", "c")])
def test_a_column_states_every_foul_and_no_other(tmp_path: Path, stated_of: str, odd: str) -> None:
    second = ROW.replace('"a"', '"b"') + 'does = ["fix"]\n'
    written(tmp_path, GOOD + second, "first")
    lines = "".join(f'{key} = {{ does = ["fix"] }}\n' for key in stated_of)
    column = 'title = "T"\nsource = "S"\nclause = "D"\nbeside = "first"\n[penalty]\n' + lines
    with pytest.raises(FoulError, match=f"see {odd}$"):
        read_catalogue(written(tmp_path, column))


def test_every_file_is_a_catalogue_and_rakkii_states_every_row_itself() -> None:
    rakkii = tomllib.loads((FOULS / "rakkii-nomi-2026.toml").read_text(encoding="utf-8"))
    assert list(rakkii["penalty"]) == list(catalogue("wrc-2025").penalties)
