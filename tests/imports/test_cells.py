import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.table_test import tabled
from tournament.imports.files import read_whole_number


@given(
    number=st.integers(-999_999_999, 999_999_999),
    parted=st.sampled_from([",", ".", " ", "'", "’", "\u00a0", "\u202f", "\u2009", ""]),
    minus=st.sampled_from("-−–—－"),
)
def test_any_whole_number_in_any_dress(number, parted, minus):
    text = f"{abs(number):,}".replace(",", parted)
    assert read_whole_number(f" {minus if number < 0 else ''}{text} ") == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("+30,000", 30000),
        ("- 1 200", -1200),
        ("(1,200)", -1200),
        ("▲500", -500),
        ("３００００", 30000),
        ("007", 7),
        ("−0", 0),
    ],
)
def test_other_signs(text, number):
    assert read_whole_number(text) == number


@tabled(
    "text",
    [
        "",
        "x",
        "30.5",
        "30,00",
        "1,2000",
        "30.000,5",
        "1,000.000",
        "--5",
        "5-",
        "1e5",
        "30000.0",
        "(−5)",
        "()",
        "٣",
        "9" * 16,
    ],
)
def test_not_a_whole_number(text):
    assert read_whole_number(text) is None
