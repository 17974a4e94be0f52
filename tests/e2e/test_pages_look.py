"""Every page of a sample event on a laptop and on a phone: whole, quiet, and big enough for fingers.

One test walks all pages, because making them takes longer than looking, and reports everything wrong at once. Each page
and half of its further states are loaded on a phone or on a laptop in turn; the seed of the run decides which. The
nightly run loads all of them on both.
"""

import datetime as dt
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from scoring.drill import KINDS
from scoring.seasons import SeasonRule
from tests.e2e.conftest import OpenTab
from tests.e2e.desk_hands import look_at_list, look_at_schedule
from tests.e2e.page_audit import Looker
from tests.factories import DAY, WHOLE_GAME, enter_all, make_event, make_rule_set, rename_player, table_of
from tests.open_play.evening import finish, make_evening, sit_down
from tests.seasons.evenings import play_evening
from tests.sign_ups import come, event_with
from tournament.accounts.actions import get_site_organiser, invite
from tournament.accounts.models import Account, Role
from tournament.demo.sample import SLUGS, load_samples
from tournament.drill.actions import hand_in, make_drill
from tournament.events.actions import create_event, set_second_person
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.incidents.models import Substitution
from tournament.league.actions import ask_line_ups, hand_in_line_up, make_team_code, save_team, set_team_rule
from tournament.league.models import LineUp
from tournament.league.queries import READY_MADE_TEAMS
from tournament.penalties.actions import give_penalty
from tournament.penalties.models import Penalty
from tournament.people.actions import link_people, set_person_page
from tournament.people.queries import list_humans
from tournament.phone_signing.actions import confirm_result, make_seat_codes, set_phone_signing
from tournament.phone_signing.queries import find_code
from tournament.player_entry.actions import make_club_code
from tournament.players.actions import NewPlayer, add_players
from tournament.players.models import Person
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE, DeclaredRule
from tournament.seating.actions import run_draft, start_draft
from tournament.seating.models import DrawDraft
from tournament.seating.plan import DrawWishes
from tournament.signup.actions import cancel, note_payment
from tournament.signup.letter_sender import form_token
from tournament.signup.queries import sign_up_token
from tournament.signup.settings import TEXTS
from tournament.tables.models import Seat

if TYPE_CHECKING:
    from playwright.sync_api import Page

