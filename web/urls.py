"""Every address of the desk, by audience: public pages, the desk's pages, the API, and the way in."""

from django.urls import include, path

from tournament.access import devices, second_factor
from tournament.access import views as access
from tournament.access import views as language
from tournament.api import views as api
from tournament.calculator import views as calculator
from tournament.features import list_addresses
from tournament.league import views as league
from tournament.privacy import views as privacy
from tournament.public import views as public
from tournament.rulesets import views as rules
from tournament.seasons import person, reach
from tournament.seasons import views as seasons
from web.server import health

API = [
    path("", api.event, name="event"),
    path("version", api.version, name="version"),
    path("players", api.players, name="players"),
    path("standings", api.standings, name="standings"),
    path("prizes", api.prizes, name="prizes"),
    path("record", api.record, name="record"),
    path("rounds", api.rounds, name="rounds"),
    path("rounds/<int:round_number>", api.round_, name="round"),
    path("rounds/<int:round_number>/tables/<int:table_number>", api.table, name="table"),
    path("rounds/<int:round_number>/tables/<int:table_number>/entries", api.entries, name="entries"),
]
urlpatterns = [
    path("", public.events, name="events"),
    path("calculator/", calculator.calculator, name="calculator"),
    path("calculator/count/", calculator.count, name="count"),
    path("rules/", rules.books, name="rule_books"),
    path("rules/<slug:key>/", rules.book, name="rule_book"),
    path("s/", person.hall_of_fame, name="hall_of_fame"),
    path("s/<slug:slug>/", seasons.season, name="season"),
    path("s/<slug:slug>/records/", seasons.records, name="season_records"),
    path("s/<slug:slug>/how/", seasons.how, name="season_how"),
    path("s/<slug:slug>/teams/", league.teams, name="season_teams"),
    path("s/<slug:slug>/teams.json", league.teams_json, name="season_teams_json"),
    path("s/<slug:slug>/teams.csv", league.teams_csv, name="season_teams_csv"),
    path("s/<slug:slug>/line-ups/<str:code>/", league.line_ups, name="season_line_ups"),
    path("s/<slug:slug>/season.json", seasons.season_json, name="season_json"),
    path("s/<slug:slug>/proof.json", seasons.season_proof, name="season_proof"),
    path("s/<slug:slug>/season.csv", seasons.season_csv, name="season_csv"),
    path("s/<slug:slug>/feed.atom", reach.feed, name="season_feed"),
    path("s/<slug:slug>/season.ics", reach.calendar, name="season_calendar"),
    path("s/<slug:slug>/frame/", reach.frame, name="season_frame"),
    path("p/<uuid:uid>/", person.person, name="person"),
    path("e/<slug:slug>/", include("web.urls_public")),
    path("desk/", include("web.urls_desk")),
    path("api/v1/events/<slug:slug>/", include((API, "api"))),
    path("enter/<str:token>/", access.enter, name="enter"),
    path("language/<str:code>/", language.choose, name="language"),
    path("login/", access.sign_in, name="sign_in"),
    path("logout/", access.sign_out, name="sign_out"),
    path("privacy/", privacy.notice, name="privacy"),
    path("health/", health.health, name="health"),
    path("metrics/", health.metrics, name="metrics"),
    path("login/code/", second_factor.code, name="sign_in_code"),
    path("account/", access.account, name="account"),
    path("account/second-step/", second_factor.second_factor, name="second_factor"),
    path("account/sessions/end/", access.end_sessions, name="end_sessions"),
    path("device/", devices.home, name="device_home"),
    path("device/<str:token>/", devices.door, name="device"),
    *list_addresses("site"),
]

handler404 = "web.server.errors.no_such_page"
handler500 = "web.server.errors.broken"
