"""Addresses of the JSON API, version 1, below /api/v1/events/SLUG/."""

from django.urls import path

from web.api import api

app_name = "api"
urlpatterns = [
    path("", api.event, name="event"),
    path("version", api.version, name="version"),
    path("players", api.players, name="players"),
    path("standings", api.standings, name="standings"),
    path("rounds", api.rounds, name="rounds"),
    path("rounds/<int:round_number>", api.round_, name="round"),
    path("rounds/<int:round_number>/tables/<int:table_number>", api.table, name="table"),
    path("rounds/<int:round_number>/tables/<int:table_number>/entries", api.entries, name="entries"),
]
