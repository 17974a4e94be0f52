"""The registry's groups are the lists that were kept by hand before it."""

import pytest

from tournament.core.acts import Act, Group, Seals, Shown, list_act_names, list_acts

WALL = """
    announcement_changed announcement_moved announcement_put_back announcement_taken_back announcement_written
    prizes_begun prizes_ended prizes_shown relay_wall wall_network_set wall_pages_set
"""
PRIV = """
    announcement_changed announcement_moved announcement_put_back announcement_taken_back announcement_written
    call_answered complaint_answered complaint_made device_renewed devices_made devices_revoked ema_answered
    event_handed_on hand_corrected hand_entered hand_voided hands_corrected keep_months_set keep_months_unset
    member_removed member_signed_out observer_report_set phone_signing_set player_checked_in player_checked_out
    prizes_begun prizes_ended prizes_shown referee_called relay_live relay_wall role_changed seat_codes_made
    seat_no_typed seat_said_no seat_said_yes seat_yes_typed second_person_set sheet_confirmed sheet_decided
    sheet_numbers_set sheet_rejected sheet_typed sheet_typed_twice sign_up_arrived sign_up_cancelled
    sign_up_erased sign_up_fee_set sign_up_letter_by_hand sign_up_letter_discarded sign_up_letters_released
    sign_up_offer_accepted sign_up_offers_lapsed sign_up_paid sign_up_place_given sign_up_places_offered
    sign_up_reminders_drafted sign_ups_confirmed sign_ups_erased table_reopened table_signed tables_not_ready
    tables_ready wall_network_set wall_pages_set
"""
SELF = """
    announcement_changed announcement_moved announcement_put_back announcement_taken_back announcement_written
    call_answered call_closed complaint_answered complaint_made device_renewed devices_made devices_revoked
    draft_discarded draft_started draft_stopped ema_answered hand_corrected hand_entered hand_voided
    member_signed_out observer_report_set phone_signing_set player_checked_in player_checked_out referee_called
    seat_codes_made seat_no_typed seat_said_no seat_said_yes seat_yes_typed sheet_confirmed sheet_decided
    sheet_rejected sheet_typed sheet_typed_twice sign_up_arrived sign_up_cancelled sign_up_erased
    sign_up_fee_set sign_up_letter_by_hand sign_up_letter_discarded sign_up_letters_released
    sign_up_offer_accepted sign_up_offers_lapsed sign_up_page_set sign_up_paid sign_up_place_given
    sign_up_reminders_drafted sign_ups_confirmed sign_ups_erased table_reopened table_signed tables_not_ready
    tables_ready wall_network_set wall_pages_set
"""
SHEETS = """
    sheet_confirmed sheet_rejected sheet_typed_twice table_reopened table_signed
"""
LEDGER = """
    hand_corrected hand_entered hand_voided
"""
REGISTER = """
    foul_given penalty_cancelled
"""
LIST = """
    player_came_late player_changed player_removed player_renamed players_added players_taken_back
    sign_ups_made_players
"""
RULES = """
    rule_set_taken rules_changed
"""
RENUMBERING = """
    import_taken_back player_removed players_taken_back
"""


@pytest.mark.parametrize(
    ("found", "old"),
    [
        ([act.name for act in list_acts() if act.shown is Shown.WALL], WALL),
        ([act.name for act in list_acts() if act.shown is not Shown.PUBLIC], PRIV),
        ([act.name for act in list_acts() if act.seals in (Seals.OWN_ROWS, Seals.SHEET)], SELF),
        ([act.name for act in list_acts() if act.seals is Seals.SHEET], SHEETS),
        ([act.name for act in list_acts() if act.seals is Seals.RELEASE], "round_released"),
        (list_act_names(Group.LEDGER), LEDGER),
        (list_act_names(Group.REGISTER), REGISTER),
        (list_act_names(Group.PLAYER_LIST), LIST),
        (list_act_names(Group.RULES), RULES),
        (list_act_names(Group.RENUMBERING), RENUMBERING),
    ],
)
def test_the_groups_are_the_old_lists(found: list[str], old: str) -> None:
    assert sorted(found) == sorted(old.split())


def test_an_act_cannot_be_declared_twice() -> None:
    with pytest.raises(ValueError, match="hand_entered"):
        Act("hand_entered", "entered a hand")
