"""Players type their own results by the club's code: one phone a player, all say yes, and what is refused shows."""

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.factories import enter, fresh, make_event, refused, rows_of, table_of, writer_of
from tests.open_play.evening import make_evening, players_of, sit_down
from tests.pages.at_desk import client_of, organiser, values
from tests.pages.html_reader import texts
from tests.player_entry.phones import SCORES, Phone, allow_phones, seated
from tournament.accounts.actions import renew_device, revoke_devices
from tournament.accounts.models import Account, Membership, TableDevice
from tournament.archive.verify import verify_event
from tournament.calls.actions import close_call
from tournament.calls.models import RefereeCall
from tournament.core.models import AuditRow
from tournament.core.now import now
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.open_play.queries import get_evening
from tournament.player_entry.actions import PHONE_TRIES, REFUSED_ROWS, end_club_code, make_club_code
from tournament.players.actions import check_in, withdraw_player
from tournament.players.models import Player
from tournament.privacy.actions import erase_person, set_names_shown
from tournament.privacy.queries import say_forgotten
from tournament.rounds.actions import start_round
from tournament.sheets.actions import last_sheet
from tournament.tables.models import LedgerEntry, Round, Table
from tournament.tables.queries import load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

CODE_URL = "/desk/cup/settings/players-phones/"


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """A tournament whose first round has started, and in which players may type."""
    event = make_event(slug="cup", tables=2, rounds=2)
    start_round(round_=Round.objects.get(event=event, number=1), by=writer_of(event))
    return allow_phones(event)


@pytest.fixture
def table(event: Event) -> Table:
    return table_of(event)


@pytest.fixture
def phones(event: Event, table: Table) -> list[Phone]:
    """Return the phones of table 1 by seat."""
    return [Phone(event, number) for number in seated(table)]


def refusals(event: Event, slug: str = "cup") -> str:
    """Return what the desk's page says of refused phones."""
    return " ".join(texts(organiser(event).get(f"/desk/{slug}/settings/players-phones/"), "section"))


def said(response: object) -> str:
    """Return the notes of an answer."""
    return " ".join(texts(response, ".note"))


@pytest.mark.follows("during/players-phones.md")
def test_a_sheet_typed_by_one_counts_when_all_have_said_yes(event: Event, table: Table, phones: list[Phone]):
    assert "After the last hand" in phones[0].page()
    assert phones[0].type().status_code == 302
    assert [row.by for row in rows_of(table)] == [str(Account.objects.get(table_device__player__number=1).uid)]
    assert last_sheet(table) is None
    for phone in phones[1:]:
        assert "Are these the points in front of you" in phone.page()
        phone.answer("yes")
    sheet = last_sheet(table)
    assert sheet is not None
    assert (sheet.signed, sheet.by, tuple(sheet.totals)) == (True, "", SCORES)
    assert "Your last game is signed: 40,000 points, place 1." in phones[0].page()
    assert "The round has not started." in phones[0].page()
    row = AuditRow.objects.get(event=event, verb="table_signed")
    assert [each["player"] for each in json.loads(row.details)["said"]] == seated(table)
    trail = " ".join(texts(organiser(event).get("/desk/cup/settings/trail/"), "tr"))
    assert "typed the final scores of round 1, table 1 as player 1" in trail
    assert verify_event(event).problems == []


def test_the_code_opens_nothing_else(event: Event, phones: list[Phone]):
    for address in ("", "calls/", "rounds/1/tables/1/", "rounds/1/tables/1/totals/", "players/", "settings/"):
        assert phones[0].client.get(f"/desk/cup/{address}").status_code == 404, address
    assert phones[0].client.post("/desk/cup/rounds/1/tables/1/", {"line": "2r3 340"}).status_code == 404
    assert not Membership.objects.filter(account__table_device__player__isnull=False).exists()
    assert phones[0].client.get("/device/")["Location"] == phones[0].url


def test_a_sheet_that_is_sent_again_counts_once(table: Table, phones: list[Phone]):
    fields = phones[0].fields()
    for _ in range(3):
        assert phones[0].type(**fields).status_code == 302
    assert len(rows_of(table)) == 1
    other = phones[0].type((33_000, 40_000, 27_000, 20_000), **fields)
    assert other.status_code == 422
    assert "already sent with other content" in said(other)
    for phone in phones[1:]:
        phone.answer("yes")
        phone.answer("yes")
    assert phones[0].type(**fields).status_code == 302  # the phone was out of reach meanwhile
    assert (len(rows_of(table)), table.sheets.count()) == (1, 1)


