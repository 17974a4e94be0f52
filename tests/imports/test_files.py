"""Files as people have them: docs/developer/files.md says what each is; here each is read as its page reads it."""

import re
import tomllib
from pathlib import Path
from typing import Any

from bootstrap import REPO
from tests.imports.lists import read_players, read_schedule
from tests.imports.schedule_files import players
from tests.table_test import tabled
from tournament.imports.results import read_results
from tournament.text.problems import problem_text

FILES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parents[1] / "data/files.toml").read_text("utf-8"))["file"]
PAGE = (REPO / "docs/developer/files.md").read_text("utf-8")


def read(file: dict[str, Any]) -> tuple[list[str], Any]:
    """Return what a file brings, in short, and its preview."""
    text = file["text"].lstrip("\n")
    text += "".join(file.get("line", "").format(round=number) for number in range(1, file.get("rounds", 0) + 1))
    data, name = text.encode(file.get("codec", "utf-8")), file.get("name", "list.csv")
    if file["kind"] == "players":
        preview = read_players(data, name)
        return [f"{each.preferred_name}/{each.country}".rstrip("/") for each in preview.drafts], preview
    if file["kind"] == "results":
        results = read_results(data, name)
        tables = [table for round_ in results.rounds for table in round_.tables]
        return [", ".join(f"{seat.player} {seat.points}" for seat in table.seats) for table in tables], results
    rounds = len(file.get("brings", [])) or 2
    schedule = read_schedule(data, name, entrants=players(8), table_size=4, planned=rounds)
    return [", ".join(" ".join(map(str, table)) for table in round_) for round_ in schedule.rounds], schedule


@tabled("file", FILES)
def test_a_file_is_read_or_refused_in_words(file: dict[str, Any]):
    brings, preview = read(file)
    assert list(dict.fromkeys(problem.code for problem in preview.all_problems)) == file["problems"]
    assert all(problem_text(problem) != problem.code for problem in preview.all_problems)
    if "brings" in file:
        assert (brings, preview.is_sound) == (file["brings"], True)
    elif "rounds" in file:
        assert (len(brings), preview.is_sound) == (file["rounds"], True)
    else:
        assert not preview.is_sound


def test_the_page_has_each_file_once():
    rows = re.findall(r"^\| ([0-9]+)(†?) \|.*\| ([^|]+) \|$", PAGE, re.MULTILINE)
    assert [int(number) for number, _elsewhere, _now in rows] == list(range(1, 48))
    read_in = {file["id"] for file in FILES if "brings" in file or "rounds" in file}
    assert {int(number) for number, elsewhere, now in rows if now.startswith("in") and not elsewhere} == read_in
    assert {int(number) for number, elsewhere, _now in rows if not elsewhere} == {file["id"] for file in FILES}
