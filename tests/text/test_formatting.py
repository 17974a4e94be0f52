"""Numbers, places, winds and times as people read them: the pure functions and the tags that register them."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.template import Context, Template
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from tournament.text.numbers import p, points, say_place, seat_wind, side, signed, signed_p, wind_index

POINTS = st.integers(min_value=-10_000_000, max_value=10_000_000)


def show(source: str, **context: object) -> str:
    return Template("{% load hanchan %}" + source).render(Context(context))


@given(POINTS)
def test_points_are_written_exactly(value: int) -> None:
    assert int(points(value).replace(",", "").replace("−", "-")) == value


@given(POINTS)
def test_thousands_lose_no_point(value: int) -> None:
    whole, decimals = p(value).replace(",", "").removeprefix("−").split(".")
    assert int(whole) * 1000 + int(decimals.ljust(3, "0")) == abs(value)
    assert p(value).startswith("−") == (value < 0)
    assert len(decimals) == 1 or not decimals.endswith("0")


@given(POINTS)
def test_no_number_carries_a_hyphen_for_a_minus(value: int) -> None:
    written = [write(value) for write in (points, signed, p, signed_p)]
    assert [text for text in written if "-" in text] == []


@given(POINTS.filter(bool))
def test_a_change_always_shows_its_sign(value: int) -> None:
    sign = "+" if value > 0 else "−"
    assert (signed(value)[0], signed_p(value)[0]) == (sign, sign)


@pytest.mark.parametrize(
    ("filter_name", "value", "text"),
    [
        ("points", 30000, "30,000"),
        ("points", -1200, "−1,200"),
        ("points", None, "–"),
        ("signed", 1200, "+1,200"),
        ("signed", -800, "−800"),
        ("signed", 0, "0"),
        ("p", 45100, "45.1"),
        ("p", 333, "0.333"),
        ("p", -500, "−0.5"),
        ("signed_p", -54100, "−54.1"),
        ("signed_p", 0, "0.0"),
        ("signed_p", None, "–"),
        ("sign_class", -5, "is-minus"),
        ("sign_class", None, ""),
        ("wind_sign", 3, "北"),
        ("wind_initial", "s", "S"),
        ("wind_word", "W", "West"),
    ],
)
def test_filters(filter_name: str, value: object, text: str) -> None:
    assert show("{{ value|" + filter_name + " }}", value=value) == text


@pytest.mark.parametrize("wrong", [4, -1, "X", "", "EE", "²"])
def test_what_is_no_wind_is_refused(wrong: int | str) -> None:
    with pytest.raises(ValueError, match="a wind is 0 to 3 or one of E, S, W, N"):
        wind_index(wrong)


@pytest.mark.parametrize("seats", [3, 4])
def test_every_seat_has_another_wind_and_the_dealer_is_east(seats: int) -> None:
    for dealer in range(seats):
        winds = [seat_wind(seat, dealer, seats) for seat in range(seats)]
        assert sorted(winds) == list(range(seats))
        assert winds[dealer] == 0


@pytest.mark.parametrize("viewer", range(4))
def test_the_next_player_sits_to_the_right(viewer: int) -> None:
    assert side(viewer, viewer) == "bottom"
    assert side((viewer + 1) % 4, viewer) == "right"


def test_hands_are_named_with_their_counters() -> None:
    names = [show("{% hand_name wind kyoku honba %}", wind=1, kyoku=2, honba=honba) for honba in (0, 1, 2)]
    assert names == ["South 2", "South 2 · 1 honba", "South 2 · 2 honba"]


def test_a_row_without_tied_still_has_a_place() -> None:
    rows = [SimpleNamespace(place=1), SimpleNamespace(place=2, tied=True), SimpleNamespace(place=None)]
    assert show("{% for row in rows %}{% place row.place row.tied %} {% endfor %}", rows=rows) == "1 =2 – "
    assert show("{{ row.place|ordinal_place:row.tied }}", row=rows[1]) == "=2"


def test_begun_minutes_count_and_never_fall_below_nothing() -> None:
    end = datetime(2030, 5, 4, 14, 0, tzinfo=UTC)
    left = [
        show("{{ end|minutes_left:now }}", end=end, now=end - timedelta(seconds=seconds))
        for seconds in (3600, 61, 60, 1, 0, -90)
    ]
    assert left == ["60", "2", "1", "1", "0", "0"]
    assert show("{{ end|minutes_left }}", end=None) == "–"


def test_the_clock_gets_milliseconds() -> None:
    assert show("{{ end|epoch_ms }}", end=datetime(2030, 1, 1, tzinfo=UTC)) == "1893456000000"
    assert show("{{ end|epoch_ms }}", end=None) == ""


def test_an_icon_is_hidden_from_readers_because_its_word_stands_beside_it() -> None:
    markup = show("{% icon 'check' %}")
    assert markup.startswith('<svg class="icon" aria-hidden="true"')
    assert markup.count("#check") == 1


def test_a_place_is_an_ordinal_where_the_language_has_one() -> None:
    with override("fr"):
        assert (say_place(1), say_place(1, tied=True), say_place(21)) == ("1er", "=1er", "21e")
    with override("de"):
        assert say_place(2) == "Platz 2"