def test_two_who_type_at_once_do_not_overwrite_each_other(table: Table, phones: list[Phone]):
    fields = phones[1].fields()
    phones[0].type()
    late = phones[1].type((20_000, 33_000, 27_000, 40_000), **fields)
    assert late.status_code == 422
    assert "Something was entered at this table meanwhile" in said(late)
    assert "Are these the points in front of you" in " ".join(texts(late, "#main"))
    assert len(rows_of(table)) == 1


def test_a_wrong_sum_is_refused_with_what_is_missing_and_nothing_is_lost(table: Table, phones: list[Phone]):
    answer = phones[0].type((40_000, 33_000, 27_000, 19_000))
    assert answer.status_code == 422
    assert "1,000" in said(answer)
    assert 'value="19000"' in answer.content.decode()
    assert not rows_of(table)
    assert phones[0].type((40_000, 33_000, 27_000, 2)).status_code == 422
    missing: dict[str, Any] = {"count-2": ""}
    empty = phones[0].type(**missing)
    assert "is missing" in said(empty)


def test_a_no_calls_the_referee_and_all_are_asked_again_after_it(event: Event, table: Table, phones: list[Phone]):
    phones[0].type()
    assert phones[2].answer("no", "I have 28,000").status_code == 302
    call = RefereeCall.objects.get(table=table)
    assert call.question == "I have 28,000"
    assert phones[1].answer("yes").status_code == 422
    assert "A referee is called" in phones[1].page()
    assert phones[1].post(act="ask", **phones[0].fields(), client_id=uuid4()).status_code == 422
    close_call(call=call, question=call.question, ruling="27,000 it is", by=writer_of(event))
    assert "Ask everybody for their yes" in phones[3].page()
    assert phones[3].post(act="ask", **phones[3].fields()).status_code == 302
    for phone in phones[:3]:
        phone.answer("yes")
    sheet = last_sheet(table)
    assert sheet is not None
    assert sheet.signed


def test_a_table_of_others_is_refused_and_shown(event: Event, phones: list[Phone]):
    stranger = Phone(event, seated(table_of(event, 2))[0])
    where: dict[str, Any] = {"round": "1", "table": "1", "expected_seq": "0", "client_id": str(uuid4())}
    answer = stranger.type(**where)
    assert answer.status_code == 422
    assert "You do not play at table 1" in said(answer)
    assert not rows_of(table_of(event))
    phones[0].type()
    assert stranger.post(answer="yes", **where).status_code == 422
    assert stranger.post(act="ask", **where).status_code == 422
    assert "for round 1, table 1, where they do not play" in refusals(event)


def test_who_types_for_others_is_refused_and_shown(event: Event, phones: list[Phone]):
    other = phones[0].choose(2)
    assert "types for nobody else" in said(other)
    assert "phone of player 1, which chose player 2" in refusals(event)
    thief = Phone(event)
    assert thief.choose(2).status_code == 422
    assert "refused a second phone for player 2" in refusals(event)
    assert "Who are you?" in thief.page()
    assert TableDevice.objects.filter(player__isnull=False).count() == 4


def test_the_code_of_another_event_is_refused_and_shown(event: Event):
    other = allow_phones(make_event(slug="other", rounds=1))
    wrong = Client().get(f"/e/cup/play/{other.club_code}/")
    assert wrong.status_code == 404
    assert "refused a phone with the club’s code of another event" in refusals(event)
    unknown = AuditRow.objects.count()
    assert Client().get("/e/cup/play/ABCDEFGHJK/").status_code == 404
    assert AuditRow.objects.count() == unknown
    phone = Phone(event, 1)
    sheet = {"act": "type", "round": "1", "table": "1", "expected_seq": "0", "client_id": str(uuid4())}
    phone.client.post(f"/e/other/play/{other.club_code}/", sheet | {f"count-{seat}": "30000" for seat in range(4)})
    assert not rows_of(table_of(other))


def test_a_flood_of_one_phone_is_refused_and_shown_once_per_span(event: Event, table: Table, phones: list[Phone]):
    most = PHONE_TRIES.proven
    assert most is not None
    for _ in range(most):
        phones[0].type((1, 2, 3, 4))
    flood = phones[0].type((45_100, 2, 3, 4))
    assert flood.status_code == 429
    assert values(flood, "count-0") == ["45100"]  # what was typed stays
    assert int(flood["Retry-After"]) > 0
    assert "phone of player 1, which sent too often" in refusals(event)
    before = AuditRow.objects.count()
    for _ in range(2 * (REFUSED_ROWS.network or 0)):
        phones[0].type()
    assert AuditRow.objects.count() - before < (REFUSED_ROWS.network or 0)
    assert phones[1].type().status_code == 302  # the others at the table go on
    assert len(rows_of(table)) == 1