# One row for every verdict: good, doubtful, wrong, and a name as long as they come.
LIST = """Name;Land;Verein;EMA
Maximiliane-Theodora von Hohenwaldenburg;AUT;Riichi Elbmarsch;01160092
朝霧すずめ;Japan;Gesellschaft der Freunde des Riichi zu Hohenwaldenburg;1160093
Ada Moss;Nirgendland;;123
""".encode()
SEATED = ("Maximiliane-Theodora von Hohenwaldenburg", "朝霧すずめ", "Ada Moss", "Birk", "Cyan", "Efeu", "Farn", "Iris")
SEATS = b"Round,Table,East,South,West,North\n1,1,1,2,3,4\n1,2,5,6,7,8\n2,1,1,2,3,4\n2,2,5,6,7,8\n"
WRONG_SEATS = SEATS.replace(b"5,6,7,8", b"5,Maximiliane Hohenwaldenburg,99,5").replace(b"1,2,3,4", b"1,2,3,")
DRILL = "/drill/?rules=ema-2025&seed=7&n=9"
PUBLIC = (
    "", "?q=zz", "?me=3", "?pick", "standings/", "standings/1/", "players/1/", "rounds/", "rounds/1/", "rounds/3/",
    "rounds/4/", "record/",
    "rounds/1/tables/1/", "recap/", "players/1/against/2/", "display/", "display/names/",
    "display/standings/",
    "clock/", "rules/", "rules/values/", "rules/yaku/", "teams/", "fouls/", "fouls/?q=tsumo", "fouls/?q=zz",
    "calculator/", "drill/",
    "rounds/3/tables/4/overlay/", "rounds/3/overlay/", "overlay/ticker/",
)  # fmt: skip
DESK = (
    "", "?round=1", "?round=4", "?q=zz", "check-in/", "calls/", "calls/complaint/", "rounds/3/clock/",
    "players/", "players/1/", "seating/", "seating/report/", "seating/import/",
    "penalties/", "paper/", "results/", "results/rankings/", "settings/", "settings/rules/", "settings/timetable/",
    "settings/for-players/",
    "settings/privacy/", "settings/privacy/forget/", "players/1/privacy/", "players/1/forget/",
    "rounds/3/release/",
    # after the start: who goes on, the next round by standing, a swap by hand, teams
    "seating/redraw/", "seating/redraw/?look=1&seed=1", "seating/next/", "seating/swap/", "results/teams/",
    # giving a penalty: who, what, when it leaves something open, and yes
    "penalties/give/", "penalties/give/?round=3&table=5&player=1&section=5", "penalties/give/?player=1&pick=late",
    "penalties/give/?player=1&pick=late.7", "penalties/give/?player=1&pick=obstruction.first", "penalties/amounts/",
    # signed, over, with a correction, with a chombo, in play, not begun
    *(f"rounds/3/tables/{number}/" for number in (1, 3, 4, 5, 6, 8)),
    "tour/", "rounds/3/tables/4/?correct=2", "rounds/3/tables/4/?void=2", "rounds/3/tables/4/?before=2",
    # something went wrong: with nobody yet, with somebody, who leaves, who is back, two names, the wrong list
    "tour/", "tour/?stop=3", "tour/?stop=4", "rounds/3/tables/4/tour/",
    "mishaps/", "mishaps/?player=1", "players/1/leaves/", "players/1/back/", "wrong-person/",
    "wrong-person/?one=1&other=2&round=1&round=3&look=1", "players/import/back/",
    # incidents at a table
    "rounds/3/tables/4/seats/", "rounds/3/tables/4/substitutes/", "substitutes/",
    # sheets without hands: the pile, a form, a table with hands
    "rounds/3/totals/", "rounds/3/tables/8/totals/", "rounds/3/tables/4/totals/",
    "rounds/3/tables/8/totals/decide/",
    # the sections of the settings
    "settings/publication/", "settings/second-person/", "settings/languages/", "settings/rule-set/", "settings/stream/",
    "settings/relay/",
    "settings/trail/", "settings/delete/", "ema/", "ema/observer/", "ema/points/",
    "devices/", "devices/cards/", "devices/shut-out/", "members/",
    "settings/rota/", "settings/equipment/", "calls/complaints/", "calls/book/?q=ron&look=1", "money/", "money/prizes/",
    "money/paid/", "rounds/3/missing/", "rounds/3/tables/4/move/?hand=1&to=5",
    "wall/", "wall/prizes/", "imports/", "imports/games/", "results/import/", "penalties/import/",
    "rounds/3/tables/8/import/",
)  # fmt: skip
EMPTY = (
    "", "players/", "seating/", "seating/import/", "penalties/", "paper/", "results/", "settings/", "settings/rules/",
)  # fmt: skip
# Files, fragments, and answers to a button alone.
NO_PAGES = {
    "public:proof", "public:records",
    "sign_in_code",
    "sign_out", "desk:jump", "desk:preview", "desk:sign", "desk:reopen", "desk:start_round", "desk:import_players",
    "public:sheet", "desk:print", "desk:booklet", "desk:last_sheets", "desk:results_xlsx", "desk:event_json",
    "desk:observer_pdf", "desk:receipts", "desk:observer_xlsx", "desk:phone_signing",
    "desk:ema_xlsx", "desk:rankings_csv", "desk:plain_csv", "desk:plain_players", "desk:plain_penalties",
    "desk:engine_json", "desk:palette", "desk:site_zip", "count", "desk:count", "desk:call_slip",
    "desk:draft_progress", "desk:totals_preview",
    "desk:corrections", "desk:presence", "desk:between", "desk:give_time", "desk:close_call", "desk:take_time_back",
    "desk:answer_call", "desk:ready", "desk:call", "desk:time_bar", "desk:clock_options",
    "public:wall_version", "desk:announce", "desk:announcement", "desk:wall_pages", "desk:wall_network",
    "desk:take_import_back",
    "health", "metrics", "season_json", "season_csv", "season_proof", "season_feed", "season_calendar",
    "season_teams_json", "season_teams_csv",
    "desk:hand_over_prize", "person_card",
    "public:version", "public:tell", "public:manifest", "public:worker", "public:player_card", "public:event_card",
    "public:story_card", "public:race_file",
    "public:logo", "public:photo", "public:colour", "desk:look", "public:calendar", "language",
    "desk:visibility", "desk:play", "desk:archive", "desk:show_results", "end_sessions", "desk:renew_device",
    "desk:revoke_device",
    "public:count", "drill_sheet", "public:drill_sheet", "desk:drill_sheet",
    "desk:sign_member_out", "desk:person_json", "desk:keep_months", "device_home", "desk:member", "desk:hand_on",
    "desk:rule_set_toml", "desk:delete_rule_set", "desk:end_relay",
}  # fmt: skip

