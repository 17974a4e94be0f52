"""Results of a played event from a file: the ranking as it was published, or a refusal that names round and table."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from rules.books import load
from rules.ruleset import Ruleset
from tests.factories import DAY, codes_of, make_account, make_event, seal_by_hand
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.imports.actions import ImportedResults, check_results, import_results, own_rules, undo_import
from tournament.imports.queries import list_imports
from tournament.imports.results import ResultsPreview, read_results
from tournament.players.actions import NewPlayer, add_players
from tournament.players.models import Person
from tournament.standings.queries import read_standings
from tournament.tables.queries import load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

HEAD = "round,table,seat,player,points\n"
# two rounds of one table; a riichi stick of the second stayed with nobody
TWO_ROUNDS = (
    HEAD + "1,1,0,Akelei,40000\n1,1,1,Birk,30000\n1,1,2,Cyan,30000\n1,1,3,Distel,20000\n"
    "2,1,0,Distel,35000\n2,1,1,Cyan,34000\n2,1,2,Birk,25000\n2,1,3,Akelei,25000\n"
)


def preview_of(text: str) -> ResultsPreview:
    return read_results(text.encode(), "results.csv")


def take_in(text: str, *, slug: str = "cup", rules: Ruleset | None = None) -> ImportedResults:
    book = rules or load("wrc-2025")
    return import_results(slug=slug, preview=preview_of(text), rules=book, date=DAY, by=make_account())


def ranking(event: Event) -> list[tuple[int, str, int]]:
    return [(row.rank, row.name, row.total) for row in read_standings(event).rows]


def test_tables_become_totals_that_are_signed_and_released():
    made = take_in(TWO_ROUNDS)
    event = made.event
    assert made.changed
    assert (event.name, event.date, event.rounds_planned, event.players.count()) == ("cup", DAY, 2, 4)
    assert [round_.state for round_ in event.rounds.all()] == ["released", "released"]
    payloads = [
        row.payload for round_ in event.rounds.all() for table in round_.tables.all() for row in table.ledger.all()
    ]
    assert [json.loads(payload) for payload in payloads] == [
        {"kind": "totals", "leftover": 0, "scores": [40000, 30000, 30000, 20000]},
        {"kind": "totals", "leftover": 1000, "scores": [35000, 34000, 25000, 25000]},
    ]
    # tied second places share 5,000 and -5,000; in the second round tied thirds share -5,000 and -15,000
    assert ranking(event) == [
        (1, "Akelei", 25000 - 15000),
        (2, "Cyan", 0 + 9000),
        (3, "Distel", -25000 + 20000),
        (4, "Birk", 0 - 15000),
    ]


@pytest.mark.states("results_deposits")
@pytest.mark.parametrize(
    ("key", "points", "scores", "left"),
    [
        ("rakkii-nomi-2026", (35_000, 34_000, 25_000, 25_000), (36_000, 34_000, 25_000, 25_000), 0),
        ("ema-2025", (35_000, 35_000, 25_000, 24_000), (35_500, 35_500, 25_000, 24_000), 0),
        ("ema-2025", (33_333, 33_333, 33_333, 20_000), (33_333, 33_333, 33_333, 20_000), 1),
        ("sanmatsuri-2026", (29_000, 29_000, 29_000), (30_000, 30_000, 30_000), 0),
        ("sanmatsuri-2026", (35_000, 29_000, 24_000), (37_000, 29_000, 24_000), 0),
        ("wrc-2025", (35_000, 34_000, 25_000, 25_000), (35_000, 34_000, 25_000, 25_000), 1_000),
    ],
)
def test_missing_deposits_go_where_the_book_says(
    key: str, points: tuple[int, ...], scores: tuple[int, ...], left: int
) -> None:
    lines = "".join(f"1,1,{seat},Player {seat},{score}\n" for seat, score in enumerate(points))
    made = take_in(HEAD + lines, rules=load(key))
    (table,) = load_tables(made.event)
    assert (table.final.scores, table.final.leftover, table.signed) == (scores, left, True)
    assert verify_event(made.event).problems == []
    assert not take_in(HEAD + lines, rules=load(key)).changed


def test_an_import_from_before_deposits_were_given_out_stays_as_it_is() -> None:
    lines = HEAD + "1,1,0,A b,35000\n1,1,1,B c,34000\n1,1,2,C d,25000\n1,1,3,D e,25000\n"
    made = take_in(lines, rules=load("wrc-2025"))
    ema = own_rules(load("wrc-2025"), {"leftover_deposits": "first"}, source="test")
    Event.objects.filter(pk=made.event.pk).update(rules=ema.as_json())
    seal_by_hand(made.event)
    assert not take_in(lines, rules=ema).changed
    assert next(total for _, _, total in ranking(made.event)) == 35_000 - 30_000 + 15_000
    assert verify_event(made.event).problems == []  # an event's file comes in on the same check


def test_players_share_a_rank_on_equal_totals():
    lines = "1,1,0,Akelei,40000\n1,1,1,Birk,40000\n1,1,2,Cyan,20000\n1,1,3,Distel,20000\n"
    made = take_in(HEAD + lines)
    assert [rank for rank, _, _ in ranking(made.event)] == [1, 1, 3, 3]


def test_the_same_file_twice_changes_nothing():
    made = take_in(TWO_ROUNDS)
    before = (made.event.version, made.event.audit.count())
    again = take_in(TWO_ROUNDS)
    assert (again.changed, again.event.version, again.event.audit.count()) == (False, *before)


def test_another_file_for_a_played_event_is_refused():
    take_in(TWO_ROUNDS)
    other = TWO_ROUNDS.replace("Akelei,40000", "Akelei,41000").replace("Birk,30000", "Birk,29000")
    with pytest.raises(DomainError) as refusal:
        take_in(other)
    assert codes_of(refusal) == ["results.other_play"]


def test_a_slip_in_a_name_makes_nobody_a_second_player_unseen():
    lines = "{0},1,0,Ada Moss,40000\n{0},1,1,Birk,30000\n{0},1,2,Cyan,30000\n{0},1,3,Distel,20000\n"
    event = take_in(HEAD + lines.format(1)).event

    def append(text: str) -> ImportedResults:
        preview = preview_of(HEAD + text)
        return import_results(slug="cup", preview=preview, rules=None, date=DAY, append=True, by=make_account())

    with pytest.raises(DomainError) as refusal:
        append(lines.format(2).replace("Ada Moss", "MOSS Ada"))
    assert (codes_of(refusal), event.players.count()) == (["import.name_exists"], 4)
    made = append(lines.format(2).replace("Ada Moss", "Ada Mosss"))
    assert ([note.code for note in made.notes], made.changed) == (["import.name_like_existing"], True)
    assert event.players.count() == 5
    # what was appended is taken back by itself
    undo_import(event=event, seq=list_imports(event)[0].seq, reason="a slip", by=make_account())
    assert [round_.released_at is not None for round_ in event.rounds.order_by("number")] == [True, False]
    assert [table.is_empty for table in load_tables(event)] == [False, True]
    assert verify_event(event).problems == []


def test_results_of_players_who_are_listed_already_are_held_against_the_list():
    by = make_account()
    event = create_event(name="Cup", date=DAY, rules_key="wrc-2025", rounds=2, slug="cup", by=by)
    add_players(event=event, players=[NewPlayer("Akeley"), NewPlayer("Moos Birk")], by=by)
    text = TWO_ROUNDS.replace("Birk", "Birk Moos")
    assert [each.code for each in check_results(event, preview_of(text))] == [
        "import.name_exists", "import.name_like_existing",
    ]  # fmt: skip
    with pytest.raises(DomainError):
        take_in(text)
    assert not event.rounds.exists()


def test_an_event_with_seats_of_its_own_is_refused():
    make_event("wrc-2025", slug="cup")
    with pytest.raises(DomainError) as refusal:
        take_in(TWO_ROUNDS)
    assert codes_of(refusal) == ["results.other_play"]


def test_other_rules_than_the_events_own_are_refused():
    take_in(TWO_ROUNDS)
    with pytest.raises(DomainError) as refusal:
        take_in(TWO_ROUNDS, rules=own_rules(load("wrc-2025"), {"uma": [9000, 3000, -3000, -9000]}, source="test"))
    assert [(p.code, p.params) for p in refusal.value.problems] == [("results.other_rules", {"fields": ("uma",)})]


def test_players_of_the_event_are_known_by_name_whatever_its_case():
    by = make_account()
    event = create_event(name="Cup", date=DAY, rules_key="wrc-2025", rounds=2, slug="cup", by=by)
    add_players(event=event, players=[NewPlayer("BIRK", country="DEU"), NewPlayer("Zeder")], by=by)
    take_in(TWO_ROUNDS)
    names = list(event.players.order_by("number").values_list("person__preferred_name", flat=True))
    assert names == ["BIRK", "Zeder", "Akelei", "Cyan", "Distel"]
    again = take_in(TWO_ROUNDS)
    assert not again.changed


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("Akelei,40000", "Akelei,40100", ("results.table_sum", 1, 120_100)),
        ("Akelei,40000", "Akelei,39900", ("results.table_sum", 1, 119_900)),
        ("Akelei,25000", "Akelei,24500", ("results.table_sum", 2, 118_500)),
    ],
)
def test_points_that_do_not_add_up_name_round_and_table(old: str, new: str, problem: tuple[str, int, int]):
    with pytest.raises(DomainError) as refusal:
        take_in(TWO_ROUNDS.replace(old, new))
    (found,) = refusal.value.problems
    assert (found.code, found.params["round"], found.params["table"], found.params["total"]) == (
        problem[0], problem[1], 1, problem[2],
    )  # fmt: skip
    assert not Event.objects.exists()
    assert not Person.objects.exists()


def test_tables_of_another_size_are_refused():
    with pytest.raises(DomainError) as refusal:
        take_in(TWO_ROUNDS, rules=load("sanmatsuri-2026"))
    assert codes_of(refusal) == ["results.table_size"]


def test_three_players_are_taken_in_as_readily():
    made = take_in(HEAD + "1,1,0,A b,40000\n1,1,1,B c,30000\n1,1,2,C d,20000\n", rules=load("sanmatsuri-2026"))
    assert [total for _, _, total in ranking(made.event)] == [25000, 0, -25000]


def test_tables_that_are_not_numbered_in_a_row_are_refused():
    with pytest.raises(DomainError) as refusal:
        take_in(TWO_ROUNDS.replace("2,1,", "2,3,"))
    assert [(p.code, p.params) for p in refusal.value.problems] == [
        ("results.table_numbers", {"round": 2, "tables": (3,)})
    ]


def test_a_file_that_cannot_be_read_is_refused_with_its_own_problems():
    with pytest.raises(DomainError) as refusal:
        take_in(TWO_ROUNDS.replace("40000", "many"))
    assert "import.number_unknown" in codes_of(refusal)


@pytest.mark.parametrize("slug", ["", "a b", "a/b", "ä", "x" * 61])
def test_an_address_that_cannot_be_is_refused(slug: str):
    with pytest.raises(DomainError) as refusal:
        take_in(TWO_ROUNDS, slug=slug)
    assert codes_of(refusal) == ["results.slug"]


@pytest.mark.once
def test_the_file_and_the_standings_hold_the_same_points(cases: Path):
    """Round by round: result less uma plus return is what the file says."""
    path = cases / "events" / "event-01.csv"
    made = import_results(
        slug="real",
        preview=read_results(path.read_bytes(), path.name),
        rules=load("wrc-2025"),
        date=DAY,
        by=make_account(),
    )
    with path.open(encoding="utf-8") as file:
        points: dict[Any, int] = {
            (row["player"], int(row["round"])): int(row["points"]) for row in csv.DictReader(file)
        }
    rows = {row.name: row for row in read_standings(made.event).rows}
    for (name, round_), score in points.items():
        gap = (rows[name].results[round_ - 1] or 0) - (score - 30000)
        assert gap in {15000, 10000, 5000, 0, -5000, -10000, -15000}
    assert sum(sum(result or 0 for result in row.results) for row in rows.values()) == 0
