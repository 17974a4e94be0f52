"""Logs of an online evening in an open event: tables of their own, names asked once, no game twice in a season."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from tests.factories import fresh, make_account, name_of, writer_of
from tests.online_logs.online_writers import NAMES, mjai, simulated, tenhou
from tests.online_logs.test_online_games import zipped
from tests.pages.at_desk import organiser, values
from tests.pages.html_reader import texts
from tournament.archive.verify import verify_event
from tournament.core.models import AuditRow
from tournament.events.actions import create_event, set_play
from tournament.events.models import Event, Play
from tournament.imports.actions import undo_import
from tournament.imports.queries import list_imports
from tournament.open_play.actions import seat_table
from tournament.people.actions import add_alias, link_people, set_aliases
from tournament.people.models import Alias, AliasKind, KnownPerson
from tournament.players.actions import NewPlayer, add_players, check_in
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.queries import READY_MADE, get_season
from tournament.standings.queries import read_standings

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PLAYERS = [name_of(index) for index in range(5)]


def make_evening(slug: str = "cup", names: Sequence[str] = PLAYERS) -> Event:
    """Make an open event by Tenhou's rules at which nobody is here."""
    by = make_account("Organiser")
    event = create_event(name=slug, date=dt.date(2026, 11, 3), rules_key="tenhou-yonma", rounds=1, slug=slug, by=by)
    set_play(event=event, play=Play.OPEN, by=by)
    add_players(event=event, players=[NewPlayer(name) for name in names], by=by)
    return fresh(event)


def know(event: Event, names: Sequence[str] = NAMES) -> None:
    """Note the online names of the first players."""
    for number, name in enumerate(names, start=1):
        person = event.players.get(number=number).person
        add_alias(person=person, kind=AliasKind.TENHOU, name=name, by=writer_of(event))


def upload(event: Event, files: dict[str, bytes], client: Client) -> Any:
    sent = {"file": SimpleUploadedFile("logs.zip", zipped(files)), "sign": "on"}
    return client.post(f"/desk/{event.slug}/imports/games/", sent)


def confirm(event: Event, page: Any, client: Client, **chosen: Any) -> list[str]:
    sent = {"confirmed": str(values(page, "confirmed")[0]), **chosen}
    answer = client.post(f"/desk/{event.slug}/imports/games/", sent)
    return [note.split(" ", 1)[1] for note in texts(client.get(answer["Location"]), ".note")]


def games_of(event: Event) -> dict[int, int]:
    return {row.number: row.games for row in read_standings(fresh(event), with_held=True).rows}


@pytest.mark.follows("during/online-games.md")
def test_a_zip_of_an_evening_makes_its_own_tables() -> None:
    event = make_evening()
    know(event)
    client, games = organiser(event), simulated()[:3]
    order = [NAMES, [*NAMES[2:], *NAMES[:2]], NAMES]
    files = {f"{at}.json": tenhou(game, names) for at, (game, names) in enumerate(zip(games, order, strict=True))}
    page = upload(event, files, client)
    assert page.content.decode().count("A table of its own") == 3
    assert not event.rounds.exists()
    assert confirm(event, page, client) == ["3 games are entered."]
    assert games_of(event) == {1: 3, 2: 3, 3: 3, 4: 3}
    assert all(row.released_at for row in event.rounds.all())
    second = event.rounds.get(number=2).tables.get().seats.order_by("seat")
    assert list(second.values_list("player__number", flat=True)) == [3, 4, 1, 2]
    assert not event.players.filter(checked_in_at__isnull=False).exists()
    assert verify_event(fresh(event)).problems == []
    # sent again: the same page, and the same games in another format
    assert len(confirm(event, page, client)) == 3
    again = upload(event, {"x.jsonl": mjai(games[0])}, client).content.decode()
    assert "already imported" in again
    assert games_of(event) == {1: 3, 2: 3, 3: 3, 4: 3}


def test_a_name_that_nobody_knows_is_asked_once_and_kept_with_the_person() -> None:
    event = make_evening()
    know(event, NAMES[:2])
    client = organiser(event)
    page = upload(event, {"a.json": tenhou(simulated()[0]), "b.json": tenhou(simulated()[1])}, client)
    asked = page.content.decode()
    assert [asked.count(f">{name}</label>") for name in ("Moss &amp; Fir", "東風", "riverstone")] == [1, 1, 0]
    said = confirm(event, page, client, **{"who-0": "3", "kind": "majsoul"})
    assert [text.startswith(("a.json: Not found", "b.json: Not found")) for text in said] == [True, True]
    page = upload(event, {"a.json": tenhou(simulated()[0]), "b.json": tenhou(simulated()[1])}, client)
    assert "Moss &amp; Fir</label>" not in page.content.decode()
    assert confirm(event, page, client, **{"who-0": "4"}) == ["2 games are entered."]
    kept = Alias.objects.filter(text__in=NAMES[2:]).values_list("text", "kind", "known__people__players__number")
    assert set(kept) == {("Moss & Fir", "majsoul", 3), ("東風", "tenhou", 4)}
    assert AuditRow.objects.filter(verb="aliases_changed").count() == 4
    # next week's event asks nobody, once its players are linked
    later = make_evening("later")
    for number in range(1, 5):
        people = [each.players.get(number=number).person_id for each in (event, later)]
        link_people(people=people, by=make_account(superuser=True))
    page = upload(later, {"c.json": tenhou(simulated()[2])}, organiser(later))
    assert "Who is who" not in page.content.decode()
    assert confirm(later, page, organiser(later)) == ["1 game is entered."]


