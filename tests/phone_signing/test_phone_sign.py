"""Players sign a finished game on their phones: codes for seats, yes, no, and what takes a yes back."""

import json
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import (
    WHOLE_GAME,
    correct,
    enter,
    enter_all,
    fresh,
    make_event,
    round_of,
    rows_of,
    sign,
    table_of,
    writer_of,
)
from tests.pages.at_desk import in_role, organiser, referee, table_url, values
from tests.pages.html_reader import text, texts
from tournament.accounts.models import Account, Role
from tournament.archive.verify import verify_event
from tournament.calls.actions import MAX_QUESTION, call_referee, close_call
from tournament.calls.models import RefereeCall
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.core.rate_limits import Source
from tournament.events.actions import set_second_person
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.pages.sign_in import BAD_LINKS
from tournament.phone_signing.actions import set_phone_signing
from tournament.phone_signing.models import SeatCode
from tournament.privacy.actions import set_names_shown
from tournament.rounds.actions import start_round
from tournament.sheets.actions import last_sheet, reopen_table
from tournament.sheets.models import SheetRow
from tournament.tables.models import Round, Table

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/rounds/1/tables/1/phones/"


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """An event in which players may sign; at table 1 of round 1 the game is over."""
    event = make_event(slug="cup", tables=2, rounds=2)
    set_phone_signing(event=event, allowed=True, by=writer_of(event))
    enter_all(table_of(event), *WHOLE_GAME)
    return fresh(event)


@pytest.fixture
def table(event: Event) -> Table:
    return table_of(event)


def codes(event: Event, batch: str = "") -> list[str]:
    """Make codes as the desk does and read them off its page, by seat."""
    page = organiser(event).post(URL, {"client_id": batch or str(uuid4())}).content.decode()
    return [
        code.replace("-", "")
        for code in re.findall(r'<p class="device-card-code num" translate="no">([^<]+)</p>', page)
    ]


def phone(code: str) -> str:
    return f"/e/cup/sign/{code}/"


def yes(code: str) -> str:
    """Say yes from a phone that nobody has signed in on; return what its page says then."""
    page = Client().post(phone(code), {"answer": "yes"}, follow=True)
    return " ".join(texts(page, ".note"))


SAID = "Done You have said yes. The sheet is signed when all have."
SIGNED = "Done All players have said yes: the sheet is signed."
STALE = (
    "A hand was changed, or newer codes were made: this code no longer counts, nor does the answer to it. Ask the "
    "referee for the new one."
)


@pytest.mark.follows("during/sign-on-phones.md")
def test_all_yes_signs_the_sheet_with_who_and_when(event: Event, table: Table):
    made = codes(event)
    assert len(made) == len(set(made)) == 4
    page = Client().get(phone(made[1]))
    assert page["Cache-Control"] == "no-store"
    assert "You sign as Birk." in " ".join(texts(page, "p"))
    assert len(texts(page, ".hand-line")) == len(WHOLE_GAME)
    assert [yes(code) for code in made] == [SAID, SAID, SAID, SIGNED]
    sheet = last_sheet(table)
    assert sheet is not None
    assert (sheet.signed, sheet.by, sum(sheet.totals)) == (True, "", 120000)
    row = AuditRow.objects.get(event=event, verb="table_signed")
    assert [said["player"] for said in json.loads(row.details)["said"]] == [1, 2, 3, 4]
    assert row.by == ""
    shown = organiser(event).get(table_url(event))
    assert "Signed by the players on their phones. Who and when" in " ".join(texts(shown, ".note"))
    assert len(re.findall(r"says yes \d\d:\d\d", organiser(event).get(URL).content.decode())) == 4
    trail = " ".join(texts(organiser(event).get("/desk/cup/settings/trail/"), "tr"))
    assert "without an account player 4 Distel said yes to the scores of round 1, table 1" in trail
    assert "without an account signed" in trail
    assert verify_event(event).problems == []


def test_a_code_is_kept_as_a_hash_and_shown_once(event: Event):
    batch = str(uuid4())
    made = codes(event, batch)
    kept = str(list(SeatCode.objects.values())) + str(list(AuditRow.objects.values_list("details")))
    assert not [code for code in made if code in kept]
    assert made[0] not in organiser(event).get(URL).content.decode()
    # the same request again, after a lost answer, shows the same codes and writes nothing
    rows = AuditRow.objects.count()
    assert codes(event, batch) == made
    assert (AuditRow.objects.count(), SeatCode.objects.count()) == (rows, 4)
    # typed in another way, it is the same code
    typed = Client().post("/e/cup/sign/", {"code": f"{made[0][:5]}-{made[0][5:]}".lower()})
    assert Client().get(typed["Location"]).status_code == 200