def test_a_lost_phone_is_shut_out_and_its_player_comes_in_with_another(event: Event, table: Table, phones: list[Phone]):
    phones[0].type()
    lost = TableDevice.objects.get(player__number=1)
    with refused("device.ended"):
        renew_device(device=lost, by=writer_of(event))
    revoke_devices(event=event, devices=[lost.pk], by=writer_of(event))
    assert "Who are you?" in phones[0].page()
    again = Phone(event, 1)
    assert "You have said yes" in again.page()
    for phone in phones[1:]:
        phone.answer("yes")
    sheet = last_sheet(table)
    assert sheet is not None
    assert sheet.signed


def test_the_phone_of_a_player_is_listed_without_a_card(event: Event, phones: list[Phone]):
    desk = organiser(event)
    page = desk.get("/desk/cup/devices/")
    assert len(texts(page, "tbody tr")) == len(phones)
    assert "New card and PIN" not in page.content.decode()
    assert page.content.decode().count("/shut-out/") == len(phones) + 1
    assert texts(desk.get("/desk/cup/devices/cards/"), ".device-card-name") == []


def test_a_new_code_ends_the_old_one_and_its_end_ends_all_phones(event: Event, phones: list[Phone]):
    by, old = writer_of(event), event.club_code
    assert make_club_code(event=event, seen=old, by=by)
    assert not make_club_code(event=event, seen=old, by=by)  # the same click again
    assert phones[0].client.get(phones[0].url).status_code == 404
    new = f"/e/cup/play/{event.club_code}/"
    assert "Table 1" in " ".join(texts(phones[0].client.get(new), "h1"))
    assert old not in "".join(AuditRow.objects.filter(event=event).values_list("details", flat=True))
    assert end_club_code(event=event, by=by)
    assert not end_club_code(event=event, by=by)
    assert phones[0].client.get(new).status_code == 404
    assert not make_event().club_code


def test_tournaments_allow_totals_alone_after_the_start_and_no_hands(event: Event, table: Table, phones: list[Phone]):
    second = table_of(event, round_=2)
    number = seated(second)[0]
    player = Phone(event, number) if number > 4 else phones[number - 1]
    early = player.type(round="2", table="1", expected_seq="0", client_id=str(uuid4()))
    assert "Round 2 has not started" in said(early)
    enter(table, "2r3 340")
    assert "are entered one by one" in phones[0].page()
    assert "The next hand" not in phones[0].page()
    late = phones[0].type(round="1", table="1", expected_seq="1", client_id=str(uuid4()))
    assert late.status_code == 422
    assert (len(rows_of(table)), len(rows_of(second))) == (1, 0)


def test_a_replaced_player_types_nothing(event: Event, table: Table, phones: list[Phone]):
    put_substitute_in(
        table=table,
        player=table.seats.get(seat=0).player,
        replacement=Replacement(when="during", name="Kay Fir", reason="ill"),
        client_id=uuid4(),
        by=writer_of(event),
    )
    assert "are in front of you" not in phones[0].page()
    answer = phones[0].type(round="1", table="1", expected_seq="0", client_id=str(uuid4()))
    assert "You do not play at table 1" in said(answer)


def test_the_browser_of_the_desk_types_nothing_here(event: Event):
    desk = organiser(event)
    url = f"/e/cup/play/{event.club_code}/"
    assert "signed in at a desk" in " ".join(texts(desk.get(url), "#main"))
    desk.post(url, {"act": "name", "player": "1"})
    assert not TableDevice.objects.exists()


def test_the_page_asks_again_only_after_a_change(event: Event, phones: list[Phone]):
    at = {"at": str(fresh(event).version)}
    assert phones[1].client.get(phones[1].url, at).status_code == 204
    phones[0].type()
    assert phones[1].client.get(phones[1].url, at).status_code == 200


def test_the_desk_makes_shows_and_ends_the_code(event: Event):
    desk = organiser(event)
    page = desk.get(CODE_URL)
    assert "<svg" in page.content.decode()
    assert event.club_code[:5] in " ".join(texts(page, ".device-card-code"))
    desk.post(CODE_URL, {"act": "make", "seen": event.club_code})
    assert fresh(event).club_code not in ("", event.club_code)
    desk.post(CODE_URL, {"act": "end"})
    assert fresh(event).club_code == ""
    assert client_of(Account.objects.create(username="x")).get(CODE_URL).status_code == 404


