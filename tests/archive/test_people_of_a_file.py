"""Another desk's event file: who agreed is the same person by EMA number or online name, all others are asked."""

import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.archive.test_archive_refused import changed
from tests.factories import make_account, writer_of
from tests.pages.at_desk import organiser
from tests.seasons.evenings import play_evening
from tournament.accounts.models import Account
from tournament.archive.actions import import_event
from tournament.archive.event_file import read_event_file, write_event_file
from tournament.archive.queries import get_event_file
from tournament.core.errors import DomainError
from tournament.core.hash_chain import checksum
from tournament.core.models import AuditRow
from tournament.events.actions import delete_event
from tournament.events.models import Event
from tournament.people.actions import add_alias, link_people, note_namesakes, set_own_page, undo_link
from tournament.people.models import ONLINE, Alias, AliasKind, KnownPerson
from tournament.people.queries import Reason, list_humans, list_links, list_proposals, match_agreed
from tournament.players.actions import NewPlayer, change_player
from tournament.players.models import Person
from tournament.privacy.actions import erase_person, set_names_shown
from tournament.privacy.queries import say_forgotten

pytestmark = [pytest.mark.django_db, pytest.mark.once]

HOME = ("Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik")
AWAY = ("Quill", "Rowan", "Sage", "Thorn")
OLD = Path(__file__).parent.parent / "data" / "golden" / "2026-11-23-0336.event.json.xz"
TENHOU, MAJSOUL = AliasKind.TENHOU, AliasKind.MAHJONG_SOUL


@pytest.fixture
def by() -> Account:
    return make_account("Owner", superuser=True)


def person_at(event: Event, place: int) -> Person:
    return event.players.select_related("person__known").get(number=place).person


def number(event: Event, place: int, ema: str) -> None:
    player = event.players.select_related("person").get(number=place)
    to = NewPlayer(player.person.preferred_name, ema_number=ema)
    change_player(player=player, to=to, ranked=True, by=writer_of(event))


def numbered(event: Event, *ema: str) -> Event:
    for place, each in enumerate(ema, start=1):
        number(event, place, each)
    event.refresh_from_db()
    return event


def know(event: Event, place: int, *names: tuple[AliasKind, str], agreed: bool = True) -> Person:
    """Note online names of a player, and that the person agreed to be known over events."""
    person = person_at(event, place)
    for kind, name in names:
        add_alias(person=person_at(event, place), kind=kind, name=name, by=writer_of(event))
    set_own_page(person=person_at(event, place), agreed=agreed, by=writer_of(event))
    return person


def played_by_one() -> dict[str, int]:
    return {human.name: len(human.events) for human in list_humans()}


def asked(reason: Reason = Reason.ONLINE_NAME) -> list[list[str]]:
    found = [each for each in list_proposals(list_humans()) if each.reason is reason]
    return [sorted(human.name for human in each.humans) for each in found]


def come_from_another_desk(away: Event, by: Account, change: Callable[[Any], object] = lambda _content: None) -> Event:
    """Import the file of an event with online names, as if nothing of its people had ever been here."""
    written = changed(get_event_file(away, online_names=True), change)
    known = set(KnownPerson.objects.filter(people__players__event=away))
    delete_event(event=away, name=away.name, reason="a trial", by=by)
    KnownPerson.objects.filter(pk__in=[each.pk for each in known]).delete()
    return import_event(data=written, by=by)


def give(*players: list[tuple[str, str]]) -> Callable[[Any], None]:
    """Return a change of a file: the online names of its first players."""

    def change(content: Any) -> None:
        for facts, names in zip(content["players"], players, strict=False):
            facts["online_names"] = [{"kind": kind, "text": text} for kind, text in names]

    return change


# ---------------------------------------------------------------- EMA numbers


def test_who_agreed_is_one_person_by_the_number_and_others_are_asked(by: Account):
    away_names = ("A. Berg", "B. Sol", "Cy Lund", "Ede Holm")
    home = numbered(play_evening(1, HOME), "04010001", "04010002", "04010003", "")
    away = numbered(play_evening(2, away_names), "04010001", "04010002", "04010003", "")
    set_own_page(person=person_at(home, 1), agreed=True, by=by)
    written = get_event_file(away)
    delete_event(event=away, name=away.name, reason="a trial", by=by)
    event = import_event(data=written.encode(), by=by)
    assert played_by_one() == {
        "A. Berg": 2, "Birk Sol": 1, "Cyan Lund": 1, "Dora Vik": 1, "B. Sol": 1, "Cy Lund": 1, "Ede Holm": 1,
    }  # fmt: skip
    proposals = [tuple(human.name for human in each.humans) for each in list_proposals(list_humans())]
    assert proposals[:2] == [("Birk Sol", "B. Sol"), ("Cyan Lund", "Cy Lund")]
    assert {each.reason for each in list_proposals(list_humans())[:2]} == {Reason.EMA_NUMBER}
    assert get_event_file(event) == written
    assert undo_link(seq=list_links()[0].seq, by=by)
    assert played_by_one()["Ana Berg"] == 1


