"""The file that proves a season: a stranger counts the table again, and finds each part that was changed."""

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from scoring.seasons import SeasonRule
from tests.factories import make_account, make_event, play_round, writer_of
from tests.seasons.evenings import link_all_names, play_evening, play_tables
from tournament.events.models import Event, Visibility
from tournament.penalties.actions import give_penalty
from tournament.privacy.actions import erase_person, set_names_shown
from tournament.privacy.queries import say_forgotten
from tournament.record.queries import get_proof
from tournament.seasons.actions import (
    CountedEvent,
    SeasonFacts,
    change_season,
    create_season,
    read_carried,
    set_season_events,
)
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE, DeclaredRule, get_season_view

pytestmark = [pytest.mark.django_db, pytest.mark.once]

A, B, C, D, E = "Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik", "Ede Holm"
SUM = READY_MADE["sum"]
RULES = {
    "sum": SUM,
    "mean": DeclaredRule(SeasonRule(gather="mean", least=3)),
    "best": DeclaredRule(SeasonRule(unit="evening", gather="sum", best=2)),
    "rank": DeclaredRule(SeasonRule(unit="evening", measure="base_rank", gather="mean", least=2)),
    "games": DeclaredRule(SeasonRule(measure="base_rank", gather="sum", best=3)),
    "halved": READY_MADE["m_league"],
}


@pytest.fixture
def club() -> list[Event]:
    """Three evenings, the last of two tables; E comes twice."""
    more = ["Fay Lind", "Gil Moe", "Hal Rask", "Ida Sund"]
    events = [play_evening(1, (A, B, C, D), (A, C, B, D)), play_evening(2, (B, A, D, C))]
    events.append(play_tables(3, [(B, C, E, D), more], [(E, A, C, D), more]))
    link_all_names()
    return events


def make(events: list[Event], rule: DeclaredRule = SUM) -> Season:
    by = make_account(superuser=True)
    season = create_season(facts=SeasonFacts("Autumn", rule), by=by)
    counted = [CountedEvent(event.pk, "1/2" if at == 1 else "1", at + 1) for at, event in enumerate(events)]
    set_season_events(season=season, events=counted, by=by)
    lines = get_season_view(season).lines
    carried = read_carried(f"{C} 12.5", {line.name.casefold(): {line.row.person} for line in lines if line.name})
    change_season(season=season, facts=SeasonFacts("Autumn", rule, carried), by=by)
    return season


def proof_of(season: Season) -> Any:
    answer = Client().get(f"/s/{season.slug}/proof.json")
    assert answer.status_code == 200
    return json.loads(answer.content)


