"""Addresses of the desk, below /desk/."""

from django.urls import include, path

from tournament.access import devices
from tournament.access import views as members
from tournament.alllast import views as needs
from tournament.backups import views as backups
from tournament.calculator import views as calculator
from tournament.calls import book
from tournament.calls import views as calls
from tournament.ema import views as ema
from tournament.ema import views as ema_points
from tournament.ema import views as observer
from tournament.ema.views import ema_xlsx, rankings, rankings_csv
from tournament.exports import views as files
from tournament.exports.views import engine_json, plain_csv, plain_penalties, plain_players
from tournament.features import list_addresses
from tournament.hall import rota
from tournament.hall import search as palette
from tournament.hall import search as presence
from tournament.hall import views as grid
from tournament.hands import corrections, move, tour
from tournament.hands import views as hands
from tournament.imports import views as imports
from tournament.incidents import kinds as incidents
from tournament.incidents import seat_kinds as seats
from tournament.incidents import views as mishaps
from tournament.league import views as league
from tournament.open_play import views as open_play
from tournament.paper import call_slip
from tournament.paper import views as paper
from tournament.penalties import foul_views as fouls
from tournament.penalties import foul_views as give_foul
from tournament.penalties import views as payer
from tournament.penalties import views as penalties
from tournament.people import views as people
from tournament.phone_signing import views as seat_codes
from tournament.player_entry import views as player_entry
from tournament.players import views as check_in
from tournament.players import views as players
from tournament.privacy import views as privacy
from tournament.public import views as teams
from tournament.public import views as timetable
from tournament.rounds import missing
from tournament.rounds import views as clock
from tournament.rulesets import event_views as newer_rules
from tournament.rulesets import views as rule_sets
from tournament.rulesets.event_views import rule_summary, rules
from tournament.seasons import reach
from tournament.seasons import views as seasons
from tournament.seating import redraw_views as next_round
from tournament.seating import redraw_views as redraw
from tournament.seating import views as drafts
from tournament.seating import views as seating
from tournament.settings import look, trail
from tournament.settings import look as for_players
from tournament.settings import views as event_page
from tournament.settings import views as new_event
from tournament.settings.views import languages, publication, second_person
from tournament.sheets import views as sheets
from tournament.sheets import views as totals
from tournament.signup import ema_list
from tournament.signup import money as money_pages
from tournament.signup import settings as page_settings
from tournament.signup import views as desk_pages
from tournament.signup import views as fee_pages
from tournament.signup import views as letter_pages
from tournament.wall import views as wall

