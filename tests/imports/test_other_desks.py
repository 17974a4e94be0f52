"""Files of others, out and in again: another desk's, the federation's workbook, the ranking site's csv."""

import copy
import dataclasses
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from scoring.problems import InvalidInput
from tests.factories import make_event, name_of, play_round, writer_of
from tests.imports.lists import read_players
from tests.pages.at_desk import organiser
from tests.pages.test_round_trips import empty_copy, fetch, games, ranking, take
from tests.table_test import tabled
from tournament.events.models import Event
from tournament.imports.results import RESULTS, read_results, read_results_sheet
from tournament.players.actions import change_player, player_facts
from tournament.text.problems import problem_text

pytestmark = [pytest.mark.once, pytest.mark.whole_run]


def engine(**more: Any) -> dict[str, Any]:
    """Return a file of the other desk with one table that is played and one that is not."""
    raws = ((34, 3000), (12, -1000), (7, 0), (1, -2000))
    names = {"playerList": [{"name": f"Player {number}", "substitute": False} for number in range(40)]}
    seats = [{"playerId": who, "score": {"raw": raw, "uma": 0, "penalty": 0}} for who, raw in raws]
    open_ = [{"playerId": who + 1, "score": {"raw": 0, "uma": 0, "penalty": 0}} for who, _raw in raws]
    played = [
        {"round": 0, "table": 0, "finished": True, "participants": seats},
        {"round": 0, "table": 1, "finished": False, "participants": open_},
    ]
    return {**names, "info": {"title": "Cup"}, "games": played, "meta": {"dataFormatVersion": 3}, **more}


def test_the_other_desks_file_is_a_list_of_results() -> None:
    preview = read_results(json.dumps(engine()).encode(), "cup.json", start=25_000)
    assert preview.is_sound
    (table,) = preview.rounds[0].tables
    assert [(seat.player, seat.points) for seat in table.seats] == [
        ("Player 34", 28_000), ("Player 12", 24_000), ("Player 7", 25_000), ("Player 1", 23_000),
    ]  # fmt: skip


def set_in(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(file: dict[str, Any]) -> None:
        at: Any = file
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = to

    return change


FIRST = ("games", 0, "participants", 0)
WRONG: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "an older version": (set_in("meta", "dataFormatVersion", to=2), "results.engine_version"),
    "nothing played": (set_in("games", 0, "finished", to=False), "results.engine_unplayed"),
    "nobody's number": (set_in(*FIRST, "playerId", to=99), "results.engine_unreadable"),
    "a number below 0": (set_in(*FIRST, "playerId", to=-1), "results.engine_unreadable"),
    "a fraction": (set_in(*FIRST, "score", "raw", to=0.5), "results.engine_unreadable"),
    "a round without end": (set_in("games", 0, "round", to=float("inf")), "results.engine_unreadable"),
    "no games": (set_in("games", to=5), "results.engine_unreadable"),
    "another object": (set_in("games", 0, to=7), "results.engine_unreadable"),
}


@tabled("case", WRONG)
def test_a_file_of_the_other_desk_that_is_wrong_is_named(case: str) -> None:
    change, wanted = WRONG[case]
    file = copy.deepcopy(engine())
    change(file)
    with pytest.raises(InvalidInput) as refused:
        read_results_sheet(json.dumps(file).encode(), "cup.json", RESULTS, start=0)
    assert [problem.code for problem in refused.value.problems] == [wanted]
    assert not problem_text(refused.value.problems[0]).startswith("results.")


def test_its_penalties_are_named_and_others_json_is_no_list() -> None:
    file = engine()
    file["games"][0]["participants"][0]["score"]["penalty"] = -20_000
    (problem,) = read_results_sheet(json.dumps(file).encode(), "cup.json", RESULTS, start=0).problems
    assert problem_text(problem) == "Penalties in the file were not read (1): give them here."
    for data in (b"{}", b'{"games": [', b"[]"):
        assert not read_results(data, "cup.json").is_sound


@pytest.fixture
def event() -> Event:
    made = make_event(slug="cup")
    play_round(made, 1, "2r3 340", "d12")
    return made


@pytest.mark.postgresql
@pytest.mark.django_db
def test_an_event_goes_to_the_other_desk_and_comes_back(event: Event, tmp_path: Path) -> None:
    client = organiser(event)
    data = fetch(client, event, "tournament-engine.json")
    file = json.loads(data)
    totals = {player["name"]: 0 for player in file["playerList"]}
    for game in file["games"]:
        assert sum(each["score"]["raw"] for each in game["participants"]) == 0
        for each in game["participants"]:
            totals[file["playerList"][each["playerId"]]["name"]] += each["score"]["raw"] + each["score"]["uma"]
    assert totals == {row[2]: row[3] for row in ranking(event)}
    again = empty_copy(event, "again")
    take(organiser(again), again, "results", data, "cup.json")
    assert (ranking(again), games(again)) == (ranking(event), games(event))
    path = tmp_path / "cup.json"
    path.write_bytes(data)
    call_command("import_results", "third", str(path), rules="ema-2025", stdout=io.StringIO())
    assert games(Event.objects.get(slug="third")) == games(event)


@pytest.mark.django_db
def test_an_event_of_three_is_none_for_the_other_desk() -> None:
    three = make_event("sanmatsuri-2026", slug="three")
    assert organiser(three).get("/desk/three/export/tournament-engine.json").status_code == 404


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.parametrize("file", ["ema.xlsx", "ranking.csv"])
def test_who_played_comes_back_from_the_federations_files(event: Event, file: str) -> None:
    """Names, EMA numbers and countries of everybody, by the ranking; the number of players is nobody."""
    by, client = writer_of(event), organiser(event)
    for player in event.players.order_by("number"):
        facts = player_facts(player)
        number = f"0401{player.number:04}"
        country = "GBR" if player.number % 2 else "POL"
        name = f"Ada {name_of(player.number)}"
        to = dataclasses.replace(facts, preferred_name=name, ema_number=number, country=country)
        change_player(player=player, to=to, ranked=True, by=by)
    preview = read_players(fetch(client, event, file), file)
    assert (preview.has_errors, preview.problems) == (False, ())
    wanted = event.players.values_list("person__preferred_name", "person__ema_number", "person__country")
    found = [(draft.preferred_name, draft.ema_number, draft.country) for draft in preview.drafts]
    assert sorted(found) == sorted(wanted)
