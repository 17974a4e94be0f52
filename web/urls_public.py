"""Addresses that everybody may open, below /e/SLUG/."""

from django.urls import path

from web.views import clock, fouls, public, rules, stories, teams

app_name = "public"
urlpatterns = [
    path("", public.phone, name="phone"),
    path("version/", public.version, name="version"),
    path("standings/", public.standings, name="standings"),
    path("teams/", teams.teams, name="teams"),
    path("players/<int:number>/", public.player, name="player"),
    path("players/<int:number>/against/<int:other>/", stories.against, name="against"),
    path("records/", stories.records, name="records"),
    path("rounds/", public.rounds, name="rounds"),
    path("rounds/<int:round_number>/", public.round_page, name="round"),
    path("rounds/<int:round_number>/tables/<int:table_number>/", public.table, name="table"),
    path("rules/", rules.event_rules, name="rules"),
    path("fouls/", fouls.fouls, name="fouls"),
    path("clock/", clock.wall, name="clock"),
    path("display/", public.display, name="display"),
]
