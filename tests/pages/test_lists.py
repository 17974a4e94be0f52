"""The organiser's lists: sorted, paged, and as csv and xlsx with the same rows, for those who may export."""

import csv
import io
import re
import uuid

import openpyxl
import pytest

from tests.factories import enter, make_event, play_round, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import client_of, organiser, referee
from tests.pages.html_reader import text, texts
from tournament.accounts.actions import get_site_organiser
from tournament.events.models import Event
from tournament.penalties.actions import cancel_penalty, give_penalty
from tournament.players.actions import NewPlayer, add_players

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

DESK = "/desk/cup/"
LISTS = ("players/", "results/", "penalties/", "settings/trail/", "imports/", "devices/", "members/")


made = module_event(slug="cup", tables=2, rounds=2)


def penalise(event: Event, number: int, points: int, reason: str = "late") -> None:
    penalty = give_penalty(
        player=event.players.get(number=number),
        points=points,
        reason=reason,
        client_id=uuid.uuid4(),
        by=writer_of(event),
    )
    if reason == "mistaken":
        cancel_penalty(penalty=penalty, reason="wrong name", by=writer_of(event))


def as_csv(answer) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


@pytest.mark.follows("after/results.md")
def test_every_list_is_a_file_for_those_who_may_export(event: Event):
    play_round(event, 1, "1t 230", "2r3 340")
    penalise(event, 1, 1000)
    site = client_of(get_site_organiser())
    for name in LISTS:
        page, made = site.get(DESK + name), site.get(f"{DESK}{name}?file=csv")
        assert made["Content-Type"] == "text/csv; charset=utf-8", name
        assert made["Content-Disposition"].startswith('attachment; filename="cup-'), name
        book = openpyxl.load_workbook(io.BytesIO(site.get(f"{DESK}{name}?file=xlsx").content))
        heads = [str(cell.value) for cell in book.worksheets[0][3]]
        assert heads == as_csv(made)[0], name
        if name not in ("imports/", "devices/"):  # nothing is in them
            shown = [head for head in texts(page, "thead")[0].split() if head != "Actions"]
            assert " ".join(shown) in " ".join(heads) or set(shown) <= set(" ".join(heads).split()), name
            assert len(as_csv(made)) > 1, name
    assert site.get("/desk/backups/?file=csv").status_code == 200


def test_a_referee_reads_the_lists_and_takes_none_away(event: Event):
    client = referee(event)
    for name in ("results/", "penalties/"):
        assert "file=csv" not in client.get(DESK + name).content.decode()
        assert client.get(f"{DESK}{name}?file=csv").status_code == 403


def test_a_file_has_the_rows_that_the_page_was_asked_for_and_runs_no_formula(event: Event):
    penalise(event, 1, 1000, "=1+1")
    penalise(event, 2, 9000, "mistaken")
    penalise(event, 3, 5000)
    client = organiser(event)
    rows = as_csv(client.get(f"{DESK}penalties/?sort=-points&file=csv"))
    points, reason, cancelled = (rows[0].index(head) for head in ("Points", "Reason", "Cancelled"))
    assert [(row[points], row[reason], row[cancelled]) for row in rows[1:]] == [
        ("", "mistaken", "9,000 points: wrong name"), ("5000", "late", ""), ("1000", "'=1+1", ""),
    ]  # fmt: skip
    found = as_csv(client.get(f"{DESK}players/?q=birk&file=csv"))
    assert [row[1] for row in found] == ["Name", "Birk"]


def test_a_list_is_sorted_both_ways_and_what_is_unknown_comes_last(made: Event):
    event = make_event(slug="open", tables=1, rounds=1, published=False)
    event.rounds.all().delete()
    add_players(
        event=event, players=[NewPlayer("Zoë", country="FRA"), NewPlayer("Ärmel", country="AUT")], by=writer_of(event)
    )
    client, url = organiser(event), "/desk/open/players/"

    def countries(sort: str) -> list[str]:
        return [row[3] for row in as_csv(client.get(f"{url}?sort={sort}&file=csv"))[1:]]

    assert countries("country")[:2] == ["AUT", "FRA"]
    assert countries("-country")[:2] == ["FRA", "AUT"]
    assert countries("-country")[2:] == [""] * 4
    page = client.get(f"{url}?sort=-country").content.decode()
    assert re.findall(r'aria-sort="(\w+)"', page) == ["descending"]
    assert 'href="?sort=country"' in page


def test_a_long_list_has_pages_and_an_address_cannot_change_their_length(event: Event):
    by = writer_of(event)
    open_event = make_event(slug="long", tables=1, rounds=1, published=False)
    open_event.rounds.all().delete()
    add_players(event=open_event, players=[NewPlayer(f"Player {n}") for n in range(120)], by=by)
    client, url = organiser(open_event), "/desk/long/players/"
    assert text(client.get(url), ".pages") == "1 to 100 of 124 Next"
    assert len(texts(client.get(f"{url}?page=2"), "tr")) == 25
    for odd in (
        "?page=0",
        "?page=99",
        "?page=x",
        "?page=-1",
        "?per_page=0",
        "?per_page=5000",
        "?sort=acts",
        "?sort=--name",
    ):
        page = client.get(url + odd)
        assert (page.status_code, len(texts(page, "tr")) in (25, 101)) == (200, True), odd


def test_results_are_sorted_by_a_round(event: Event):
    play_round(event, 1, "1t 230", "2r3 340")
    client = organiser(event)
    rows = as_csv(client.get(f"{DESK}results/?sort=results1&file=csv"))
    at = rows[0].index("Round 1")
    values = [int(row[at]) for row in rows[1:]]
    assert values == sorted(values)
    assert texts(client.get(f"{DESK}results/?sort=player"), ".who")[0].startswith("Akelei")


@pytest.mark.postgresql
def test_the_trail_is_turned_round_without_reading_all_of_it(event: Event, django_assert_num_queries):
    enter(table_of(event), "1t 230")
    client = organiser(event)
    newest = texts(client.get(f"{DESK}settings/trail/"), "td")[2]
    with django_assert_num_queries(11):
        page = client.get(f"{DESK}settings/trail/?sort=at")
    assert newest.startswith("entered a hand")
    assert not texts(page, "td")[2].startswith("entered a hand")
