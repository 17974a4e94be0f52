from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournament.text.numbers import name_order, points, signed_p

amounts = st.integers(-10_000_000, 10_000_000)


@given(amounts)
def test_a_result_in_thousands_is_exact_and_shows_its_sign(value: int) -> None:
    text = signed_p(value)
    plain = text.replace(",", "").replace("−", "-")
    assert Fraction(plain) * 1000 == value
    assert text[0] in {1: "+", -1: "−", 0: "0"}[(value > 0) - (value < 0)]
    assert len(plain.partition(".")[2]) >= 1
    assert not text.endswith("00")


@given(amounts)
def test_a_count_is_exact(value: int) -> None:
    assert int(points(value).replace(",", "").replace("−", "-")) == value


@given(st.sets(st.text(max_size=12)))
def test_no_two_names_share_a_place_in_the_order(names: set[str]) -> None:
    assert len({name_order(name) for name in names}) == len(names)