def verified(folder: Path, *files: Any, head: str = "") -> tuple[int, str]:
    """Run the verifier as a stranger does: without this project."""
    names = []
    for at, file in enumerate(files):
        (folder / f"{at}.json").write_text(file if isinstance(file, str) else json.dumps(file), encoding="utf-8")
        names.append(f"{at}.json")
    script = settings.BASE_DIR / "scripts" / "verify_record.py"
    line = [sys.executable, "-I", "-S", str(script), *names, *([head] if head else [])]
    done = subprocess.run(line, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("rule", RULES)
def test_a_stranger_counts_the_table_again_by_every_rule(club: list[Event], tmp_path: Path, rule: str):
    proof = proof_of(make(club, RULES[rule]))
    code, said = verified(tmp_path, proof, *map(get_proof, club), head=proof["root"])
    assert (code, "3 events, 9 rows hold" in said, "As the desk gives it" in said) == (0, True, False), said


@pytest.mark.parametrize("rule", ["sum", "rank", "games"])
def test_a_table_holds_with_people_who_are_hidden_or_forgotten(club: list[Event], tmp_path: Path, rule: str):
    season = make(club, RULES[rule])
    by = writer_of(club[0])
    number = club[0].players.get(person__preferred_name=D).number
    set_names_shown(event=club[0], numbers=[number], shown=False, by=by)
    person = club[0].players.get(person__preferred_name=B).person
    erase_person(person=person, stand_in_for=say_forgotten, reason="asked", by=by)
    code, said = verified(tmp_path, proof_of(season), *map(get_proof, Event.objects.order_by("date")))
    assert (code, "3 events, 8 rows hold" in said) == (0, True), said


def test_a_list_of_a_federation_is_named_as_not_counted_again(club: list[Event], tmp_path: Path):
    code, said = verified(tmp_path, proof_of(make(club, READY_MADE["mers"])), *map(get_proof, club))
    assert (code, "a list of a federation is not counted again" in said) == (0, True), said


def change_hand(_proof: Any, records: list[Any]) -> None:
    row = next(row for row in records[0]["rows"] if row["key"].startswith("hand "))
    row["content"]["entry"]["scores"] = [70_000, 20_000, 20_000, 10_000]


def leave_out_a_row(_proof: Any, records: list[Any]) -> None:
    records[0]["rows"] = [row for row in records[0]["rows"] if row["key"] != "sheet 1/1/1"]


def change_weight(proof: Any, _records: list[Any]) -> None:
    proof["events"][1]["weight"] = "2"


def swap_people(proof: Any, _records: list[Any]) -> None:
    people = proof["events"][0]["people"]
    people["1"], people["2"] = people["2"], people["1"]


def swap_an_event(_proof: Any, records: list[Any]) -> None:
    records[1] = json.loads(get_proof(play_evening(8, (D, C, B, A))))


def name_another_event(proof: Any, _records: list[Any]) -> None:
    proof["events"][1]["event"] = "evening-8"


def leave_out_an_event(proof: Any, records: list[Any]) -> None:
    del proof["events"][2], records[2]


def leave_out_a_record(_proof: Any, records: list[Any]) -> None:
    del records[2]


def change_head_start(proof: Any, _records: list[Any]) -> None:
    proof["carried"] = dict.fromkeys(proof["carried"], "99000")


def change_figure(proof: Any, _records: list[Any]) -> None:
    proof["rows"][0][2] = str(Fraction(proof["rows"][0][2]) + 1)


def sign_again(proof: Any, _records: list[Any]) -> None:
    proof["public_key"] = "00" * 32


CHANGES: dict[Callable[[Any, list[Any]], None], str] = {
    change_hand: "evening-1: hand 1/1/1 is not what the acts left",
    leave_out_a_row: "the events give",
    change_weight: "the root of the season is not that of its parts",
    swap_people: "the root of the season is not that of its parts",
    swap_an_event: "the record of evening-2",
    name_another_event: "evening-2 is not the event that the season counts",
    leave_out_an_event: "the root of the season is not that of its parts",
    leave_out_a_record: "the record of evening-3",
    change_head_start: "the root of the season is not that of its parts",
    change_figure: "the root of the season is not that of its parts",
    sign_again: "the signature of the season is not valid",
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_each_changed_part_is_found(club: list[Event], tmp_path: Path, change: Callable[[Any, list[Any]], None]):
    proof, records = proof_of(make(club)), [json.loads(get_proof(event)) for event in club]
    change(proof, records)
    code, said = verified(tmp_path, proof, *records)
    assert (code, CHANGES[change] in said) == (1, True), said


@pytest.mark.parametrize("change", [change_weight, swap_people, leave_out_an_event, change_head_start, change_figure])
def test_what_the_desk_itself_signs_again_is_found_by_the_rule(
    club: list[Event], tmp_path: Path, change: Callable[[Any, list[Any]], None]
):
    """Even who has the desk's key cannot sign a table that does not follow from the records."""
    from tournament.core.hash_chain import canonical
    from tournament.core.heads import root
    from tournament.core.signing_key import sign

    proof, records = proof_of(make(club)), [json.loads(get_proof(event)) for event in club]
    kept = proof["root"]
    change(proof, records)
    parts = [{name: proof[name] for name in ("season", "rule", "carried", "rows")}, *proof["events"]]
    proof["root"] = root([canonical(part) for part in parts])
    proof["public_key"], proof["signature"] = sign(canonical({"season": proof["season"], "root": proof["root"]}))
    code, said = verified(tmp_path, proof, *records)
    assert code == 1
    assert "the events give" in said, said
    assert "not the head that you kept" in verified(tmp_path, proof, *records, head=kept)[1]


def test_penalties_are_counted_and_what_no_row_proves_is_named(tmp_path: Path):
    event = make_event(slug="cup", rounds=1)
    first, second = event.players.get(number=1), event.players.get(number=2)
    give_penalty(player=first, points=5_000, reason="late", client_id=uuid4(), by=writer_of(event))
    play_round(event, 1, "1t 230", "c2")
    link_all_names()
    season = make([event, play_evening(2, (A, B, C, D))])
    code, said = verified(tmp_path, proof_of(season), *map(get_proof, Event.objects.order_by("date")))
    assert code == 0, said
    assert f"player {second.number} beside score" in said
    assert f"player {first.number} beside score" not in said


def test_the_file_names_nobody_who_is_hidden_and_links_them_to_no_player(club: list[Event], tmp_path: Path):
    season, by = make(club), make_account(superuser=True)
    number = club[1].players.get(person__preferred_name=B).number
    set_names_shown(event=club[1], numbers=[number], shown=False, by=by)
    Event.objects.filter(pk=club[2].pk).update(visibility=Visibility.UNLISTED)
    proof = proof_of(season)
    text = json.dumps(proof)
    assert (B in text, "evening-3" in text, A in text) == (False, False, True)
    assert [list(entry["people"].values()).count(None) for entry in proof["events"]] == [1, 1, 1]
    club = list(Event.objects.order_by("date"))
    code, said = verified(tmp_path, proof, *map(get_proof, club))
    assert (code, "figures without a name (1)" in said) == (0, True), said


def test_a_draft_has_no_file_for_strangers(club: list[Event]):
    season = make(club)
    Season.objects.update(visibility=Visibility.DRAFT)
    assert Client().get(f"/s/{season.slug}/proof.json").status_code == 404
    assert Client().get("/s/none/proof.json").status_code == 404
