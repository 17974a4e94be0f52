"""An event in which everything that its file carries has happened, and a database emptied as on another machine.

For tests of the archive and of whatever must survive it.
"""

import json
from io import BytesIO
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.core.cache import cache
from PIL import Image

from scoring.paper_sheet import PaperSheet
from tests.conftest import triggers_asleep
from tests.factories import (
    correct,
    enter_all,
    last_seq,
    make_account,
    make_event,
    play_round,
    rename_player,
    round_of,
    set_ranked,
    set_team,
    sign,
    table_of,
    void,
    writer_of,
)
from tournament.accounts.actions import invite, use_link
from tournament.accounts.models import Role
from tournament.archive.queries import get_event_file
from tournament.calls.actions import answer_call, call_referee, close_call, make_complaint
from tournament.core.hash_chain import checksum, genesis, link
from tournament.core.transaction import event_transaction
from tournament.events.actions import (
    set_clock_options,
    set_compared_with,
    set_contact,
    set_house_rules,
    set_keep_months,
    set_languages,
    set_second_person,
    set_sheet_numbers,
)
from tournament.events.models import Event
from tournament.events.pictures import LOGO, PHOTO, set_colour, set_picture
from tournament.incidents.actions import (
    DisqualificationReason,
    Replacement,
    disqualify,
    lift_disqualification,
    put_substitute_in,
    take_substitute_out,
)
from tournament.penalties.actions import cancel_penalty, change_foul_amounts, give_foul, give_penalty, set_payer
from tournament.penalties.queries import Offence
from tournament.players.actions import check_in
from tournament.privacy.actions import set_names_shown
from tournament.rounds.actions import cancel_time, give_time, pause_clock, resume_clock, set_ready, start_round
from tournament.seating.redraw_actions import ROUND_DRAWN_BY_STANDING
from tournament.sheets.actions import confirm_sheet, enter_totals, reject_sheet, reopen_table
from tournament.signup.settings import read_questions, set_sign_up_page
from tournament.standings.models import Cut
from tournament.wall.actions import (
    AnnouncementText,
    begin_prizes,
    set_network,
    set_wall_pages,
    show_prizes,
    withdraw_announcement,
    write_announcement,
)

_written: list[str] = []


def written_file() -> str:
    """Return the file of a full event, for a database that holds nothing of it; it is made once for all tests."""
    if not _written:
        _written.append(get_event_file(full_event()))
        empty_the_database()
    return _written[0]


def a_picture() -> bytes:
    """Return a small picture as somebody may hand it in."""
    out = BytesIO()
    Image.new("RGB", (60, 40), "#bb2200").save(out, "JPEG")
    return out.getvalue()


def full_event(key: str = "ema-2025", *, slug: str = "cup") -> Event:
    """Return an event in which everything that a file must carry has happened."""
    event = make_event(key, slug=slug)
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
    set_names_shown(event=event, numbers=[3], shown=False, by=by)
    set_keep_months(event=event, months=24, by=by)
    set_colour(event=event, colour="#1f5a44", by=by)
    set_picture(event=event, kind=LOGO, data=a_picture(), by=by)
    set_picture(event=event, kind=PHOTO, data=a_picture(), by=by)
    make_finals(event)
    set_the_wall(event)
    offered = {"places": 8, "texts": {"about": {"ja": "東風"}}, "questions": read_questions({"de": "*Essen: a / b"})}
    set_sign_up_page(event=event, terms=offered, by=by)
    event.refresh_from_db()
    return event


def run_the_day(event: Event) -> None:
    """Tick players and tables, let a second person confirm one sheet and reject another, call twice and complain."""
    by, second, table = writer_of(event), make_account("Second"), table_of(event, 1, round_=2)
    for player in event.players.select_related("event"):
        check_in(player=player, here=True, by=by)
    set_ready(round_=round_of(event, 2), tables=[2], ready=True, by=by)
    set_second_person(event=event, second_person="other_person", by=by)
    confirm_sheet(table=table_of(event, 1), sheet=1, by=second)
    sign(table)
    reject_sheet(table=table, sheet=3, reason="the names are crossed", by=second)
    call = call_referee(table=table, client_id=uuid4(), question="Is it furiten?", by=second)
    answer_call(call=call, by=by)
    close_call(call=call, question="Is it furiten?", ruling="It is — 振聴.", clause="3.2", minutes=2, by=by)
    call_referee(table=table_of(event, 2, round_=2), client_id=uuid4(), by=by)
    player = event.players.get(number=2)
    make_complaint(table=table_of(event, 1), client_id=uuid4(), text="Unfair — 不服", player=player, hand=2, by=by)
    set_compared_with(event=event, key="wrc-2025", by=by)
    set_house_rules(event=event, texts={"en-gb": "No phones.\n\n- none", "ja": "携帯電話は禁止"}, by=by)
    set_contact(event=event, contact={"name": "Office", "mail": "office@example.org"}, by=by)


