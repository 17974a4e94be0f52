import csv
from collections import Counter
from pathlib import Path

import pytest

from tests.table_test import tabled
from tournament.text import names as countries
from tournament.text.names import find_country, suggest_country

TABLE = Path(countries.__file__).with_name("countries.csv")


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


@tabled(
    "text, code",
    [
        ("AT", "AUT"),
        ("aut", "AUT"),
        (" Austria ", "AUT"),
        ("Österreich", "AUT"),
        ("OESTERREICH", "AUT"),
        ("GER", "DEU"),
        ("SUI", "CHE"),
        ("NED", "NLD"),
        ("The Netherlands", "NLD"),
        ("DEN", "DNK"),
        ("UK", "GBR"),
        ("Scotland", "GBR"),
        ("TPE", "TWN"),
        ("BRN", "BRN"),
        ("日本", "JPN"),
        ("Côte d’Ivoire", "CIV"),
        ("Cote d'Ivoire", "CIV"),
        ("Bosnia & Herzegovina", "BIH"),
        ("U.S.A.", "USA"),
        ("Germany (Berlin)", "DEU"),
        ("XK", "XKX"),
        ("Tchéquie", "CZE"),
        ("Island", "ISL"),
        ("Niger", "NER"),
        ("NIG", "NER"),
    ],
)
def test_known(text, code):
    assert find_country(text) == code


@pytest.mark.parametrize("text", ["", " ", "Atlantis", "ZZ", "Germnay", "the", "-"])
def test_unknown(text):
    assert find_country(text) is None


def test_suggestions():
    assert suggest_country("Germnay") == ("DEU", "Germany")
    assert suggest_country("Switzerlnd") == ("CHE", "Switzerland")
    assert suggest_country("GEER") is None
    assert suggest_country("Atlantis") is None


def test_table_is_whole_and_says_nothing_twice():
    table = rows()
    codes = Counter(
        code for row in table for code in [row["alpha3"], row["alpha2"], *filter(None, row["other_codes"].split("|"))]
    )
    names = Counter(name.casefold() for row in table for name in row["names"].split("|"))
    assert len(table) == 250  # the 249 of ISO 3166 and Kosovo
    assert [code for code, count in (codes + names).items() if count > 1] == []
    assert [row["alpha3"] for row in table] == sorted(row["alpha3"] for row in table)


def test_every_text_of_the_table_finds_its_row():
    wrong = [
        (text, row["alpha3"])
        for row in rows()
        for text in [
            row["alpha3"],
            row["alpha2"],
            *row["names"].split("|"),
            *filter(None, row["other_codes"].split("|")),
        ]
        if find_country(text) != row["alpha3"]
    ]
    assert wrong == []
