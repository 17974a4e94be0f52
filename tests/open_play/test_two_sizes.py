"""An open event with a second rule set: tables of three beside tables of four, each by its own rules."""

import json
import random
import re
import subprocess
import sys
from collections import Counter
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from rules.books import load
from scoring.entries import Draw, Totals
from tests.archive.archive_acts import empty_the_database
from tests.factories import DAY, enter, enter_all, fresh, make_account, make_event, name_of, refused, sign, writer_of
from tests.open_play.evening import count_together, finish, make_evening, players_of, sit_down
from tests.pages.at_desk import client_of
from tests.player_entry.phones import Phone, allow_phones
from tests.relay.at_relay import forget_hall, part_of
from tests.seasons.test_season_proof import proof_of, verified
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.archive.verify import verify_event
from tournament.core.sealed_rows import read_sealed_rows
from tournament.events.actions import create_event, set_play, set_second_rules
from tournament.events.models import Event
from tournament.open_play.queries import get_evening
from tournament.pages.files import get_head
from tournament.players.actions import check_in
from tournament.record.queries import get_proof
from tournament.relay.actions import bring_up, check_state
from tournament.rulesets.actions import change_rules
from tournament.seasons.queries import get_season_view
from tournament.standings.queries import get_standings, read_standings
from tournament.tables.queries import load_tables
from tournament.tables.round_queries import list_clocks

pytestmark = pytest.mark.django_db

THREE = "sanmatsuri-2026"  # 30,000 each, 60 minutes, uma 15 / 0 / -15
SCORES = (44_000, 31_000, 15_000)
PAGE = "/desk/tuesday/tables/"


@pytest.fixture
def event() -> Event:
    made = make_evening(17)
    set_second_rules(event=made, rules=THREE, by=writer_of(made))
    return fresh(made)


def read(address, client=None):
    return " ".join((client or Client()).get(address, follow=True).content.decode().split())


def test_a_table_has_the_rules_of_its_size(event):
    three, four = sit_down(event, 1, 2, 3), sit_down(event, 4, 5, 6, 7)
    assert [table.rules.key for table in load_tables(event)] == [THREE, "ema-2025"]
    assert [table.rules_in(event).key for table in (three, four)] == [THREE, "ema-2025"]
    clocks = list_clocks(event, [three.round, four.round])
    assert [clocks[number].minutes for number in (1, 2)] == [60, 75]
    assert [get_head(event, number).players_per_table for number in (0, 1, 2)] == [4, 3, 4]


def test_what_a_table_of_three_cannot_have_is_refused(event):
    table = sit_down(event, 1, 2, 3)
    with refused("seat.not_at_table"):
        enter(table, Draw(tenpai=(3,)))
    with refused("points.not_for_each_seat"):
        enter(table, Totals(scores=(40_000, 33_000, 27_000, 20_000)))
    enter_all(table, "2t 230", "1r3 m")
    sign(table)
    (loaded,) = load_tables(fresh(event))
    assert (sum(loaded.final.scores), loaded.final.uma) == (90_000, (15_000, 0, -15_000))
    with refused("table.signed"):
        enter(table, "1r2 m")


def test_points_of_both_sizes_are_added_and_places_are_counted_apart(event):
    for _time in range(2):
        finish(sit_down(event, 1, 2, 3), SCORES)
    finish(sit_down(event, 1, 2, 3, 4))
    rows = {row.number: row for row in get_standings(fresh(event)).rows}
    assert rows[1].results == (29_000, 29_000, 25_000)
    assert {number: row.placements for number, row in rows.items()} == {
        1: "1-0-0-0 2-0-0", 2: "0-1-0-0 0-2-0", 3: "0-0-1-0 0-0-2", 4: "0-0-0-1",
    }  # fmt: skip
    page = read("/e/tuesday/standings/")
    assert "Each game counts by the rules of its table (tables of 3: SanMatsuri 2026)" in page
    assert '<span class="placed-count">1-0-0-0 2-0-0</span>' in page


