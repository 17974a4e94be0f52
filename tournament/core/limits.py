"""The longest texts and largest numbers that people type or import, where models, actions and imports share them."""

from typing import Final

MAX_NAME: Final = 60  # letters of a person's name: what still fits on the sheets
MAX_LEGAL_NAME: Final = 120
MAX_MAIL: Final = 120
MAX_CLUB: Final = 80
MAX_TEAM: Final = 80
MAX_TITLE: Final = 120  # letters of the name and the place of an event, and of the name of a rule set
MAX_REASON: Final = 300
MAX_LEDGER_REASON: Final = 500  # of a hand or a sheet
MAX_CLAUSE: Final = 60
MAX_PENALTY: Final = 100_000  # points
MAX_FILENAME: Final = 80
MAX_INTEGER: Final = 2_147_483_647  # of the databases' columns
BYTES_LIMIT = 10 * 1024 * 1024
