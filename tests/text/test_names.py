import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.processor_time import count_loops
from tests.table_test import tabled
from tournament.text.names import (
    clean_name,
    clean_text,
    find_alike,
    find_similar,
    first_index_by_key,
    has_controls,
    name_key,
    printable,
    repair_garbled,
    same_name_keys,
)


@tabled(
    "text, name",
    [
        ("  Ada \t Moss ", "Ada Moss"),
        ("Ada\u00a0\u3000Moss", "Ada Moss"),
        ("Ada\nMoss", "Ada Moss"),
        ("Zoe\u0308 Ash", "Zoë Ash"),
        ("\ufeffAda\u200b Mo\u00adss", "Ada Moss"),
        ("MOSS, Ada", "Ada MOSS"),
        ("van der Moss , Ada Eve", "Ada Eve van der Moss"),
        ("山田，太郎", "山田 太郎"),
        ("Jon Ash, Jr.", "Jon Ash, Jr."),
        ("Moss, Ada, Graz", "Moss, Ada, Graz"),
        ("Moss,", "Moss,"),
        (", Ada", ", Ada"),
        ("", ""),
    ],
)
def test_cleaning(text, name):
    assert clean_name(text) == name


@given(st.text(max_size=30))
def test_cleaning_twice_changes_nothing(text):
    assert clean_text(clean_text(text)) == clean_text(text)


@pytest.mark.parametrize("text", ["Ada\x07", "Ada\u202eMoss", "Ada\u2066", "\ue000", "Ada\x7f"])
def test_controls_are_seen(text):
    assert has_controls(text)


@pytest.mark.parametrize("text", ["Ada Moss", "山田 太郎", "Ōe ǅ", "Ada 🀄", "a\u200cb"])
def test_letters_are_no_controls(text):
    assert not has_controls(text)


def test_what_is_quoted_in_a_message_can_be_printed():
    assert printable("A\x07da\u202e" + "x" * 100) == "A□da□" + "x" * 55


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada Moss", "ada MOSS"),
        ("Ada Moss", "Moss Ada"),
        ("Zoë Ash", "Zoe Ash"),
        ("Żółć Øre", "zolc ore"),
        ("Jean-Luc Ash", "Jean Luc Ash"),
        ("Sean O'Dell", "Sean O’Dell"),
        ("Groß Ash", "GROSS ASH"),
        ("山田 太郎", "山田太郎"),
        ("山田 太郎", "太郎 山田"),
        ("ﾔﾏﾀﾞ ﾀﾛｳ", "ヤマダ タロウ"),
        ("Ａｄａ Moss", "Ada Moss"),
    ],
)
def test_same_person_in_another_spelling(one, other):
    assert same_name_keys(one) & same_name_keys(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ada Moss", "Ada Mosse"), ("かき", "がき"), ("An Na", "Anna"), ("Guest 1", "Guest 2")]
)
def test_different_names(one, other):
    assert not same_name_keys(one) & same_name_keys(other)


def test_key_forgets_order():
    assert name_key("Moss, Ada-Eve") == "ada eve moss"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Jörg Müller", "Joerg Müller"),
        ("Ada Moss", "Ada Mos"),
        ("Ada Moss", "Mosss Ada"),
        ("Ada Moss", "Aad Moss"),
        ("Ada Moss", "Ada Eve Moss"),
        ("Ada Eve Moss", "Moss Ada"),
    ],
)
def test_alike(one, other):
    assert list(find_similar([one, other])) == [(1, 0)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Guest 1", "Guest 2"),
        ("Player 001", "Player 0011"),
        ("Jan van der Berg", "Piet van der Berg"),
        ("Ada Moss", "Eve Moss"),
        ("Jan", "Jon"),
        ("山田太郎一", "山田太郎二"),
        ("Ada Moss", "ada moss"),
    ],
)
def test_not_alike(one, other):
    assert list(find_similar([one, other])) == []


def test_first_of_several_like_names_is_told():
    assert list(find_similar(["Ada Moss", "Eve Ash", "Ada Mosse", "Ada Moses"])) == [(2, 0), (3, 0)]


def test_thousands_of_names_are_compared_in_little_time():
    names = [f"Given{chr(97 + n % 26)}{chr(97 + n // 26 % 26)} Family{chr(97 + n // 676)}" for n in range(5_000)]
    similar, loops = count_loops(lambda: list(find_similar(names)))
    assert len(similar) == 4_999  # invented names are all one letter apart
    assert loops < 300


def test_first_index_by_key():
    assert first_index_by_key(["Ada Moss", "Eve Ash", "MOSS Ada"]) == {"ada moss": 0, "ash eve": 1}


@pytest.mark.parametrize(("text", "name"), [("ZoÃ«", "Zoë"), ("Zoë", None), ("Ada", None), ("山田", None)])
def test_letters_read_in_the_wrong_encoding(text, name):
    assert repair_garbled(text) == name


# ---------------------------------------------------------------- alike in one event


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana Berg", "Ana Silva"),  # the same first name
        ("Ana Berg", "BERG, Ana"),
        ("Ana Berg", "Berg Ana"),
        ("Jörg Kern", "Jorg Kern"),
        ("Mio Bergh", "Lio Bergh"),
        ("Mio Bergh", "Mio-Bergh"),
        ("Lena Maro", "Neal Maro"),  # the same letters
        ("Lena Maro", "Lnea Maro"),
        ("佐藤 花子", "花子 佐藤"),
        ("佐藤花子", "佐藤 花代"),
        ("Ana", "Ana Berg"),
    ],
)
def test_names_that_are_alike_know_of_each_other(one: str, other: str):
    assert find_alike([one, "Zoltan Quist", other]) == [(2,), (), (0,)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana Berg", "Mio Berg"),  # one family
        ("Guest 1", "Guest 2"),
        ("A. Moss", "A. Reed"),  # initials
        ("佐藤 健", "佐藤 翔"),
        ("", ""),
        ("Dr. Lena Maro", "Dr. Otto Fink"),
    ],
)
def test_names_that_only_share_a_part_are_not_alike(one: str, other: str):
    assert find_alike([one, other]) == [(), ()]


def test_the_likest_come_first():
    assert find_alike(["Ana Berg", "Ana Adler", "Ana Bergh"])[0] == (2, 1)


@given(st.lists(st.text(alphabet="abcn é-,12佐藤", max_size=12), max_size=12))
def test_likeness_goes_both_ways_and_never_to_oneself(names: list[str]):
    found = find_alike(names)
    assert len(found) == len(names)
    for index, others in enumerate(found):
        assert index not in others
        assert len(set(others)) == len(others)
        assert all(index in found[other] for other in others)


def test_three_hundred_names_are_compared_while_nobody_waits():
    names = [f"{first}{middle} {last}mann" for first in "abcdef" for middle in "uvwxyz" for last in "ghijklmn"]
    assert count_loops(lambda: find_alike(names))[1] < 20
