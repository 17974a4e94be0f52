"""The catalogue of fouls as anybody reads it, and what players read of their own penalties."""

from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.utils import translation
from pypdf import PdfReader

from rules.books import load
from rules.foul_books import catalogue, catalogue_keys
from tests.factories import enter, last_seq, make_event, play_round, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.html_reader import text, texts
from tests.paper.samples import make_head
from tournament.events.models import Event
from tournament.paper.choices import foul_sections
from tournament.paper.sheets import fouls_leaves
from tournament.pdf.render import print_leaves
from tournament.penalties.actions import cancel_penalty, change_foul_amounts, give_foul
from tournament.penalties.queries import Offence, get_catalogue
from tournament.rounds.actions import release_round
from tournament.text.fouls import say_fouls
from tournament.text.rules import say_source

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/e/cup/fouls/"


made = module_event("rakkii-nomi-2026", slug="cup", tables=1, rounds=2)


def give(event: Event, number: int, **told: Any) -> Any:
    table = table_of(event)
    return give_foul(
        player=event.players.get(number=number),
        table=table,
        offence=Offence(**told),
        client_id=uuid4(),
        expected_seq=last_seq(table),
        by=writer_of(event),
    ).rows[0]


def rows(page: Any) -> list[str]:
    return [line for line in texts(page, "tr") if not line.startswith("Foul ")]


def test_the_whole_catalogue_stands_beside_the_official_one(client, event: Event):
    page = client.get(URL)
    assert text(page, "h1") == "Fouls and penalties"
    assert texts(page, "h2")[6] == "7 · Score sheets"
    assert len(rows(page)) == 80  # and two by the rules of the table
    assert rows(page)[3] == (
        "1e Too many or too few tiles in a hand dead hand differs chombo 30,000 RK 4, WRC 2025 12.3.1 (2)"
    )
    assert texts(page, ".soft")[0] == "differs: 19 fouls are penalised differently from WRC 2025, official penalties."


@pytest.mark.parametrize(
    ("query", "found"),
    [("tsumo after disc", ["3f"]), ("12.3.7", ["7a", "7b", "7c"]), ("zebra", [])],
)
def test_a_few_letters_narrow_it(client, event: Event, query: str, found: list[str]):
    page = client.get(URL, {"q": query})
    assert [row.split(" ")[0] for row in rows(page)] == found
    assert texts(page, ".empty") == ([] if found else ["No such foul No foul matches all these words."])


def test_an_amount_of_the_events_own_is_marked_with_what_the_book_says(client, event: Event):
    change_foul_amounts(event=event, values={"late": 500}, by=writer_of(event))
    page = client.get(URL, {"q": "12.3.9 (1)"})
    assert "500 points a minute, up to 10 changed the book: 1,000 points a minute, up to 10" in rows(page)[0]


@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize(("key", "count"), [("ema-2025", 44), ("sanmatsuri-2026", 49), ("wrc-2025", 80)])
def test_a_book_that_stands_alone_has_one_column(client, key: str, count: int):
    make_event(key, slug="cup", tables=1, rounds=1)
    page = client.get(URL)
    assert len(rows(page)) == count
    assert texts(page, "tr")[0] == "Foul Penalty Clause"


@pytest.mark.usefixtures("others_aside")
def test_a_rule_set_that_names_no_fouls_says_so(client):
    event = make_event(slug="cup", tables=1, rounds=1)
    Event.objects.filter(pk=event.pk).update(rules={**event.rules, "key": "house"})
    assert text(client.get(URL), ".empty") == "No catalogue The rules of this event list no fouls; the referee decides."


