"""Pages in four languages: nothing English is left, numbers and dates are a language's own, who decides which it is."""

import re

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from rules.books import book_keys, load
from scoring.problems import Problem
from scoring.state import TableState
from tests.factories import make_event, play_round, writer_of
from tests.pages.at_desk import organiser
from tests.pages.html_reader import text, texts
from tests.pages.languages_read import read
from tournament.demo.sample import load_samples
from tournament.events.actions import set_languages
from tournament.events.models import Event
from tournament.players.models import Player
from tournament.text.hands import tile_name
from tournament.text.languages import join_and
from tournament.text.numbers import p, points, signed, signed_p
from tournament.text.problems import problem_text
from tournament.text.readback import hand_name

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

OTHERS = ("ja", "de", "fr")
DRILL = "/drill/?rules=ema-2025&seed=7&n=9"
ANYWHERE = (
    "/", "/login/", "/nowhere/", "/calculator/", "/calculator/?line=34p678m66s2p+345m+777z+d1m+wES",
    "/calculator/?line=11m", "/drill/", f"{DRILL}&a=", f"{DRILL}&a=a&see=1", f"{DRILL}&a=ab&see=1",
    f"{DRILL}&a={'a' * 9}", "/drill/?rules=tenhou-yonma&seed=1&n=9&kind=foul",
    "/rules/", "/rules/ema-2025/", "/rules/ema-2025/?against=sanmatsuri-2026",
)  # fmt: skip
OF_AN_EVENT = (
    "", "?q=zz", "?pick", "standings/", "recap/", "players/1/", "players/7/", "rounds/", "rounds/1/", "rounds/3/",
    "rounds/4/", "rounds/1/tables/1/", "rounds/2/tables/3/", "display/", "clock/", "rules/", "teams/", "fouls/",
    "calculator/", "drill/", "fouls/?q=tsumo", "fouls/?q=zz", "rounds/9/",
)  # fmt: skip
WORD = re.compile(r"[^\W\d_]{2}")
NAMES = {"Hanchan Desk", "English", "日本語", "Deutsch", "Français"}


def sample() -> Event:
    """Return a sample event in mid-play."""
    load_samples(now=timezone.now(), only=["sanmatsuri-sample"])
    return Event.objects.get(slug="sanmatsuri-sample")


def names() -> set[str]:
    """Return what is called the same in every language: people, places, rule sets."""
    people = Player.objects.values_list("person__preferred_name", "person__club", "person__country")
    events = {name for row in Event.objects.values_list("name", "place") for name in row if name}
    titles = {load(key).title for key in book_keys()}
    words = {word for name, *_more in people for word in name.split()}  # a podium has them in an element each
    return {name for row in people for name in row if name} | words | events | titles | NAMES


def said_on(client: Client, url: str, language: str) -> list[str]:
    answer = client.get(url, headers={"Accept-Language": language}, follow=True)
    shown, said = read(answer.content.decode())
    assert (url, shown) == (url, language)
    return said


@pytest.mark.postgresql
def test_no_public_page_keeps_anything_english(client: Client) -> None:
    event = sample()
    known = re.compile("|".join(re.escape(each) for each in sorted(names(), key=len, reverse=True)))
    urls = [*ANYWHERE, *(f"/e/{event.slug}/{page}" for page in OF_AN_EVENT)]
    said: dict[str, dict[str, list[str]]] = {}
    for language in ("en-gb", "ja"):
        Event.objects.update(language=language)  # the wall speaks the event's
        said[language] = {url: said_on(client, url, language) for url in urls}
        client.get(f"/e/{event.slug}/?me=3")  # and the page of somebody who is followed
        said[language]["followed"] = said_on(client, f"/e/{event.slug}/", language)
        client.get(f"/e/{event.slug}/?me=")
    left = set()
    for url, english in said["en-gb"].items():
        for same in set(english) & set(said["ja"][url]):
            if WORD.search(known.sub("", same)):
                left.add((url, same))
    assert left == set()


@pytest.mark.parametrize("language", ["de", "fr"])
def test_public_pages_speak_the_language_throughout(client: Client, language: str) -> None:
    event = make_event(slug="cup")
    event.language = language
    event.save()
    for url in ("/", "/calculator/", "/rules/", "/nowhere/", "/e/cup/", "/e/cup/standings/", "/e/cup/display/"):
        assert said_on(client, url, language)