def test_a_number_that_two_have_links_nobody(by: Account):
    home = numbered(play_evening(1, HOME), "04010001", "04010001", "", "")
    away = numbered(play_evening(2, AWAY), "04010001", "", "", "")
    for place in (1, 2):
        set_own_page(person=person_at(home, place), agreed=True, by=by)
    written = get_event_file(away)
    delete_event(event=away, name=away.name, reason="a trial", by=by)
    import_event(data=written.encode(), by=by)
    assert set(played_by_one().values()) == {1}


def test_two_numbers_of_one_person_stop_no_import(by: Account):
    home = numbered(play_evening(1, HOME), "04010001", "", "", "")
    later = numbered(play_evening(2, ("Ana Berg", "Ede Holm", "Finn Aas", "Gry Dahl")), "04010002", "", "", "")
    link_people(people=[person_at(home, 1).pk, person_at(later, 1).pk], by=by)
    set_own_page(person=person_at(home, 1), agreed=True, by=by)
    away = numbered(play_evening(3, AWAY), "04010001", "04010002", "", "")
    come_from_another_desk(away, by)
    assert played_by_one() | {"Ana Berg": 2, "Quill": 1, "Rowan": 1} == played_by_one()


# ---------------------------------------------------------------- online names


def test_both_agreed_and_one_online_name_is_one_person_until_that_is_undone(by: Account):
    home, away = play_evening(1, HOME), play_evening(2, AWAY)
    know(home, 1, (TENHOU, "Kaze_77"))
    plain = get_event_file(away)
    event = come_from_another_desk(away, by, give([("tenhou", "KAZE_77")]))
    assert played_by_one() == {
        "Quill": 2, "Birk Sol": 1, "Cyan Lund": 1, "Dora Vik": 1, "Rowan": 1, "Sage": 1, "Thorn": 1,
    }  # fmt: skip
    assert asked() == []
    assert get_event_file(event) == plain, "what came in is the event alone"
    assert list(Alias.objects.values_list("text", flat=True)) == ["Kaze_77"]
    assert undo_link(seq=list_links()[0].seq, by=by)
    assert played_by_one()["Ana Berg"] == played_by_one()["Quill"] == 1


@pytest.mark.parametrize(("here", "there"), [(True, True), (True, False), (False, True), (False, False)])
def test_both_must_have_agreed(by: Account, here: bool, there: bool):
    home, away = play_evening(1, HOME), play_evening(2, AWAY)
    know(away, 3, (TENHOU, "Kaze_77"), agreed=there)
    written = get_event_file(away, online_names=True)
    assert ("Kaze_77" in written) == there
    delete_event(event=away, name=away.name, reason="a trial", by=by)
    KnownPerson.objects.all().delete()
    know(home, 2, (TENHOU, "kaze_77"), agreed=here)
    import_event(data=written.encode(), by=by)
    assert played_by_one().get("Sage") == (2 if here and there else 1)
    assert asked() == []


def test_a_hidden_name_hides_the_online_names(by: Account):
    home, away = play_evening(1, HOME), play_evening(2, AWAY)
    know(away, 1, (TENHOU, "Kaze_77"))
    set_names_shown(event=away, numbers=[1], shown=False, by=writer_of(away))
    assert get_event_file(away, online_names=True) == get_event_file(away)
    come_from_another_desk(away, by, give([("tenhou", "Sora")]))  # such a file is no desk's
    know(home, 1, (TENHOU, "Sora"))
    assert set(played_by_one().values()) == {1}


def test_a_forgotten_person_has_no_online_name_in_a_file_and_is_found_by_none(by: Account):
    home, away = play_evening(1, HOME), play_evening(2, AWAY)
    both = know(away, 1, (TENHOU, "Kaze_77"))
    erase_person(person=both, stand_in_for=say_forgotten, reason="asked", by=by)
    away.refresh_from_db()
    assert get_event_file(away, online_names=True) == get_event_file(away)
    erase_person(person=know(home, 1, (TENHOU, "Sora")), stand_in_for=say_forgotten, reason="asked", by=by)
    come_from_another_desk(away, by, give([], [("tenhou", "Sora")]))
    assert set(played_by_one().values()) == {1}