def test_a_code_answers_once_and_survives_being_sent_twice(event: Event, table: Table):
    made = codes(event)
    assert [yes(made[0]) for _ in range(2)] == [SAID, SAID]
    assert AuditRow.objects.filter(verb="seat_said_yes").count() == 1
    page = Client().post(phone(made[0]), {"answer": "no", "words": "changed my mind"})
    assert (page.status_code, RefereeCall.objects.count()) == (422, 0)
    assert "This seat has answered already." in " ".join(texts(page, ".note"))
    for code in made[1:]:
        yes(code)
    assert [yes(code) for code in made] == [SIGNED] * 4
    assert SheetRow.objects.filter(table=table).count() == 1


@pytest.mark.follows("during/sign-on-phones.md")
def test_a_no_calls_the_referee_with_the_words_and_stops_it(event: Event, table: Table):
    made = codes(event)
    yes(made[0])
    page = Client().post(phone(made[1]), {"answer": "no", "words": " "})
    assert (page.status_code, RefereeCall.objects.count()) == (422, 0)
    for _ in range(2):
        page = Client().post(phone(made[1]), {"answer": "no", "words": "Hand 3 was a haneman"}, follow=True)
        assert "Somebody at the table says that something is wrong." in " ".join(texts(page, ".note"))
        assert "Final scores" not in page.content.decode()
    (call,) = RefereeCall.objects.all()
    assert (call.question, call.called_by, call.table_id) == ("Hand 3 was a haneman", "", table.pk)
    assert "called by a player, on a phone" in organiser(event).get("/desk/cup/calls/").content.decode()
    for code in made[2:]:
        yes(code)
    assert last_sheet(table) is None
    assert "says no" in organiser(event).get(URL).content.decode()
    # the referee looks, all is well: new codes begin again
    close_call(call=call, ruling="It was a mangan", by=writer_of(event))
    again = codes(event)
    assert [yes(code) for code in again][-1] == SIGNED


def test_words_that_are_too_long_are_refused_and_stay_typed(event: Event):
    words = "x" * (MAX_QUESTION + 1)
    page = Client().post(phone(codes(event)[0]), {"answer": "no", "words": words})
    assert (page.status_code, RefereeCall.objects.count()) == (422, 0)
    assert values(page, "words") == [words]


def test_words_join_those_of_a_call_that_is_open(event: Event, table: Table):
    call_referee(table=table, client_id=uuid4(), question="Water on the table", by=writer_of(event))
    Client().post(phone(codes(event)[2]), {"answer": "no", "words": "Hand 3 was a haneman"})
    (call,) = RefereeCall.objects.all()
    assert call.question == "Water on the table; Hand 3 was a haneman"


def test_a_substitute_signs_under_their_own_name(event: Event, table: Table):
    seat = table.seats.select_related("player").get(seat=1)
    out = Replacement(when="before", reason="ill", name="Guest of Birk")
    put_substitute_in(table=table, player=seat.player, replacement=out, client_id=uuid4(), by=writer_of(event))
    page = Client().get(phone(codes(event)[1]))
    assert "You sign as Guest of Birk, for Birk." in " ".join(texts(page, "p"))


def spoil_by_correction(event: Event, table: Table) -> None:
    correct(table, rows_of(table)[2].seq, "4r3 340")


def spoil_by_new_codes(event: Event, table: Table) -> None:
    codes(event)


@pytest.mark.parametrize("spoil", [spoil_by_correction, spoil_by_new_codes])
def test_a_change_takes_every_yes_back(event: Event, table: Table, spoil):
    made = codes(event)
    assert [yes(code) for code in made[:3]] == [SAID] * 3
    spoil(event, table)
    assert STALE in Client().get(phone(made[0])).content.decode()
    assert "Final scores" not in Client().get(phone(made[0])).content.decode()
    page = Client().post(phone(made[3]), {"answer": "yes"})
    assert (page.status_code, last_sheet(table)) == (422, None)
    assert "no longer counts" in " ".join(texts(page, ".note"))
    assert Client().post(phone(made[0]), {"answer": "yes"}).status_code == 422
    fresh_codes = codes(event)
    assert [yes(code) for code in fresh_codes][-1] == SIGNED
    assert verify_event(event).problems == []


def test_a_reopened_table_is_signed_again_by_new_codes(event: Event, table: Table):
    made = codes(event)
    for code in made:
        yes(code)
    reopen_table(table=table, reason="hand 3", by=writer_of(event))
    assert STALE in Client().get(phone(made[0])).content.decode()
    assert [yes(code) for code in codes(event)][-1] == SIGNED
    assert [row.signed for row in SheetRow.objects.filter(table=table)] == [True, False, True]