def test_a_chombo_costs_what_the_rules_of_its_table_say(event):
    set_second_rules(event=event, rules="kansai-sanma", by=writer_of(event))
    table = sit_down(fresh(event), 1, 2, 3)
    enter_all(table, "c1", "2r3 m")
    assert load_tables(fresh(event))[0].chombo_cost(load_tables(fresh(event))[0].items[0], 0) == 0


def test_the_season_counts_each_game_by_its_rules(event):
    before = make_evening(17, slug="monday")
    finish(sit_down(before, 1, 2, 3, 4))
    season = count_together(before, event)
    finish(sit_down(event, 1, 2, 3), SCORES)
    figures = {line.name: line.row.figure for line in get_season_view(season).lines}
    assert figures == {name_of(0): 54_000, name_of(1): 9_000, name_of(2): -38_000, name_of(3): -25_000}


def test_a_stranger_counts_the_season_again(event, tmp_path):
    before = make_evening(17, slug="monday")
    season = count_together(before, event)
    for _time in range(2):
        finish(sit_down(before, 1, 2, 3, 4))
        finish(sit_down(event, 1, 2, 3), SCORES)
    proof = proof_of(season)
    code, said = verified(tmp_path, proof, get_proof(before), get_proof(event), head=proof["root"])
    assert (code, "2 events, 4 rows hold" in said) == (0, True), said


def test_a_change_of_the_event_rules_leaves_tables_of_three_alone(event):
    finish(sit_down(event, 1, 2, 3), SCORES)
    uma = {"uma": [30_000, 10_000, -10_000, -30_000]}
    change_rules(event=fresh(event), values=uma, reason="agreed", by=writer_of(event))
    assert get_standings(fresh(event)).rows[0].total == 29_000


def test_the_second_rules_are_set_until_such_a_table_sits_down(event):
    by = writer_of(event)
    with refused("event.second_size"):
        set_second_rules(event=event, rules="wrc-2025", by=by)
    with refused("event.rule_set_unknown"):
        set_second_rules(event=event, rules="no-such", by=by)
    assert not set_second_rules(event=event, rules=THREE, by=by)
    assert set_second_rules(event=event, rules="", by=by)
    with refused("open.seats"):
        sit_down(fresh(event), 1, 2, 3)
    assert set_second_rules(event=fresh(event), rules="kansai-sanma", by=by)
    sit_down(fresh(event), 1, 2, 3)
    for rules in ("", THREE):
        with refused("event.second_used"):
            set_second_rules(event=fresh(event), rules=rules, by=by)
    with refused("event.second_size"):
        change_rules(event=make_evening_of_three(), values=load("ema-2025").as_json(), reason="", by=by)


def make_evening_of_three() -> Event:
    """Make an open event of three whose second rule set is for four."""
    by = make_account("Organiser")
    made = create_event(name="Three", date=DAY, rules_key=THREE, rounds=1, slug="three", by=by)
    set_play(event=made, play="open", by=by)
    set_second_rules(event=made, rules="ema-2025", by=by)
    assert list(fresh(made).rulesets) == [3, 4]
    return fresh(made)


def test_an_event_in_rounds_has_one_rule_set(event):
    other = make_event(slug="cup", tables=1)
    with refused("event.second_rounds"):
        set_second_rules(event=other, rules=THREE, by=writer_of(other))
    set_play(event=event, play="rounds", by=writer_of(event))
    assert fresh(event).second_rules == {}


@pytest.mark.parametrize("second", [False, True])
def test_file_and_seals_name_a_second_rule_set_where_there_is_one(second):
    made = make_evening(4)
    if second:
        set_second_rules(event=made, rules=THREE, by=writer_of(made))
    file = json.loads(get_event_file(fresh(made)))["content"]["event"]
    sealed = read_sealed_rows(made.pk)["rules"].content
    api = Client().get("/api/v1/events/tuesday/").json()
    for found in (file, sealed, api, part_of(fresh(made))):
        assert ("second_rules" in found) is second
    if second:
        assert api["second_rules"] == {"key": THREE, "title": "SanMatsuri 2026", "players": 3, "minutes": 60}


