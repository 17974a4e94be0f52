"""Words for files and backups: meanings of columns, acts of imports."""

from tournament.text.languages import Words

START_WINDS: Words = {"E": "East", "S": "South", "W": "West", "N": "North", "5": "fifth seat"}

LAYOUT_WORDS: dict[str, str] = {
    "seats": "one row a seat",
    "tables": "one row a table",
    "matrix": "one row a player, one column a round",
    "blocks": "the tables below a line for each round",
    "json": "the output of manage.py seat",
}


COLUMNS: Words = {
    "round": "round",
    "table": "table",
    "seat": "seat",
    "player": "player",
    "points": "points",
    "reason": "reason",
    "clause": "rule",
    "cancelled": "cancelled",
    "number": "player's number",
    "wind0": "player in East",
    "wind1": "player in South",
    "wind2": "player in West",
    "wind3": "player in North",
}

KIND_WORDS: Words = {
    "players": "Players",
    "seats": "Seats",
    "results": "Results",
    "penalties": "Penalties",
    "game": "Game",
}
