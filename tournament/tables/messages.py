"""Words for people and their rights: players, substitutes, devices, roles, personal data."""

from django.utils.translation import gettext as _

from scoring.placement import When
from tournament.tables.queries import LoadedTable, SeatGame
from tournament.tables.round_queries import Tile
from tournament.tables.rows import SeatedPlayer
from tournament.tables.table_queries import Substitute
from tournament.text.acts import word_details
from tournament.text.languages import Words, colon, join_spaced
from tournament.text.numbers import points, signed, who_text


def say_nameless() -> str:
    """Say what stands for a name that is not shown, with {number} where the player's number goes."""
    return _("Player {number}")


def say_who(substitute: Substitute | None, player: str) -> str:
    """Say who plays instead of a player; "" where the player does."""
    return who_text(substitute.name, player) if substitute else ""


def names_at(table: LoadedTable, seq: int | None = None) -> list[str]:
    """Name by seat who sits at a table now, or played the hand of this `seq`: a substitute with the replaced player."""
    return [say_who(table.sitting(each.seat, seq), each.name) or each.name for each in table.seats]


def names_on(tile: Tile) -> list[str]:
    """Name by seat who sits at a table of the grid."""
    return [say_who(tile.replaced.get(each.seat), each.name) or each.name for each in tile.seats]


def seated_now(table: LoadedTable) -> list[SeatedPlayer]:
    """Return the seats of a table with `names_at` as names."""
    return [each._replace(name=name) for each, name in zip(table.seats, names_at(table), strict=True)]


def short_names_at(table: LoadedTable, seq: int | None = None) -> list[str]:
    """Name the same for sentences: a substitute by the name alone, where it is known."""
    sitting = ((each, table.sitting(each.seat, seq)) for each in table.seats)
    return [(who.name or say_who(who, each.name)) if who else each.name for each, who in sitting]


def say_by(substitute: Substitute) -> str:
    """Say by whom somebody was replaced."""
    return _("%(name)s played") % {"name": substitute.name} if substitute.name else _("a substitute played")


def say_since(when: When, hand: int | None) -> str:
    """Say from when on somebody is replaced; `hand` is the first of the substitute's, if it is known."""
    if when == "before":
        return _("replaced from the beginning")
    return _("replaced from hand %(hand)d") % {"hand": hand} if hand else _("replaced during the game")


def say_cost(result: int, penalty: int) -> str:
    """Say what a game gives a replaced player, in all.

    >>> say_cost(-30000, 0), say_cost(0, 30000)
    ('−30,000', '0, and 30,000 off')
    """
    if penalty:
        return _("%(result)s, and %(points)s off") % {"result": signed(result), "points": points(penalty)}
    return signed(result)


def say_game(table: LoadedTable, game: SeatGame) -> str:
    """Say of a replaced seat since when, what the player has of it, and the place that the substitute took."""
    substitute = game.substitute
    if substitute is None:
        return ""
    since = say_since(substitute.when, table.first_hand_of(substitute))
    said = f"{since}{colon()}{say_cost(game.result, game.penalty)}"
    if game.taken is None:
        return said
    return join_spaced([said, _("the substitute took place %(place)d and is not ranked") % {"place": game.taken}])


FACT_WORDS: Words = {
    "preferred_name": "the display name",
    "legal_name": "the legal name",
    "ema_number": "the EMA number",
    "country": "the country",
    "club": "the club",
    "team": "the team",
    "shown_by_name": "whether the name is public",
    "filmed": "photos and stream",
    "minor": "whether a minor",
    "guardian": "the guardian",
    "guardian_consent_on": "the day of the guardian’s consent",
    "ranked": "the ranking (ranked)",
    "unranked": "the ranking (not ranked)",
}


word_details(fields=FACT_WORDS)
