"""Addresses of the JSON API, version 1, below /api/v1/events/SLUG/."""

from django.urls import path

from web import api

app_name = "api"
urlpatterns = [
    path("version", api.version, name="version"),
    path("standings", api.standings, name="standings"),
    path("rounds/<int:round_number>/tables/<int:table_number>", api.table, name="table"),
    path("rounds/<int:round_number>/tables/<int:table_number>/entries", api.entries, name="entries"),
]
