"""Who is one person: what is proposed, linking, parting, undoing, and that no result moves by it."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.factories import make_account, refused, writer_of
from tests.pages.at_desk import client_of, organiser
from tests.seasons.evenings import link_all_names, play_evening
from tests.sign_ups import come, event_with
from tournament.accounts.models import Account
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.people.actions import link_people, note_namesakes, part_person, set_aliases, set_person_page, undo_link
from tournament.people.models import Alias, AliasKind, KnownPerson
from tournament.people.queries import Reason, find_by_alias, list_humans, list_links, list_proposals, search_humans
from tournament.players.actions import NewPlayer, change_player, player_facts
from tournament.players.models import Person
from tournament.privacy.actions import erase_event_people, erase_person
from tournament.privacy.queries import get_person_data, is_due, say_forgotten
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.queries import READY_MADE
from tournament.signup.actions import make_players
from tournament.signup.queries import sign_up_token
from tournament.standings.queries import read_standings

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ONE = ("Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik")
TWO = ("Birk Sol", "Anna Berg", "Ede Holm", "Dora Vik")


@pytest.fixture
def by() -> Account:
    return make_account("Owner", superuser=True)


@pytest.fixture
def evenings() -> tuple[Event, Event]:
    return play_evening(1, ONE), play_evening(2, TWO)


def person(event: Event, name: str) -> Person:
    return Person.objects.get(players__event=event, preferred_name=name)


def groups() -> list[tuple[Reason, tuple[str, ...]]]:
    return [(each.reason, tuple(human.name for human in each.humans)) for each in list_proposals(list_humans())]


def standings(*events: Event) -> list[Any]:
    return [read_standings(event) for event in events]


def test_names_are_asked_a_number_is_sure_and_similar_names_come_last(evenings: tuple[Event, Event]):
    one, two = evenings
    assert groups() == [
        (Reason.NAME, ("Birk Sol", "Birk Sol")),
        (Reason.NAME, ("Dora Vik", "Dora Vik")),
        (Reason.SIMILAR, ("Ana Berg", "Anna Berg")),
    ]
    for event, name in ((one, "Cyan Lund"), (two, "Ede Holm")):
        player = event.players.select_related("person", "event").get(person__preferred_name=name)
        to = NewPlayer(name, ema_number="12345678")
        change_player(player=player, to=to, ranked=True, by=writer_of(event))
    proposals = list_proposals(list_humans())
    assert [(each.reason, each.sure) for each in proposals][:2] == [(Reason.EMA_NUMBER, True), (Reason.NAME, False)]


def test_two_players_of_one_event_are_never_one_person(by: Account):
    event = play_evening(1, ONE)
    with refused("people.same_event"):
        link_people(people=[person(event, "Ana Berg").pk, person(event, "Birk Sol").pk], by=by)
    assert not KnownPerson.objects.exists()


def test_a_link_moves_no_result_and_is_undone_long_after(evenings: tuple[Event, Event], by: Account):
    one, two = evenings
    before = standings(*evenings)
    known = link_people(people=[person(one, "Ana Berg").pk, person(two, "Anna Berg").pk], by=by)
    assert known is not None
    assert [human.names for human in list_humans() if human.uid] == [("Anna Berg", "Ana Berg")]
    assert link_people(people=[person(one, "Ana Berg").pk, person(two, "Anna Berg").pk], by=by) is None
    link_all_names()
    (link,) = [each for each in list_links() if "Ana Berg" in each.names]
    assert undo_link(seq=link.seq, by=by)
    assert not undo_link(seq=link.seq, by=by)
    assert [human.name for human in list_humans() if human.uid] == ["Birk Sol", "Dora Vik"]
    assert standings(*evenings) == before
    assert [each.undone for each in list_links() if "Ana Berg" in each.names] == [True]


def test_merging_two_known_people_keeps_the_older_id_and_undo_gives_both_back(by: Account):
    events = [play_evening(number, ONE) for number in range(1, 5)]
    pairs = [
        [person(event, "Ana Berg").pk for event in events[:2]],
        [person(event, "Ana Berg").pk for event in events[2:]],
    ]
    first, second = (link_people(people=pair, by=by) for pair in pairs)
    assert first is not None
    assert second is not None
    set_aliases(known=second, names=[(AliasKind.TENHOU, "anb")], by=by)
    merged = link_people(people=[pairs[0][0], pairs[1][0]], by=by)
    second.refresh_from_db()
    assert (merged, second.merged_into, find_by_alias("tenhou", "ANB")) == (first, first, first.pk)
    assert undo_link(seq=list_links()[0].seq, by=by)
    second.refresh_from_db()
    assert (second.merged_into, find_by_alias("tenhou", "anb")) == (None, second.pk)
    assert sorted(len(human.events) for human in list_humans() if human.uid) == [2, 2]


def test_parting_takes_one_event_out_and_different_people_are_not_proposed_again(
    evenings: tuple[Event, Event], by: Account
):
    link_all_names()
    part_person(person=person(evenings[1], "Birk Sol"), by=by)
    assert (Reason.NAME, ("Birk Sol", "Birk Sol")) in groups()
    pair = [person(event, "Birk Sol").pk for event in evenings]
    assert note_namesakes(people=pair, by=by)
    assert not note_namesakes(people=pair, by=by)
    assert (Reason.NAME, ("Birk Sol", "Birk Sol")) not in groups()
    with refused("people.not_linked"):
        part_person(person=person(evenings[1], "Birk Sol"), by=by)


def test_the_trail_of_the_site_names_nobody(evenings: tuple[Event, Event], by: Account):
    link_all_names()
    known = KnownPerson.objects.order_by("pk").first()
    assert known is not None
    set_aliases(known=known, names=[(AliasKind.MAHJONG_SOUL, "BirkSol")], by=by)
    set_person_page(known=known, agreed=True, by=by)
    rows = list(AuditRow.objects.filter(event=None).values_list("details", flat=True))
    assert len(rows) == 5
    assert [row for row in rows if "Birk" in row or "Vik" in row] == []


def test_an_online_name_is_of_one_person(evenings: tuple[Event, Event], by: Account):
    link_all_names()
    one, two = KnownPerson.objects.order_by("pk")[:2]
    assert set_aliases(known=one, names=[(AliasKind.TENHOU, "Kaze")], by=by)
    assert not set_aliases(known=one, names=[(AliasKind.TENHOU, "Kaze")], by=by)
    with refused("people.alias_taken"):
        set_aliases(known=two, names=[(AliasKind.TENHOU, "kaze")], by=by)


def test_refused_names_stay_typed_and_a_form_without_their_fields_deletes_none(
    evenings: tuple[Event, Event], by: Account
):
    link_all_names()
    one, two = KnownPerson.objects.order_by("pk")[:2]
    set_aliases(known=one, names=[(AliasKind.TENHOU, "Kaze")], by=by)
    set_aliases(known=two, names=[(AliasKind.TENHOU, "Sora")], by=by)
    client, url = client_of(by), f"/desk/people/{two.uid}/"
    fields = dict.fromkeys(AliasKind, "")
    for typed, words in (("Mizu, kaze", "The name kaze belongs to another person already."), ("x" * 300, "60")):
        page = client.post(url, {**fields, "tenhou": typed})
        assert (page.status_code, f'value="{typed}"' in page.text) == (422, True)
        assert words in page.text
    sent: dict[str, str]
    for sent in ({}, {"part": "99999999999"}, {"tenhou": "Mizu"}):
        client.post(url, sent)
        assert [*Alias.objects.filter(known=two).values_list("text", flat=True)] == ["Sora"]
    assert client.post(url, {**fields, "tenhou": "Mizu, \u200b,"}).status_code == 302
    assert [*Alias.objects.filter(known=two).values_list("text", flat=True)] == ["Mizu"]


def test_forgetting_goes_over_all_events_of_a_person(evenings: tuple[Event, Event], by: Account):
    link_all_names()
    set_aliases(known=KnownPerson.objects.order_by("pk")[0], names=[(AliasKind.TENHOU, "Kaze")], by=by)
    row = person(evenings[0], "Birk Sol")
    assert len(get_person_data(row.players.select_related("person", "event").get())["events"]) == 2
    erase_person(person=row, stand_in_for=say_forgotten, reason="asked", by=by)
    assert not Person.objects.filter(preferred_name="Birk Sol").exists()
    assert not Alias.objects.exists()
    assert "Birk Sol" not in json.dumps([[row.name for row in each.rows] for each in standings(*evenings)])


def test_the_time_of_a_person_counts_from_the_last_event(evenings: tuple[Event, Event], by: Account):
    link_all_names()
    one, two = evenings
    Event.objects.filter(pk__in=[one.pk, two.pk]).update(keep_months=1)
    one.refresh_from_db()
    two.refresh_from_db()
    late = two.date.replace(year=two.date.year + 1)
    assert is_due(one, late)  # those of the first event alone
    erase_event_people(event=one, stand_in_for=say_forgotten, today=late, by=by)
    names = set(one.players.values_list("person__preferred_name", flat=True))
    assert {"Birk Sol", "Dora Vik"} <= names
    assert "Cyan Lund" not in names
    erase_event_people(event=two, stand_in_for=say_forgotten, today=late, by=by)
    assert not Person.objects.filter(forgotten_at=None).exists()


def test_with_the_last_of_three_events_goes_what_a_person_was_at_the_others(by: Account):
    events = [play_evening(number, ONE) for number in range(1, 4)]
    link_all_names()
    last = events[-1]
    Event.objects.filter(pk=last.pk).update(keep_months=1)
    last.refresh_from_db()
    erase_event_people(event=last, stand_in_for=say_forgotten, today=last.date.replace(year=2028), by=by)
    assert not Person.objects.filter(forgotten_at=None).exists()
    assert {name for event in events for name in event.players.values_list("person__preferred_name", flat=True)} == {
        f"Deleted player {number}" for number in range(1, 5)
    }


def test_a_search_finds_people_by_words_of_any_name(evenings: tuple[Event, Event]):
    link_all_names()
    assert [(human.name, len(human.events)) for human in search_humans("sol bir")] == [("Birk Sol", 2)]
    assert search_humans("nobody") == []


def test_an_organiser_decides_for_the_own_events_alone(evenings: tuple[Event, Event]):
    one, _two = evenings
    client = organiser(one)
    page = client.get(f"/desk/{one.slug}/players/known/")
    assert (page.status_code, "Ede Holm" in page.content.decode()) == (200, False)
    pair = [person(event, "Birk Sol").pk for event in evenings]
    client.post(f"/desk/{one.slug}/players/known/", {"act": "link", "group": "1", "people-1": pair})
    assert not KnownPerson.objects.exists()
    assert client.get("/desk/people/").status_code == 404


def test_the_page_of_people_links_and_undoes(evenings: tuple[Event, Event], by: Account):
    client = client_of(by)
    assert "the same name" in client.get("/desk/people/").content.decode()
    pair = [person(event, "Birk Sol").pk for event in evenings]
    client.post("/desk/people/", {"act": "link", "group": ["1", "2"], "people-1": pair, "people-2": []})
    known = KnownPerson.objects.get()
    assert known.people.count() == 2
    shown = client.get(f"/desk/people/{known.uid}/").content.decode()
    assert "evening-1" in shown
    assert client.get(f"/p/{known.uid}/").status_code == 404
    client.post(f"/desk/people/{known.uid}/", {"agreed": "yes"})
    public = client.get(f"/p/{known.uid}/").content.decode()
    assert "Birk Sol" in public
    assert f"/p/{known.uid}/" in client.get("/").content.decode()
    client.post("/desk/people/", {"act": f"undo-{list_links()[0].seq}"})
    assert known.people.count() == 0
    assert "Birk Sol" in client.get("/desk/people/?q=birk").content.decode()


def test_the_list_of_players_offers_who_may_be_known(evenings: tuple[Event, Event], by: Account):
    client = client_of(by)
    address = f"/desk/{evenings[1].slug}/players/"
    assert "2 players may be known from other events." in client.get(address).content.decode()
    link_all_names()
    assert "may be known" not in client.get(address).content.decode()
    assert "may be known" not in organiser(evenings[0]).get(f"/desk/{evenings[0].slug}/players/").content.decode()


def test_last_tuesday_is_copied_with_its_people_and_its_seasons(evenings: tuple[Event, Event], by: Account):
    season = create_season(facts=SeasonFacts("Autumn", READY_MADE["sum"]), by=by)
    set_season_events(season=season, events=[CountedEvent(evenings[1].pk, "1/2", 2)], by=by)
    client = client_of(by)
    address = f"/desk/new/?copy={evenings[1].slug}"
    assert "Count it in the same seasons" in client.get(address).content.decode()
    form = {
        "name": "Evening 3", "date": "2026-09-22", "rounds": "2", "visibility": "public", "time_zone": "Europe/London",
        "players": "on", "seasons": "on", "roles": "on",
    }  # fmt: skip
    made = client.post(address, form)
    event = Event.objects.get(slug="evening-3-2026")
    assert made["Location"] == f"/desk/{event.slug}/players/"
    assert sorted(event.players.values_list("person__preferred_name", flat=True)) == sorted(TWO)
    assert sorted(len(human.events) for human in list_humans() if human.uid) == [2, 2, 2, 2]
    assert list(season.events.values_list("event__slug", "weight", "phase")) == [
        ("evening-2", "1/2", 2),
        ("evening-3-2026", "1/2", 2),
    ]


def test_who_signed_up_opens_and_closes_a_page_by_the_own_link(client: Client):
    event = event_with()
    (ada,) = come(event, "Ada Quist", show_name=True)
    address = f"/e/cup/sign-up/{sign_up_token(ada)}/"
    assert "A page of my own" not in client.get(address).content.decode()
    make_players(event=event, by=writer_of(event))
    client.post(address, {"act": "open_page"})
    client.post(address, {"act": "open_page"})
    known = KnownPerson.objects.get()
    assert "Ada Quist" in client.get(f"/p/{known.uid}/").content.decode()
    assert f"/p/{known.uid}/" in client.get(address).content.decode()
    client.post(address, {"act": "close_page"})
    assert client.get(f"/p/{known.uid}/").status_code == 404
    verbs = list(AuditRow.objects.filter(event=None).order_by("seq").values_list("verb", flat=True))
    assert verbs[-2:] == ["person_page_opened", "person_page_closed"]


def test_facts_of_a_player_stay_of_the_event(evenings: tuple[Event, Event]):
    link_all_names()
    player = evenings[0].players.select_related("person", "event").get(person__preferred_name="Dora Vik")
    change_player(player=player, to=NewPlayer("Dora Vík"), ranked=True, by=writer_of(evenings[0]))
    there = evenings[1].players.select_related("person").get(number=player.number)
    assert player_facts(there).preferred_name in TWO


def test_a_noted_name_of_an_online_client_is_asked(evenings: tuple[Event, Event], by: Account):
    link_all_names()
    known = person(evenings[0], "Birk Sol").known
    assert known
    set_aliases(known=known, names=[(AliasKind.TENHOU, "kaze_77")], by=by)
    play_evening(3, ("Kaze_77", "New One", "New Two", "New Three"))
    assert (Reason.ALIAS, ("Birk Sol", "Kaze_77")) in groups()