# What has a part for each seat, once more with three of them.
PUBLIC_OF_THREE = ("?me=3", "rounds/1/", "rounds/1/tables/1/", "players/1/", "display/", "rounds/3/tables/4/overlay/")
DESK_OF_THREE = (
    "", "seating/swap/", "penalties/give/?player=1&pick=late.7", "penalties/amounts/", "rounds/3/tables/4/",
    "tour/", "rounds/3/tables/4/?correct=2", "rounds/3/tables/4/seats/", "rounds/3/tables/8/totals/",
    "rounds/3/tables/4/totals/", "rounds/3/tables/8/totals/decide/",
)  # fmt: skip


def page_names(patterns: Iterable[Any], space: str = "") -> Iterator[str]:
    """Yield the name of every address but the API's."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name}"
        elif pattern.namespace != "api":
            yield from page_names(pattern.url_patterns, f"{pattern.app_name}:" if pattern.app_name else space)


def replace_somebody(slug: str, organiser: Account) -> str:
    """Put a substitute in at table 4 of round 3; return the address of the row, below the desk's own."""
    seat = Seat.objects.get(round__event__slug=slug, round__number=3, table__number=4, seat=1)
    replacement = Replacement(when="before", reason="The train stands still", name="Bartholomew of the Far Hills")
    put_substitute_in(table=seat.table, player=seat.player, replacement=replacement, client_id=uuid4(), by=organiser)
    return f"rounds/3/tables/4/substitutes/{Substitution.objects.get(event__slug=slug).pk}/"


def penalty_of_substitute(slug: str, organiser: Account) -> int:
    """Give the substitute of table 4 in round 3 a penalty; return its id."""
    seat = Seat.objects.get(round__event__slug=slug, round__number=3, table__number=4, seat=1)
    given = give_penalty(
        player=seat.player, points=2000, reason="A tile was shown", client_id=uuid4(), round_=seat.round, by=organiser
    )
    return given.pk


def look_at_drafts(desk: Looker, by: Account) -> None:
    """Look at the pages of drafts."""
    first, second, _third = (draft.pk for draft in make_drafts(by))
    for address in ("", f"drafts/{first}/", f"drafts/{second}/", "compare/"):
        desk.look(f"/desk/drafts/seating/{address}")


def make_drafts(by: Account) -> list[DrawDraft]:
    """Make an event with an odd field, two draws whose search was ended early and one that is being searched."""
    day = dt.date(2026, 9, 12)
    event = create_event(name="Drafts", date=day, rules_key="ema-2025", rounds=6, slug="drafts", by=by)
    names = ["Maximiliane-Theodora von Hohenwaldenburg", "朝霧すずめ", *(f"Player {index}" for index in range(15))]
    add_players(event=event, players=[NewPlayer(name, club="Riichi Elbmarsch") for name in names], by=by)
    asked = DrawWishes(clubs=2, families=((1, 2),), fixed=((2, 3),), rooms=((1, 2, "Hall"),), shared=1)
    made = []
    for seed, way in enumerate(("substitutes", "rests", "rests")):
        made.append(start_draft(event=event, seed=seed, asked=asked, way=way, by=by))
        if seed < 2:
            DrawDraft.objects.filter(pk=made[-1].pk).update(stop_asked=True)
            run_draft(made[-1])
    return made


def look_at_rule_sets(desk: Looker, by: Account) -> None:
    """Look at the pages of rule sets, and at a newer version for an event."""
    first = make_rule_set("Riichi Elbmarsch", minutes=60, bust=True, by=by)
    make_event(first, slug="clubs", rounds=1, by=by)
    make_rule_set("Riichi Elbmarsch", first.rule_set, minutes=90, note="as the members of the club agreed", by=by)
    sets = ("", "new/", "file/", "riichi-elbmarsch/", "riichi-elbmarsch/change/", "riichi-elbmarsch/file/")
    desk.walk("/desk/rule-sets/", (*sets, "riichi-elbmarsch/?version=1&against=riichi-elbmarsch/2"))
    desk.look("/desk/clubs/settings/rules/newer/")

    def refused(tab: "Page") -> None:
        tab.goto("/desk/rule-sets/file/")
        tab.get_by_label("Or its text").fill(
            'title = "Club"\nextends = "ema-2025"\n[time]\nminutes = { is = "long" }\n'
        )
        tab.get_by_role("button", name="Save the rule set").click()
        tab.get_by_text("Line 4").wait_for()

    desk.look_after("a file with errors", refused)


