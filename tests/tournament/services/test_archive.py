"""An event as one file and back: the same bytes, or nothing and words that say why."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.cache import cache

from scoring.sheet_gap import PaperSheet
from tests.conftest import triggers_asleep
from tests.factories import (
    correct,
    enter_all,
    last_seq,
    make_account,
    make_event,
    play_round,
    round_of,
    sign,
    table_of,
    void,
    writer_of,
)
from tournament.models import (
    Account,
    AuditRow,
    Cut,
    Event,
    LedgerEntry,
    Membership,
    Penalty,
    Person,
    RefereeCall,
    Role,
    Substitution,
    TableTime,
    TypedSheet,
)
from tournament.refusal import Refused
from tournament.selectors.archive import checksum, get_event_file
from tournament.selectors.fouls import Offence
from tournament.selectors.standings import read_standings
from tournament.selectors.tables import load_tables
from tournament.services.access import invite, use_link
from tournament.services.archive import import_event
from tournament.services.calls import answer_call, call_referee, close_call
from tournament.services.day_line import check_in, set_ready
from tournament.services.draw import start_round
from tournament.services.events import set_languages, set_second_person
from tournament.services.fouls import change_foul_amounts, give_foul
from tournament.services.penalties import cancel_penalty, give_penalty
from tournament.services.people import rename_player, set_ranked, set_team
from tournament.services.round_clock import (
    give_time,
    pause_clock,
    resume_clock,
    set_clock_options,
    take_time_back,
)
from tournament.services.sheets import confirm_sheet, reject_sheet, reopen_table
from tournament.services.substitutions import Replacement, put_substitute_in, take_substitute_out
from tournament.services.totals import enter_totals, set_sheet_numbers
from tournament.services.writing import writing

pytestmark = pytest.mark.django_db


def codes_of(refusal: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refusal.value.problems]


def full_event(key: str = "ema-2025") -> Event:
    """Return an event in which everything that a file must carry has happened."""
    event = make_event(key, slug="cup")
    by = writer_of(event)
    play_round(event, 1, "1t 230", "2r3 340/2", "c2", "d13/1 #dead hand of 3")
    table = table_of(event, 1, round_=2)
    enter_all(table, "1t 230", "d", "2r3 5")
    correct(table, 1, "1t 340")
    void(table, 2)
    sign(table)
    reopen_table(table=table, reason="misread — 東", by=by)
    rename_player(player=event.players.get(number=2), name="桜井 ひなた", by=by)
    use_link(token=invite(event=event, role=Role.REFEREE, name="Rita", by=by))
    for number in (1, 2):
        penalty = give_penalty(
            player=event.players.get(number=number), points=5000, reason="late", client_id=uuid4(), by=by
        )
    cancel_penalty(penalty=penalty, reason="the tram", by=by)
    run_the_day(event)
    run_the_clock(event)
    type_sheets(event)
    give_fouls(event)
    replace_players(event)
    set_team(player=event.players.get(number=2), team="Elbe", by=by)
    make_finals(event)
    event.refresh_from_db()
    return event


def run_the_day(event: Event) -> None:
    """Tick players and tables, let a second person confirm one sheet and reject another, call a referee twice."""
    by, second, table = writer_of(event), make_account("Second"), table_of(event, 1, round_=2)
    for number in (1, 3):
        check_in(player=event.players.select_related("event").get(number=number), here=True, by=by)
    set_ready(round_=round_of(event, 2), tables=[2], ready=True, by=by)
    set_second_person(event=event, second_person="other_person", by=by)
    confirm_sheet(table=table_of(event, 1), sheet=1, by=second)
    sign(table)
    reject_sheet(table=table, sheet=3, reason="the names are crossed", by=second)
    call = call_referee(table=table, client_id=uuid4(), question="Is it furiten?", by=second)
    answer_call(call=call, by=by)
    close_call(call=call, question="Is it furiten?", ruling="It is — 振聴.", clause="3.2", minutes=2, by=by)
    call_referee(table=table_of(event, 2, round_=2), client_id=uuid4(), by=by)


def run_the_clock(event: Event) -> None:
    """Start, stop and start a clock anew, let it stand still twice, give minutes twice and take some back."""
    by, table = writer_of(event), table_of(event, 2, round_=2)
    start_round(round_=round_of(event, 2), by=by)
    for reason in ("the alarm — 火事", "a fuse"):
        pause_clock(round_=round_of(event, 2), reason=reason, by=by)
        resume_clock(round_=round_of(event, 2), by=by)
    pause_clock(round_=round_of(event, 2), reason="the alarm again", by=by)
    given = give_time(table=table, minutes=5, reason="a tile fell", client_id=uuid4(), by=by)
    give_time(table=table, minutes=3, reason="it was 萬", client_id=uuid4(), by=make_account("Helper"))
    take_time_back(time=given, reason="wrong table", by=by)
    set_clock_options(event=event, sound=False, signals=[10, 5], by=by)


def type_sheets(event: Event) -> None:
    """Let a sheet wait for a second person: typed twice by the first, who had named a loan too few."""
    by, table = writer_of(event), table_of(event, 2, round_=2)
    set_second_person(event=event, second_person="blind", by=by)
    set_sheet_numbers(event=event, numbers="differences", by=by)
    set_languages(event=event, language="ja", second_language="fr", by=by)
    size = event.ruleset.players
    for points, again in ((80_000, False), (40_000, True)):
        counts = (points, *(-points // (size - 1) // 100 * 100 for _ in range(size - 2)))
        sheet = PaperSheet((*counts, -sum(counts)), (0,) * size, 0, "differences")
        enter_totals(
            table=table, sheet=sheet, client_id=uuid4(), expected_seq=0, reason="a dealer — 親", again=again, by=by
        )


def make_finals(event: Event) -> None:
    """Write a cut after the released round as its row: the verb waits for a round that this event keeps open."""
    with writing(event, "round_drawn_by_standing", by=writer_of(event)) as change:
        Cut.objects.create(
            event=change.event,
            after_round=1,
            through=[2, 1, 5, 4],
            carry="halved",
            others="play_on",
            client_id=uuid4(),
            made_by=change.by,
            made_at=change.at,
        )


def give_fouls(event: Event) -> None:
    """Give a note, a chombo at an amount of its own and a dead hand at the open table, under changed amounts."""
    by, table = writer_of(event), table_of(event, 1, round_=2)
    change_foul_amounts(event=event, values={"all_last_sheet": 4000}, reason="small event", by=by)
    player = event.players.get(number=table.seats.get(seat=1).player.number)
    for offence in (
        Offence(foul="riichi_no_deposit"),
        Offence(foul="noten_riichi", points=25_000, amount_reason="twice told", note="by the window"),
        Offence(foul="riichi_then_call", case="taken_back"),
    ):
        give_foul(player=player, table=table, offence=offence, client_id=uuid4(), expected_seq=last_seq(table), by=by)


def replace_players(event: Event) -> None:
    """Take a player out of the ranking, put a substitute in at a released table, and another in and out again."""
    by, (first, third, *_others, last) = writer_of(event), event.players.exclude(number=2).select_related("event")
    set_ranked(player=last, ranked=False, reason="house player", by=by)
    for player, wanted in (
        (first, Replacement(when="during", hand=2, name="Kay Fir", reason="felt ill")),
        (third, Replacement(when="before", reason="late")),
    ):
        (row,) = put_substitute_in(
            table=table_of(event, 1), player=player, replacement=wanted, client_id=uuid4(), by=by
        )
    take_substitute_out(substitution=row, reason="here after all", by=by)


def empty_the_database() -> None:
    """Take everything away, as on another machine; the triggers rightly refuse that to everybody else."""
    with triggers_asleep():
        for name in (
            "LedgerEntry",
            "AuditRow",
            "SheetCheck",
            "SheetRow",
            "TypedSheet",
            "Penalty",
            "Substitution",
            "RefereeCall",
            "TableTime",
        ):
            apps.get_model("tournament", name)._default_manager.all()._raw_delete("default")
        for name in ("Seat", "Table", "Round", "Player", "EntryLink", "Membership", "Event", "Person", "Account"):
            apps.get_model("tournament", name)._default_manager.all().delete()
    cache.clear()


@pytest.mark.parametrize("key", ["ema-2025", "sanmatsuri-2026"])
def test_out_in_and_out_again_gives_the_same_bytes(key: str):
    event = full_event(key)
    file = get_event_file(event)
    standings, scores = read_standings(event), [table.state.scores for table in load_tables(event)]
    empty_the_database()

    made = import_event(data=file.encode(), by=make_account("Desk"))
    assert get_event_file(made) == file
    assert read_standings(made) == standings
    assert [table.state.scores for table in load_tables(made)] == scores


def test_the_register_comes_back_with_its_hands():
    event = full_event()
    wanted = [(row.kind, row.foul, row.case, row.points, row.seq, row.amount_reason) for row in event.penalties.all()]
    assert wanted[-2:] == [
        ("chombo", "noten_riichi", "", 5000, 6, "twice told"),
        ("dead_hand", "riichi_then_call", "taken_back", 0, 7, ""),
    ]
    file = get_event_file(event)
    empty_the_database()
    made = import_event(data=file.encode(), by=make_account("Desk"))
    assert [
        (row.kind, row.foul, row.case, row.points, row.seq, row.amount_reason) for row in made.penalties.all()
    ] == wanted
    assert {row.table.number for row in made.penalties.exclude(table=None)} == {1}
    assert made.foul_amounts == {"all_last_sheet": 4000}


def test_a_file_of_an_earlier_desk_comes_in_with_what_it_did_not_know_yet():
    event = make_event(slug="cup")
    play_round(event, 1, "1t 230")
    for points in (5000, 0):
        give_penalty(
            player=event.players.get(number=1), points=points, reason="late", client_id=uuid4(), by=writer_of(event)
        )
    file = get_event_file(event)
    old = json.loads(file)
    del old["content"]["event"]["foul_amounts"]
    old["content"]["event"]["tie_breaks"] = []
    del old["content"]["substitutions"]
    del old["content"]["calls"]
    del old["content"]["event"]["second_person"]
    del old["content"]["event"]["sheet_numbers"]
    del old["content"]["event"]["clock_sound"]
    del old["content"]["event"]["clock_signals"]
    del old["content"]["event"]["language"]
    del old["content"]["event"]["second_language"]
    for round_ in old["content"]["rounds"]:
        del round_["pauses"]
        del round_["start_taken_back"]
    for player in old["content"]["players"]:
        del player["ranked"]
        del player["checked_in_at"]
    for table in old["content"]["rounds"][0]["tables"]:
        del table["ready_at"]
        del table["times"]
        del table["typed"]
        for sheet in table["sheets"]:
            del sheet["checks"]
    for penalty in old["content"]["penalties"]:
        for key in ("table", "seq", "kind", "foul", "case", "amount_reason"):
            del penalty[key]
    old["checksum"] = checksum(old["content"])
    empty_the_database()
    made = import_event(data=json.dumps(old).encode(), by=make_account("Desk"))
    assert [(row.kind, row.points) for row in made.penalties.all()] == [("points", 5000), ("warning", 0)]
    assert get_event_file(made) == file


def test_the_same_event_gives_the_same_bytes_each_time():
    event = full_event()
    assert get_event_file(event) == get_event_file(Event.objects.get(slug="cup"))


def test_the_import_is_written_into_the_sites_trail_and_not_into_the_events():
    file = get_event_file(full_event())
    empty_the_database()
    by = make_account("Desk")
    event = import_event(data=file.encode(), by=by)
    row = AuditRow.objects.get(event=None)
    assert (row.verb, row.by) == ("event_imported", str(by.uid))
    assert json.loads(row.details) == {"slug": "cup", "version": event.version}


def test_people_who_wrote_are_known_again_and_cannot_sign_in():
    event = full_event()
    file, writers = get_event_file(event), set(event.audit.values_list("by", flat=True))
    empty_the_database()
    import_event(data=file.encode(), by=make_account("Desk"))
    accounts = Account.objects.exclude(display_name="Desk")
    assert {str(account.uid) for account in accounts} >= writers
    assert not any(account.has_usable_password() or account.is_superuser for account in accounts)
    roles = Membership.objects.values_list("account__display_name", "role")
    assert sorted(roles) == [("Organiser", "organiser"), ("Rita", "referee")]


def test_an_account_that_is_here_is_matched_by_uid_and_left_as_it_is():
    event = full_event()
    file, uid = get_event_file(event), writer_of(event).uid
    empty_the_database()
    here = Account.objects.create(username="here", display_name="Known here", uid=uid)
    import_event(data=file.encode(), by=make_account("Desk"))
    here.refresh_from_db()
    assert (here.username, here.display_name) == ("here", "Known here")
    assert Membership.objects.filter(account=here, role=Role.ORGANISER).count() == 1


def test_a_file_holds_no_secret():
    event = full_event()
    by = writer_of(event)
    by.set_password("correct horse battery staple")
    by.save()
    token = invite(event=event, role=Role.REFEREE, name="Rita", by=by)
    file = get_event_file(event)
    hashes = apps.get_model("tournament", "EntryLink")._default_manager.values_list("token_hash", flat=True)
    assert by.password not in file
    assert token not in file
    assert not [each for each in hashes if each in file]


def test_every_column_of_an_event_is_in_its_file():
    """A column that is added to a model and forgotten in the file would be lost without a word."""
    content = json.loads(get_event_file(full_event()))["content"]
    table = content["rounds"][0]["tables"][0]
    kept: dict[str, set[str]] = {
        "Event": set(content["event"]),
        "Membership": {*content["memberships"][0], "event"},
        "Player": {"event", "person", *content["players"][0]},
        "Person": set(content["players"][0]),
        "Round": {"event", *content["rounds"][0]},
        "Table": {"round", *table},
        "Seat": {"round", "table", *table["seats"][0]},
        "LedgerEntry": {"table", *table["ledger"][0]},
        "SheetRow": {"table", *table["sheets"][0]},
        "SheetCheck": {"sheet", *table["sheets"][0]["checks"][0]},
        "TypedSheet": {"table", *content["rounds"][1]["tables"][1]["typed"][0]},
        "Penalty": {"event", *content["penalties"][0]},
        "Substitution": {"event", *content["substitutions"][0]},
        "ClockPause": {"round", *content["rounds"][1]["pauses"][0]},
        "TableTime": {"table", *content["rounds"][1]["tables"][1]["times"][0]},
        "RefereeCall": {"event", *content["calls"][0]},
        "Cut": {"event", *content["cuts"][0]},
        "AuditRow": {"event", *content["audit"][0]},
    }
    for name, keys in kept.items():
        columns = {field.name for field in apps.get_model("tournament", name)._meta.concrete_fields} - {"id"}
        assert columns - keys == set(), name
    left_out = {model.__name__ for model in apps.get_app_config("tournament").get_models()} - set(kept)
    # of accounts uid and name; drafts are not the event yet; who has a page open is nobody's tomorrow
    assert left_out == {"Account", "EntryLink", "DrawDraft", "DeskPresence"}


# ---------------------------------------------------------------- what is refused


def changed(file: str, change: Callable[[Any], object], *, sealed: bool = True) -> bytes:
    """Return the file with a change in its content, with a checksum that fits if it is sealed again."""
    made = json.loads(file)
    change(made["content"])
    if sealed:
        made["checksum"] = checksum(made["content"])
    return json.dumps(made).encode()


@pytest.fixture
def file() -> str:
    file = get_event_file(full_event())
    empty_the_database()
    return file


def refused(data: bytes) -> list[str]:
    """Return the codes with which a file is refused, and see that nothing was left behind."""
    before = [model.objects.count() for model in (Event, Person, Account, LedgerEntry, AuditRow)]
    with pytest.raises(Refused) as refusal:
        import_event(data=data, by=Account.objects.first() or make_account("Desk"))
    after = [model.objects.count() for model in (Event, Person, LedgerEntry, AuditRow)]
    assert after == [before[0], before[1], before[3], before[4]]
    return codes_of(refusal)


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (b"", ["archive.not_json"]),
        (b"\xff\xfe\x00", ["archive.not_text"]),
        (b"PK\x03\x04 a spreadsheet", ["archive.not_json"]),
        (b"[1, 2]", ["archive.not_event"]),
        (b"{}", ["archive.not_event"]),
        (b'{"format": "hanchan-desk-event", "version": NaN}', ["archive.not_event"]),
        (b'{"format": "hanchan-desk-event", "version": 1.5}', ["archive.not_event"]),
        (b'{"format": "hanchan-desk-event", "version": 2}', ["archive.version"]),
        (b'{"format": "hanchan-desk-event", "version": true}', ["archive.version"]),
        (b'{"format": "hanchan-desk-event", "version": 1, "checksum": "", "content": {}}', ["archive.checksum"]),
        (b'{"format": "hanchan-desk-event", "version": 1, "version": 1}', ["archive.not_event"]),
        (b"[" * 100_000, ["archive.not_event"]),
        (b"9" * 10_001, ["archive.not_event"]),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_no_event_file_is_refused(data: bytes, codes: list[str]):
    assert refused(data) == codes


def test_a_file_that_was_cut_off_is_refused(file: str):
    assert refused(file[:-20].encode()) == ["archive.not_json"]


def test_one_changed_letter_anywhere_is_refused(file: str):
    assert refused(file.replace("Akelei", "Akelej").encode()) == ["archive.checksum"]


def test_an_event_that_is_here_already_is_refused():
    event = full_event()
    assert refused(get_event_file(event).encode()) == ["archive.exists"]


def test_entries_that_are_here_under_another_address_are_refused():
    file = get_event_file(full_event())
    data = changed(file, lambda content: content["event"].update(slug="other"))
    kept = (LedgerEntry, Penalty, Substitution, Cut, RefereeCall, TableTime, TypedSheet)
    count = sum(rows.objects.count() for rows in kept)
    with pytest.raises(Refused) as refusal:
        import_event(data=data, by=make_account())
    assert [(p.code, p.params) for p in refusal.value.problems] == [("archive.known_entries", {"count": count})]


def ledger_row(content: Any) -> Any:
    return content["rounds"][0]["tables"][1]["ledger"][1]


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (lambda c: ledger_row(c).update(payload=ledger_row(c)["payload"].replace("40", "30")),
         ["verify.hash", "verify.sheet_differs"]),
        (lambda c: ledger_row(c).update(previous_hash="0" * 64), ["verify.previous_hash"]),
        (lambda c: c["audit"][2].update(verb="nothing"), ["verify.hash"]),
        (lambda c: c["rounds"][0]["tables"][0]["sheets"][0].update(leftover=3000), ["verify.sheet_differs"]),
        (lambda c: c["rounds"][0]["tables"][0]["seats"].pop(), ["verify.seats"]),
        (lambda c: c["event"]["rules"].pop("uma"), ["verify.rules_unusable"]),
        (lambda c: c["event"].update(slug="cup2"), ["verify.previous_hash"] * 4),
        (lambda c: c["event"].pop("place"), ["archive.form"]),
        (lambda c: c["event"].update(secret=1), ["archive.form"]),
        (lambda c: c["event"].update(date="12.9.2026"), ["archive.form"]),
        (lambda c: c["event"].update(seed=10**30), ["archive.form"]),
        (lambda c: c["players"][0].update(preferred_name="a\0b"), ["archive.form"]),
        (lambda c: c["players"].append(7), ["archive.form"]),
        (lambda c: c.update(players={}), ["archive.form"]),
        (lambda c: ledger_row(c).update(at="2026-09-12 10:00"), ["archive.form"]),
        (lambda c: ledger_row(c).update(client_id="7"), ["archive.form"]),
        (lambda c: ledger_row(c).update(seq=True), ["archive.form"]),
        (lambda c: c["players"][0].update(preferred_name="x" * 61), ["archive.contradiction"]),
        (lambda c: c["players"][1].update(number=1), ["archive.contradiction"]),
        (lambda c: c["rounds"][0]["tables"][0]["seats"][0].update(player=99), ["archive.contradiction"]),
        (lambda c: c["memberships"][0].update(role="king"), ["archive.contradiction"]),
        (lambda c: c["event"].update(slug="no address"), ["archive.contradiction"]),
        (lambda c: c["substitutions"][0].update(player=8), ["verify.substitute_seat"]),
        (lambda c: c["substitutions"][0].update(table=9), ["archive.contradiction"]),
        (lambda c: c["substitutions"][0].update(when="after"), ["archive.contradiction"]),
        (lambda c: c["substitutions"][0].update(substitute=8), ["archive.contradiction"]),
        (lambda c: c["players"][0].update(ranked=1), ["archive.form"]),
    ],
)  # fmt: skip
def test_a_file_that_does_not_hold_together_is_refused_whole(
    file: str, change: Callable[[Any], object], codes: list[str]
):
    assert refused(changed(file, change))[: len(codes)] == codes


def test_a_refused_file_can_be_followed_by_the_right_one(file: str):
    refused(changed(file, lambda content: content["players"].pop(), sealed=False))
    assert import_event(data=file.encode(), by=make_account("Desk")).slug == "cup"
