"""Addresses of the desk, below /desk/."""

from django.urls import path

from web.views import (
    corrections,
    desk,
    desk_count,
    files,
    fouls,
    hands,
    new_event,
    penalties,
    players,
    seating,
    seats,
    settings,
    substitutes,
)

app_name = "desk"
urlpatterns = [
    path("new/", new_event.new_event, name="new_event"),
    path("<slug:slug>/", desk.grid, name="grid"),
    path("<slug:slug>/jump/", desk.jump, name="jump"),
    path("<slug:slug>/players/", players.players, name="players"),
    path("<slug:slug>/players/import/", players.import_players, name="import_players"),
    path("<slug:slug>/players/<int:number>/", players.player, name="player"),
    path("<slug:slug>/seating/", seating.seating, name="seating"),
    path("<slug:slug>/penalties/", penalties.penalties, name="penalties"),
    path("<slug:slug>/penalties/<int:penalty_id>/cancel/", penalties.cancel, name="cancel_penalty"),
    path("<slug:slug>/penalties/give/", fouls.give, name="give_foul"),
    path("<slug:slug>/penalties/amounts/", fouls.foul_amounts, name="foul_amounts"),
    path("<slug:slug>/substitutes/", substitutes.everywhere, name="all_substitutes"),
    path(
        "<slug:slug>/rounds/<int:round_number>/tables/<int:table_number>/substitutes/",
        substitutes.at_table,
        name="substitutes",
    ),
    path(
        "<slug:slug>/rounds/<int:round_number>/tables/<int:table_number>/substitutes/<int:substitution_id>/out/",
        substitutes.take_out,
        name="take_substitute_out",
    ),
    path("<slug:slug>/paper/", files.paper, name="paper"),
    path("<slug:slug>/results/", files.results, name="results"),
    path("<slug:slug>/settings/", settings.settings, name="settings"),
    path("<slug:slug>/settings/rules/", settings.rules, name="rules"),
    path("<slug:slug>/rounds/<int:round_number>/start/", desk.start, name="start_round"),
    path("<slug:slug>/rounds/<int:round_number>/release/", desk.release, name="release_round"),
    path("<slug:slug>/rounds/<int:round_number>/tables/<int:table_number>/", hands.table, name="table"),
    path("<slug:slug>/rounds/<int:round_number>/tables/<int:table_number>/preview/", hands.preview, name="preview"),
    path("<slug:slug>/rounds/<int:round_number>/tables/<int:table_number>/count/", desk_count.count, name="count"),
    path(
        "<slug:slug>/rounds/<int:round_number>/tables/<int:table_number>/call-slip.pdf",
        desk_count.call_slip,
        name="call_slip",
    ),
    path(
        "<slug:slug>/rounds/<int:round_number>/tables/<int:table_number>/corrections/",
        corrections.corrections,
        name="corrections",
    ),
    path("<slug:slug>/rounds/<int:round_number>/tables/<int:table_number>/seats/", seats.seats, name="seats"),
    path("<slug:slug>/rounds/<int:round_number>/tables/<int:table_number>/sign/", hands.sign, name="sign"),
    path("<slug:slug>/rounds/<int:round_number>/tables/<int:table_number>/reopen/", hands.reopen, name="reopen"),
    path("<slug:slug>/print/<str:sheet>.pdf", files.print_sheet, name="print"),
    path("<slug:slug>/export/results.xlsx", files.results_xlsx, name="results_xlsx"),
    path("<slug:slug>/export/event.json", files.event_json, name="event_json"),
]
