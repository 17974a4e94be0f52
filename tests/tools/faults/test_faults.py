"""The harness itself, and its short form: a few kills of the real desk in mid-write."""

import os
from typing import Any

import pytest

from tests.nightly_scale import printed_by
from tests.shared_fixtures import FILL, fill, made_once, run_folder

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="not on Windows: it has no fork"),
]


def skip_if_left_out(disk: dict[str, Any]) -> None:
    """Skip where the machine lacks what the disk part needs."""
    if "left_out" in disk:
        pytest.skip(disk["left_out"])


def test_what_was_answered_before_a_fault_is_there(tmp_path_factory: pytest.TempPathFactory):
    ready = made_once(run_folder(tmp_path_factory), FILL, fill)  # a first start is tested in test_desk_command
    _code, seen = printed_by("tools.faults", "--faults", "20", "--kills", "3", "--workers", "2", "--copy", str(ready))
    assert seen["ok"], seen  # with the seed, another one each time
    assert seen["hands_there"] >= seen["hands_answered"] > 0
    assert seen["acts_that_wrote"]
    disk = seen["disk"]
    skip_if_left_out(disk)
    assert disk["faults"] >= 20
    assert disk["answered_before_a_power_cut"] > 0


@pytest.mark.nightly
def test_enough_acts_are_answered_before_the_power_is_cut():
    _code, seen = printed_by("tools.faults", "--faults", "200")
    assert seen["ok"], seen
    skip_if_left_out(seen["disk"])
    assert seen["disk"]["answered_before_a_power_cut"] >= 200


@pytest.mark.nightly
@pytest.mark.parametrize("synchronous", ["OFF", "NORMAL"])
def test_a_planted_lost_sync_is_counted(synchronous: str):
    code, seen = printed_by("tools.faults", "--faults", "100", "--synchronous", synchronous)
    skip_if_left_out(seen["disk"])
    assert (code, seen["ok"], seen["disk"]["lost"] > 0) == (1, False, True), seen


@pytest.mark.nightly
@pytest.mark.parametrize("what", ["server", "database"])
def test_the_same_on_postgresql(what: str):
    _code, seen = printed_by("tools.faults", "--kills", "6", "--database", "postgresql", "--what", what)
    assert seen["ok"], seen


@pytest.mark.nightly
def test_a_disk_that_is_full_loses_nothing_and_is_told():
    _code, seen = printed_by("tools.faults.full_disk", "--times", "2")
    assert (seen["ok"], seen["lost_or_twice"], seen["not_read_meanwhile"], seen["refused"]) == (True, [], [], [])
    assert seen["refused_for_want_of_room"] >= 6
    assert seen["hands_answered"] == seen["hands_there"]
