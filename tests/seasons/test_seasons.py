"""Seasons: the table over the events of a club, who is in it, what it shows, and how it is chosen at the desk."""

import re
from fractions import Fraction
from uuid import uuid4

import pytest

from scoring.seasons import SeasonRule, Unit
from tests.factories import (
    enter_all,
    fresh,
    make_account,
    make_event,
    play_round,
    refused,
    round_of,
    set_ranked,
    table_of,
    writer_of,
)
from tests.pages.at_desk import client_of
from tests.seasons.evenings import link_all_names, play_evening
from tournament.accounts.models import Account
from tournament.core.models import AuditRow
from tournament.events.models import Event, Visibility
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.penalties.actions import give_penalty
from tournament.people.actions import link_people, undo_link
from tournament.people.models import KnownPerson
from tournament.people.queries import list_links
from tournament.privacy.actions import erase_person, set_names_shown
from tournament.privacy.queries import say_forgotten
from tournament.publication.names import read_for_public
from tournament.seasons.actions import (
    CountedEvent,
    SeasonFacts,
    change_season,
    create_season,
    delete_season,
    join_seasons,
    read_carried,
    set_season_events,
)
from tournament.seasons.messages import Part, figure_parts, line_name
from tournament.seasons.models import Season
from tournament.seasons.proof import get_season_proof
from tournament.seasons.queries import (
    READY_MADE,
    DeclaredRule,
    SeasonView,
    get_replays,
    get_season_view,
)
from tournament.sheets.actions import reopen_table
from tournament.standings.queries import get_standings
from tournament.tables.messages import say_nameless

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# WRC 2025: 30,000 to begin with, uma 15, 5, -5, -15: the four scores of an evening's game are worth these points
FIRST, SECOND, THIRD, LAST = 25_000, 8_000, -8_000, -25_000
A, B, C, D, E = "Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik", "Ede Holm"


@pytest.fixture
def by() -> Account:
    return make_account("Owner", superuser=True)


@pytest.fixture
def club() -> list[Event]:
    """Three evenings: E comes once, A stays at home on the last."""
    events = [play_evening(1, (A, B, C, D), (A, C, B, D)), play_evening(2, (B, A, D, C)), play_evening(3, (B, C, E, D))]
    link_all_names()
    return events


def make(events: list[Event], rule: DeclaredRule, by: Account, **facts: object) -> SeasonView:
    season = create_season(facts=SeasonFacts("Autumn", rule, **facts), by=by)  # type: ignore[arg-type]
    set_season_events(season=season, events=[CountedEvent(event.pk) for event in events], by=by)
    return get_season_view(season)


def table(view: SeasonView) -> list[tuple[int | None, str, str, int]]:
    return [(line.row.rank, line_name(line), str(line.row.figure), line.row.games) for line in view.lines]


def test_the_sum_of_all_games_has_everybody_once(club: list[Event], by: Account):
    view = make(club, READY_MADE["sum"], by)
    a, b = 2 * FIRST + SECOND, SECOND + THIRD + 2 * FIRST
    assert table(view) == [
        (1, A, str(a), 3),
        (2, B, str(b), 4),
        (3, E, str(THIRD), 1),
        (4, C, str(THIRD + SECOND + LAST + SECOND), 4),
        (5, D, str(3 * LAST + THIRD), 4),
    ]
    assert [(each.games, each.best is not None) for each in view.evenings] == [(2, True), (1, True), (1, True)]


@pytest.mark.parametrize("round_", [1, 2, None])
def test_a_penalty_costs_in_the_season_what_it_costs_in_the_event(club: list[Event], by: Account, round_: int | None):
    player = club[0].players.get(person__preferred_name=C)
    of_round = round_of(club[0], round_) if round_ else None
    give_penalty(player=player, points=20_000, reason="late", client_id=uuid4(), round_=of_round, by=by)
    view = make(club[:1], READY_MADE["sum"], by)
    totals = {row.name: row.total for row in get_standings(fresh(club[0])).rows}
    assert totals[C] == THIRD + SECOND - 20_000
    assert {line.name: line.row.figure for line in view.lines} == totals