@pytest.mark.states("fouls_whole")
@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize("language", ["en-gb", "ja", "de", "fr"])
@pytest.mark.parametrize("key", ["rakkii-nomi-2026", "ema-2016"])
def test_in_every_language_the_page_and_the_sheet_have_all_words_of_the_catalogue(client, key: str, language: str):
    event = make_event(key, slug="cup", tables=1, rounds=1)
    page = text(client.get(URL, headers={"accept-language": language}), "main")
    with translation.override(language):
        fouls = say_fouls(get_catalogue(event))
        found = [row for section in foul_sections(fouls) for row in section.fouls]
        sheet = " ".join(part for row in found for part in (row.what, *row.costs, row.clause, *row.notes))
        ours = {key: say_source(penalty.ours) for key, penalty in fouls.penalties.items()}
    for foul in fouls.fouls:
        penalty = fouls.penalties[foul.key]
        said = [foul.what, penalty.note, ours[foul.key], *(case.when for case in penalty.cases), penalty.clause]
        missing = [words for words in said if " ".join(words.split()) not in page or words not in sheet]
        assert (foul.key, missing) == (foul.key, [])


@pytest.mark.states("fouls_uncut")
@pytest.mark.parametrize("key", catalogue_keys())
def test_no_sheet_of_any_book_cuts_a_note(key: str):
    fouls = catalogue(key)
    rows_ = [row for section in foul_sections(fouls) for row in section.fouls]
    assert len(rows_) == len(fouls.fouls)
    for foul, row in zip(fouls.fouls, rows_, strict=True):
        penalty = fouls.penalties[foul.key]
        assert (row.what, row.clause, len(row.costs)) == (foul.what, penalty.clause, len(penalty.cases))
        assert penalty.note in " ".join(row.notes)
        assert penalty.ours in " ".join(row.notes)


@pytest.mark.states("fouls_printed")
def test_the_printed_sheet_says_what_counts():
    sections = [each for each in foul_sections(catalogue("rakkii-nomi-2026")) if each.number == 3]
    printed = print_leaves(fouls_leaves(sections, "as an example"), make_head(4))
    (page,) = (" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(printed.pdf)).pages)
    assert "Only the call made first can be carried out; if that is impossible, it is an empty call." in page
    assert "Our reading: as an example." in page


def test_a_derived_list_says_so(client, event: Event):
    Event.objects.filter(pk=event.pk).update(rules=load("ema-2016").as_json())
    page = client.get(URL)
    assert "Our reading: the excerpt of the 2016 edition names no penalties; those of EMA 2025 hold." in texts(
        page, ".soft"
    )


def test_players_read_their_penalties_with_the_reason_once_the_round_is_released(client, event: Event):
    give(event, 2, foul="false_tenpai")
    give(event, 2, foul="all_last_sheet", points=4000, amount_reason="the pen broke")
    give(event, 2, foul="phone")  # a note of the referee's
    cancelled = give(event, 2, foul="tenpai_changed")
    cancel_penalty(penalty=cancelled, reason="misheard", by=writer_of(event))
    give(event, 3, foul="noten_riichi")
    page = "/e/cup/players/2/"
    assert "Tenpai declared" not in client.get(page).content.decode()

    enter(table_of(event), "1t 230")
    sign(table_of(event))
    event.refresh_from_db()
    release_round(round_=event.rounds.get(number=1), by=writer_of(event))
    shown = [line for line in texts(client.get(page), "li") if "RK 4" in line]
    assert shown == [
        "R1 Warning Tenpai declared when noten · RK 4, WRC 2025 12.3.6 (7)",
        "R1 Penalty −4.0 Incorrect all-last sheet · RK 4, WRC 2025 12.3.7 (1); amount: the pen broke",
    ]
    assert "Fouls and penalties" in texts(client.get(page), "a")
    assert [line for line in texts(client.get("/e/cup/players/3/"), "li") if "RK 4" in line] == [
        "R1 Chombo −20.0 Noten riichi, found at a win or a draw · RK 4, WRC 2025 12.3.5 (3)"
    ]


def test_who_has_no_penalty_is_not_sent_to_the_fouls(client, event: Event):
    play_round(event, 1, "1t 230")
    assert "Fouls and penalties" not in texts(client.get("/e/cup/players/2/"), "a")
