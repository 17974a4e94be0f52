"""The words for hands of a table that are entered and corrected, for seats exchanged, and for the trail of both.

It decides nothing; `wording` says the sentences.
"""

from web.words.languages import Words

# why a later hand would no longer fit: all that depends on the hands before it
BECAUSE: Words = {
    "game.ended": "the game would be over before it.",
    "riichi.short": "a player with riichi in it would have too few points for the deposit.",
    "tiles.other_winds": "its tiles were counted with the winds that its players had then; enter it again.",
    "win.no_paarenchan": "the dealer would not have kept the deal so often.",
}

SENTENCES: Words = {
    "game.ended": "The game is over: no further hand can be entered.",
    "hand.unknown": "There is no hand {hand} at this table.",
    "hand.no_longer_fits": "Hand {hand} would no longer fit: {because}",
    "hand.reason_needed": "Changing any hand but the last needs a reason.",
    "table.signed": "Table {table} is signed; reopen it first.",
    "table.moved_on": "Something was entered at this table meanwhile: look at it, then send again.",
    "table.reopen_reason": "Reopening a signed table needs a reason.",
    "plan.unreadable": "What was to be changed cannot be read any more: begin again from the list of hands.",
    # seats
    "seats.choose_two": "Choose two players, not {chosen}.",
    "seats.choose_hands": "Choose what the hands do.",
    "seats.one_player": "Choose two different players.",
    "seats.two_rounds": "These two do not play in the same round.",
    "seats.two_tables": "Between two tables hands stay with the seats: choose that.",
    "seats.moved_on": "Somebody changed these seats meanwhile: look at them, then choose again.",
    "seats.substituted": (
        "One of these two is replaced at the table: take the substitute out first, then put them in again."
    ),
    "seats.reason_missing": "Changing published seats needs a reason.",
}

VERBS: Words = {
    "hand_entered": "entered a hand at round {round}, table {table} (row {seq})",
    "hand_corrected": "corrected hand {hand} at round {round}, table {table} (row {seq})",
    "hand_voided": "made hand {hand} void at round {round}, table {table} (row {seq})",
    "table_signed": "signed round {round}, table {table}",
    "table_reopened": "reopened round {round}, table {table}: {reason}",
    "hands_corrected": "corrected hands of round {round}, table {table} in one act (rows {seqs}): {reason}",
    "seats_swapped": "changed the seats of players {players}, round {round}, table {tables}; hands {hands}: {reason}",
}