def look_at_seasons(desk: Looker, public: Looker, by: Account) -> None:
    """Look at a season of two evenings, at its rule, at people over events, and at the page of one of them."""
    long = "Maximiliane-Theodora von Hohenwaldenburg"
    four = (long, "Birk Sol", "Cyan Lund", "Dora Vik")
    events = [play_evening(1, four, four), play_evening(2, four[::-1], ("Anna Berg", *four[:3])), play_evening(3, four)]
    Event.objects.filter(pk__in=[event.pk for event in events]).update(visibility="public")
    known = link_people(people=list(Person.objects.filter(preferred_name=long).values_list("pk", flat=True)), by=by)
    assert known
    set_person_page(known=known, agreed=True, by=by)
    counted = [CountedEvent(event.pk, weight) for event, weight in zip(events, ("1", "1/2", "1"), strict=True)]
    mean = DeclaredRule(SeasonRule(gather="mean", least=2))
    for name, rule in (("Tuesdays", mean), ("EMA", READY_MADE["mers"]), ("Sum", READY_MADE["sum"])):
        season = create_season(facts=SeasonFacts(name, rule), by=by)
        set_season_events(season=season, events=counted, by=by)
    Season.objects.filter(slug="tuesdays").update(reach={"frame": ["club.example.org"]})
    for address in ("s/tuesdays/", "s/tuesdays/frame/", "s/tuesdays/how/", "s/ema/", "s/sum/", "s/"):
        public.look(f"/{address}")
    for address in ("s/tuesdays/records/", f"p/{known.uid}/"):
        public.look(f"/{address}")
    for address in (
        "people/",
        "people/?q=Birk",
        f"people/{known.uid}/",
        "seasons/",
        "seasons/from/file/",
        "seasons/tuesdays/",
        "seasons/tuesdays/reach/",
    ):
        desk.look(f"/desk/{address}")
    desk.look("/desk/evening-2/players/known/")
    season = Season.objects.get(slug="tuesdays")
    set_team_rule(season=season, rule=READY_MADE_TEAMS["m_league"], by=by)
    for human in list_humans([events[0].pk]):
        points = [(1, -20_000, "Chombo")]
        save_team(season=season, number=None, name=human.name * 2, members=[human.key], points=points, by=by)
    teams = list(season.teams.all())
    for game in (1, 2):
        ask_line_ups(event=events[0], game=game, table=1, teams=teams, by=by)
    for row in LineUp.objects.filter(game=1):
        hand_in_line_up(line_up=row, member=row.team.members.get().pk)
    code = make_team_code(team=teams[0], client_id=uuid4(), by=by)
    for address in ("s/tuesdays/teams/", f"s/tuesdays/line-ups/{code}/"):
        public.look(f"/{address}")
    desk.look("/desk/seasons/tuesdays/teams/?team=1")


def look_at_open_play(desk: Looker, public: Looker, by: Account) -> None:
    """Look at an open evening: the page of its tables, what phones show of it, and where its players type."""
    event = make_evening(9, here=8)
    long = "Maximiliane-Theodora von Wildenbruchhausen"
    rename_player(player=event.players.get(number=1), name=long, by=by)
    finish(sit_down(event, 1, 2, 3, 4))
    sit_down(event, 1, 2, 3, 4)
    make_club_code(event=event, seen="", by=by)
    code = Event.objects.get(pk=event.pk).club_code
    for address in ("tables/", "settings/", "settings/players-phones/"):
        desk.look(f"/desk/tuesday/{address}")
    for address in ("", "?me=1", "?me=5", f"play/{code}/"):
        public.look(f"/e/tuesday/{address}")


