"""The words about people at an event and their substitutes: refusals, acts of the trail, who played for whom.

It words what others have decided; nobody's reason, and of a substitute nothing but the name, stands in public words.
"""

from django.utils.translation import gettext as _

from scoring.placement import When
from tournament.selectors.tables.tables import LoadedTable, SeatGame, Substitute
from web.words.formatting import points, signed
from web.words.languages import Words

SENTENCES: Words = {
    "players.seats_drawn": "Seats are drawn: the list of players is closed. Undo the draw first.",
    "players.name_missing": "A player needs a name of at most 60 letters.",
    "players.name_taken": "There is a player called {name} already.",
    "players.ranking_reason_missing": "Play has begun: to rank a player or not needs a reason.",
    "players.is_substitute": "{name} plays as a substitute in round {round}, and a substitute is never ranked.",
    "players.leaving_reason_missing": "To note that somebody leaves or returns needs a reason.",
    "players.not_the_last": "These are not the players who were added last any more: look at the list.",
    "players.team_too_long": "The team's name is too long: at most {most} letters.",
    "import.team_too_long": "The team in row {row} has {letters} letters; at most {limit} fit.",
    "import.team_controls": "The team in row {row} holds signs that cannot be printed (shown as □): {team}.",
    "substitute.reason_missing": "To put a substitute in, or to take one out, needs a reason.",
    "substitute.player_missing": "Choose who is replaced.",
    "substitute.when_missing": "Choose when the substitute came in: before the game, or during it.",
    "substitute.hand_not_a_number": "'{value}' is not the number of a hand.",
    "substitute.not_at_table": "Player {number} does not sit at table {table}.",
    "substitute.not_ranked": "Player {number} is not ranked: who sits there is scored as any, without a substitute.",
    "substitute.there_already": "Player {number} is replaced in round {round} already; take that substitute out first.",
    "substitute.hand_unknown": "There is no hand {number} yet: 1 to {last} can be the first of a substitute.",
    "substitute.name_too_long": "The substitute's name is too long: at most {most} letters.",
    "substitute.ranked_player": "{name} is a ranked player of this event and cannot be a substitute.",
    "substitute.plays_elsewhere": "{name} plays at table {table} in round {round} already.",
    "substitute.not_theirs": "This substitute does not play for player {number}.",
    "substitute.game_begun": "Play has begun at table {table} of round {round}: take that substitute out at the table.",
    "players.has_penalty": (
        "{name} stands in the register of penalties, where every row is kept. Leave the name in the list and note “Has"
        " left” at the player: then no seat is drawn for it."
    ),
    "seats.is_substitute": (
        "One of these two plays for somebody else in round {round}: take that substitute out first."
    ),
    "seats.no_round": "Choose at least one round.",
}

VERBS: Words = {
    "players_added": "added players {numbers}",
    "players_taken_back": "took players {numbers} out again, who were added last",
    "player_removed": "took player {number} out",
    "player_renamed": "changed the name of player {number}",
    "player_ranked": "took player {number} into the ranking: {reason}",
    "player_unranked": "took player {number} out of the ranking: {reason}",
    "player_came_late": "added player {number}, who came late",
    "player_withdrawn": "noted that player {number} has left: {reason}",
    "player_returned": "noted that player {number} is back: {reason}",
    "players_exchanged": "gave players {players} each other's games of rounds {rounds}: {reason}",
    "player_teamed": "put player {number} into the team {team}",
    "substitute_put_in": "put a substitute in for player {player} in rounds {rounds}: {reason}",
    "substitute_taken_out": "took the substitute for player {player} out of round {round}, table {table}: {reason}",
    "substitute_named": "changed the name of the substitute for player {player} in round {round}, table {table}",
}


def say_who(substitute: Substitute | None, player: str) -> str:
    """Say who plays instead of a player; "" where the player does."""
    if substitute is None:
        return ""
    if not substitute.name:
        return _("a substitute, for %(player)s") % {"player": player}
    return _("%(name)s, for %(player)s") % {"name": substitute.name, "player": player}


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
    said = f"{since}: {say_cost(game.result, game.penalty)}"
    if game.taken is None:
        return said
    return said + "; " + _("the substitute took place %(place)d and is not ranked") % {"place": game.taken}