@pytest.mark.parametrize("key", ["wrc-2025", "ema-2025", "kansai-sanma"])
def test_a_season_of_one_event_has_the_totals_of_its_standings(by: Account, key: str):
    """Penalties of a round, of none, and of a chombo cost in a season what they cost at the event.

    So does a substitute, and a table counts as it is, also opened again.
    """
    event = make_event(key, tables=3, rounds=3)
    play_round(event, 1, "2r3 340", "1t 230", "c2", "d13/1")
    play_round(event, 2, "1t 230", "c1", "3r2 330/13")
    for number, round_ in ((1, round_of(event, 1)), (3, None), (1, round_of(event, 2)), (5, round_of(event, 3))):
        give_penalty(
            player=event.players.get(number=number), points=3000, reason="late", client_id=uuid4(), round_=round_, by=by
        )
    played = table_of(event, 2)
    replaced = played.seats.get(seat=1).player
    left = Replacement(when="before", name="Ede Holm", reason="ill")
    put_substitute_in(table=played, player=replaced, replacement=left, client_id=uuid4(), by=writer_of(event))
    reopen_table(table=table_of(event, 3, round_=2), reason="a hand is missing", by=writer_of(event))
    enter_all(table_of(event, 3, round_=2), "2t 230")
    set_ranked(player=event.players.get(number=7), ranked=False, reason="a helper", by=writer_of(event))
    event.refresh_from_db()
    number_of = {-player.person_id: player.number for player in event.players.all()}
    found = {number_of[line.row.person]: line.row.figure for line in make([event], READY_MADE["sum"], by).lines}
    rows = get_standings(event).rows
    assert {row.penalties for row in rows} > {0, 3000}
    assert found == {row.number: row.total for row in rows}


def test_a_mean_has_a_least_number_of_games_and_who_is_short_follows(club: list[Event], by: Account):
    view = make(club, DeclaredRule(SeasonRule(gather="mean", least=3)), by)
    assert [(line.row.rank, line_name(line), line.missing) for line in view.lines][-1] == (None, E, 2)
    assert str(view.lines[0].row.figure) == str(Fraction(2 * FIRST + SECOND, 3))


def test_the_best_evenings_and_half_of_a_phase(club: list[Event], by: Account):
    best = make(club, DeclaredRule(SeasonRule(unit="evening", gather="sum", best=1)), by)
    assert table(best)[0] == (1, A, str(2 * FIRST), 3)
    halved = make(club, READY_MADE["m_league"], by)
    season = halved.season
    counted = [CountedEvent(event.pk, phase=1 + (index == 2)) for index, event in enumerate(club)]
    set_season_events(season=season, events=counted, by=by)
    found = {name: figure for _rank, name, figure, _games in table(get_season_view(season))}
    assert found[B] == str(Fraction(SECOND + THIRD + FIRST, 2) + FIRST)


def test_a_released_correction_moves_the_table_and_nothing_is_stored(club: list[Event], by: Account):
    view = make(club, READY_MADE["sum"], by)
    Event.objects.filter(pk=club[0].pk).update(visibility=Visibility.DRAFT)
    club[0].refresh_from_db()
    later = get_season_view(view.season)
    assert (view.games, later.games) == (4, 2)


def test_who_is_hidden_at_one_evening_is_hidden_in_the_season(club: list[Event], by: Account):
    view = make(club, READY_MADE["sum"], by)
    player = club[1].players.get(person__preferred_name=B)
    set_names_shown(event=club[1], numbers=[player.number], shown=False, by=by)
    with read_for_public(say_nameless):
        later = get_season_view(view.season)
    assert B not in [line_name(line) for line in later.lines]
    assert "Player 1" in [line_name(line) for line in later.lines]
    client = client_of(by)
    for end in ("", "how/", "how/?row=2", "season.json", "season.csv"):
        answer = client.get(f"/s/{view.season.slug}/{end}")
        assert (answer.status_code, B in answer.content.decode()) == (200, False), end
    # nor are the points of single evenings beside the number: evening 2 has B's name beside the same
    rows = client.get(f"/s/{view.season.slug}/season.csv").content.decode().splitlines()
    assert next(row for row in rows if "Player 1" in row).endswith(",,,")
    assert "Player 1</h2>" not in client.get(f"/s/{view.season.slug}/how/?row=2").content.decode()
    assert later.evenings[0].points.keys() == view.evenings[0].points.keys()  # they count as before


