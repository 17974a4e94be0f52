"""Words for files and backups: meanings of columns, acts of imports."""

from tournament.text.languages import Words

LAYOUT_WORDS: dict[str, str] = {
    "seats": "one row a seat",
    "tables": "one row a table",
    "matrix": "one row a player, one column a round",
    "blocks": "the tables below a line for each round",
    "json": "the output of manage.py seat",
}

KIND_WORDS: Words = {
    "players": "Players",
    "seats": "Seats",
    "results": "Results",
    "penalties": "Penalties",
    "game": "Game",
}
