"""Each page for organisers that has steps has a test that follows them; the others say what they are instead.

Their words are held by test_screen_words, the ways that they name by web/test_ways.
"""

import re

import pytest

from bootstrap import REPO

PAGES = REPO / "docs" / "organiser"
# page → the tests that take its steps, as file and name
FOLLOWED = {
    "count-a-hand.md": (
        "e2e/test_calculator.py::a_hand_with_two_melds_and_three_dora_takes_at_most_25_taps",
        "e2e/test_count_at_desk.py::a_hand_is_tapped_put_into_the_line_sent_listed_and_corrected",
        "web/hands/test_table_count.py::a_slip_has_the_hand_its_value_and_who_pays",
    ),
    "rules.md": ("e2e/test_rules.py::rules_change_before_play_and_during_it",),
    "rule-sets.md": (
        "e2e/test_rule_sets.py::a_set_of_ones_own_is_made_by_form_and_played",
        "web/event/test_rule_sets.py::the_file_of_a_set_comes_in_again_and_its_errors_name_line_and_field",
    ),
    "before/drill.md": (
        "e2e/test_drill.py::a_drill_is_answered_by_keys_alone",
        "e2e/test_drill.py::a_crew_answers_on_a_phone_without_scripts",
        "web/drill/test_crew.py::an_organiser_makes_a_drill_and_is_led_to_its_code",
    ),
    "before/ema.md": (
        "web/files/test_ema.py::an_answer_says_who_and_when_on_page_and_trail",
        "web/files/test_ema.py::the_report_is_written_read_as_files_and_not_on_the_trail",
        "web/files/test_ema_points.py::the_preview_counts_this_event_with_the_past_ones",
    ),
    "before/event.md": (
        "web/event/test_settings.py::a_new_event_takes_the_rule_sets_own_and_goes_on_to_its_players",
        "web/event/test_event_page.py::name_date_place_and_rounds_are_edited_and_the_address_stays",
        "web/event/test_event_page.py::a_full_event_is_deleted_with_all_that_it_has_and_nothing_else",
        "web/event/test_look.py::a_logo_sent_twice_is_one_act_and_it_can_be_deleted",
    ),
    "before/for-players.md": (
        "web/event/test_for_players.py::it_saves_what_differs_once_with_a_line_on_the_trail_each",
    ),
    "before/hand-outs.md": ("web/paper/test_hand_outs.py::sheets_of_rules_are_printed_before_seats_are_drawn",),
    "before/languages.md": ("web/words/test_languages.py::an_organiser_sets_the_languages",),
    "before/paper.md": (
        "web/paper/test_paper.py::every_sheet_is_made_from_a_played_event",
        "web/paper/test_paper.py::a_booklet_is_printed_in_the_background_and_leads_to_its_pdf",
    ),
    "before/players.md": (
        "web/people/test_player_lists.py::a_column_that_was_taken_for_the_wrong_thing_is_changed",
        "web/people/test_player_lists.py::rows_are_left_out_and_renamed_in_the_preview_and_shown_before_they_are_taken",
        "web/people/test_players.py::all_that_is_known_of_a_player_is_changed_in_one_form_and_said_in_the_trail",
    ),
    "before/referees.md": (
        "web/access/test_members.py::a_link_is_shown_once_and_lets_one_person_in",
        "web/access/test_members.py::a_role_is_taken_away_and_the_browser_is_a_strangers",
    ),
    "before/seating.md": (
        "e2e/test_seating.py::a_draw_with_wishes_from_the_form_to_the_phones",
        "web/seating/test_drafts.py::a_draft_is_looked_at_taken_and_published",
    ),
    "before/seats-from-a-file.md": ("e2e/test_seats_import.py::a_schedule_is_refused_mended_and_taken",),
    "before/sign-up.md": (
        "e2e/test_sign_up.py::one_cancels_and_the_next_one_plays",
        "web/signup/test_sign_up_desk.py::the_page_is_set_and_said_on_the_trail",
        "web/signup/test_sign_up_desk.py::reminders_are_drafts_until_the_organiser_sends_them",
        "web/signup/test_sign_up_desk.py::one_act_makes_players_and_a_second_one_nobody",
    ),
    "before/signing-in.md": (
        "web/access/test_access_pages.py::the_button_lets_in_and_leads_to_the_desk",
        "web/access/test_access_pages.py::a_first_password_needs_no_old_one_and_keeps_the_session",
        "web/access/test_second_factor.py::a_code_counts_once_and_a_recovery_code_too",
        "web/access/test_sessions.py::signing_out_one_leaves_the_others",
    ),
    "before/start.md": (
        "test_desk_command.py::it_serves_pages_and_files_and_takes_the_next_port",
        "test_desk_command.py::the_command_prints_a_link_that_lets_in",
    ),
    "before/table-devices.md": (
        "web/access/test_devices.py::cards_and_pins_are_shown_once",
        "web/access/test_devices.py::the_shown_pin_opens_the_door",
        "web/access/test_devices.py::a_new_card_signs_out_and_is_shown",
        "web/access/test_devices.py::all_are_shut_out_by_one_act",
    ),
    "before/timetable.md": (
        "web/rounds/test_timetable.py::all_rounds_are_filled_in_and_nothing_is_kept_yet",
        "web/rounds/test_timetable.py::starts_are_set_and_shown_again",
    ),
    "during/calls.md": (
        "web/rounds/test_calls_page.py::a_call_from_the_table_to_its_ruling",
        "web/rounds/test_complaint_page.py::a_complaint_from_its_page_to_its_ruling",
    ),
    "during/check-in.md": (
        "web/rounds/test_check_in.py::tapping_a_row_ticks_it_and_undo_takes_the_tick_back",
        "web/rounds/test_check_in.py::a_few_letters_or_the_number_and_enter_tick",
    ),
    "during/clock.md": (
        "web/rounds/test_clock.py::a_referee_pauses_and_lets_it_go_on",
        "web/rounds/test_clock.py::a_clock_started_by_mistake_is_stopped_and_put_back",
        "web/rounds/test_clock.py::minutes_are_taken_back_with_a_reason",
        "web/rounds/test_clock.py::each_table_is_marked_with_what_it_may_still_play",
    ),
    "during/correct.md": (
        "e2e/test_corrections.py::the_third_of_nine_hands_where_two_later_ones_fit_no_longer",
        "e2e/test_corrections.py::a_released_table_is_reopened_corrected_and_signed_again",
        "web/hands/test_corrections.py::a_forgotten_hand_has_its_own_line",
    ),
    "during/disqualify.md": (
        "web/people/test_disqualify.py::it_is_done_with_a_substitute_and_the_public_reads_what_the_organiser_chose",
        "web/people/test_disqualify.py::it_is_taken_back_with_a_reason",
    ),
    "during/finals.md": (
        "e2e/test_after_start.py::swiss_then_a_cut_and_its_final",
        "web/seating/test_redraw_pages.py::a_cut_is_shown_made_and_taken_back",
    ),
    "during/hands.md": (
        "e2e/test_hand_page.py::a_line_is_read_back_mended_cleared_and_sent",
        "e2e/test_hand_cards.py::hands_are_tapped_together_and_the_line_says_them",
        "e2e/test_hand_cards.py::the_tour_is_offered_once_and_done_by_line_and_by_cards",
    ),
    "during/hold.md": ("web/event/test_publication.py::a_held_round_is_said_everywhere_and_shown_by_one_button",),
    "during/last-hand.md": (
        "e2e/test_needs.py::the_desk_finds_it_from_grid_and_table_and_ticks_a_riichi",
        "web/paper/test_needs.py::the_sheets_of_tables_in_their_last_hand_are_filled",
    ),
    "during/leave.md": (
        "web/seating/test_redraw_pages.py::a_substitute_takes_the_seats",
        "web/seating/test_redraw_pages.py::leaving_and_returning_at_the_players_page",
        "e2e/test_after_start.py::two_swap_and_back_then_one_leaves_and_the_rounds_left_are_drawn_anew",
    ),
    "during/next-round.md": ("web/seating/test_redraw_pages.py::a_round_is_shown_then_taken",),
    "during/no-network.md": (
        "e2e/test_outbox.py::hands_wait_with_what_the_desk_understood_and_go_out_when_the_network_is_back",
        "e2e/test_outbox_tables.py::hands_of_several_tables_by_keyboard_alone",
        "e2e/test_quick_acts.py::minutes_and_penalties_are_said_at_once_kept_and_undone_in_place",
    ),
    "during/penalties.md": (
        "e2e/test_penalties.py::a_chombo_and_a_dead_hand_take_four_keys_and_stand_in_ledger_and_register",
        "web/penalties/test_penalties.py::a_penalty_is_cancelled_with_a_reason_and_its_row_stays",
        "web/penalties/test_foul_amounts.py::an_organiser_changes_amounts_and_the_next_penalty_takes_them",
    ),
    "during/players-see.md": ("e2e/test_phones.py::all_phones_show_a_release_and_one_without_network_its_time",),
    "during/print.md": (
        "web/paper/test_paper.py::what_is_printed_links_to_a_sheet_or_booklet_that_there_is",
        "web/paper/test_paper.py::filled_all_last_sheets_are_on_the_chosen_paper_and_in_the_language_of_the_event",
    ),
    "during/round.md": (
        "e2e/test_keyboard_only.py::a_round_from_the_link_to_its_release",
        "e2e/test_grid.py::filters_by_key_are_kept_in_the_address_and_through_a_new_version",
        "e2e/test_two_at_once.py::what_somebody_else_did_is_shown_and_nothing_typed_is_lost",
    ),
    "during/online-games.md": (
        "web/files/test_online_games.py::logs_become_hands_of_their_tables",
        "web/files/test_online_games.py::a_log_without_names_comes_in_at_its_table",
    ),
    "during/relay.md": (
        "web/relay/test_sender.py::pages_link_to_each_other_and_codes_lead_to_the_relay",
        "web/relay/test_sender.py::ending_is_on_the_trail_and_twice_is_once",
    ),
    "during/sign-on-phones.md": (
        "web/totals/test_phone_sign.py::the_setting_is_off_cites_the_books_and_is_on_the_trail",
        "web/totals/test_phone_sign.py::all_yes_signs_the_sheet_with_who_and_when",
        "web/totals/test_phone_sign.py::a_no_calls_the_referee_with_the_words_and_stops_it",
    ),
    "during/seats.md": ("e2e/test_corrections.py::two_in_each_others_seats_after_five_hands",),
    "during/sign.md": (
        "e2e/test_corrections.py::a_sheet_that_does_not_fit_is_put_right_by_two_keys_and_a_typed_hand_by_one",
        "web/totals/test_confirm.py::confirming_goes_on_to_the_next_sheet_and_then_to_the_desk",
    ),
    "during/stream.md": (
        "web/event/test_settings.py::the_stream_page_has_the_addresses_of_the_round",
        "web/wall/test_overlay.py::the_address_chooses_edge_size_and_ground_from_what_there_is",
    ),
    "during/substitutes.md": (
        "web/people/test_substitutes.py::what_was_looked_at_can_be_changed_and_is_put_in_once",
        "web/people/test_substitutes.py::taking_one_out_shows_what_comes_back_and_wants_a_reason",
        "web/people/test_substitutes.py::a_player_is_taken_out_of_the_ranking_and_back",
    ),
    "during/teams.md": (
        "web/seating/test_redraw_pages.py::the_best_members_count_and_released_rounds_alone",
        "web/people/test_players.py::all_that_is_known_of_a_player_is_changed_in_one_form_and_said_in_the_trail",
    ),
    "during/totals.md": (
        "e2e/test_totals.py::a_pile_of_sheets_by_the_keypad",
        "e2e/test_totals.py::a_second_person_types_blind",
        "web/totals/test_totals_twice.py::an_organiser_sees_both_and_decides",
    ),
    "during/wall.md": (
        "web/wall/test_wall.py::a_referee_announces_and_takes_back",
        "web/wall/test_wall.py::the_organiser_sets_pages_and_network",
        "web/wall/test_wall.py::the_organiser_gives_the_prizes_step_by_step",
    ),
    "after/check.md": (
        "web/public/test_record.py::a_head_that_somebody_has_is_found",
        "web/public/test_record.py::a_stranger_verifies_the_event_by_its_file",
    ),
    "after/keep.md": (
        "web/commands/test_event_files.py::out_of_one_desk_into_an_empty_one_and_out_again_byte_for_byte",
        "web/commands/test_event_files.py::an_honest_database_passes",
    ),
    "after/old-events.md": (
        "web/files/test_list_import.py::results_of_one_round_are_looked_at_then_taken",
        "web/files/test_list_import.py::penalties_are_looked_at_given_and_taken_back",
        "web/files/test_list_import.py::a_game_is_looked_at_hand_by_hand_and_entered",
        "web/commands/test_import_results.py::real_events_give_exactly_their_recorded_ranking",
    ),
    "after/print.md": ("web/paper/test_paper.py::certificates_are_for_the_best_three_or_for_all",),
    "after/privacy.md": (
        "web/people/test_privacy.py::one_player_is_taken_off_and_put_back",
        "web/people/test_privacy.py::to_take_a_person_away_is_asked_needs_a_reason_and_removes_files",
        "web/people/test_privacy.py::the_settings_say_when_the_time_is_over_and_a_button_ends_it",
        "web/people/test_consent.py::a_minor_is_hidden_until_a_guardian_has_agreed",
    ),
    "after/rankings.md": (
        "web/files/test_exports.py::the_page_names_what_the_federation_would_stumble_over",
        "web/files/test_exports.py::the_federations_workbook_gives_the_standings_back",
    ),
    "after/results.md": (
        "web/files/test_files.py::the_workbook_holds_real_numbers_of_the_released_rounds",
        "web/frame/test_lists.py::every_list_is_a_file_for_those_who_may_export",
    ),
    "after/site.md": ("web/files/test_exports.py::every_link_of_the_copy_leads_to_a_file_in_it",),
}  # fmt: skip
# pages without steps → what they are
NO_STEPS = {
    "README.md": "the list of pages",
    "before/roles.md": "a table of rights, held by web/test_rights.py",
    "during/when-something-goes-wrong.md": "a paragraph for each incident, held by test_incident_docs.py",
    "after/recap.md": "what one public page shows, held by web/public/test_recap.py",
}


def test_each_page_is_followed_or_has_no_steps() -> None:
    pages = {page.relative_to(PAGES).as_posix() for page in PAGES.rglob("*.md")}
    assert sorted([*FOLLOWED, *NO_STEPS]) == sorted(pages)


def test_a_page_of_numbered_steps_is_followed() -> None:
    numbered = [
        name for name in NO_STEPS if re.search(r"^1\. ", (PAGES / name).read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert numbered == []


@pytest.mark.parametrize("page", FOLLOWED)
def test_the_tests_that_follow_a_page_are_there(page: str) -> None:
    for named in FOLLOWED[page]:
        file, _colons, name = named.partition("::")
        source = (REPO / "tests" / file).read_text(encoding="utf-8")
        assert re.search(rf"^ *def test_{name}\(", source, re.MULTILINE), named