def test_forgetting_takes_the_names_of_who_was_merged_twice(by: Account):
    events = [play_evening(number, HOME) for number in range(1, 7)]
    rows = [person_at(event, 1).pk for event in events]
    for first in (4, 2, 0):
        link_people(people=rows[first : first + 2], by=by)
    for place, name in ((0, "Kaze"), (2, "Sora"), (4, "Mizu")):
        know(events[place], 1, (TENHOU, name))
    link_people(people=[rows[2], rows[0]], by=by)
    link_people(people=[rows[4], rows[0]], by=by)
    written = get_event_file(events[0], online_names=True)
    assert [name in written for name in ("Kaze", "Sora", "Mizu")] == [True, True, True]
    erase_person(person=person_at(events[0], 1), stand_in_for=say_forgotten, reason="asked", by=by)
    assert not Alias.objects.exists()


def test_names_of_two_people_are_asked_and_nothing_is_linked(by: Account):
    home, away = play_evening(1, HOME), play_evening(2, AWAY)
    know(home, 1, (TENHOU, "Kaze"))
    know(home, 2, (MAJSOUL, "Sora"))
    come_from_another_desk(away, by, give([("tenhou", "Kaze"), ("majsoul", "Sora")]))
    assert set(played_by_one().values()) == {1}
    assert asked() == [["Ana Berg", "Birk Sol", "Quill"]]
    (proposal,) = [each for each in list_proposals(list_humans()) if each.reason is Reason.ONLINE_NAME]
    assert (proposal.sure, proposal.ticked) == (False, False)
    (row,) = AuditRow.objects.filter(event=None, verb="online_names_shared")
    assert [name for name in ("Kaze", "Sora", "Berg", "Quill") if name in row.details] == []
    link_people(people=[proposal.humans[0].people[0], person_at(Event.objects.get(slug="evening-2"), 1).pk], by=by)
    assert max(played_by_one().values()) == 2


def test_of_two_people_with_different_numbers_either_may_be_the_player(by: Account):
    home = numbered(play_evening(1, HOME), "04010001", "04010002", "", "")
    know(home, 1, (TENHOU, "Kaze"))
    know(home, 2, (TENHOU, "Sora"))
    event = come_from_another_desk(play_evening(2, AWAY), by, give([("tenhou", "Kaze"), ("tenhou", "Sora")]))
    assert asked() == [["Ana Berg", "Birk Sol", "Quill"]]
    link_people(people=[person_at(home, 2).pk, person_at(event, 1).pk], by=by)
    assert asked() == []


def test_one_name_at_two_players_is_asked_until_they_are_said_to_be_different(by: Account):
    home, away = play_evening(1, HOME), play_evening(2, AWAY)
    know(home, 1, (TENHOU, "Kaze"))
    event = come_from_another_desk(away, by, give([("tenhou", "Kaze")], [("tenhou", "kaze ")]))
    assert set(played_by_one().values()) == {1}
    assert asked() == [["Ana Berg", "Quill", "Rowan"]]
    note_namesakes(people=[person_at(home, 1).pk, *(person_at(event, place).pk for place in (1, 2))], by=by)
    assert asked() == []


def test_an_ema_number_comes_before_a_name_and_another_one_against_it(by: Account):
    home = numbered(play_evening(1, HOME), "04010001", "04010002", "", "")
    away = numbered(play_evening(2, AWAY), "04010001", "04010009", "", "")
    know(home, 1)
    know(home, 2, (TENHOU, "Kaze"))
    know(home, 3, (TENHOU, "Sora"))
    names = [[("tenhou", "Sora")], [("tenhou", "Kaze")], [("majsoul", "Sora")]]
    come_from_another_desk(away, by, give(*names))
    assert {name: count for name, count in played_by_one().items() if count > 1} == {"Quill": 2}
    assert asked() == []


def test_a_name_moves_with_a_merged_person(by: Account):
    events = [play_evening(number, HOME) for number in range(1, 5)]
    know(events[2], 1, (TENHOU, "Kaze"))
    know(events[0], 1)
    link_people(people=[person_at(events[0], 1).pk, person_at(events[2], 1).pk], by=by)
    away = play_evening(5, AWAY)
    come_from_another_desk(away, by, give([("tenhou", "Kaze")]))
    assert played_by_one()["Quill"] == 3