def run_the_clock(event: Event) -> None:
    """Start, stop and restart a clock, let it stand still twice, give minutes twice and take some back."""
    by, table = writer_of(event), table_of(event, 2, round_=2)
    start_round(round_=round_of(event, 2), by=by)
    for reason in ("the alarm — 火事", "a fuse"):
        pause_clock(round_=round_of(event, 2), reason=reason, by=by)
        resume_clock(round_=round_of(event, 2), by=by)
    pause_clock(round_=round_of(event, 2), reason="the alarm again", by=by)
    given = give_time(table=table, minutes=5, reason="a tile fell", client_id=uuid4(), by=by)
    give_time(table=table, minutes=3, reason="it was 萬", client_id=uuid4(), by=make_account("Helper"))
    cancel_time(time=given, reason="wrong table", by=by)
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


def set_the_wall(event: Event) -> None:
    """Set pages and network, reveal a place, announce two things and take one back."""
    by = writer_of(event)
    set_wall_pages(event=event, pages=[("standings", 20), ("clock", 9)], by=by)
    set_network(event=event, network="Hall 東", password="correct horse", by=by)
    begin_prizes(event=event, top=3, by=by)
    show_prizes(event=event, step=1, by=by)
    for title in ("Lunch — 昼食", "Fire"):
        row = write_announcement(
            event=event, words=AnnouncementText(title=title), client_id=uuid4(), by=make_account("Helper")
        )
    withdraw_announcement(announcement=row, by=by)


def make_finals(event: Event) -> None:
    """Write a cut after the released round as its row: the verb waits for a round that this event keeps open."""
    with event_transaction(event, ROUND_DRAWN_BY_STANDING, by=writer_of(event)) as change:
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
    penalty = give_penalty(player=first, points=500, reason="tea", client_id=uuid4(), round_=round_of(event, 1), by=by)
    set_payer(penalty=penalty, to_player=True, reason="agreed", by=by)
    verdict = DisqualificationReason(reason="hit the wall", clause="6.12", shown="reason")
    out = disqualify(player=third, verdict=verdict, client_id=uuid4(), by=by)
    lift_disqualification(disqualification=out, reason="the wrong one", by=by)


def as_of_old(file: str) -> dict[str, Any]:
    """Return an event's file as programs wrote it that sealed nothing: its trail chained by the plain rows."""
    made: dict[str, Any] = json.loads(file)
    content = made["content"]
    previous = genesis(content["event"]["slug"])
    for row in content["audit"]:
        del row["state"], row["salt"]
        plain = {name: row[name] for name in ("seq", "verb", "details", "by", "at")}
        row["previous_hash"], row["hash"] = previous, link(previous, plain)
        previous = row["hash"]
    del content["heads"], content["event"]["record_salt"]
    for player in content["players"]:
        del player["salt"]
    made["checksum"] = checksum(content)
    return made


def empty_the_database() -> None:
    """Take everything away, as on another machine; the triggers rightly refuse that to everybody else."""
    with triggers_asleep():
        for name in (
            "LedgerEntry",
            "AuditRow",
            "RecordHead",
            "SheetCheck",
            "SheetRow",
            "TypedSheet",
            "Penalty",
            "Substitution",
            "Disqualification",
            "RefereeCall",
            "TableTime",
        ):
            apps.get_model("tournament", name)._default_manager.all()._raw_delete("default")
        for name in ("Seat", "Table", "Round", "Player", "EntryLink", "Membership", "Event", "Person", "Account"):
            apps.get_model("tournament", name)._default_manager.all().delete()
    cache.clear()
