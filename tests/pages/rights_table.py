"""Who may open and send what, by hand: each address with what it takes to read it and to send something there.

Written from docs/organiser/before/roles.md, docs/developer/contract.md and the pages for organisers, never from the
decorators that it holds (tests/pages/test_rights_table.py). A new address gets its row here first.
"""

from enum import StrEnum

from tournament.core.rights import Verb


class Audience(StrEnum):
    """Who comes in without a right at an event."""

    ANYONE = "anyone"  # everybody; the address belongs to no event
    PUBLIC = "public"  # everybody; the address belongs to an event
    ACCOUNT = "account"  # who is signed in
    SITE = "site"  # who runs this desk


Needs = Verb | Audience | None

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
    "public:event_card": (PUBLIC, None),
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
    "api:record": (PUBLIC, None),
    "api:rounds": (PUBLIC, None),
    "api:round": (PUBLIC, None),
    "api:table": (PUBLIC, None),  # a table that is not public only to who may see it at the desk
    "api:entries": (
        None,
        Verb.ENTER_HANDS,
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
    # ---------------------------------------------------------------- the desk
    "desk:grid": (Verb.SEE_DESK, None),
    "desk:jump": (Verb.SEE_DESK, None),
    "desk:palette": (Verb.SEE_DESK, None),
    "desk:presence": (None, Verb.SEE_DESK),  # who has which page open; says nothing of the event
    "desk:calls": (Verb.SEE_DESK, None),
    "desk:complaint": (Verb.RULE, Verb.RULE),
    "desk:answer_call": (None, Verb.RULE),
    "desk:close_call": (None, Verb.RULE),
    "desk:mishaps": (Verb.SEE_DESK, None),
    "desk:check_in": (Verb.SEE_DESK, Verb.CHECK_IN),
    "desk:ready": (None, Verb.CHECK_IN),
    # ---------------------------------------------------------------- the clock
    "desk:start_round": (None, Verb.RUN_CLOCK),
    "desk:clock": (Verb.SEE_DESK, Verb.RUN_CLOCK),
    "desk:clock_options": (None, Verb.CHANGE_SETTINGS),
    "desk:give_time": (None, Verb.RUN_CLOCK),
    "desk:take_time_back": (None, Verb.RUN_CLOCK),
    "desk:time_bar": (Verb.SEE_TABLE, None),
    # ---------------------------------------------------------------- hands of a table
    "desk:tour": (Verb.SEE_TABLE, Verb.SEE_TABLE),  # an invented table: nothing is stored
    "desk:table_tour": (Verb.SEE_TABLE, Verb.SEE_TABLE),
    "desk:table": (
        Verb.SEE_TABLE,
        Verb.ENTER_HANDS,
    ),  # others take more: test_rights_by_act
    "desk:preview": (Verb.SEE_TABLE, None),
    "desk:between": (Verb.SEE_TABLE, None),
    "desk:count": (Verb.SEE_TABLE, None),
    "desk:call_slip": (Verb.SEE_TABLE, None),
    "desk:call": (None, Verb.CALL_REFEREE),
    "desk:corrections": (Verb.CORRECT_HANDS, Verb.CORRECT_HANDS),
    "desk:seats": (Verb.CORRECT_HANDS, Verb.CORRECT_HANDS),
    "desk:last": (Verb.SEE_DESK, None),  # compares the whole hall
    # ---------------------------------------------------------------- sheets
    "desk:sheets": (Verb.SEE_DESK, None),
    "desk:totals": (Verb.SEE_DESK, Verb.ENTER_SHEETS),
    "desk:totals_preview": (Verb.SEE_DESK, None),
    "desk:decide_totals": (Verb.DECIDE_SHEETS, Verb.DECIDE_SHEETS),
    "desk:sign": (Verb.ENTER_SHEETS, Verb.ENTER_SHEETS),
    "desk:confirm": (Verb.ENTER_SHEETS, Verb.ENTER_SHEETS),
    "desk:reopen": (None, Verb.REOPEN_TABLES),  # of a released round takes more, asked within
    "desk:release_round": (Verb.RELEASE_ROUNDS, Verb.RELEASE_ROUNDS),
    # ---------------------------------------------------------------- penalties and fouls
    "desk:penalties": (Verb.SEE_DESK, Verb.RULE),
    "desk:cancel_penalty": (Verb.RULE, Verb.RULE),
    "desk:penalty_payer": (Verb.RULE, Verb.RULE),
    "desk:give_foul": (Verb.RULE, Verb.RULE),
    "desk:foul_amounts": (Verb.CHANGE_RULES, Verb.CHANGE_RULES),
    # ---------------------------------------------------------------- substitutes
    "desk:all_substitutes": (Verb.SEE_DESK, None),
    "desk:substitutes": (Verb.SEE_DESK, Verb.SUBSTITUTE),
    "desk:take_substitute_out": (Verb.SUBSTITUTE, Verb.SUBSTITUTE),
    # ---------------------------------------------------------------- players
    "desk:players": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:player": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:import_players": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:take_players_back": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:player_leaves": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:disqualify": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:player_back": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:wrong_person": (Verb.EXCHANGE_PLAYERS, Verb.EXCHANGE_PLAYERS),
    # ---------------------------------------------------------------- people's data
    "desk:ema_list": (SITE, SITE),
    "desk:sign_ups": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:fees": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:letters": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:letter_words": (Verb.MANAGE_PLAYERS, None),
    "desk:letter": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:sign_up": (Verb.MANAGE_PLAYERS, Verb.MANAGE_PLAYERS),
    "desk:sign_up_page": (Verb.CHANGE_SETTINGS, Verb.CHANGE_SETTINGS),
    "desk:privacy": (Verb.MANAGE_PRIVACY, Verb.MANAGE_PRIVACY),
    "desk:keep_months": (None, Verb.MANAGE_PRIVACY),
    "desk:forget_people": (Verb.MANAGE_PRIVACY, Verb.MANAGE_PRIVACY),
    "desk:player_privacy": (Verb.MANAGE_PRIVACY, Verb.MANAGE_PRIVACY),
    "desk:person_json": (Verb.MANAGE_PRIVACY, None),
    "desk:forget_person": (Verb.MANAGE_PRIVACY, Verb.MANAGE_PRIVACY),
    # ---------------------------------------------------------------- seats
    "desk:seating": (Verb.DRAW_SEATS, Verb.DRAW_SEATS),
    "desk:redraw": (Verb.DRAW_SEATS, Verb.DRAW_SEATS),
    "desk:next_round": (Verb.DRAW_SEATS, Verb.DRAW_SEATS),
    "desk:swap_players": (Verb.DRAW_SEATS, Verb.DRAW_SEATS),
    "desk:draft_progress": (Verb.DRAW_SEATS, None),
    "desk:draw_report": (Verb.DRAW_SEATS, None),
    "desk:compare_drafts": (Verb.DRAW_SEATS, None),
    "desk:draft": (Verb.DRAW_SEATS, None),
    "desk:import_seats": (Verb.DRAW_SEATS, Verb.DRAW_SEATS),
    # ---------------------------------------------------------------- files that come in
    "desk:import_results": (Verb.IMPORT, Verb.IMPORT),
    "desk:import_penalties": (Verb.IMPORT, Verb.IMPORT),
    "desk:import_game": (Verb.IMPORT, Verb.IMPORT),
    "desk:import_games": (Verb.IMPORT, Verb.IMPORT),
    "desk:imports": (Verb.IMPORT, None),
    "desk:take_import_back": (Verb.IMPORT, Verb.IMPORT),
    # ---------------------------------------------------------------- paper
    "desk:paper": (Verb.PRINT, None),
    "desk:print": (Verb.PRINT, None),
    "desk:booklet": (Verb.PRINT, None),
    "desk:last_sheets": (Verb.PRINT, None),
    # ---------------------------------------------------------------- results and files that go out
    "desk:results": (Verb.SEE_DESK, None),
    "desk:show_results": (None, Verb.PUBLISH),
    "desk:rankings": (Verb.EXPORT, None),
    "desk:results_xlsx": (Verb.EXPORT, None),
    "desk:event_json": (Verb.EXPORT, None),
    "desk:ema_xlsx": (Verb.EXPORT, None),
    "desk:rankings_csv": (Verb.EXPORT, None),
    "desk:engine_json": (Verb.EXPORT, None),
    "desk:plain_csv": (Verb.EXPORT, None),
    "desk:plain_players": (Verb.EXPORT, None),
    "desk:plain_penalties": (Verb.EXPORT, None),
    "desk:site_zip": (Verb.EXPORT, None),
    # ---------------------------------------------------------------- settings
    "desk:settings": (Verb.CHANGE_SETTINGS, Verb.CHANGE_SETTINGS),
    "desk:visibility": (None, Verb.PUBLISH),
    "desk:archive": (None, Verb.CHANGE_SETTINGS),
    "desk:look": (None, Verb.CHANGE_SETTINGS),
    "desk:delete_event": (Verb.DELETE_EVENT, Verb.DELETE_EVENT),
    "desk:rule_summary": (Verb.CHANGE_SETTINGS, None),
    "desk:stream": (Verb.CHANGE_SETTINGS, None),
    "desk:relay": (Verb.PUBLISH, Verb.PUBLISH),
    "desk:end_relay": (None, Verb.PUBLISH),
    "desk:trail": (Verb.CHANGE_SETTINGS, None),
    "desk:for_players": (Verb.CHANGE_SETTINGS, Verb.CHANGE_SETTINGS),
    "desk:languages": (Verb.CHANGE_SETTINGS, Verb.CHANGE_SETTINGS),
    "desk:timetable": (Verb.CHANGE_SETTINGS, Verb.CHANGE_SETTINGS),
    "desk:second_person": (Verb.CHANGE_SETTINGS, Verb.CHANGE_SETTINGS),
    "desk:phone_signing": (None, Verb.CHANGE_SETTINGS),
    "desk:seat_codes": (Verb.ENTER_SHEETS, Verb.ENTER_SHEETS),
    "desk:ema": (Verb.CHANGE_SETTINGS, Verb.CHANGE_SETTINGS),
    "desk:observer_report": (Verb.CHANGE_SETTINGS, Verb.CHANGE_SETTINGS),
    "desk:ema_points": (Verb.EXPORT, Verb.EXPORT),
    "desk:observer_pdf": (Verb.EXPORT, None),
    "desk:observer_xlsx": (Verb.EXPORT, None),
    "desk:teams": (Verb.CHANGE_SETTINGS, Verb.CHANGE_SETTINGS),
    "desk:rules": (Verb.CHANGE_RULES, Verb.CHANGE_RULES),
    "desk:newer_rules": (Verb.CHANGE_RULES, Verb.CHANGE_RULES),
    "desk:drills": (Verb.CHANGE_SETTINGS, Verb.CHANGE_SETTINGS),
    "desk:drill": (Verb.CHANGE_SETTINGS, Verb.CHANGE_SETTINGS),
    "desk:drill_sheet": (Verb.CHANGE_SETTINGS, None),
    "desk:publication": (Verb.PUBLISH, Verb.PUBLISH),
    # ---------------------------------------------------------------- the wall
    "desk:wall": (Verb.SEE_DESK, None),
    "desk:announce": (None, Verb.ANNOUNCE),
    "desk:announcement": (None, Verb.ANNOUNCE),
    "desk:wall_pages": (None, Verb.CHANGE_SETTINGS),
    "desk:wall_network": (None, Verb.CHANGE_SETTINGS),
    "desk:wall_prizes": (Verb.PUBLISH, Verb.PUBLISH),
    # ---------------------------------------------------------------- roles and devices
    "desk:members": (Verb.MANAGE_MEMBERS, Verb.MANAGE_MEMBERS),
    "desk:member": (None, Verb.MANAGE_MEMBERS),
    "desk:sign_member_out": (None, Verb.MANAGE_MEMBERS),
    "desk:hand_on": (Verb.HAND_ON, Verb.HAND_ON),
    "desk:devices": (Verb.MANAGE_DEVICES, Verb.MANAGE_DEVICES),
    "desk:device_cards": (Verb.MANAGE_DEVICES, None),
    "desk:renew_device": (None, Verb.MANAGE_DEVICES),
    "desk:revoke_device": (None, Verb.MANAGE_DEVICES),
    "desk:revoke_devices": (Verb.MANAGE_DEVICES, Verb.MANAGE_DEVICES),
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