# ---------------------------------------------------------------- numbers, places, lists


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en-gb", ("30,000", "+1,200", "45.1", "−1,234.5")),
        ("ja", ("30,000", "+1,200", "45.1", "−1,234.5")),
        ("de", ("30.000", "+1.200", "45,1", "−1.234,5")),
        ("fr", ("30\u202f000", "+1\u202f200", "45,1", "−1\u202f234,5")),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(language: str, written: tuple[str, ...]) -> None:
    with override(language):
        assert (points(30000), signed(1200), p(45100), signed_p(-1234500)) == written


@pytest.mark.parametrize(
    ("language", "hand", "tile", "people"),
    [
        ("ja", "南2局", "9萬", "A、B、C"),
        ("de", "Süd 2", "Charakter 9", "A, B und C"),
        ("fr", "Sud 2", "9 de caractère", "A, B et C"),
    ],
)
def test_hands_tiles_and_lists_are_named(language: str, hand: str, tile: str, people: str) -> None:
    with override(language):
        assert hand_name(TableState((0, 0, 0), dealer=1, round=1)) == hand
        assert tile_name("9m") == tile
        assert join_and(["A", "B", "C"]) == people


def test_a_sentence_of_a_table_is_translated_before_it_is_filled() -> None:
    with override("de"):
        assert problem_text(Problem("hand.ippatsu_without_riichi", {})) == "Ippatsu braucht ein Riichi."


# ---------------------------------------------------------------- who decides


def language_of(client: Client, url: str, **headers: str) -> str:
    return read(client.get(url, headers=headers).content.decode())[0]


def test_the_browser_is_asked_first(client: Client) -> None:
    make_event(slug="cup")
    assert language_of(client, "/e/cup/", accept_language="fr-CH, fr;q=0.9, en;q=0.8") == "fr"
    assert language_of(client, "/e/cup/", accept_language="es, de;q=0.5") == "de"
    assert language_of(client, "/e/cup/") == "en-gb"


def test_a_choice_stays_with_the_phone(client: Client) -> None:
    make_event(slug="cup")
    answer = client.get("/language/de/?next=/e/cup/standings/")
    assert (answer.status_code, answer["Location"]) == (302, "/e/cup/standings/")
    assert language_of(client, "/e/cup/", accept_language="fr") == "de"
    page = client.get("/e/cup/standings/")
    assert texts(page, "h1") == ["Rangliste"]
    assert {"Accept-Language", "Cookie"} <= set(re.split(r",\s*", page["Vary"]))


@pytest.mark.parametrize("there", ["https://elsewhere.example/", "//elsewhere.example/", "", "elsewhere"])
def test_a_choice_leads_nowhere_else(client: Client, there: str) -> None:
    assert client.get("/language/de/", {"next": there})["Location"] == "/"


def test_an_unknown_language_changes_nothing(client: Client) -> None:
    assert client.get("/language/xx/?next=/").cookies == {}
    client.cookies["django_language"] = "xx"
    assert language_of(client, "/") == "en-gb"


def test_the_mark_of_a_page_knows_the_language(client: Client) -> None:
    make_event(slug="cup")
    marks = {client.get("/e/cup/standings/", headers={"Accept-Language": code})["ETag"] for code in ("en", *OTHERS)}
    assert len(marks) == 4


def test_the_event_speaks_to_phones_that_ask_for_nothing(client: Client) -> None:
    event = make_event(slug="cup")
    set_languages(event=event, language="ja", second_language="", by=writer_of(event))
    assert language_of(client, "/e/cup/") == "ja"
    assert language_of(client, "/e/cup/", accept_language="es") == "ja"
    assert language_of(client, "/e/cup/", accept_language="de") == "de"


def test_the_wall_speaks_the_event_s_languages(client: Client) -> None:
    event = make_event(slug="cup")
    set_languages(event=event, language="de", second_language="ja", by=writer_of(event))
    play_round(event, 1, "1t 230")
    wall = client.get("/e/cup/display/", headers={"Accept-Language": "fr"})
    assert read(wall.content.decode())[0] == "de"
    assert "順位表" in " ".join(texts(wall, ".second"))


@pytest.mark.follows("before/languages.md")
@pytest.mark.postgresql
def test_an_organiser_sets_the_languages() -> None:
    event = make_event(slug="cup")
    client = organiser(event)
    url = f"/desk/{event.slug}/settings/languages/"
    answer = client.post(url, {"language": "fr", "second_language": "fr"}, follow=True)
    event.refresh_from_db()
    assert (event.language, event.second_language) == ("fr", "")
    assert answer.status_code == 200
    assert "a réglé la langue du tournoi" in text(client.get("/desk/cup/settings/trail/"), ".trail")
    client.post(url, {"language": "xx", "second_language": ""})
    event.refresh_from_db()
    assert event.language == "fr"
