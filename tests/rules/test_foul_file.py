"""Invalid files of fouls are refused with file and foul."""

import tomllib
from pathlib import Path

import pytest

from rules.foul_books import FOULS, read_fouls
from rules.fouls import Case, FoulError, Penalty

HEAD = 'title = "T"\nsource = "S"\nclause = "C"\nsections = ["One"]\n'
ROW = '[[foul]]\nkey = "a"\nsection = 1\nwhat = "A"\nwords = "a"\nchapter = "1"\n'
GOOD = HEAD + ROW + 'does = ["warning"]\n'

WRONG = {
    "not TOML": ("title = ", "not readable"),
    "no title": (GOOD.replace('title = "T"\n', ""), "'title' is missing"),
    "an unknown head": ("colour = 1\n" + GOOD, "unknown key 'colour'"),
    "an unknown key": (GOOD + "colour = 1\n", "foul 'a': unknown key 'colour'"),
    "no words": (GOOD.replace('words = "a"\n', ""), "foul 'a': key 'words' is missing"),
    "empty words": (GOOD.replace('words = "a"', 'words = ""'), "foul 'a': key 'words'"),
    "a number as text": (GOOD.replace("section = 1", 'section = "1"'), "foul 'a': key 'section' must be of type int"),
    "true as a number": (GOOD.replace("section = 1", "section = true"), "foul 'a': key 'section' must be of type int"),
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
    "an amount of no rule": (
        GOOD.replace("warning", "points") + 'points = "@colour"\n',
        "no such rule with a number: 'colour'",
    ),
    "an amount of a rule without a number": (
        GOOD.replace("warning", "points") + 'points = "@uma"\n',
        "no such rule with a number: 'uma'",
    ),
    "an amount in words": (GOOD.replace("warning", "points") + 'points = "many"\n', "'@' and the name of a rule"),
    "words that name no rule": (GOOD.replace('what = "A"', 'what = "{colour}"'), "no such rule: 'colour'"),
    "words with half a name": (GOOD.replace('what = "A"', 'what = "{late"'), "is not readable"),
    "a condition on no rule": (GOOD + "where = { colour = true }\n", "no such rule: 'colour'"),
    "a condition that cannot be": (
        GOOD + 'where = { kan_dora = "never" }\n',
        "'kan_dora' is true, false or one of at_once",
    ),
    "a change of nothing": (
        GOOD.replace("[[foul]]", '[penalty]\nb = { note = "B" }\n[[foul]]'),
        "takes over no foul 'b'",
    ),
    "nothing left out": (GOOD.replace("[[foul]]", 'leave_out = ["b"]\n[[foul]]', 1), "takes over no foul 'b'"),
    "a note on nothing": (GOOD.replace("[[foul]]", '[note]\nb = "B"\n[[foul]]'), "'b' belongs to no foul"),
}


def written(folder: Path, text: str, name: str = "own") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_right_file_is_read(tmp_path: Path) -> None:
    rows = read_fouls(written(tmp_path, GOOD)).rows
    assert {key: row.foul.what for key, row in rows.items()} == {"a": "A"}
    assert rows["a"].penalty == Penalty(cases=(Case(acts=("warning",)),), clause="C 1")


def test_a_list_takes_over_another_and_states_what_it_changes(tmp_path: Path) -> None:
    second = ROW.replace('"a"', '"b"') + 'does = ["fix"]\n'
    written(tmp_path, GOOD + second + ROW.replace('"a"', '"c"') + 'does = ["fix"]\n', "first")
    own = (
        'title = "T"\nsource = "S"\nclause = "D"\nextends = "first"\nderived = "why"\nleave_out = ["c"]\n'
        '[penalty]\na = { clause = "D 7", note = "N" }\nb = { does = ["dead_hand"] }\n'
    )
    file = read_fouls(written(tmp_path, own))
    assert {key: row.penalty for key, row in file.rows.items()} == {
        "a": Penalty(cases=(Case(acts=("warning",)),), clause="D 7", note="N"),
        "b": Penalty(cases=(Case(acts=("dead_hand",)),), clause="as C 1"),
    }
    assert file.derived == "why"


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_file_is_refused_by_name(tmp_path: Path, what: str) -> None:
    text, said_of = WRONG[what]
    with pytest.raises(FoulError, match=f"own.toml: .*{said_of}"):
        read_fouls(written(tmp_path, text))


@pytest.mark.parametrize(("stated_of", "odd"), [("a", "b"), ("abc", "c")])
def test_a_column_states_every_foul_and_no_other(tmp_path: Path, stated_of: str, odd: str) -> None:
    second = ROW.replace('"a"', '"b"') + 'does = ["fix"]\n'
    written(tmp_path, GOOD + second, "first")
    lines = "".join(f'{key} = {{ does = ["fix"] }}\n' for key in stated_of)
    column = 'title = "T"\nsource = "S"\nclause = "D"\nbeside = "first"\n[penalty]\n' + lines
    with pytest.raises(FoulError, match=f"see {odd}$"):
        read_fouls(written(tmp_path, column))


def test_every_file_is_a_catalogue_and_rakkii_states_every_row_itself() -> None:
    rakkii = tomllib.loads((FOULS / "rakkii-nomi-2026.toml").read_text(encoding="utf-8"))
    assert list(rakkii["penalty"]) == list(read_fouls(FOULS / "wrc-2025.toml").rows)