def test_head_starts_are_by_lasting_id_and_an_unknown_name_is_refused(club: list[Event], by: Account):
    view = make(club, READY_MADE["sum"], by)
    names = {line.name.casefold(): {line.row.person} for line in view.lines}
    with refused("season.carried", "season.carried_unknown"):
        read_carried("Ana Berg\nNobody Here 12", names)
    facts = SeasonFacts("Autumn", READY_MADE["sum"], read_carried("Ede Holm 100.5\nana berg -1", names))
    assert change_season(season=view.season, facts=facts, by=by)
    assert not change_season(season=view.season, facts=facts, by=by)
    later = get_season_view(Season.objects.get())
    assert table(later)[0] == (1, E, str(THIRD + 100_500), 1)
    assert KnownPerson.objects.count() == 5


def test_a_merge_adds_up_head_starts_and_its_undoing_parts_them(club: list[Event], by: Account):
    twin = play_evening(4, ("Bo Twin", A, C, D))
    link_all_names()
    view = make([*club, twin], READY_MADE["sum"], by)
    names = {line.name.casefold(): {line.row.person} for line in view.lines}
    facts = SeasonFacts("Autumn", READY_MADE["sum"], read_carried("Bo Twin 50\nBirk Sol 7", names))
    change_season(season=view.season, facts=facts, by=by)
    apart = table(get_season_view(view.season))
    people = [event.players.get(person__preferred_name=name) for event, name in ((twin, "Bo Twin"), (club[0], B))]
    link_people(people=[player.person_id for player in people], by=by)
    assert list(get_season_view(view.season).carried.values()) == [57_000]
    undo_link(seq=list_links()[0].seq, by=by)
    assert table(get_season_view(view.season)) == apart


def test_saving_a_season_leaves_head_starts_of_who_is_not_on_the_form(club: list[Event], by: Account):
    view = make(club, READY_MADE["sum"], by)
    names = {line.name.casefold(): {line.row.person} for line in view.lines}
    facts = SeasonFacts("Autumn", READY_MADE["sum"], read_carried("Ede Holm 100.5\nAna Berg -1\nDora Vik 2", names))
    change_season(season=view.season, facts=facts, by=by)
    stored = Season.objects.get().carried
    set_season_events(season=view.season, events=[CountedEvent(event.pk) for event in club[:2]], by=by)  # without Ede
    number = club[0].players.get(person__preferred_name=D).number
    set_names_shown(event=club[0], numbers=[number], shown=False, by=by)
    desk, address = client_of(by), f"/desk/seasons/{view.season.slug}/"
    assert "Ana Berg -1</textarea>" in desk.get(address).content.decode()
    sent = {"name": "Autumn", "ready": "sum", "unit": "game", "measure": "points", "gather": "sum", "least": "1"}
    assert desk.post(address, {**sent, "carried": "Ana Berg -3", "visibility": "public"}).status_code == 302
    later = Season.objects.get().carried
    assert (sorted(later.values()), later.keys()) == (["-3000", "100500", "2000"], stored.keys())


def test_a_head_start_of_a_name_that_several_have_is_refused_and_stays(club: list[Event], by: Account):
    twin = play_evening(4, (B, "Kim", "Lou", "Max"))  # another Birk Sol
    view = make([*club, twin], READY_MADE["sum"], by)
    one, other = (line.row.person for line in view.lines if line.name == B)
    change_season(season=view.season, facts=SeasonFacts("Autumn", READY_MADE["sum"], {one: "5000", other: "1"}), by=by)
    desk, address = client_of(by), f"/desk/seasons/{view.season.slug}/"
    sent = {"name": "Autumn", "ready": "sum", "unit": "game", "measure": "points", "gather": "sum", "least": "1"}
    refused_ = [
        desk.post(address, {**sent, "carried": lines, "visibility": "public"})
        for lines in (f"{B} 12.5", f"{A} 1\n{A} 2")
    ]
    assert [answer.status_code for answer in refused_] == [422, 422]
    assert "is several people" in refused_[0].content.decode()
    assert f"Line 2 of the head starts is the second one of {A}" in refused_[1].content.decode()
    assert desk.post(address, {**sent, "carried": f"{A} 1/3", "visibility": "public"}).status_code == 302
    kept = sorted(Season.objects.get().carried.values())
    assert kept == ["1", "1000/3", "5000"]
    form = desk.get(address).content.decode()
    assert f"{A} 1/3</textarea>" in form  # saved again it is the same
    worked_out = figure_parts(get_season_view(view.season), next(line for line in view.lines if line.name == A))
    assert worked_out[0] == Part("Head start", "+0.333", counts=True)