def look_at_last_hand(desk: Looker, public: Looker) -> None:
    """Look at what players need in a last hand, at the desk and where the public sees it."""
    event = make_event(slug="last", rounds=1, by=get_site_organiser())
    enter_all(table_of(event), "2r1 330", "3r2 330", "4r3 m", "1r4 240", "2r1 230", "3t 330", "2r3 340")
    Event.objects.filter(pk=event.pk).update(show_needs=True, live_others="all")
    for address in ("", "rounds/1/tables/1/", "rounds/1/tables/1/last/", "rounds/1/tables/2/last/"):
        desk.look(f"/desk/last/{address}")
    for address in ("?me=1", "rounds/1/tables/1/last/"):
        public.look(f"/e/last/{address}")


def look_at_signing(desk: Looker, public: Looker, organiser: Account) -> None:
    """Look at a finished game that is signed on phones: the desk's codes, and each state of a phone's page."""
    event = make_event(slug="signed", rounds=1, by=organiser)
    set_phone_signing(event=event, allowed=True, by=organiser)
    enter_all(table_of(event), *WHOLE_GAME)
    for address in ("rounds/1/tables/1/", "rounds/1/tables/1/phones/", "rounds/1/tables/2/phones/"):
        desk.look(f"/desk/signed/{address}")

    def make(tab: "Page") -> None:
        tab.goto("/desk/signed/rounds/1/tables/1/phones/")
        tab.get_by_role("button", name="Make").click()
        tab.get_by_text("The codes are shown only now").wait_for()

    desk.look_after("codes of seats", make)
    codes = make_seat_codes(table=table_of(event), client_id=uuid4(), by=organiser)
    for each in codes:
        public.look(f"/e/signed/sign/{each.code}/")
        found = find_code(event, each.code)
        assert found
        confirm_result(code=found)
        public.look(f"/e/signed/sign/{each.code}/")
    public.look("/e/signed/sign/")
    public.look("/e/signed/sign/NONE/", status=404)
    desk.look("/desk/signed/rounds/1/tables/1/phones/")


def look_at_sign_up(desk: Looker, public: Looker, by: Account) -> None:
    """Look at an event's page, at the way in, at own pages in each state, and at the organiser's side of it."""
    event = event_with(fee=4000, texts={key: {"en-gb": "One\n\n- two\n- three"} for key in TEXTS})
    names = ("Maximiliane-Theodora von Hohenwaldenburg", "Ben", "Cem")
    first, *_others, last = come(event, *names, club="Felt", show_name=True)
    come(event, "Dov", proven=False)
    note_payment(sign_up=first, amount=1250, client_id=uuid4(), by=by)
    for address in ("about/", "sign-up/", f"sign-up/{sign_up_token(first)}/", f"sign-up/{sign_up_token(last)}/?cancel"):
        public.look(f"/e/cup/{address}")
    public.look(f"/e/cup/sign-up/form/{form_token(event, 'eva@example.org')}/")
    letter = event.letters.first()
    assert letter is not None
    for address in ("", "1/", "fees/", "letters/", "letters/words/", f"letters/{letter.pk}/"):
        desk.look(f"/desk/cup/sign-ups/{address}")
    for address in ("/desk/cup/settings/sign-up/", "/desk/ema-list/"):
        desk.look(address)
    cancel(sign_up=first)
    public.look(f"/e/cup/sign-up/{sign_up_token(last)}/")


def look_at_drill(desk: Looker, public: Looker, event: Event, organiser: Account) -> None:
    """Look at questions and answers, and at a crew's drill with results."""
    for address in ("/drill/", f"{DRILL}&a=", f"{DRILL}&a=a&see=1", f"{DRILL}&a=ab&see=1", f"{DRILL}&a={'a' * 9}"):
        public.look(address)
    drill = make_drill(event=event, seed=7, count=9, kinds=KINDS, by=organiser)
    hand_in(drill=drill, client_id=uuid4(), name="Maximiliane-Theodora von Hohenwaldenburg", answers="a" * 9, sender="")
    public.look(f"/e/{event.slug}/drill/{drill.token}/")
    for address in ("drills/", f"drills/{drill.pk}/"):
        desk.look(f"/desk/{event.slug}/{address}")