def test_the_file_comes_back_and_the_proof_verifies(event, tmp_path):
    finish(sit_down(event, 1, 2, 3), SCORES)
    finish(sit_down(event, 4, 5, 6, 7))
    event = fresh(event)
    assert verify_event(event).problems == []
    (tmp_path / "proof.json").write_text(get_proof(event))
    script = settings.BASE_DIR / "scripts" / "verify_record.py"
    done = subprocess.run(
        [sys.executable, script, tmp_path / "proof.json"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    file, standings = get_event_file(event), read_standings(event)
    empty_the_database()
    made = import_event(data=file.encode(), by=make_account("Desk"))
    assert (get_event_file(made), read_standings(made)) == (file, standings)


def test_a_relay_has_the_rules_of_both_sizes(event):
    finish(sit_down(event, 1, 2, 3), SCORES)
    state, standings = part_of(fresh(event)), [(row.rank, row.total) for row in read_standings(fresh(event)).rows]
    with refused("relay.unusable"):
        check_state({**state, "second_rules": {"players": 3}})
    check_state(state)
    forget_hall(event)
    there = bring_up(None, "tuesday", 1, {}, state)
    assert there
    assert [(row.rank, row.total) for row in read_standings(there).rows] == standings
    there = bring_up(there, "tuesday", 2, state, {key: row for key, row in state.items() if key != "second_rules"})
    assert there
    assert there.second_rules == {}


def test_taps_seat_three_or_four_and_suggest_leaves_nobody_out(event):
    client = client_of(writer_of(event))
    page = client.get(PAGE, {"suggest": ""}, follow=True)
    assert page.redirect_chain[0][0].count(".") == 12  # 4, 4, 3, 3, 3
    page = read(f"{PAGE}?plan=1.2.3", client)
    assert "SanMatsuri 2026 · nobody has met" in page
    assert 'value="1.2.3.4"' in page
    assert 'value="1.2.3-4"' in read(f"{PAGE}?plan=1.2.3-", client)
    assert "2 more are needed" in read(f"{PAGE}?plan=1.2.3-4", client)
    client.post(PAGE, {"seat": "1.2.3-4.5.6.7", "client_id": str(uuid4()), "at": ["1", "2"]})
    assert [len(table.seats) for table in load_tables(fresh(event))] == [3, 4]


def test_phones_seat_three_and_type_three_scores(event):
    event = allow_phones(event)
    phones = {number: Phone(event, number) for number in (1, 2, 3)}
    assert "empty for a table of three" in phones[1].page()
    seats = {"act": "seat", "client_id": str(uuid4()), "seat-0": 1, "seat-1": 2, "seat-2": 3, "seat-3": ""}
    assert phones[1].post(**{**seats, "seat-2": "", "seat-3": 3}).status_code == 422  # a gap
    assert phones[1].post(**seats).status_code == 302
    assert phones[2].type((40_000, 33_000, 27_000, 20_000)[:3]).status_code == 422
    assert phones[2].type(SCORES).status_code == 302
    for number in (1, 3):
        phones[number].answer("yes")
    (table,) = load_tables(fresh(event))
    assert (table.signed, tuple(table.sheet.totals)) == (True, SCORES)


@pytest.mark.follows("during/club-night.md")
def test_the_settings_name_the_second_rule_set(event):
    client = client_of(writer_of(event))
    assert f'<option value="{THREE}" selected>' in read("/desk/tuesday/settings/", client)
    client.post("/desk/tuesday/settings/play/", {"second_rules": "mcgill-sanma"})
    assert fresh(event).second_rules["key"] == "mcgill-sanma"
    assert "set the rules of tables of 3: McGill sanma" in read("/desk/tuesday/settings/trail/", client)
    assert "Tables of 3: McGill sanma" in read("/e/tuesday/rules/")


def test_the_calculator_and_hand_outs_have_the_rules_of_both_sizes(event):
    for page in ("values/", "yaku/"):
        answer = Client().get(f"/e/tuesday/rules/{page}").text
        titles = [f"Tables of {each.players}: {each.title}" in answer for each in fresh(event).rulesets.values()]
        assert (page, titles) == (page, [True, True])
    said = {}
    for rules in ("", "4", "3", "5", "x", "99999999999"):
        query = {"rules": rules, "line": "123m456m789m11z234p t"}
        page = Client().get("/e/tuesday/calculator/", query).text
        chosen = re.findall(r'<option value="(\d)" [^>]*selected', page)
        answer = Client().get("/e/tuesday/calculator/count/", query).text
        said[rules] = chosen, answer
    own, three = said[""], said.pop("3")
    assert (own[0], three[0]) == (["4"], ["3"])
    assert set(map(str, said.values())) == {str(own)}
    assert three[1] != own[1]
    set_second_rules(event=event, rules="", by=writer_of(event))
    for page in ("calculator/", "rules/values/", "rules/yaku/"):
        assert "ables of 3" not in Client().get(f"/e/tuesday/{page}").text


@pytest.mark.parametrize(
    "page",
    [
        "/desk/tuesday/?round=1", "/desk/tuesday/rounds/1/tables/7/", "/desk/tuesday/rounds/2/tables/1/",
        "/desk/tuesday/paper/", "/desk/tuesday/print/report-sheets.pdf?round=1", "/desk/tuesday/results/",
        "/desk/tuesday/export/results.xlsx", "/desk/tuesday/export/results.csv", "/desk/tuesday/calls/",
        "/desk/tuesday/rounds/1/clock/", "/desk/tuesday/players/", "/e/tuesday/", "/e/tuesday/?me=1",
        "/e/tuesday/rounds/2/", "/e/tuesday/rounds/2/tables/1/", "/e/tuesday/players/4/", "/e/tuesday/recap/",
        "/e/tuesday/display/", "/e/tuesday/rules/",
    ],
)  # fmt: skip
def test_no_page_breaks_with_tables_of_two_sizes(event, page, client):
    enter_all(sit_down(event, 1, 2, 3, at=7), "2t 230")
    table = sit_down(event, 4, 5, 6)
    enter_all(table, "1r3 m")
    sign(table)
    finish(sit_down(event, 7, 8, 9, 10))
    client.force_login(writer_of(fresh(event)))
    assert client.get(page).status_code in (200, 302)


def test_a_night_of_17_counts_every_game_once(event):
    """Three tables at a time, the longest wait first; some come late and some leave."""
    chance = random.Random(17)
    by, played = writer_of(event), Counter[int]()
    points: Counter[int] = Counter()
    for turn in range(6):
        for number in chance.sample(range(1, 18), 3):
            (player,) = players_of(event, number)
            check_in(player=player, here=player.checked_in_at is None, by=by)
        now = get_evening(fresh(event), fresh(event).created_at)
        waiting = [each.number for each in now.waiting]
        for size in (3, 4, 4) if turn % 2 else (4, 3, 3):
            if len(waiting) < size:
                continue
            chosen, waiting = waiting[:size], waiting[size:]
            rules = fresh(event).rules_for(size)
            shares = sorted((chance.randrange(-90, 90) * 100 for _seat in range(size - 1)), reverse=True)
            scores = [rules.start_points + share for share in shares]
            scores.append(rules.start_points * size - sum(scores))
            table = sit_down(fresh(event), *chosen)
            finish(table, scores)
            (loaded,) = load_tables(fresh(event), ids=[table.pk])
            played.update(chosen)
            for number, result in zip(chosen, loaded.final.results, strict=True):
                points[number] += result
    rows = get_standings(fresh(event)).rows
    assert {row.number: row.games for row in rows} == played
    assert {row.number: row.total for row in rows} == points
    assert sum(points.values()) == 0
    assert verify_event(fresh(event)).problems == []
