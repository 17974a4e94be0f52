"""Addresses that everybody may open, below /e/SLUG/."""

from django.urls import path

from web.access import install
from web.drill import answers, practice
from web.event import hand_outs, look, public_rules
from web.hands import calculator
from web.paper import rule_sheets
from web.penalties import fouls
from web.people import teams
from web.public import card, public, recap, record, stories
from web.rounds import clock, needs, timetable
from web.signup import public_pages as sign_up
from web.wall import display, overlay

app_name = "public"
urlpatterns = [
    path("", public.phone, name="phone"),
    path("version/", public.version, name="version"),
    path("manifest.webmanifest", install.manifest, name="manifest"),
    path("worker.js", install.worker, name="worker"),
    path("logo.png", look.logo, name="logo"),
    path("colour.css", look.colour, name="colour"),
    path("about/", sign_up.about, name="about"),
    path("sign-up/", sign_up.start, name="sign_up"),
    path("sign-up/form/<str:token>/", sign_up.form, name="sign_up_form"),
    path("sign-up/<str:token>/", sign_up.mine, name="my_sign_up"),
    path("standings/", public.standings, name="standings"),
    path("standings/<int:after>/", public.standings, name="standings_after"),
    path("teams/", teams.teams, name="teams"),
    path("players/<int:number>/", public.player, name="player"),
    path("players/<int:number>/card.png", card.player_card, name="player_card"),
    path("card.png", card.event_card, name="event_card"),
    path("players/<int:number>/against/<int:other>/", stories.against, name="against"),
    path("recap/", recap.recap, name="recap"),
    path("record/", record.record, name="record"),
    path("record/proof.json", record.proof, name="proof"),
    path("records/", stories.records, name="records"),
    path("rounds/", public.rounds, name="rounds"),
    path("rounds/<int:round_number>/", public.round_page, name="round"),
    path("rounds/<int:round_number>/tables/<int:table_number>/", public.table, name="table"),
    path("rounds/<int:round_number>/tables/<int:table_number>/overlay/", overlay.overlay, name="overlay"),
    path("rounds/<int:round_number>/overlay/", overlay.board, name="overlay_board"),
    path("overlay/ticker/", overlay.ticker, name="overlay_ticker"),
    path("rounds/<int:round_number>/tables/<int:table_number>/last/", needs.public_last, name="last"),
    path("calculator/", calculator.event_calculator, name="calculator"),
    path("calculator/count/", calculator.event_count, name="count"),
    path("drill/", practice.event_drill, name="drill"),
    path("drill/sheet.pdf", practice.event_sheet, name="drill_sheet"),
    path("drill/<str:token>/", answers.answer, name="crew_drill"),
    path("rules/", public_rules.event_rules, name="rules"),
    path("rules/values/", hand_outs.values, name="values"),
    path("rules/yaku/", hand_outs.yaku, name="yaku"),
    path("rules/<str:sheet>.pdf", rule_sheets.public_sheet, name="sheet"),
    path("fouls/", fouls.fouls, name="fouls"),
    path("clock/", clock.wall, name="clock"),
    path("rounds.ics", timetable.calendar, name="calendar"),
    path("display/", display.display, name="display"),
    path("display/version/", display.version, name="wall_version"),
    path("display/<slug:page>/", display.display, name="wall_page"),
]