def test_a_season_that_is_saved_as_it_is_keeps_each_head_start(club: list[Event], by: Account):
    twin = play_evening(4, ("Bo Twin", A, C, D))
    link_all_names()
    view = make([*club, twin], READY_MADE["sum"], by)
    names = {line.name.casefold(): {line.row.person} for line in view.lines}
    typed = "Bo Twin 1/3\nBirk Sol 1/7\nAna Berg 2/3\nDora Vik 0.00001\nEde Holm 0.12345678901"
    facts = SeasonFacts("Autumn", READY_MADE["sum"], read_carried(typed, names))
    change_season(season=view.season, facts=facts, by=by)
    people = [event.players.get(person__preferred_name=name) for event, name in ((twin, "Bo Twin"), (club[0], B))]
    link_people(people=[player.person_id for player in people], by=by)
    stored = Season.objects.get().carried
    desk, address = client_of(by), f"/desk/seasons/{view.season.slug}/"

    def read() -> str:
        [text] = re.findall(
            r'<textarea name="carried"[^>]*>\s*(.*?)</textarea>', desk.get(address).content.decode(), re.DOTALL
        )
        return text

    def save(old: str = "", new: str = "") -> dict[str, str]:
        sent = {"name": "Autumn", "ready": "sum", "unit": "game", "measure": "points", "gather": "sum", "least": "1"}
        sent |= {"carried": read().replace(old, new) if old else read(), "visibility": "public"}
        assert desk.post(address, sent).status_code == 302
        return Season.objects.get().carried

    assert {"Ana Berg 2/3", "Bo Twin 10/21", "Dora Vik 0.00001"} <= set(read().splitlines())
    before = AuditRow.objects.count()
    assert save() == stored
    assert AuditRow.objects.count() == before
    changed = save("Ana Berg 2/3", "Ana Berg 5")
    ana = str(club[0].players.get(person__preferred_name=A).person.known.uid)
    assert changed == {**stored, ana: "5000"}
    assert sorted(save("10/21", "9").values()) == ["1/100", "12345678901/100000000", "5000", "9000"]


def test_parts_of_a_figure_are_those_that_count(club: list[Event], by: Account):
    view = make(club, DeclaredRule(SeasonRule(gather="sum", best=2)), by)
    line = next(line for line in view.lines if line_name(line) == A)
    assert [(part.evening, part.figure, part.counts) for part in figure_parts(view, line)] == [
        ("evening-1", "+25.0", True), ("evening-1", "+25.0", True), ("evening-2", "+8.0", False),
    ]  # fmt: skip


def test_parts_of_a_figure_have_the_base_ranks_of_the_table(club: list[Event], by: Account):
    for player in club[2].players.exclude(person__preferred_name=E):
        set_ranked(player=player, ranked=False, reason="a helper", by=writer_of(club[2]))
    for unit in ("game", "evening"):
        view = make(club, DeclaredRule(SeasonRule(unit, "base_rank", "sum")), by)
        for line in view.lines:
            values = [float(part.figure) for part in figure_parts(view, line)]
            assert sum(values) == pytest.approx(float(line.row.figure), abs=0.2), line.name


@pytest.mark.parametrize("unit", ["game", "evening"])
def test_forgetting_somebody_changes_no_base_rank_of_others(club: list[Event], by: Account, unit: Unit):
    view = make(club, DeclaredRule(SeasonRule(unit, "base_rank", "sum")), by)
    before = {line.name: (line.row.figure, figure_parts(view, line)) for line in view.lines if line.name != B}
    person = club[0].players.get(person__preferred_name=B).person
    erase_person(person=person, stand_in_for=say_forgotten, reason="asked", by=by)
    later = get_season_view(view.season)
    assert {line.name: (line.row.figure, figure_parts(later, line)) for line in later.lines} == before
    assert later.lines[0].row.rank == 1
    assert get_replays(later)[1].keys() <= later.line_of.keys()
    assert get_season_proof(later)["events"][0]["people"][str(club[0].players.get(person=person).number)] == -1
    assert all(len(evening.points) == 3 for evening in later.evenings)


def test_replays_say_how_often_each_would_win(club: list[Event], by: Account):
    view = make(club, READY_MADE["sum"], by)
    times, wins = get_replays(view)
    assert (times, sum(wins.values())) == (1000, 1)
    names = {line.row.person: line_name(line) for line in view.lines}
    assert {names[key] for key in wins} <= {A, B, C, E}
    assert get_replays(make(club, READY_MADE["mers"], by))[0] == 0


