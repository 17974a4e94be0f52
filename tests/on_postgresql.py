"""Which tests run a second time, on PostgreSQL: those that together send it every statement that one of them sends.

Found by writing down on PostgreSQL, for each test, the statements that the program itself sent, without their values,
and choosing the cheapest functions that send them all. Whatever is about locks, threads, triggers, constraints,
backups or a move between databases stays beside them, needed for a statement or not.
"""

from pathlib import Path

TESTS = Path(__file__).resolve().parent

# A file that is named nowhere here runs whole, so that nothing new is left out unseen; but of tests of pages, which
# test words, only what is named runs. Who writes the first test that sends a statement adds it, if its file is here.
SOME = {
    "fuzz/test_found": {"test_nobody_is_swapped_with_nobody_and_no_round_is_none"},
    "tournament/selectors/public/test_stories": {"test_equal_scores_put_nobody_ahead"},
    "tournament/selectors/test_query_counts": {"test_the_number_of_queries_is_the_same_whatever_the_size"},
    "tournament/services/access/test_devices": {
        "test_revoking_takes_role_and_session_away",
        "test_which_tables_a_device_comes_to",
    },
    "tournament/services/access/test_members": {
        "test_an_event_has_one_owner",
        "test_an_event_is_handed_on",
        "test_only_a_table_device_has_a_table",
    },
    "tournament/services/core/test_change_rules": {"test_changes_since_play_began_are_listed_the_newest_first"},
    "tournament/services/draws/test_drafts": {
        "test_a_search_says_how_far_it_is_and_ends_when_asked",
        "test_a_search_whose_process_died_can_be_made_again_and_a_late_one_writes_nothing",
        "test_substitutes_come_and_go_with_the_draw",
    },
    "tournament/services/draws/test_redraws": {
        "test_the_rounds_left_are_drawn_anew_and_those_played_or_published_stay",
    },
    "tournament/services/draws/test_rounds_by_standing": {
        "test_a_cut_is_taken_back_with_a_reason_until_its_round_is_published",
    },
    "tournament/services/draws/test_swap_players": {"test_somebody_without_a_seat_can_take_one"},
    "tournament/services/draws/test_swap_seats": {"test_a_chombo_follows_its_player"},
    "tournament/services/files/test_imports": {
        "test_penalties_are_given_once_and_taken_back",
        "test_results_never_replace_hands",
        "test_seats_of_a_file_are_taken_back_until_they_are_published",
        "test_taking_back_twice_changes_nothing",
    },
    "tournament/services/people/test_people": {
        "test_nothing_is_taken_back_once_the_list_was_changed_or_seats_are_drawn",
    },
    "tournament/services/people/test_privacy": {
        "test_names_in_rows_that_never_change_are_counted_before",
        "test_to_forget_needs_a_reason_and_is_done_once",
        "test_who_is_forgotten_is_nowhere_in_the_events_file_and_every_chain_holds",
    },
    "tournament/services/people/test_substitutions": {
        "test_a_name_is_given_later_and_the_trail_keeps_none",
        "test_a_substitute_who_is_a_player_keeps_no_second_name_and_is_never_ranked",
    },
    "tournament/services/public/test_announcements": {"test_a_change_keeps_what_was_said_before_in_the_trail"},
    "tournament/services/rounds/test_calls": {"test_closing_answers_as_well_and_may_need_no_ruling"},
    "tournament/services/tables/test_corrections": {
        "test_chombo_and_dead_hands_of_the_register_move_on_with_their_hand",
    },
    "tournament/services/tables/test_fouls": {
        "test_cancelling_a_chombo_of_a_signed_table_waits_until_it_is_reopened",
        "test_the_same_act_sent_twice_is_given_once",
    },
    "tournament/services/tables/test_totals": {"test_nothing_is_decided_where_one_person_has_typed"},
    "web/access/test_access_pages": {"test_a_shared_name_is_no_obstacle_while_one_alone_has_a_password"},
    "web/access/test_devices": {
        "test_a_device_lands_on_its_table_in_the_round_that_is_played",
        "test_a_new_card_signs_out_and_is_shown",
        "test_cards_and_pins_are_shown_once",
        "test_no_log_has_a_secret",
        "test_no_page_of_trouble_and_no_trail_has_a_pin",
    },
    "web/access/test_members": {"test_a_role_is_taken_away_and_the_browser_is_a_strangers"},
    "web/access/test_second_factor": {
        "test_a_password_alone_lets_nobody_in",
        "test_new_recovery_codes_end_the_old",
        "test_switched_on_and_off_sent_twice_is_done_once",
    },
    "web/access/test_sessions": {
        "test_a_new_password_ends_the_others_and_they_leave_the_list",
        "test_an_organiser_signs_a_referee_out",
        "test_signing_out_one_leaves_the_others",
    },
    "web/commands/test_standings": {"test_without_any_event_that_is_said"},
    "web/demo/test_guests": {"test_each_page_says_that_it_is_a_demo"},
    "web/drill/test_crew": {
        "test_one_result_or_the_whole_drill_is_deleted",
        "test_results_are_listed_best_first_with_what_was_wrong",
        "test_there_are_so_many_drills_at_most_and_old_ones_go",
    },
    "web/event/test_backups": {"test_an_hour_back_between_two_hands_breaks_nothing_and_is_told"},
    "web/event/test_event_page": {
        "test_a_template_gives_rules_settings_and_roles_and_nobody_who_played",
        "test_an_archived_event_stands_below_the_list_until_it_is_taken_out",
        "test_name_date_place_and_rounds_are_edited_and_the_address_stays",
        "test_nothing_is_deleted_without_a_backup",
        "test_rounds_cannot_change_what_is_held_back",
    },
    "web/event/test_look": {"test_paper_has_the_logo_and_the_colour"},
    "web/event/test_publication": {"test_before_a_release_into_a_conflicting_hold_the_desk_is_warned"},
    "web/event/test_rule_sets": {
        "test_a_set_is_compared_with_books_sets_and_its_own_versions",
        "test_an_event_is_offered_a_newer_version_and_takes_it_with_its_effects_shown",
    },
    "web/event/test_settings": {
        "test_every_section_is_one_click_away_and_says_where_it_is",
        "test_the_trail_is_searched_and_filtered_and_names_players",
    },
    "web/files/test_ema": {
        "test_an_event_breaks_each_demand",
        "test_an_event_that_does_all_keeps_every_demand",
        "test_nine_of_twelve_fields_of_the_report_come_from_the_event",
    },
    "web/files/test_ema_points": {"test_a_list_that_cannot_be_read_says_where"},
    "web/files/test_list_import": {"test_an_impossible_hand_stops_the_log_and_what_follows_is_not_judged"},
    "web/files/test_other_desks": {
        "test_an_event_goes_to_the_other_desk_and_comes_back",
        "test_who_played_comes_back_from_the_federations_files",
    },
    "web/frame/test_lists": {"test_the_trail_is_turned_round_without_reading_all_of_it"},
    "web/frame/test_reauthentication": {"test_within_a_quarter_of_an_hour_nothing_is_asked"},
    "web/frame/test_watching": {"test_a_migration_that_waits_is_seen"},
    "web/hands/test_hand_changes": {"test_a_signed_table_takes_no_hand_and_opens_with_a_reason"},
    "web/hands/test_hand_sent": {"test_a_forgotten_hand_tells_the_last_row_of_its_act"},
    "web/hands/test_hand_step": {"test_a_call_that_the_page_does_not_show_brings_the_whole_table"},
    "web/paper/test_needs": {"test_a_riichi_that_is_ticked_is_counted"},
    "web/penalties/test_give_foul": {
        "test_given_at_the_desk_the_players_table_is_found_and_one_is_back_at_the_register",
    },
    "web/penalties/test_penalties": {
        "test_a_penalty_of_another_event_is_not_there",
        "test_an_amount_beyond_all_books_is_refused_by_the_desk",
    },
    "web/people/test_consent": {
        "test_a_change_of_something_else_keeps_consent",
        "test_a_minor_is_hidden_until_a_guardian_has_agreed",
        "test_half_a_consent_is_none",
        "test_of_an_adult_no_guardian_is_kept",
        "test_pictures_are_refused_apart_from_the_name",
    },
    "web/people/test_disqualify": {"test_what_it_does_is_shown_before"},
    "web/people/test_incident_pages": {"test_who_is_back_is_told_that_play_has_begun_meanwhile"},
    "web/people/test_players": {"test_all_that_is_known_of_a_player_is_changed_in_one_form_and_said_in_the_trail"},
    "web/people/test_privacy": {
        "test_a_persons_file_comes_as_a_file_of_all_events_that_the_reader_manages",
        "test_the_command_takes_what_is_over_and_first_says_what",
        "test_to_take_a_person_away_is_asked_needs_a_reason_and_removes_files",
    },
    "web/people/test_substitutes": {
        "test_a_substitute_of_another_table_or_event_is_not_there",
        "test_what_was_looked_at_can_be_changed_and_is_put_in_once",
        "test_whoever_is_missing_is_found_at_their_table",
    },
    "web/public/test_recap": {"test_nothing_held_and_no_hidden_name_is_in_it"},
    "web/public/test_record": {"test_the_file_tells_nothing_that_pages_do_not"},
    "web/public/test_stories": {"test_two_who_met_have_a_page"},
    "web/push/test_telling": {"test_a_phone_is_told_once_of_each_round_and_never_while_one_is_played"},
    "web/relay/test_messages": {
        "test_a_message_that_is_forged_repeated_or_old_does_nothing",
        "test_messages_hold_what_has_changed_alone",
    },
    "web/relay/test_relay_leaks": {"test_what_is_taken_back_is_gone_with_the_next_message"},
    "web/relay/test_sender": {"test_whatever_the_line_does_the_relay_has_the_last_state"},
    "web/rounds/test_check_in": {"test_a_tick_that_changed_nothing_is_known_when_it_is_sent_again"},
    "web/rounds/test_clock": {"test_minutes_are_taken_back_with_a_reason"},
    "web/rounds/test_complaint_page": {"test_a_complaint_from_its_page_to_its_ruling"},
    "web/rounds/test_day_line": {"test_a_round_with_an_unconfirmed_sheet_is_not_released"},
    "web/rounds/test_grid": {"test_a_number_opens_its_table"},
    "web/rounds/test_palette": {"test_a_substitute_who_is_a_player_leads_to_the_table"},
    "web/seating/test_drafts": {"test_a_draft_of_another_event_is_not_found"},
    "web/seating/test_redraw_pages": {
        "test_a_cut_is_shown_made_and_taken_back",
        "test_the_best_members_count_and_released_rounds_alone",
    },
    "web/server/test_caches": {"test_with_live_tables_the_version_is_each_phones_own"},
    "web/signup/test_sign_up_desk": {
        "test_a_letter_that_fails_is_shown_with_why_and_sent_once_more",
        "test_emas_list_is_imported_and_replaced",
        "test_fees_for_the_treasurer",
        "test_nothing_of_a_person_is_in_the_trail",
    },
    "web/signup/test_sign_up_pages": {
        "test_a_number_of_emas_list_fills_the_form",
        "test_ones_own_page_from_waiting_to_the_table",
        "test_without_a_mail_server_the_own_page_comes_at_once",
    },
    "web/test_numbers_close_up": {"test_a_tick_on_an_old_list_ticks_nobody_else"},
    "web/totals/test_phone_sign": {"test_a_code_opens_its_own_game_alone_and_ends"},
    "web/totals/test_totals_twice": {"test_the_second_who_agrees_makes_it_count"},
    "web/wall/test_wall": {"test_an_announcement_is_changed_and_moved"},
    "web/words/test_languages": {"test_an_organiser_sets_the_languages", "test_no_public_page_keeps_anything_english"},
}
NOTHING_OF = {
    "tournament/selectors/core/test_public",
    "tournament/selectors/public/test_needs",
    "tournament/services/core/test_events",
    "tournament/services/draws/test_draw",
    "tournament/services/draws/test_exchange_players",
    "tournament/services/draws/test_schedules",
    "tournament/services/files/test_results",
    "tournament/services/public/test_wall",
    "tournament/services/rounds/test_day_line",
    "tournament/services/rounds/test_publication",
    "tournament/services/rounds/test_round_clock",
    "tournament/services/rounds/test_timetable",
    "tournament/services/tables/test_dead_hands",
    "tournament/services/tables/test_hand_of_a_read_table",
    "tournament/services/tables/test_hands",
    "tournament/services/tables/test_penalties",
    "tournament/services/tables/test_second_entry_holes",
    "tournament/services/tables/test_sheets",
    "tournament/services/test_any_order",
    "tournament/test_ledger_properties",
    "tournament/test_replay",
    "web/access/test_install",
    "web/api/test_api",
    "web/api/test_api_reading",
    "web/commands/test_import_results",
    "web/drill/test_drill",
    "web/event/test_for_players",
    "web/event/test_public_rules",
    "web/event/test_rules",
    "web/files/test_exports",
    "web/files/test_files",
    "web/files/test_online_games",
    "web/files/test_seats_import",
    "web/hands/test_calculator",
    "web/hands/test_chips",
    "web/hands/test_corrections",
    "web/hands/test_hand_pages",
    "web/hands/test_keys_shown",
    "web/hands/test_likely_slips",
    "web/hands/test_preview",
    "web/hands/test_table_count",
    "web/hands/test_tour",
    "web/paper/test_hand_outs",
    "web/paper/test_paper",
    "web/paper/test_rule_sheets",
    "web/penalties/test_foul_amounts",
    "web/penalties/test_fouls",
    "web/people/test_player_lists",
    "web/public/test_cards",
    "web/public/test_public_freshness",
    "web/public/test_public_letters",
    "web/public/test_public_pages",
    "web/public/test_public_rounds",
    "web/push/test_sealing",
    "web/relay/test_folder",
    "web/rounds/test_calls_page",
    "web/rounds/test_grid_filters",
    "web/rounds/test_presence",
    "web/rounds/test_timetable",
    "web/seating/test_seating",
    "web/totals/test_confirm",
    "web/totals/test_second_entry_holes",
    "web/totals/test_totals",
    "web/wall/test_overlay",
    "web/wall/test_wall_codes",
}


def runs_again(file: Path, function: str) -> bool:
    """Tell whether this function of the file runs a second time, unless it is marked `once`."""
    return function in SOME.get(name_of(file), {function}) and any_runs_again(file)


def any_runs_again(file: Path) -> bool:
    """Tell whether anything of the file runs a second time."""
    name = name_of(file)
    return name in SOME or (name not in NOTHING_OF and not name.startswith("web/test_"))


def name_of(file: Path) -> str:
    """Name a file as the tables do."""
    return file.relative_to(TESTS).with_suffix("").as_posix() if file.is_relative_to(TESTS) else str(file)