def test_a_name_of_somebody_else_counts_for_these_games_and_is_not_taken_away() -> None:
    event, other = make_evening(), make_evening("other", ["Zoe Elsewhere"])
    person = other.players.get().person
    add_alias(person=person, kind=AliasKind.TENHOU, name=NAMES[3], by=writer_of(other))
    know(event, NAMES[:3])
    client = organiser(event)
    page = upload(event, {"a.json": tenhou(simulated()[0])}, client)
    said = confirm(event, page, client, **{"who-0": "4"})
    assert said == [f"The name {NAMES[3]} belongs to another person already.", "1 game is entered."]
    assert Alias.objects.get(text=NAMES[3]).known == KnownPerson.objects.get(people=person)


def test_two_names_for_one_player_and_who_plays_keep_a_game_out() -> None:
    event = make_evening()
    know(event, NAMES[:3])
    client = organiser(event)
    page = upload(event, {"a.json": tenhou(simulated()[0])}, client)
    assert confirm(event, page, client, **{"who-0": "1"}) == ["a.json: Two names in the log mean the same player."]
    set_aliases(known=KnownPerson.objects.get(people__players__number=1), names=[], by=writer_of(event))
    know(event)
    for player in event.players.filter(number__in=(1, 2, 3, 5)):
        check_in(player=player, here=True, by=writer_of(event))
    seats = [event.players.get(number=number) for number in (1, 2, 3, 5)]
    seat_table(event=event, seats=seats, hall_table=None, client_id=uuid.uuid4(), by=writer_of(event))
    page = upload(event, {"a.json": tenhou(simulated()[0])}, client)
    (said,) = confirm(event, page, client)
    assert "still plays at table 1" in said
    assert event.rounds.count() == 1
    assert not event.players.get(number=4).checked_in_at


def test_a_game_counts_once_in_a_season_of_several_evenings() -> None:
    first, second, third = make_evening(), make_evening("second"), make_evening("third")
    season = create_season(facts=SeasonFacts("Online", READY_MADE["sum"]), by=make_account())
    counted = [CountedEvent(first.pk), CountedEvent(second.pk)]
    set_season_events(season=season, events=counted, by=make_account())
    by = make_account(superuser=True)
    for number in range(1, 5):
        people = [each.players.get(number=number).person_id for each in (first, second, third)]
        link_people(people=people, by=by)
    know(first)
    game = {"a.json": tenhou(simulated()[0])}
    ready = upload(second, game, organiser(second))
    assert confirm(first, upload(first, game, organiser(first)), organiser(first)) == ["1 game is entered."]
    (said,) = confirm(second, ready, organiser(second))
    assert "already imported (a.json)" in said
    assert "already imported" in upload(second, game, organiser(second)).content.decode()
    view = get_season("online")
    assert view is not None
    assert view.games == 1
    assert confirm(third, upload(third, game, organiser(third)), organiser(third)) == ["1 game is entered."]


def test_an_unsigned_import_that_was_undone_comes_back_at_its_table() -> None:
    event = make_evening()
    know(event)
    client, address = organiser(event), "/desk/cup/imports/games/"
    for _time in range(2):
        page = client.post(address, {"file": SimpleUploadedFile("a.json", tenhou(simulated()[0]))})
        assert confirm(event, page, client) == ["1 game is entered."]
        row = list_imports(event)[0]
        assert (event.rounds.count(), event.rounds.get().released_at) == (1, None)
        undo_import(event=event, seq=row.seq, reason="wrong log", by=writer_of(event))


def test_the_command_makes_tables_too(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    event = make_evening()
    know(event)
    (tmp_path / "a.json").write_bytes(tenhou(simulated()[0]))
    call_command("import_games", "cup", str(tmp_path / "a.json"), "--sign", "--dry-run")
    assert not event.rounds.exists()
    call_command("import_games", "cup", str(tmp_path / "a.json"), "--sign")
    said = capsys.readouterr().out.splitlines()
    assert ['"round": null' in said[0], '"round": 1, "table": 1' in said[1]] == [True, True]