@pytest.mark.parametrize("key", ["mers", "uk", "austria"])
def test_a_federations_list_ranks_by_places(club: list[Event], by: Account, key: str):
    view = make(club, READY_MADE[key], by)
    assert line_name(view.ranked[0]) == B


@pytest.mark.follows("after/seasons.md")
def test_a_season_is_made_changed_and_deleted_at_the_desk(club: list[Event], by: Account):
    client = client_of(by)
    form = {
        "name": "Herbst", "ready": "own", "unit": "game", "measure": "points", "gather": "mean", "best": "",
        "least": "2", "carried": "", "visibility": "public",
    }  # fmt: skip
    made = client.post("/desk/seasons/", form)
    season = Season.objects.get()
    assert made["Location"] == f"/desk/seasons/{season.slug}/"
    chosen = {"act": "events", "event": [club[0].pk, club[1].pk], f"weight_{club[0].pk}": "1/2"}
    client.post(f"/desk/seasons/{season.slug}/", chosen)
    assert list(season.events.values_list("event__slug", "weight")) == [("evening-1", "1/2"), ("evening-2", "1")]
    wrong_events = [(f"weight_{club[0].pk}", each) for each in ("heavy", "0.1234567")]
    wrong_events += [(f"phase_{club[0].pk}", each) for each in ("40000", "two", "0")]
    for field, text in wrong_events:
        refused_ = client.post(
            f"/desk/seasons/{season.slug}/", {**chosen, "event": [each.pk for each in club], field: text}
        )
        page = refused_.content.decode()
        # what was ticked and typed is still there
        assert (refused_.status_code, len(re.findall(r'name="event" value="[0-9]+" checked', page))) == (422, 3), text
        assert f'value="{text}"' in page or "whole number from 1 to 20" in page
    assert list(season.events.values_list("weight", "phase")) == [("1/2", 1), ("1", 1)]
    wrong = client.post(f"/desk/seasons/{season.slug}/", form | {"carried": "Nobody 3", "least": "0"})
    assert wrong.status_code == 422
    assert "Champion" not in client.get(f"/s/{season.slug}/").content.decode()
    client.post(f"/desk/seasons/{season.slug}/", form | {"closed": "on"})
    assert "Champion" in client.get(f"/s/{season.slug}/").content.decode()
    start = client.get("/").content.decode()
    assert "Herbst" in start
    asked = client.post(f"/desk/seasons/{season.slug}/", {"act": "delete"})
    assert asked.status_code == 200
    assert "Herbst" in asked.content.decode()
    assert client.get(f"/s/{season.slug}/").status_code == 200
    client.post(f"/desk/seasons/{season.slug}/", {"act": "delete", "sure": "1"})
    assert client.get(f"/s/{season.slug}/").status_code == 404
    assert Event.objects.count() == 3


def test_figures_below_0_are_numbers_in_the_csv(club: list[Event], by: Account):
    view = make(club, READY_MADE["mean"], by)
    rows = client_of(by).get(f"/s/{view.season.slug}/season.csv").content.decode("utf-8-sig").splitlines()[1:]
    figures = [float(row.split(",")[2]) for row in rows]
    assert figures == [pytest.approx(float(line.row.figure)) for line in view.lines]
    assert min(figures) < 0


def test_an_old_page_takes_no_event_out_that_came_in_since(club: list[Event], by: Account):
    season = make(club[:1], READY_MADE["sum"], by).season
    desk, address = client_of(by), f"/desk/seasons/{season.slug}/"
    page = {f"weight_{event.pk}": "1" for event in club[:2]}  # drawn before the third was there
    assert join_seasons(event=club[2], template=club[0], by=by) == 1
    desk.post(address, {"act": "events", "event": [club[1].pk], **page})
    assert list(season.events.values_list("event", flat=True)) == [club[1].pk, club[2].pk]


def test_a_draft_is_seen_by_who_runs_the_desk_alone(club: list[Event], by: Account, client: object):
    view = make(club, READY_MADE["sum"], by, visibility=Visibility.DRAFT)
    assert client_of(make_account()).get(f"/s/{view.season.slug}/").status_code == 404
    assert client_of(by).get(f"/s/{view.season.slug}/").status_code == 200
    delete_season(season=view.season, by=by)


def test_the_view_of_an_unchanged_season_asks_little(club: list[Event], by: Account, django_assert_num_queries: object):
    view = make(club, READY_MADE["sum"], by)
    with django_assert_num_queries(1):  # type: ignore[operator]
        get_season_view(view.season)
