"""The words about sheets that are typed from paper alone: gaps and what explains them, second entries, the trail."""

from web.words.languages import Words

SENTENCES: Words = {
    # single fields
    "totals.number_missing": "The number of {seat} is missing.",
    "totals.not_a_number": "'{value}' of {seat} cannot be read: write 45200 or 45.2.",
    "totals.leftover_unreadable": "'{value}' is not an amount of deposits: write 1000 or 1.0.",
    "totals.plus_sign": (
        "'{value}' of {seat} has a plus sign, and this page expects final counts: are these differences?"
    ),
    "sheet_gap.loan_negative": "The loan of {seat} is what was borrowed: write it without a minus.",
    "sheet_gap.leftover_odd": "{leftover} cannot lie on the table: a deposit is {deposit}.",
    "sheet_gap.off_unit": (
        "{typed} of {seat} ends in points that no payment makes: scores move by {unit}. 452 is read as 452 points;"
        " write 45200 or 45.2."
    ),
    # the other kind of numbers
    "sheet_gap.look_like_differences": (
        "These look like differences: they sum to {total}, and this page expects final counts. Nothing is entered."
    ),
    "sheet_gap.look_like_totals": (
        "These look like final counts: they sum to {total}, and this page expects differences. Nothing is entered."
    ),
    # the sum, and what would explain it
    "sheet_gap.short": "Short by {gap}: the sheet makes {total} of {wanted}.",
    "sheet_gap.over": "Over by {gap}: the sheet makes {total} of {wanted}.",
    "sheet_gap.deposit": "One deposit left on the table?",
    "sheet_gap.deposits": "{count} deposits left on the table?",
    "sheet_gap.sticks_forgotten": "Sticks of {points} forgotten in a count?",
    "sheet_gap.loan_forgotten": "Is a loan of {points} forgotten?",
    "sheet_gap.loan_twice": "Is the loan of {seat} taken off twice? {loan} is just the gap.",
    "sheet_gap.given_out": (
        "The {leftover} left on the table seem to be in a count already: then nothing is left, empty that field."
    ),
    "sheet_gap.sign_lost": "One sign lost? The {typed} of {seat}, counted twice, is just the gap.",
    "sheet_gap.digits_swapped": ("{gap} is divisible by nine: two digits swapped at {seat}, {typed} for {meant}?"),
    "sheet_gap.zero_missing": "A zero missing at {seat}, {typed} for {meant}?",
    "sheet_gap.zero_too_many": "A zero too many at {seat}, {typed} for {meant}?",
    "sheet_gap.difference_among_totals": "Is {typed} of {seat} a difference among final counts?",
    "sheet_gap.total_among_differences": "Is {typed} of {seat} a final count among differences?",
    "sheet_gap.crumbs": "So little is left only where tied winners divided deposits, and then their scores are equal.",
    "sheet_gap.far": "{seat} ends at {score}, more than {far} from the start: is that what the paper says?",
    # two people
    "totals.same_person": ("You typed the sheet of table {table} first yourself: another person types it again."),
    "totals.typed_twice": (
        "In this event two people type the sheet of a table without hands, blind: type that of table {table} at"
        " “Enter sheets”."
    ),
    "totals.overtaken": (
        "Your sheet of table {table} was kept, but hands were entered there before another person typed it: it does not"
        " count. Look at the table."
    ),
    "totals.nothing_to_decide": "Nothing waits for a decision at table {table}: look at it again.",
    "totals.decide_reason": "Deciding between two entries needs a reason.",
    "totals.numbers_unknown": "Choose whether sheets are in final counts or in differences.",
}

VERBS: Words = {
    "sheet_typed": "typed the sheet of round {round}, table {table}",
    "sheet_typed_twice": "typed the sheet of round {round}, table {table} again, and it says the same: confirmed",
    "sheet_decided": "decided between two entries of the sheet of round {round}, table {table}: {reason}",
    "sheet_numbers_set": "set what sheets are written in: {sheet_numbers}",
}
NUMBERS_WORDS: Words = {"totals": "final counts", "differences": "differences"}