# ---------------------------------------------------------------- a club night


@pytest.fixture
def night() -> Event:
    return allow_phones(make_evening(9, here=0))


def test_a_club_night_from_the_door_to_the_next_table(night: Event):
    phones = {number: Phone(night, number) for number in range(1, 7)}
    assert "You wait" not in phones[1].page()
    client_id = str(uuid4())
    for _ in range(2):
        assert phones[1].seat(3, 1, 4, 2, client_id=client_id).status_code == 302
    table = Table.objects.get(round__event=night)
    assert seated(table) == [3, 1, 4, 2]
    assert "You wait" in phones[5].page()
    taken = phones[5].seat(5, 6, 1, 2)
    assert "still plays" in said(taken)
    assert "choose your own seat" in said(phones[5].seat(1, 2, 3, 4))
    phones[4].type()
    for number in (1, 2, 3):
        phones[number].answer("yes")
    assert Round.objects.get(event=night).released_at is not None
    assert phones[5].seat(5, 6, 1, 2).status_code == 302
    assert "Round 2" in phones[1].page()
    assert verify_event(night).problems == []


def test_a_phone_that_comes_in_later_loses_no_place_among_those_who_wait(night: Event):
    first, second = players_of(night, 7, 2)
    for player in (first, second):
        check_in(player=player, here=True, by=writer_of(night))
    since = Player.objects.get(pk=first.pk).checked_in_at
    Phone(night, 7)
    assert Player.objects.get(pk=first.pk).checked_in_at == since
    assert [each.number for each in get_evening(night, now()).waiting] == [7, 2]


def test_who_has_left_or_is_forgotten_is_not_in_the_list_of_names(night: Event):
    left, forgotten = players_of(night, 3, 4)
    withdraw_player(player=left, reason="moved away", by=writer_of(night))
    erase_person(person=forgotten.person, stand_in_for=say_forgotten, reason="asked", by=writer_of(night))
    phone = Phone(night)
    page = phone.client.get(phone.url).content.decode()
    assert sorted(re.findall(r'<option value="([0-9]+)"', page)) == ["1", "2", "5", "6", "7", "8", "9"]
    assert [phone.choose(number).status_code for number in (3, 4)] == [422, 422]
    assert get_evening(night, now()).waiting == ()


def test_who_chooses_a_number_reads_no_name_that_is_not_shown(night: Event):
    (player,) = players_of(night, 5)
    set_names_shown(event=night, numbers=[5], shown=False, by=writer_of(night))
    page = Phone(fresh(night), 5).page()
    assert (player.person.preferred_name in page, "Player 5" in page) == (False, True)
    Phone(night, 1)
    refused_ = said(Phone(night, 2).seat(2, 1, 5, 3))
    assert (player.person.preferred_name in refused_, "Player 3 is not here" in refused_) == (False, False)
    set_names_shown(event=night, numbers=[3], shown=False, by=writer_of(night))
    assert "Player 3 is not here" in said(Phone(fresh(night), 4).seat(4, 1, 2, 3))


def test_hand_by_hand_where_one_sits_and_nowhere_else(night: Event):
    phones = {number: Phone(night, number) for number in range(1, 9)}
    sit_down(night, 1, 2, 3, 4)
    sit_down(night, 5, 6, 7, 8)
    own, other = "/desk/tuesday/rounds/1/tables/1/", "/desk/tuesday/rounds/2/tables/2/"
    assert phones[2].client.get(own).status_code == 200
    assert phones[2].client.get(other).status_code == 404
    entered = phones[2].client.post(own, {"line": "2r3 340", "expected_seq": "0", "client_id": str(uuid4())})
    assert entered.status_code in (200, 302)
    row = LedgerEntry.objects.get(table__round__event=night)
    assert Account.objects.get(uid=row.by).table_device.player.number == 2
    assert phones[2].client.post(other, {"line": "2r3 340", "expected_seq": "0"}).status_code == 404
    for address in ("", "players/", "rounds/1/tables/1/totals/", "rounds/1/tables/1/sign/", "settings/players-phones/"):
        assert phones[2].client.get(f"/desk/tuesday/{address}").status_code == 404, address
    (loaded,) = load_tables(night, rounds=[1])
    assert "The next hand" in phones[3].page()
    assert loaded.last_seq == 1


def test_a_phone_goes_on_to_another_event(event: Event, night: Event):
    phone = Phone(event, 1)
    phone.url = f"/e/{night.slug}/play/{night.club_code}/"
    assert "Who are you?" in phone.page()
    assert phone.choose(2).status_code == 302
    assert "You wait" in phone.page()
