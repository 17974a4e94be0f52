"""The words about a round by standing: the wishes that it misses.

It words what `round_report` has counted; it decides nothing. With names and reasons: web.words.after_start.
"""

from web.words.languages import Words

SENTENCES: Words = {
    "round.apart": "Two who are to be kept apart sit at one table.",
    "round.fixed_table": "Somebody does not sit at the table kept for them.",
    "round.group": "Two of one team or club sit at one table.",
    "round.thrice": "Two meet for the third time or more.",
}
