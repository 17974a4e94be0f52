"""The measure itself: a small hall through a real server."""

import pytest

from tests.nightly_scale import printed_by

pytestmark = [pytest.mark.nightly, pytest.mark.slow]


def test_a_small_hall_is_measured() -> None:
    small = ["--tables", "2", "--phones", "3", "--seconds", "4", "--every", "0.5", "--organisers", "1"]
    code, seen = printed_by("tools.load", *small)
    assert (code, seen["no_longer_well"]) == (0, [])
    parts = seen["parts"]
    assert list(parts) == ["tables alone", "amid phones", "and printing", "and released"]
    assert [part["tables"]["hands"] > 1 for part in parts.values()] == [True] * 4
    assert parts["amid phones"]["phones"]["hand_to_phone_median_ms"] < 5_000  # told, though asked of nothing
    assert parts["and printing"]["printing"]["booklets"] > 0
    assert parts["and released"]["phones"]["statuses"] == {}  # nobody asks: each page comes on its stream
    assert parts["and released"]["phones"]["last_page_after_s"] < 20


def test_a_relay_is_measured() -> None:
    small = ["--tables", "2", "--phones", "5", "--rounds", "1", "--cut", "5"]
    code, seen = printed_by("tools.load.relay", *small)
    assert (code, seen["well"]) == (0, True)
    assert [act["phones"] for act in seen["acts"]] == [5, 5]
    assert seen["crooked"]["forged"] > 3


def test_an_attack_is_measured() -> None:
    small = ["--tables", "2", "--attacks", "--seconds", "4", "--every", "0.5"]
    parts = printed_by("tools.load", *small)[1]["parts"]
    assert list(parts) == ["half-open", "logins", "uploads"]
    assert [part["tables"]["failed"] for part in parts.values()] == [[]] * 3
    assert set(parts["uploads"]["attack"]["answers"]) <= {
        "HTTP/1.1 413 Request Entity Too Large",
        "ConnectionResetError",
    }
