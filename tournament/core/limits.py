"""The longest texts and largest numbers that people type or import, where models, actions and imports share them."""

from typing import Final

MOST_NAME: Final = 60  # letters of a person's name: what still fits on the sheets
MOST_LEGAL_NAME: Final = 120
MOST_MAIL: Final = 120
MOST_CLUB: Final = 80
MOST_TEAM: Final = 80
MOST_TITLE: Final = 120  # letters of the name and the place of an event, and of the name of a rule set
MOST_REASON: Final = 300
MOST_LEDGER_REASON: Final = 500  # of a hand or a sheet
MOST_CLAUSE: Final = 60
MOST_PENALTY: Final = 100_000  # points
MOST_FILENAME: Final = 80
MOST_INTEGER: Final = 2_147_483_647  # of the databases' columns
BYTES_LIMIT = 10 * 1024 * 1024