def test_only_a_finished_game_of_an_event_that_allows_it_has_codes(event: Event):
    client = organiser(event)
    unfinished = "/desk/cup/rounds/1/tables/2/phones/"
    page = client.post(unfinished, {"client_id": str(uuid4())}, follow=True)
    assert "Players of table 2 cannot sign on phones now" in text(page, ".messages")
    made = codes(event)
    set_phone_signing(event=event, allowed=False, by=writer_of(event))
    assert codes(event) == []
    assert Client().get(phone(made[0])).status_code == 404
    assert "Players sign on their phones" not in client.get(table_url(event)).content.decode()
    assert client.post(URL, {"client_id": "x"}, follow=True).status_code == 200


def test_a_game_that_the_clock_has_ended_is_over_too():
    event = make_event(slug="timed", tables=1, rounds=1)
    set_phone_signing(event=event, allowed=True, by=writer_of(event))
    start_round(round_=round_of(event), by=writer_of(event))
    Round.objects.update(started_at=timezone.now() - timedelta(hours=3))
    address = "/desk/timed/rounds/1/tables/1/phones/"
    shown = []
    for line in WHOLE_GAME[:2]:  # the hand in play at the signal, and one more
        enter(table_of(event), line, reason="typed late")
        page = organiser(event).post(address, {"client_id": str(uuid4())}, follow=True).content.decode()
        shown.append(len(re.findall("device-card-code", page)))
    assert shown == [0, 4]


@pytest.mark.follows("during/sign-on-phones.md")
def test_the_setting_is_off_cites_the_books_and_is_on_the_trail(event: Event):
    assert not make_event().phone_signing
    client = organiser(event)
    page = client.get("/desk/cup/settings/second-person/")
    assert "EMA 2025, 7.1" in page.content.decode()
    assert "WRC 2025, 12.3.8" in page.content.decode()
    for _ in range(2):
        page = client.post("/desk/cup/settings/phone-signing/", {}, follow=True)
    assert text(page, ".messages") == "Note Nothing was changed."
    assert not fresh(event).phone_signing
    trail = " ".join(texts(client.get("/desk/cup/settings/trail/"), "td"))
    assert "set whether players may sign on their phones: no" in trail


@pytest.mark.postgresql
def test_a_code_opens_its_own_game_alone_and_ends(event: Event):
    (code, *_rest) = codes(event)
    other = make_event(slug="other")
    set_phone_signing(event=other, allowed=True, by=writer_of(other))
    assert Client().get(f"/e/other/sign/{code}/").status_code == 404
    assert Client().get("/e/cup/sign/NOSUCHCODE/").status_code == 404
    assert Client().post("/e/cup/sign/", {"code": "<b>"}).status_code == 422
    SeatCode.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert "This code is too old." in Client().get(phone(code)).content.decode()
    assert Client().post(phone(code), {"answer": "yes"}).status_code == 422
    assert Client().post(phone(code), {"answer": "perhaps"}).status_code == 422


def test_a_hidden_name_stays_hidden_on_the_page_of_a_code(event: Event):
    set_names_shown(event=event, numbers=[2], shown=False, by=writer_of(event))
    page = Client().get(phone(codes(event)[0])).content.decode()
    assert "Player 2" in page
    assert "Birk" not in page


def test_a_referee_makes_codes_and_a_viewer_does_not(event: Event):
    assert referee(event).get(URL).status_code == 200
    viewer = in_role(event, Role.VIEWER)
    assert viewer.get(URL).status_code == 404
    assert viewer.post(URL, {"client_id": str(uuid4())}).status_code == 404


def test_a_second_person_confirms_what_the_players_signed(event: Event, table: Table):
    set_second_person(event=event, second_person="other_person", by=writer_of(event))
    for code in codes(event):
        yes(code)
    url = table_url(event, end="confirm/")
    page = organiser(event).get(url)
    assert "Signed by the players, on their phones" in page.content.decode()
    sheet = last_sheet(table)
    assert sheet is not None
    done = organiser(event).post(url, {"act": "confirm", "sheet": sheet.seq}, follow=True)
    assert "The sheet of table 1 is confirmed." in text(done, ".messages")


def test_the_signature_is_in_the_events_file_and_the_codes_are_not(event: Event):
    made = codes(event)
    for code in made:
        yes(code)
    file = organiser(event).get("/desk/cup/export/event.json").content
    assert not [code for code in made if code.encode() in file]
    assert b"seat_said_yes" in file


def test_who_tries_codes_has_to_wait(event: Event):
    for tried in range((BAD_LINKS.network or 0) - 1):
        assert BAD_LINKS.count(Source("127.0.0.1")) == 0, tried
    assert [Client().get(phone("WRONGWRONG")).status_code for _ in range(2)] == [404, 429]
    assert Client().get(phone(codes(event)[0])).status_code == 200  # a right one always works


