"""The report of a night, from what programs print."""

import json
from pathlib import Path

from tests.with_postgresql import NOT_HERE
from tools.nightly.report import Night, figures_in, read_last, write_report


def test_figures_are_found_in_what_a_program_prints() -> None:
    found = {"hand": {"median": 15, "99 %": 40}, "well": True, "phones": [500, {"failed": 0}]}
    printed = f"warming up\n{json.dumps(found, indent=1)}\ndone\n"
    assert figures_in(printed) == {"hand.median": 15, "hand.99 %": 40, "phones.0": 500, "phones.1.failed": 0}
    assert figures_in("no object {at all") == {}


def test_a_night_is_compared_with_the_last_one(tmp_path: Path) -> None:
    first = [Night("load", 0, 60, {"hand": 10, "preview": 5}), Night("fuzz", 0, 9, {"found": 0})]
    write_report(tmp_path, first, read_last(tmp_path))
    before = read_last(tmp_path)
    for _ in range(2):  # it is written after each form, and compared with the night before all the same
        write_report(tmp_path, [Night("load", 1, 61, {"hand": 15, "preview": 5.5})], before)
    lines = (tmp_path / "report.md").read_text().splitlines()
    assert "| load | FAILED (1) | 61 |" in lines
    assert [line for line in lines if line.startswith("| load: ")] == ["| load: hand | 10 | 15 |"]
    assert set(json.loads((tmp_path / "last.json").read_text())) == {"load", "fuzz"}


def test_a_form_that_this_machine_cannot_run_is_skipped(tmp_path: Path) -> None:
    write_report(tmp_path, [Night("load", 0, 60, {"hand": 10})], {})
    night = Night("load", NOT_HERE, 0, {})
    write_report(tmp_path, [night], read_last(tmp_path))
    assert not night.failed
    assert "| load | skipped | 0 |" in (tmp_path / "report.md").read_text().splitlines()
    assert read_last(tmp_path)["load"]["figures"] == {"hand": 10}