app_name = "desk"
# first, as they are asked most
TABLE = [
    path("", hands.table, name="table"),
    path("preview/", hands.preview, name="preview"),
    path("between/", hands.changes, name="between"),
    path("substitutes/", incidents.Substitute.as_view(), name="substitutes"),
    path("substitutes/<int:substitution_id>/out/", incidents.TakeOut.as_view(), name="take_substitute_out"),
    path("tour/", tour.tour, name="table_tour"),
    path("time/", clock.bar, name="time_bar"),
    path("totals/", totals.totals, name="totals"),
    path("totals/preview/", totals.preview, name="totals_preview"),
    path("totals/decide/", totals.decide, name="decide_totals"),
    path("count/", calculator.table_count, name="count"),
    path("call-slip.pdf", call_slip.call_slip, name="call_slip"),
    path("corrections/", corrections.corrections, name="corrections"),
    path("move/", move.move, name="move_hands"),
    path("seats/", seats.Seats.as_view(), name="seats"),
    path("call/", calls.call, name="call"),
    path("sign/", hands.sign, name="sign"),
    path("confirm/", sheets.confirm, name="confirm"),
    path("reopen/", hands.reopen, name="reopen"),
    path("last/", needs.last, name="last"),
    path("phones/", seat_codes.seat_codes, name="seat_codes"),
    *list_addresses("table"),
]
urlpatterns = [
    path("<slug:slug>/rounds/<int:round_number>/tables/<int:table_number>/", include(TABLE)),
    path("new/", new_event.new_event, name="new_event"),
    path("backups/", backups.backups, name="backups"),
    path("rule-sets/", rule_sets.rule_sets, name="rule_sets"),
    path("rule-sets/new/", rule_sets.new_set, name="new_rule_set"),
    path("rule-sets/file/", rule_sets.set_file, name="rule_set_from_file"),
    path("rule-sets/<slug:own>/", rule_sets.rule_set, name="rule_set"),
    path("rule-sets/<slug:own>/change/", rule_sets.change_set, name="change_rule_set"),
    path("rule-sets/<slug:own>/file/", rule_sets.set_file, name="rule_set_file"),
    path("rule-sets/<slug:own>/rules.toml", rule_sets.set_toml, name="rule_set_toml"),
    path("rule-sets/<slug:own>/delete/", rule_sets.delete_set, name="delete_rule_set"),
    path("people/", people.people, name="people"),
    path("people/<uuid:uid>/", people.desk_person, name="person"),
    path("seasons/", seasons.seasons, name="seasons"),
    path("seasons/from/file/", imports.import_season, name="import_season"),
    path("seasons/<slug:own>/", seasons.desk_season, name="season"),
    path("seasons/<slug:own>/teams/", league.desk_teams, name="season_teams"),
    path("seasons/<slug:own>/reach/", reach.desk_reach, name="season_reach"),
    path("ema-list/", ema_list.ema_list, name="ema_list"),
    path("<slug:slug>/", grid.grid, name="grid"),
    path("<slug:slug>/jump/", grid.jump, name="jump"),
    path("<slug:slug>/palette/", palette.palette, name="palette"),
    path("<slug:slug>/presence/", presence.presence, name="presence"),
    path("<slug:slug>/tables/", open_play.evening, name="open_play"),
    path("<slug:slug>/check-in/", check_in.page, name="check_in"),
    path("<slug:slug>/settings/rota/", rota.rota, name="rota"),
    path("<slug:slug>/settings/equipment/", rota.equipment, name="equipment"),
    path("<slug:slug>/calls/complaints/", calls.complaints, name="complaints"),
    path("<slug:slug>/calls/", calls.calls, name="calls"),
    path("<slug:slug>/calls/book/", book.book, name="book"),
    path("<slug:slug>/calls/complaint/", calls.complaint, name="complaint"),
    path("<slug:slug>/calls/<int:call_id>/answer/", calls.answer, name="answer_call"),
    path("<slug:slug>/calls/<int:call_id>/close/", calls.close, name="close_call"),
    path("<slug:slug>/players/", players.players, name="players"),
    path("<slug:slug>/players/known/", people.known_players, name="known_players"),
    path("<slug:slug>/players/import/", imports.import_players, name="import_players"),
    path("<slug:slug>/players/import/back/", players.take_back, name="take_players_back"),
    path("<slug:slug>/players/<int:number>/", players.player, name="player"),
    path("<slug:slug>/players/<int:number>/leaves/", incidents.Leaves.as_view(), name="player_leaves"),
    path("<slug:slug>/players/<int:number>/disqualify/", incidents.Disqualify.as_view(), name="disqualify"),
    path("<slug:slug>/players/<int:number>/back/", incidents.Back.as_view(), name="player_back"),
    path("<slug:slug>/players/<int:number>/privacy/", privacy.player, name="player_privacy"),
    path("<slug:slug>/players/<int:number>/person.json", privacy.person_json, name="person_json"),
    path("<slug:slug>/players/<int:number>/forget/", privacy.forget, name="forget_person"),
    path("<slug:slug>/sign-ups/", desk_pages.sign_ups, name="sign_ups"),
    path("<slug:slug>/sign-ups/fees/", fee_pages.fees, name="fees"),
    path("<slug:slug>/money/", money_pages.money, name="money"),
    path("<slug:slug>/money/prizes/", money_pages.prizes, name="prizes"),
    path("<slug:slug>/money/handed/", money_pages.hand_over_prize, name="hand_over_prize"),
    path("<slug:slug>/money/paid/", money_pages.paid_list, name="paid_list"),
    path("<slug:slug>/money/receipts.pdf", money_pages.receipts, name="receipts"),
    path("<slug:slug>/sign-ups/letters/", letter_pages.letters, name="letters"),
    path("<slug:slug>/sign-ups/letters/words/", letter_pages.letter_words, name="letter_words"),
    path("<slug:slug>/sign-ups/letters/<int:letter_id>/", letter_pages.letter, name="letter"),
    path("<slug:slug>/sign-ups/<int:number>/", desk_pages.sign_up, name="sign_up"),
    path("<slug:slug>/settings/sign-up/", page_settings.page_settings, name="sign_up_page"),
    path("<slug:slug>/mishaps/", mishaps.mishaps, name="mishaps"),
    path("<slug:slug>/wrong-person/", seats.WrongPerson.as_view(), name="wrong_person"),
    path("<slug:slug>/seating/", seating.seating, name="seating"),
    path("<slug:slug>/seating/redraw/", redraw.redraw, name="redraw"),
    path("<slug:slug>/seating/next/", next_round.next_round, name="next_round"),
    path("<slug:slug>/seating/swap/", seats.SwapPlayers.as_view(), name="swap_players"),
    path("<slug:slug>/seating/progress/", seating.progress, name="draft_progress"),
    path("<slug:slug>/seating/report/", seating.report, name="draw_report"),
    path("<slug:slug>/seating/compare/", drafts.compare, name="compare_drafts"),
    path("<slug:slug>/seating/drafts/<int:draft_id>/", drafts.draft, name="draft"),
    path("<slug:slug>/seating/import/", imports.import_seats, name="import_seats"),
    path("<slug:slug>/penalties/", penalties.penalties, name="penalties"),
    path("<slug:slug>/penalties/<int:penalty_id>/cancel/", penalties.cancel, name="cancel_penalty"),
    path("<slug:slug>/penalties/payer/", payer.payer, name="penalty_payer"),
    path("<slug:slug>/penalties/give/", give_foul.give, name="give_foul"),
    path("<slug:slug>/penalties/amounts/", fouls.foul_amounts, name="foul_amounts"),
    path("<slug:slug>/substitutes/", mishaps.all_substitutes, name="all_substitutes"),
    path("<slug:slug>/tour/", tour.tour, name="tour"),
    path("<slug:slug>/paper/", paper.paper, name="paper"),
    path("<slug:slug>/results/", files.results, name="results"),
    path("<slug:slug>/results/import/", imports.import_results, name="import_results"),
    path("<slug:slug>/penalties/import/", imports.import_penalties, name="import_penalties"),
    path("<slug:slug>/imports/", imports.imports, name="imports"),
    path("<slug:slug>/imports/<int:import_id>/back/", imports.take_back, name="take_import_back"),
    path("<slug:slug>/results/teams/", teams.desk_teams, name="teams"),
    path("<slug:slug>/settings/", event_page.event_page, name="settings"),
    path("<slug:slug>/settings/play/", event_page.play, name="play"),
    path("<slug:slug>/settings/visibility/", event_page.visibility, name="visibility"),
    path("<slug:slug>/settings/look/", look.look, name="look"),
    path("<slug:slug>/settings/archive/", event_page.archive, name="archive"),
    path("<slug:slug>/settings/delete/", event_page.delete, name="delete_event"),
    path("<slug:slug>/settings/rule-set/", rule_summary, name="rule_summary"),
    path("<slug:slug>/settings/trail/", trail.trail, name="trail"),
    path("<slug:slug>/members/", members.members, name="members"),
    path("<slug:slug>/members/<int:account_id>/", members.member, name="member"),
    path("<slug:slug>/members/<int:account_id>/hand-on/", members.hand_on, name="hand_on"),
    path("<slug:slug>/settings/rules/", rules, name="rules"),
    path("<slug:slug>/settings/rules/newer/", newer_rules.newer_rules, name="newer_rules"),
    path("<slug:slug>/settings/for-players/", for_players.for_players, name="for_players"),
    path("<slug:slug>/settings/publication/", publication, name="publication"),
    path("<slug:slug>/results/show/", files.show_results, name="show_results"),
    path("<slug:slug>/devices/", devices.devices, name="devices"),
    path("<slug:slug>/devices/cards/", devices.cards, name="device_cards"),
    path("<slug:slug>/devices/shut-out/", devices.revoke_all, name="revoke_devices"),
    path("<slug:slug>/devices/<int:device_id>/renew/", devices.renew, name="renew_device"),
    path("<slug:slug>/devices/<int:device_id>/shut-out/", devices.revoke, name="revoke_device"),
    path("<slug:slug>/members/<int:account_id>/sign-out/", members.end_member, name="sign_member_out"),
    path("<slug:slug>/settings/languages/", languages, name="languages"),
    path("<slug:slug>/settings/privacy/", privacy.privacy, name="privacy"),
    path("<slug:slug>/settings/privacy/months/", privacy.months, name="keep_months"),
    path("<slug:slug>/settings/privacy/forget/", privacy.forget_all, name="forget_people"),
    path("<slug:slug>/wall/", wall.wall, name="wall"),
    path("<slug:slug>/wall/announce/", wall.announce, name="announce"),
    path("<slug:slug>/wall/announcements/<int:announcement_id>/", wall.announcement, name="announcement"),
    path("<slug:slug>/wall/pages/", wall.pages, name="wall_pages"),
    path("<slug:slug>/wall/network/", wall.network, name="wall_network"),
    path("<slug:slug>/wall/prizes/", wall.prizes, name="wall_prizes"),
    path("<slug:slug>/settings/timetable/", timetable.timetable, name="timetable"),
    path("<slug:slug>/settings/second-person/", second_person, name="second_person"),
    path("<slug:slug>/rounds/<int:round_number>/ready/", grid.ready, name="ready"),
    path("<slug:slug>/rounds/<int:round_number>/missing/", missing.missing, name="missing"),
    path("<slug:slug>/rounds/<int:round_number>/start/", grid.start, name="start_round"),
    path("<slug:slug>/rounds/<int:round_number>/clock/", clock.clock, name="clock"),
    path("<slug:slug>/rounds/<int:round_number>/clock/options/", clock.options, name="clock_options"),
    path("<slug:slug>/rounds/<int:round_number>/time/", clock.give, name="give_time"),
    path("<slug:slug>/rounds/<int:round_number>/time/<int:time_id>/back/", clock.take_back, name="take_time_back"),
    path("<slug:slug>/rounds/<int:round_number>/release/", grid.release, name="release_round"),
    path("<slug:slug>/rounds/<int:round_number>/totals/", sheets.sheets, name="sheets"),
    path("<slug:slug>/settings/players-phones/", player_entry.club_code, name="club_code"),
    path("<slug:slug>/settings/phone-signing/", seat_codes.phone_signing, name="phone_signing"),
    path("<slug:slug>/print/all-last-filled.pdf", paper.last_sheets, name="last_sheets"),
    path("<slug:slug>/print/<str:sheet>.pdf", paper.print_sheet, name="print"),
    path("<slug:slug>/print/<str:sheet>/", paper.booklet, name="booklet"),
    path("<slug:slug>/export/results.xlsx", files.results_xlsx, name="results_xlsx"),
    path("<slug:slug>/export/event.json", files.event_json, name="event_json"),
    path("<slug:slug>/results/rankings/", rankings, name="rankings"),
    path("<slug:slug>/ema/", ema.ema, name="ema"),
    path("<slug:slug>/ema/observer/", observer.observer_report, name="observer_report"),
    path("<slug:slug>/ema/points/", ema_points.ema_points, name="ema_points"),
    path("<slug:slug>/export/observer.pdf", observer.observer_pdf, name="observer_pdf"),
    path("<slug:slug>/export/observer.xlsx", observer.observer_xlsx, name="observer_xlsx"),
    path("<slug:slug>/export/ema.xlsx", ema_xlsx, name="ema_xlsx"),
    path("<slug:slug>/export/ranking.csv", rankings_csv, name="rankings_csv"),
    path("<slug:slug>/export/results.csv", plain_csv, name="plain_csv"),
    path("<slug:slug>/export/tournament-engine.json", engine_json, name="engine_json"),
    path("<slug:slug>/export/players.csv", plain_players, name="plain_players"),
    path("<slug:slug>/export/penalties.csv", plain_penalties, name="plain_penalties"),
    *list_addresses("desk"),
]