def say_no_on_phone(event: Event) -> list[str]:
    made = codes(event)
    Client().post(phone(made[1]), {"answer": "no", "words": "Hand 3 was a haneman"})
    return made


def test_a_no_waits_for_a_ruling_and_nobody_signs_meanwhile(event: Event, table: Table):
    """Neither new codes nor the totals of the paper override a player who says no."""
    say_no_on_phone(event)
    scorer = in_role(event, Role.SCORER)
    page = scorer.post(URL, {"client_id": str(uuid4())}, follow=True)
    assert "A player of table 1 said no to the scores" in text(page, ".messages")
    assert "Make new codes" not in page.content.decode()
    rows, seq = SeatCode.objects.count(), rows_of(table)[-1].seq
    assert rows == 4
    with pytest.raises(DomainError) as refused:
        sign(table)
    assert [problem.code for problem in refused.value.problems] == ["code.objection"]
    assert last_sheet(table) is None
    (call,) = RefereeCall.objects.all()
    close = f"/desk/cup/calls/{call.pk}/close/"
    assert scorer.post(close, {"ruling": "all is well"}).status_code == 404
    client = referee(event)
    client.post(close, {"question": call.question, "ruling": " "})
    assert RefereeCall.objects.filter(closed_at=None).exists()
    client.post(close, {"question": call.question, "ruling": "It was a mangan."})
    assert not RefereeCall.objects.filter(closed_at=None).exists()
    assert "It was a mangan." in " ".join(texts(organiser(event).get("/desk/cup/settings/trail/"), "td"))
    assert [yes(code) for code in codes(event)][-1] == SIGNED
    assert rows_of(table)[-1].seq == seq


def test_a_no_that_joins_an_open_call_waits_for_its_ruling_too(event: Event, table: Table):
    call_referee(table=table, client_id=uuid4(), question="Water on the table", by=writer_of(event))
    say_no_on_phone(event)
    assert codes(event) == []
    close_call(call=RefereeCall.objects.get(), ruling="Dry again, and a mangan", by=writer_of(event))
    assert len(codes(event)) == 4


def test_a_call_for_something_else_stops_no_signing(event: Event, table: Table):
    call_referee(table=table, client_id=uuid4(), question="Water on the table", by=writer_of(event))
    assert [yes(code) for code in codes(event)][-1] == SIGNED


def test_the_trail_says_who_typed_what_a_player_did_not_send(event: Event, table: Table):
    """Codes that a scorer types from a session at the desk are no player's own word, and the sheet is the scorer's."""
    made, scorer = codes(event), in_role(event, Role.SCORER, name="Sven")
    assert yes(made[0]) == SAID
    for code in made[1:]:
        scorer.post(phone(code), {"answer": "yes"})
    sheet, account = last_sheet(table), Account.objects.get(display_name="Sven")
    assert sheet is not None
    assert (sheet.signed, sheet.by) == (True, str(account.uid))
    verbs = AuditRow.objects.filter(event=event, verb__startswith="seat_").order_by("seq").values_list("verb", "by")
    assert list(verbs)[1:] == [("seat_said_yes", ""), *[("seat_yes_typed", sheet.by)] * 3]
    said = json.loads(AuditRow.objects.get(event=event, verb="table_signed").details)["said"]
    assert [each.get("typed_by", "") for each in said] == ["", *[sheet.by] * 3]
    trail = " ".join(texts(organiser(event).get("/desk/cup/settings/trail/"), "tr"))
    assert "Sven typed the yes of player 4 Distel to the scores of round 1, table 1" in trail
    assert "player 4 Distel said yes" not in trail
    assert "Sven signed round 1, table 1" in trail
    assert "Signed by the players on their phones" not in organiser(event).get(table_url(event)).content.decode()
    page = " ".join(texts(organiser(event).get(URL), "li"))
    assert page.count("typed by Sven") == 3
    assert yes(made[0]) == SIGNED
    assert verify_event(event).problems == []


def test_a_no_that_is_typed_at_the_desk_is_not_the_players_word(event: Event):
    referee(event, "Rita").post(phone(codes(event)[2]), {"answer": "no", "words": "3 says so"})
    assert RefereeCall.objects.get().called_by != ""
    assert list(AuditRow.objects.filter(event=event, verb__startswith="seat_no").values_list("verb", flat=True)) == [
        "seat_no_typed"
    ]


def test_somebody_with_an_account_of_another_event_is_a_player_here(event: Event):
    other = referee(make_event(slug="other"), "Olga")
    other.post(phone(codes(event)[0]), {"answer": "yes"})
    row = AuditRow.objects.filter(event=event).latest("seq")
    assert (row.verb, row.by) == ("seat_said_yes", "")
