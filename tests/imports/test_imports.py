"""Files that are taken and taken back: all or nothing, the trail names the file, nothing leaves ledger or register."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from rules.books import load
from scoring.entries import Entry, from_json
from scoring.problems import Problem
from tests.factories import DAY, correct, enter, make_account, make_event, round_of, rows_of, sign, table_of, writer_of
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError
from tournament.core.hash_chain import canonical
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.imports.actions import (
    check_results,
    own_rules,
    take_game,
    take_penalties,
    take_players,
    take_results,
    undo_import,
    undo_problems,
)
from tournament.imports.files import read_sheet
from tournament.imports.listing import Source, make_source
from tournament.imports.penalties import PenaltyDraft
from tournament.imports.queries import get_seating, list_imports
from tournament.imports.results import ResultsPreview, read_results, understand_results
from tournament.online_logs.games import read_game_log
from tournament.penalties.actions import cancel_penalty
from tournament.penalties.models import Penalty
from tournament.players.actions import NewPlayer, add_players
from tournament.rounds.actions import publish_rounds, release_round
from tournament.seating.actions import take_schedule
from tournament.sheets.actions import reopen_table, sign_table
from tournament.standings.queries import read_standings
from tournament.tables.queries import LoadedTable, load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

HEAD = "round,table,seat,player,points\n"
WHOLE = (
    HEAD + "1,1,0,Akelei,40000\n1,1,1,Birk,30000\n1,1,2,Cyan,30000\n1,1,3,Distel,20000\n"
    "2,1,0,Distel,35000\n2,1,1,Cyan,35000\n2,1,2,Birk,25000\n2,1,3,Akelei,25000\n"
)
HANDS: list[dict[str, object]] = [
    {"kind": "ron", "loser": 3, "winners": [{"seat": 0, "han": 3, "fu": 30}]},
    {"kind": "draw", "tenpai": [1, 2]},
]


def entries() -> list[Entry]:
    return [from_json(value) for value in HANDS]


def bare_event(rounds: int = 2) -> Event:
    return create_event(name="Cup", date=DAY, rules_key="wrc-2025", rounds=rounds, slug="cup", by=make_account())


def take_text(event: Event, text: str, *, only: int | None = None) -> int:
    data = text.encode()
    preview = preview_of(event, text, only=only)
    return take_results(event=event, preview=preview, source=make_source(data, "old.csv"), by=writer_of(event))


def preview_of(event: Event, text: str, *, only: int | None = None) -> ResultsPreview:
    sheet = read_sheet(text.encode(), "old.csv")
    return understand_results(sheet, "old.csv", seating=get_seating(event, only=only))


def codes(problems: Iterable[Problem]) -> list[str]:
    return [problem.code for problem in problems]


def back(event: Event, reason: str = "the wrong file") -> None:
    undo_import(event=event, seq=list_imports(event)[0].seq, reason=reason, by=writer_of(event))


def points_of(event: Event) -> dict[str, int]:
    return {row.name: row.total for row in read_standings(event).rows}


def test_results_of_a_whole_event_are_taken_and_taken_back():
    event = bare_event()
    assert take_text(event, WHOLE) == 2
    assert [row.state for row in event.rounds.all()] == ["released", "released"]
    (row,) = list_imports(event)
    assert (row.kind, row.filename, len(row.digest), row.taken_back) == ("results", "old.csv", 64, False)
    before = points_of(event)
    back(event)
    assert [row.state for row in event.rounds.all()] == ["published", "published"]
    assert [each.taken_back for each in list_imports(event)] == [True]
    assert [row.payload for row in rows_of(table_of(event))][1:] == [""]
    assert read_standings(event).rounds == ()
    assert verify_event(event).problems == []
    # a mended file with the same seats is taken afterwards
    assert take_text(event, WHOLE.replace("Akelei,40000", "Akelei,41000").replace("Cyan,30000", "Cyan,29000")) == 2
    for round_ in (1, 2):
        release_round(round_=round_of(event, round_), by=writer_of(event))
    assert points_of(event) != before
    assert verify_event(event).problems == []


@pytest.mark.postgresql
def test_taking_back_twice_changes_nothing():
    event = bare_event()
    take_text(event, WHOLE)
    back(event)
    before = (event.version, event.audit.count())
    back(event)
    assert (event.version, event.audit.count()) == before


def test_taking_back_needs_a_reason():
    event = bare_event()
    take_text(event, WHOLE)
    with pytest.raises(DomainError) as refusal:
        back(event, " ")
    assert codes(refusal.value.problems) == ["import.back_reason"]


def test_what_was_changed_since_is_not_taken_back():
    event = bare_event()
    take_text(event, WHOLE)
    reopen_table(table=table_of(event), reason="a slip", by=writer_of(event))
    correct(table_of(event), 1, from_json({"kind": "totals", "scores": [41000, 29000, 30000, 20000]}))
    before = event.audit.count()
    (row,) = list_imports(event)
    assert [(each.code, each.params) for each in undo_problems(event, row)] == [
        ("import.table_moved_on", {"round": 1, "table": 1})
    ]
    with pytest.raises(DomainError):
        back(event)
    assert event.audit.count() == before


@pytest.mark.parametrize("number", ["01", "07"])
def test_an_old_event_taken_at_the_desk_stands_as_it_was_published(cases: Path, number: str):
    data = (cases / "events" / f"event-{number}.csv").read_bytes()
    truth = json.loads((cases / "events" / f"event-{number}.json").read_text(encoding="utf-8"))
    own = {"start_points": truth["start"], "return_points": truth["start"], "uma": truth["uma"]}
    rules = own_rules(load("wrc-2025"), own, source="test")
    event = create_event(name="Old", date=DAY, rules_key="wrc-2025", rounds=truth["rounds"], by=make_account())
    event.rules = rules.as_json()
    event.save()
    take_results(
        event=event, preview=read_results(data, "old.csv"), source=make_source(data, "old.csv"), by=writer_of(event)
    )
    rows = [(row.rank, row.name, row.total) for row in read_standings(event).rows]
    assert sorted(rows) == sorted((row["rank"], row["player"], row["total"]) for row in truth["standings"])
    assert verify_event(event).problems == []


def test_one_round_needs_only_players_and_points():
    """Its seats are known: names, numbers and thousands with a comma do; what is not over stays empty."""
    event = make_event("wrc-2025", tables=1)
    assert take_text(event, "Spieler;Punkte\n1;40,0\nBirk;30\nCyan;30\n4 Distel;20,0\n", only=1) == 1
    assert [table.final.scores for table in loaded(event)][:1] == [(40000, 30000, 30000, 20000)]
    assert round_of(event).state == "published"
    assert take_text(event, "Spieler;Punkte\n1;40,0\nBirk;30\nCyan;30\n4 Distel;20,0\n", only=1) == 0


def loaded(event: Event) -> list[LoadedTable]:
    return load_tables(event)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (HEAD + "1,1,0,Birk,40000\n1,1,1,Akelei,30000\n1,1,2,Cyan,30000\n1,1,3,Distel,20000\n", "results.other_seats"),
        (HEAD + "1,1,0,Akelei,40100\n1,1,1,Birk,30000\n1,1,2,Cyan,30000\n1,1,3,Distel,20000\n", "results.table_sum"),
        (HEAD + "1,1,0,Akelei,0\n1,1,1,Birk,0\n1,1,2,Cyan,0\n1,1,3,Distel,0\n", "results.table_sum"),  # not filled in
        (HEAD + "1,1,0,Akelei,25.0\n1,1,1,Birk,5.0\n1,1,2,Cyan,-5.0\n1,1,3,Distel,-25.0\n", "results.table_after_uma"),
    ],
)
def test_results_that_do_not_fit_the_seats_are_refused(text: str, code: str):
    event = make_event("wrc-2025", tables=1)
    assert codes(check_results(event, preview_of(event, text))) == [code]
    before = event.audit.count()
    with pytest.raises(DomainError):
        take_text(event, text)
    assert event.audit.count() == before


@pytest.mark.parametrize(("last", "told"), [(8_000, []), (7_000, [("results.many_sticks", "warning")])])
def test_a_score_that_is_not_filled_in_is_asked_for_and_taken_for_sticks(last: int, told: list[tuple[str, str]]):
    event = make_event("wrc-2025", tables=1)
    text = HEAD + f"1,1,0,Akelei,40000\n1,1,1,Birk,30000\n1,1,2,Cyan,30000\n1,1,3,Distel,{last}\n"
    found = check_results(event, preview_of(event, text))
    assert [(problem.code, problem.severity) for problem in found] == told
    assert take_text(event, text) == 1


@pytest.mark.postgresql
def test_results_never_replace_hands():
    event = make_event("wrc-2025", tables=1)
    enter(table_of(event), entries()[0])
    text = WHOLE.split("2,1")[0]
    assert codes(check_results(event, preview_of(event, text))) == ["results.table_has_hands"]


@pytest.mark.postgresql
def test_penalties_are_given_once_and_taken_back():
    event = make_event(tables=1)
    drafts = [PenaltyDraft(2, 1, 20000, "chombo", 1), PenaltyDraft(3, 2, 0, "late")]
    source = make_source(b"x", "fouls.csv")
    assert take_penalties(event=event, drafts=drafts, source=source, by=writer_of(event)) == 2
    with pytest.raises(DomainError) as refusal:
        take_penalties(event=event, drafts=drafts, source=source, by=writer_of(event))
    assert codes(refusal.value.problems) == ["import.file_taken_already"]
    first = Penalty.objects.get(event=event, points=20000)
    cancel_penalty(penalty=first, reason="appealed", by=writer_of(event))
    back(event)
    reasons = Penalty.objects.filter(event=event).values_list("cancel_reason", flat=True)
    assert list(reasons) == ["appealed", "the wrong file"]
    assert take_penalties(event=event, drafts=drafts, source=source, by=writer_of(event)) == 2


def test_penalties_are_given_all_or_none():
    event = make_event(tables=1)
    drafts = [PenaltyDraft(2, 1, 20000, "chombo"), PenaltyDraft(3, 99, 0, "late")]
    with pytest.raises(DomainError):
        take_penalties(event=event, drafts=drafts, source=Source("f.csv"), by=writer_of(event))
    assert (Penalty.objects.count(), event.audit.filter(verb="penalties_imported").count()) == (0, 0)


def test_players_of_a_file_are_taken_back_while_the_list_is_open():
    event = bare_event()
    names = [NewPlayer("Akelei"), NewPlayer("Birk")]
    assert take_players(event=event, players=names, source=Source("list.csv"), by=writer_of(event)) == 2
    back(event)
    assert event.players.count() == 0
    take_players(event=event, players=names, source=Source("list.csv"), by=writer_of(event))
    add_players(event=event, players=[NewPlayer("Cyan")], by=writer_of(event))
    with pytest.raises(DomainError) as refusal:
        back(event)
    assert codes(refusal.value.problems) == ["players.not_the_last"]


@pytest.mark.postgresql
def test_seats_of_a_file_are_taken_back_until_they_are_published():
    event = bare_event(rounds=1)
    players = add_players(event=event, players=[NewPlayer(f"P {n}") for n in "ABCD"], by=writer_of(event))
    rounds = [[[player.pk for player in players]]]
    take_schedule(event=event, rounds=rounds, digest="0" * 64, filename="s.csv", by=writer_of(event))
    back(event)
    assert not event.rounds.exists()
    take_schedule(event=event, rounds=rounds, digest="0" * 64, filename="s.csv", by=writer_of(event))
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    with pytest.raises(DomainError) as refusal:
        back(event)
    assert codes(refusal.value.problems) == ["draw.already_published"]


def test_a_game_is_entered_hand_by_hand_and_taken_back():
    event = make_event(tables=1)
    table = table_of(event)
    assert take_game(table=table, entries=entries(), source=Source("log.json"), by=writer_of(event)) == 2
    assert [row.payload for row in rows_of(table)] == [canonical(value) for value in HANDS]
    with pytest.raises(DomainError) as refusal:
        take_game(table=table, entries=entries(), source=Source("log.json"), by=writer_of(event))
    assert codes(refusal.value.problems) == ["results.table_has_hands"]
    back(event)
    assert [row.payload for row in rows_of(table)][2:] == ["", ""]
    assert take_game(table=table, entries=entries(), source=Source("log.json"), by=writer_of(event)) == 2
    assert verify_event(event).problems == []


def test_a_game_is_entered_whole_or_not_at_all():
    event = make_event(tables=1)
    wrong = from_json({"kind": "ron", "loser": 0, "winners": [{"seat": 0, "han": 3, "fu": 30}]})
    with pytest.raises(DomainError):
        take_game(table=table_of(event), entries=[*entries(), wrong], source=Source("l"), by=writer_of(event))
    assert (rows_of(table_of(event)), event.audit.filter(verb="game_imported").count()) == ([], 0)


def test_a_signed_game_is_not_taken_back():
    event = make_event(tables=1)
    take_game(table=table_of(event), entries=entries(), source=Source("log.json"), by=writer_of(event))
    sign(table_of(event))
    with pytest.raises(DomainError) as refusal:
        back(event)
    assert codes(refusal.value.problems) == ["import.table_signed"]


def test_the_game_of_a_log_ends_with_its_scores(cases: Path):
    """Real games: imported hand by hand, signed with the scores that the log's own replay gives."""
    with (cases / "games-4p.jsonl").open(encoding="utf-8") as file:
        line = json.loads(file.readline())
    event = make_event(line["rules"], tables=1)
    preview = read_game_log(json.dumps(line["game"]).encode(), "log.json", rules=event.ruleset)
    assert (preview.is_sound, preview.ended) == (True, True)
    take_game(table=table_of(event), entries=preview.entries, source=Source("log"), reason="a log", by=writer_of(event))
    table = table_of(event)
    sign_table(table=table, totals=preview.scores, leftover=0, expected_seq=len(preview.hands), by=writer_of(event))
    assert verify_event(event).problems == []
