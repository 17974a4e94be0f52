"""Addresses that everybody may open, below /e/SLUG/."""

from django.urls import path

from tournament.access import devices as install
from tournament.alllast import views as needs
from tournament.calculator import views as calculator
from tournament.features import list_addresses
from tournament.paper import handouts as rule_sheets
from tournament.penalties import foul_views as fouls
from tournament.phone_signing import views as phone_sign
from tournament.player_entry import views as player_entry
from tournament.public import views as public
from tournament.public import views as teams
from tournament.public import views as timetable
from tournament.record import views as record
from tournament.rounds import views as clock
from tournament.rulesets import event_views as hand_outs
from tournament.settings import look
from tournament.signup import public_views as sign_up
from tournament.wall import display

app_name = "public"
urlpatterns = [
    path("", public.phone, name="phone"),
    path("version/", public.version, name="version"),
    path("manifest.webmanifest", install.manifest, name="manifest"),
    path("worker.js", install.worker, name="worker"),
    path("logo.png", look.logo, name="logo"),
    path("photo.webp", look.photo, name="photo"),
    path("colour.css", look.colour, name="colour"),
    path("about/", sign_up.about, name="about"),
    path("sign-up/", sign_up.start, name="sign_up"),
    path("sign-up/form/<str:token>/", sign_up.form, name="sign_up_form"),
    path("sign-up/<str:token>/", sign_up.mine, name="my_sign_up"),
    path("standings/", public.standings, name="standings"),
    path("standings/<int:after>/", public.standings, name="standings_after"),
    path("teams/", teams.teams, name="teams"),
    path("players/<int:number>/", public.player, name="player"),
    path("record/", record.record, name="record"),
    path("record/proof.json", record.proof, name="proof"),
    path("rounds/", public.rounds, name="rounds"),
    path("rounds/<int:round_number>/", public.round_page, name="round"),
    path("rounds/<int:round_number>/tables/<int:table_number>/", public.table, name="table"),
    path("rounds/<int:round_number>/tables/<int:table_number>/last/", needs.public_last, name="last"),
    path("sign/", phone_sign.sign, name="sign"),
    path("sign/<str:token>/", phone_sign.sign_seat, name="sign_seat"),
    path("play/<str:token>/", player_entry.play, name="play"),
    path("calculator/", calculator.event_calculator, name="calculator"),
    path("calculator/count/", calculator.event_count, name="count"),
    path("rules/", public.rules, name="rules"),
    path("rules/values/", hand_outs.values, name="values"),
    path("rules/yaku/", hand_outs.yaku, name="yaku"),
    path("rules/<str:sheet>.pdf", rule_sheets.public_sheet, name="sheet"),
    path("fouls/", fouls.fouls, name="fouls"),
    path("clock/", clock.wall, name="clock"),
    path("rounds.ics", timetable.calendar, name="calendar"),
    path("display/", display.display, name="display"),
    path("display/version/", display.version, name="wall_version"),
    path("display/<slug:page>/", display.display, name="wall_page"),
    *list_addresses("public"),
]
