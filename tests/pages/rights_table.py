"""Who may open and send what, by hand: each address with what it takes to read it and to send something there.

Written from docs/organiser/before/roles.md, docs/developer/contract.md and the pages for organisers, never from the
decorators that it holds (tests/pages/test_rights_table.py). A new address gets its row here first.
"""

from enum import StrEnum

from tournament.core.rights import Right


class Audience(StrEnum):
    """Who comes in without a right at an event."""

    ANYONE = "anyone"  # everybody; the address belongs to no event
    PUBLIC = "public"  # everybody; the address belongs to an event
    ACCOUNT = "account"  # who is signed in
    SITE = "site"  # who runs this desk


Needs = Right | Audience | None

ANYONE, PUBLIC, ACCOUNT, SITE = Audience

# name of the address: (to read, to send); None where the method is refused
TABLE: dict[str, tuple[Needs, Needs]] = {
    # ---------------------------------------------------------------- of no event
    "events": (ANYONE, None),
    "calculator": (ANYONE, None),
    "count": (ANYONE, None),
    "drill": (ANYONE, None),
    "drill_sheet": (ANYONE, None),
    "rule_books": (ANYONE, None),
    "rule_book": (ANYONE, None),
    "season": (ANYONE, None),
    "hall_of_fame": (ANYONE, None),
    "person_card": (ANYONE, None),
    "season_records": (ANYONE, None),
    "season_how": (ANYONE, None),
    "season_json": (ANYONE, None),
    "season_csv": (ANYONE, None),
    "season_proof": (ANYONE, None),
    "person": (ANYONE, None),  # who agreed to a page; anybody else's is 404
    "season_feed": (ANYONE, None),
    "season_calendar": (ANYONE, None),
    "season_frame": (ANYONE, None),
    "desk:season_reach": (SITE, SITE),
    "season_teams": (ANYONE, None),
    "season_teams_json": (ANYONE, None),
    "season_teams_csv": (ANYONE, None),
    "season_line_ups": (ANYONE, ANYONE),  # who has the code of a team
    "desk:season_teams": (SITE, SITE),
    "language": (ANYONE, None),
    "privacy": (ANYONE, None),
    "health": (ANYONE, None),
    "metrics": (ANYONE, None),
    # ---------------------------------------------------------------- the way in
    "enter": (ANYONE, ANYONE),
    "sign_in": (ANYONE, ANYONE),
    "sign_in_code": (ANYONE, ANYONE),  # after a right password; anybody else is sent to sign in
    "sign_out": (None, ANYONE),
    "device": (ANYONE, ANYONE),
    "device_home": (ACCOUNT, None),
    "account": (ACCOUNT, ACCOUNT),
    "second_factor": (ACCOUNT, ACCOUNT),
    "end_sessions": (None, ACCOUNT),
    # ---------------------------------------------------------------- public pages of an event
    "public:phone": (PUBLIC, None),
    "public:version": (PUBLIC, None),
    "public:manifest": (PUBLIC, None),
    "public:tell": (None, PUBLIC),
    "public:worker": (PUBLIC, None),
    "public:play": (PUBLIC, PUBLIC),
    "public:sign": (PUBLIC, PUBLIC),
    "public:sign_seat": (PUBLIC, PUBLIC),
    "public:about": (PUBLIC, None),
    "public:sign_up": (PUBLIC, PUBLIC),
    "public:sign_up_form": (PUBLIC, PUBLIC),  # who has the link of a letter
    "public:my_sign_up": (PUBLIC, PUBLIC),  # who has the link of that sign-up
    "public:standings": (PUBLIC, None),
    "public:standings_after": (PUBLIC, None),
    "public:teams": (PUBLIC, None),
    "public:player": (PUBLIC, None),
    "public:player_card": (PUBLIC, None),
    "public:story_card": (PUBLIC, None),
    "public:event_card": (PUBLIC, None),
    "public:race_file": (PUBLIC, None),
    "public:against": (PUBLIC, None),
    "public:record": (PUBLIC, None),
    "public:proof": (PUBLIC, None),
    "public:records": (PUBLIC, None),
    "public:recap": (PUBLIC, None),
    "public:rounds": (PUBLIC, None),
    "public:round": (PUBLIC, None),
    "public:table": (PUBLIC, None),
    "public:overlay": (PUBLIC, None),
    "public:logo": (PUBLIC, None),
    "public:photo": (PUBLIC, None),
    "public:colour": (PUBLIC, None),
    "public:overlay_board": (PUBLIC, None),
    "public:overlay_ticker": (PUBLIC, None),
    "public:last": (PUBLIC, None),
    "public:rules": (PUBLIC, None),
    "public:sheet": (PUBLIC, None),
    "public:values": (PUBLIC, None),
    "public:yaku": (PUBLIC, None),
    "public:fouls": (PUBLIC, None),
    "public:calculator": (PUBLIC, None),
    "public:count": (PUBLIC, None),
    "public:drill": (PUBLIC, None),
    "public:drill_sheet": (PUBLIC, None),
    "public:crew_drill": (PUBLIC, PUBLIC),  # who has the link of a drill
    "public:clock": (PUBLIC, None),
    "public:calendar": (PUBLIC, None),
    "public:display": (PUBLIC, None),
    "public:wall_version": (PUBLIC, None),
    "public:wall_page": (PUBLIC, None),
    # ---------------------------------------------------------------- the API
    "api:event": (PUBLIC, None),
    "api:version": (PUBLIC, None),
    "api:players": (PUBLIC, None),
    "api:standings": (PUBLIC, None),
    "api:prizes": (PUBLIC, None),
    "api:record": (PUBLIC, None),
    "api:rounds": (PUBLIC, None),
    "api:round": (PUBLIC, None),
    "api:table": (PUBLIC, None),  # a table that is not public only to who may see it at the desk
    "api:entries": (
        None,
        Right.ENTER_HANDS,
    ),  # others take more: test_rights_by_act
    # ---------------------------------------------------------------- the site
    "desk:new_event": (SITE, SITE),
    "desk:backups": (SITE, SITE),
    "desk:rule_sets": (SITE, None),
    "desk:new_rule_set": (SITE, SITE),
    "desk:rule_set_from_file": (SITE, SITE),
    "desk:rule_set": (SITE, None),
    "desk:change_rule_set": (SITE, SITE),
    "desk:rule_set_file": (SITE, SITE),
    "desk:rule_set_toml": (SITE, None),
    "desk:delete_rule_set": (None, SITE),
    "desk:people": (SITE, SITE),
    "desk:person": (SITE, SITE),
    "desk:seasons": (SITE, SITE),
    "desk:import_season": (SITE, SITE),
    "desk:season": (SITE, SITE),
    # ---------------------------------------------------------------- the desk
    "desk:grid": (Right.SEE_DESK, None),
    "desk:jump": (Right.SEE_DESK, None),
    "desk:palette": (Right.SEE_DESK, None),
    "desk:presence": (None, Right.SEE_DESK),  # who has which page open; says nothing of the event
    "desk:calls": (Right.SEE_DESK, None),
    "desk:rota": (Right.SEE_DESK, Right.RULE),
    "desk:equipment": (Right.SEE_DESK, Right.MANAGE_PLAYERS),
    "desk:complaints": (Right.RULE, None),
    "desk:book": (Right.SEE_DESK, None),
    "desk:complaint": (Right.RULE, Right.RULE),
    "desk:answer_call": (None, Right.RULE),
    "desk:close_call": (None, Right.RULE),
    "desk:mishaps": (Right.SEE_DESK, None),
    "desk:check_in": (Right.SEE_DESK, Right.CHECK_IN),
    "desk:open_play": (Right.SEE_DESK, Right.CHECK_IN),
    "desk:ready": (None, Right.CHECK_IN),
    "desk:missing": (Right.SEE_DESK, Right.CHECK_IN),
    # ---------------------------------------------------------------- the clock
    "desk:start_round": (None, Right.RUN_CLOCK),
    "desk:clock": (Right.SEE_DESK, Right.RUN_CLOCK),
    "desk:clock_options": (None, Right.CHANGE_SETTINGS),
    "desk:give_time": (None, Right.RUN_CLOCK),
    "desk:take_time_back": (None, Right.RUN_CLOCK),
    "desk:time_bar": (Right.SEE_TABLE, None),
    # ---------------------------------------------------------------- hands of a table
    "desk:tour": (Right.SEE_TABLE, Right.SEE_TABLE),  # an invented table: nothing is stored
    "desk:table_tour": (Right.SEE_TABLE, Right.SEE_TABLE),
    "desk:table": (
        Right.SEE_TABLE,
        Right.ENTER_HANDS,
    ),  # others take more: test_rights_by_act
    "desk:preview": (Right.SEE_TABLE, None),
    "desk:between": (Right.SEE_TABLE, None),
    "desk:count": (Right.SEE_TABLE, None),
    "desk:call_slip": (Right.SEE_TABLE, None),
    "desk:call": (None, Right.CALL_REFEREE),
    "desk:corrections": (Right.CORRECT_HANDS, Right.CORRECT_HANDS),
    "desk:move_hands": (Right.CORRECT_HANDS, Right.CORRECT_HANDS),
    "desk:seats": (Right.CORRECT_HANDS, Right.CORRECT_HANDS),
    "desk:last": (Right.SEE_DESK, None),  # compares the whole hall
    # ---------------------------------------------------------------- sheets
    "desk:sheets": (Right.SEE_DESK, None),
    "desk:totals": (Right.SEE_DESK, Right.ENTER_SHEETS),
    "desk:totals_preview": (Right.SEE_DESK, None),
    "desk:decide_totals": (Right.DECIDE_SHEETS, Right.DECIDE_SHEETS),
    "desk:sign": (Right.ENTER_SHEETS, Right.ENTER_SHEETS),
    "desk:confirm": (Right.ENTER_SHEETS, Right.ENTER_SHEETS),
    "desk:reopen": (None, Right.REOPEN_TABLES),  # of a released round takes more, asked within
    "desk:release_round": (Right.RELEASE_ROUNDS, Right.RELEASE_ROUNDS),
    # ---------------------------------------------------------------- penalties and fouls
    "desk:penalties": (Right.SEE_DESK, Right.RULE),
    "desk:cancel_penalty": (Right.RULE, Right.RULE),
    "desk:penalty_payer": (Right.RULE, Right.RULE),
    "desk:give_foul": (Right.RULE, Right.RULE),
    "desk:foul_amounts": (Right.CHANGE_RULES, Right.CHANGE_RULES),
    # ---------------------------------------------------------------- substitutes
    "desk:all_substitutes": (Right.SEE_DESK, None),
    "desk:substitutes": (Right.SEE_DESK, Right.SUBSTITUTE),
    "desk:take_substitute_out": (Right.SUBSTITUTE, Right.SUBSTITUTE),
    # ---------------------------------------------------------------- players
    "desk:players": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:player": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:known_players": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:import_players": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:take_players_back": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:player_leaves": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:disqualify": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:player_back": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:wrong_person": (Right.EXCHANGE_PLAYERS, Right.EXCHANGE_PLAYERS),
    # ---------------------------------------------------------------- people's data
    "desk:ema_list": (SITE, SITE),
    "desk:sign_ups": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:money": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:hand_over_prize": (None, Right.MANAGE_PLAYERS),
    "desk:prizes": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:paid_list": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:receipts": (Right.MANAGE_PLAYERS, None),
    "desk:fees": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:letters": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:letter_words": (Right.MANAGE_PLAYERS, None),
    "desk:letter": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:sign_up": (Right.MANAGE_PLAYERS, Right.MANAGE_PLAYERS),
    "desk:sign_up_page": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:privacy": (Right.MANAGE_PRIVACY, Right.MANAGE_PRIVACY),
    "desk:keep_months": (None, Right.MANAGE_PRIVACY),
    "desk:forget_people": (Right.MANAGE_PRIVACY, Right.MANAGE_PRIVACY),
    "desk:player_privacy": (Right.MANAGE_PRIVACY, Right.MANAGE_PRIVACY),
    "desk:person_json": (Right.MANAGE_PRIVACY, None),
    "desk:forget_person": (Right.MANAGE_PRIVACY, Right.MANAGE_PRIVACY),
    # ---------------------------------------------------------------- seats
    "desk:seating": (Right.DRAW_SEATS, Right.DRAW_SEATS),
    "desk:redraw": (Right.DRAW_SEATS, Right.DRAW_SEATS),
    "desk:next_round": (Right.DRAW_SEATS, Right.DRAW_SEATS),
    "desk:swap_players": (Right.DRAW_SEATS, Right.DRAW_SEATS),
    "desk:draft_progress": (Right.DRAW_SEATS, None),
    "desk:draw_report": (Right.DRAW_SEATS, None),
    "desk:compare_drafts": (Right.DRAW_SEATS, None),
    "desk:draft": (Right.DRAW_SEATS, None),
    "desk:import_seats": (Right.DRAW_SEATS, Right.DRAW_SEATS),
    # ---------------------------------------------------------------- files that come in
    "desk:import_results": (Right.IMPORT, Right.IMPORT),
    "desk:import_penalties": (Right.IMPORT, Right.IMPORT),
    "desk:import_game": (Right.IMPORT, Right.IMPORT),
    "desk:import_games": (Right.IMPORT, Right.IMPORT),
    "desk:imports": (Right.IMPORT, None),
    "desk:take_import_back": (Right.IMPORT, Right.IMPORT),
    # ---------------------------------------------------------------- paper
    "desk:paper": (Right.PRINT, None),
    "desk:print": (Right.PRINT, None),
    "desk:booklet": (Right.PRINT, None),
    "desk:last_sheets": (Right.PRINT, None),
    # ---------------------------------------------------------------- results and files that go out
    "desk:results": (Right.SEE_DESK, None),
    "desk:show_results": (None, Right.PUBLISH),
    "desk:rankings": (Right.EXPORT, None),
    "desk:results_xlsx": (Right.EXPORT, None),
    "desk:event_json": (Right.EXPORT, None),
    "desk:ema_xlsx": (Right.EXPORT, None),
    "desk:rankings_csv": (Right.EXPORT, None),
    "desk:engine_json": (Right.EXPORT, None),
    "desk:plain_csv": (Right.EXPORT, None),
    "desk:plain_players": (Right.EXPORT, None),
    "desk:plain_penalties": (Right.EXPORT, None),
    "desk:site_zip": (Right.EXPORT, None),
    # ---------------------------------------------------------------- settings
    "desk:settings": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:visibility": (None, Right.PUBLISH),
    "desk:play": (None, Right.CHANGE_SETTINGS),
    "desk:archive": (None, Right.CHANGE_SETTINGS),
    "desk:look": (None, Right.CHANGE_SETTINGS),
    "desk:delete_event": (Right.DELETE_EVENT, Right.DELETE_EVENT),
    "desk:rule_summary": (Right.CHANGE_SETTINGS, None),
    "desk:stream": (Right.CHANGE_SETTINGS, None),
    "desk:relay": (Right.PUBLISH, Right.PUBLISH),
    "desk:end_relay": (None, Right.PUBLISH),
    "desk:trail": (Right.CHANGE_SETTINGS, None),
    "desk:for_players": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:languages": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:timetable": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:second_person": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:club_code": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:phone_signing": (None, Right.CHANGE_SETTINGS),
    "desk:seat_codes": (Right.ENTER_SHEETS, Right.ENTER_SHEETS),
    "desk:ema": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:observer_report": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:ema_points": (Right.EXPORT, Right.EXPORT),
    "desk:observer_pdf": (Right.EXPORT, None),
    "desk:observer_xlsx": (Right.EXPORT, None),
    "desk:teams": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:rules": (Right.CHANGE_RULES, Right.CHANGE_RULES),
    "desk:newer_rules": (Right.CHANGE_RULES, Right.CHANGE_RULES),
    "desk:drills": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:drill": (Right.CHANGE_SETTINGS, Right.CHANGE_SETTINGS),
    "desk:drill_sheet": (Right.CHANGE_SETTINGS, None),
    "desk:publication": (Right.PUBLISH, Right.PUBLISH),
    # ---------------------------------------------------------------- the wall
    "desk:wall": (Right.SEE_DESK, None),
    "desk:announce": (None, Right.ANNOUNCE),
    "desk:announcement": (None, Right.ANNOUNCE),
    "desk:wall_pages": (None, Right.CHANGE_SETTINGS),
    "desk:wall_network": (None, Right.CHANGE_SETTINGS),
    "desk:wall_prizes": (Right.PUBLISH, Right.PUBLISH),
    # ---------------------------------------------------------------- roles and devices
    "desk:members": (Right.MANAGE_MEMBERS, Right.MANAGE_MEMBERS),
    "desk:member": (None, Right.MANAGE_MEMBERS),
    "desk:sign_member_out": (None, Right.MANAGE_MEMBERS),
    "desk:hand_on": (Right.HAND_ON, Right.HAND_ON),
    "desk:devices": (Right.MANAGE_DEVICES, Right.MANAGE_DEVICES),
    "desk:device_cards": (Right.MANAGE_DEVICES, None),
    "desk:renew_device": (None, Right.MANAGE_DEVICES),
    "desk:revoke_device": (None, Right.MANAGE_DEVICES),
    "desk:revoke_devices": (Right.MANAGE_DEVICES, Right.MANAGE_DEVICES),
}

# what destroys, publishes or gives away: a password is asked for again before it is done
ASKED_AGAIN = {
    "second_factor",
    "desk:foul_amounts",  # once play has begun
    "desk:rules",  # once play has begun
    "desk:newer_rules",  # once play has begun
    "desk:release_round",  # the last
    "desk:wall_prizes",  # the first and last step
    "desk:publication",
    "desk:relay",
    "desk:show_results",
    "desk:take_import_back",
    "desk:disqualify",
    "desk:forget_people",
    "desk:forget_person",
    "desk:hand_on",
    "desk:delete_event",
    "desk:revoke_devices",
}


def audience_of(name: str) -> str:
    """Return whom an address is for: "event" where it takes a right at one, else the audience."""
    read, send = TABLE[name]
    needs = read or send
    return str(needs) if isinstance(needs, Audience) else "event"