def look_at_play(desk: Looker, public: Looker, organiser: Account) -> None:
    """Look at events in mid-play: every page of theirs, somebody replaced, a sheet that another person looks at."""
    of_three, slug = SLUGS
    public.walk(f"/e/{of_three}/", PUBLIC_OF_THREE)
    desk.walk(f"/desk/{of_three}/", DESK_OF_THREE)
    public.walk(f"/e/{slug}/", PUBLIC)
    desk.walk(f"/desk/{slug}/", DESK)
    penalty = Penalty.objects.filter(event__slug=slug, cancelled_at=None).values_list("pk", flat=True)[0]
    desk.look(f"/desk/{slug}/penalties/{penalty}/cancel/")
    out = replace_somebody(slug, organiser)
    for address in ("substitutes/", "rounds/3/tables/4/substitutes/", "rounds/3/tables/4/", f"{out}out/"):
        desk.look(f"/desk/{slug}/{address}")
    desk.look(f"/desk/{slug}/penalties/payer/?penalty={penalty_of_substitute(slug, organiser)}")
    desk.look(f"/desk/{slug}/players/2/disqualify/")

    # a sheet that another person looks at
    set_second_person(event=Event.objects.get(slug=slug), second_person="other_person", by=organiser)
    desk.look(f"/desk/{slug}/rounds/3/tables/1/confirm/")


def look_at_empty(desk: Looker, public: Looker, organiser: Account) -> Event:
    """Look at an event with nothing in it, and at a list of players on its way in; return the event."""
    empty = create_event(name="Empty", date=DAY, rules_key="ema-2025", rounds=3, slug="empty", by=organiser)
    for address in ("", "standings/", "rounds/", "display/", "rules/"):
        public.look(f"/e/empty/{address}")
    for address in EMPTY:
        desk.look(f"/desk/empty/{address}")

    def preview_list(tab: "Page") -> None:
        tab.goto("/desk/empty/players/")
        look_at_list(tab, "players.csv", LIST, head="This list can't be imported yet")

    desk.look_after("import preview", preview_list)
    return empty


def look_at_schedules(desk: Looker, organiser: Account) -> None:
    """Look at a schedule on its way in, wrong and right."""
    ready = create_event(name="Ready", date=DAY, rules_key="ema-2025", rounds=2, slug="ready", by=organiser)
    add_players(event=ready, players=[NewPlayer(name) for name in SEATED], by=organiser)

    def preview_seats(tab: "Page", content: bytes, head: str) -> None:
        tab.goto("/desk/ready/seating/import/")
        look_at_schedule(tab, "seats.csv", content, head=head)

    for content, head in ((WRONG_SEATS, "This list can't be imported yet"), (SEATS, "Review before importing")):
        desk.look_after("schedule preview", partial(preview_seats, content=content, head=head))


def look_at_way_in(public: Looker, event: Event, organiser: Account) -> None:
    """Look at what strangers see, and at an invitation."""
    token = invite(event=event, role=Role.REFEREE, name="Rita", by=organiser)
    rules = ("/rules/", "/rules/sanma-rule-book/", "/rules/ema-2025/?against=sanma-rule-book")
    for address in ("/", *rules, "/calculator/", "/privacy/", "/login/", f"/enter/{token}/"):
        public.look(address)


@pytest.mark.slow
@pytest.mark.parametrize("devices", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_every_page_is_whole_and_quiet(open_tab: OpenTab, devices: int, pytestconfig: pytest.Config) -> None:
    seed = pytestconfig.getoption("randomly_seed", 0)
    turns = cycle([("phone", "laptop")] if devices == 2 else [("phone",), ("laptop",)])
    dealt = cycle([True] if devices == 2 else [bool(seed // 2 % 2), not seed // 2 % 2])
    if seed % 2:
        next(turns)
    load_samples(now=timezone.now())
    organiser = get_site_organiser()
    desk = Looker(partial(open_tab, organiser), turns, dealt)
    public = Looker(open_tab, turns, dealt)

    look_at_play(desk, public, organiser)
    look_at_last_hand(desk, public)
    look_at_open_play(desk, public, organiser)
    look_at_signing(desk, public, organiser)
    empty = look_at_empty(desk, public, organiser)
    look_at_schedules(desk, organiser)
    look_at_drafts(desk, organiser)
    look_at_rule_sets(desk, organiser)
    look_at_seasons(desk, public, organiser)
    look_at_way_in(public, empty, organiser)
    look_at_drill(desk, public, empty, organiser)
    look_at_sign_up(desk, public, organiser)
    public.look("/enter/none/", status=410)
    public.look("/device/none/", status=410)
    for address in ("/", "/account/", "/account/second-step/", "/desk/new/", "/desk/backups/"):
        desk.look(address)

    assert [*public.found, *desk.found] == [], f"seed {seed}"
    assert public.seen | desk.seen == set(page_names(get_resolver().url_patterns)) - NO_PAGES