@given(
    numbered=st.dictionaries(st.integers(1, 6), st.integers(10, 14)),
    named=st.dictionaries(st.integers(1, 6), st.sets(st.integers(10, 14))),
)
def test_two_players_are_never_one_person_and_nobody_is_lost(numbered: dict[int, int], named: dict[int, set[int]]):
    sure, asked = match_agreed(numbered, named)
    assert len(set(sure.values())) == len(sure), "two players of one event are never one person"
    assert all(numbered.get(row, known) == known for row, known in sure.items()), "a number comes before a name"
    assert all(known in {numbered.get(row), *named.get(row, ())} for row, known in sure.items())
    assert sum(map(len, asked)) == len(set().union(*asked)), "nobody is asked twice"
    taken = {*numbered.values(), *sure.values()}
    for row in named.keys() - numbered.keys() - sure.keys():
        assert named[row] <= taken or any(-row in group for group in asked)
    assert match_agreed(numbered, {row: set() for row in named}).asked == []


# ---------------------------------------------------------------- the file


def test_a_file_is_the_same_as_ever_where_nobody_agreed(by: Account):
    away = play_evening(1, AWAY)
    before = get_event_file(away)
    assert "online_names" not in before
    know(away, 1, (TENHOU, "Kaze"), (AliasKind.SPELLING, "Quil"))
    know(away, 2, (MAJSOUL, "Sora"), agreed=False)
    assert get_event_file(away) == before
    with_names = json.loads(get_event_file(away, online_names=True))
    assert with_names["content"]["players"][0].pop("online_names") == [{"kind": "tenhou", "text": "Kaze"}]
    assert with_names["content"] == json.loads(before)["content"]


def test_the_desk_gives_the_names_at_the_press_alone(by: Account):
    away = play_evening(1, AWAY)
    know(away, 1, (TENHOU, "Kaze"))
    client = organiser(away)
    plain, named = (client.get(f"/desk/evening-1/export/event.json{query}") for query in ("", "?online_names"))
    assert plain.content.decode() == get_event_file(away)
    assert named.content.decode() == get_event_file(away, online_names=True) != get_event_file(away)
    page = client.get("/desk/evening-1/results/").content.decode()
    assert "/desk/evening-1/export/event.json?online_names" in page


@pytest.fixture(scope="module")
def content() -> dict[str, Any]:
    """Return the content of a file of an earlier version, which knows no online names."""
    return dict(json.loads(lzma.decompress(OLD.read_bytes()))["content"])


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=60).filter(str.strip)


@given(names=st.lists(st.tuples(st.sampled_from(ONLINE), NAMES)))
def test_every_name_comes_out_as_it_went_in(content: dict[str, Any], names: list[tuple[str, str]]):
    made = json.loads(json.dumps(content))
    give(names)(made)
    file = write_event_file(made)
    read = read_event_file(file.encode())
    assert [(each["kind"], each["text"]) for each in read["players"][0]["online_names"]] == names
    assert not any(each["online_names"] for each in read["players"][1:])


@pytest.mark.parametrize(
    ("names", "where"),
    [
        ([{"kind": "tenhou", "text": "x" * 61}], "online_names[0].text"),
        ([*[{"kind": "majsoul", "text": "x"}] * 2, {"kind": "tenhou", "text": " "}], "online_names[2].text"),
        ([{"kind": "tenhou", "text": "a\0b"}], "online_names[0].text"),
        ([{"kind": "tenhou", "text": 7}], "online_names[0].text"),
        ([{"kind": "spelling", "text": "Quil"}], "online_names[0].kind"),
        ([{"kind": ["tenhou"], "text": "Quil"}], "online_names[0].kind"),
        ([{"kind": "tenhou"}], "online_names[0]"),
        ([{"kind": "tenhou", "text": "Kaze", "more": 1}], "online_names[0]"),
        (["Kaze"], "online_names[0]"),
        ({"tenhou": "Kaze"}, "online_names"),
        (None, "online_names"),
    ],
)  # fmt: skip
def test_a_damaged_name_is_refused_with_its_place(content: dict[str, Any], names: Any, where: str):
    made = json.loads(json.dumps(content))
    made["players"][1]["online_names"] = names
    data = json.dumps({"format": "hanchan-desk-event", "version": 1, "checksum": checksum(made), "content": made})
    with pytest.raises(DomainError) as refusal:
        read_event_file(data.encode())
    (problem,) = refusal.value.problems
    assert (problem.code, problem.params["where"]) == ("archive.form", f"content.players[1].{where}")
