"""Words for people and their rights: players, substitutes, devices, roles, personal data."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import override

from scoring.placement import When
from tournament.core.rights import LADDER, MAY, Verb
from tournament.models.access import Role
from tournament.models.event import Event
from tournament.tables.queries_tables import LoadedTable, SeatGame
from tournament.tables.round_queries_rounds import Tile
from tournament.tables.rows import SeatedPlayer
from tournament.tables.table_queries import Substitute
from tournament.text.languages import Words, offered_language
from tournament.text.numbers_figures import who_text
from tournament.text.numbers_formatting import points, signed

BROWSERS: Mapping[str, str] = {  # brands: the same in every language
    "edge": "Edge",
    "opera": "Opera",
    "samsung": "Samsung Internet",
    "firefox": "Firefox",
    "chrome": "Chrome",
    "safari": "Safari",
}
SYSTEMS: Mapping[str, str] = {
    "android": "Android",
    "iphone": "iPhone",
    "ipad": "iPad",
    "windows": "Windows",
    "chromeos": "ChromeOS",
    "mac": "Mac",
    "linux": "Linux",
}


def say_browser(code: str) -> str:
    """Put the code of a browser into words.

    >>> say_browser("firefox android"), say_browser("windows"), say_browser("")
    ('Firefox on Android', 'A browser on Windows', 'A browser')
    """
    words = code.split()
    browser = next((BROWSERS[word] for word in words if word in BROWSERS), _("A browser"))
    system = next((SYSTEMS[word] for word in words if word in SYSTEMS), "")
    return _("%(browser)s on %(system)s") % {"browser": browser, "system": system} if system else browser


ROLES = (*reversed(LADDER), Role.TABLE_DEVICE)  # as tables have them

ROLE_WORDS: Words = {
    "owner": "owner",
    "organiser": "organiser",
    "head_referee": "head referee",
    "referee": "referee",
    "scorer": "scorer",
    "table_device": "table device",
    "viewer": "viewer",
}

ROLE_SENTENCES: Words = {
    "owner": "Does everything, gives every role, and can transfer the event to somebody else. An event has one.",
    "organiser": (
        "Prepares the event and answers for it: players, seats, rules, what the public sees, files, and the roles "
        "below this one."
    ),
    "head_referee": (
        "Does what referees do. Also reopens tables of a released round, decides between two readings of a sheet, and "
        "sets table devices up."
    ),
    "referee": (
        "Enters and corrects hands, signs and reopens tables, rules, gives penalties, puts substitutes in, and runs "
        "the clock."
    ),
    "scorer": (
        "Enters hands and sheets at every table and types sheets a second time. Corrects nothing and gives no penalty."
    ),
    "table_device": (
        "A tablet or phone at a table: enters the next hand of its own table and calls a referee, nothing else."
    ),
    "viewer": "Sees what referees see and changes nothing.",
}

VERB_WORDS: Words = {
    "see_table": "See a table's hands",
    "see_desk": "See the desk: all tables, calls, penalties and standings, held results too",
    "print": "Print",
    "enter_hands": "Enter hands",
    "call_referee": "Call a referee",
    "enter_sheets": "Enter sheets, sign tables, check a sheet as the second person",
    "correct_hands": "Correct hands, move points by hand, put players in their right seats",
    "reopen_tables": "Reopen a signed table",
    "rule": "Answer calls, enter a chombo, give and cancel penalties",
    "run_clock": "Run the clock, give a table minutes",
    "check_in": "Tick who is here and which tables are ready",
    "substitute": "Put substitutes in and take them out",
    "announce": "Announce something",
    "reopen_released": "Reopen a table after its round is released",
    "decide_sheets": "Decide between two readings of a sheet",
    "exchange_players": "Exchange two people who played under each other's name",
    "manage_devices": "Add table devices and revoke their access",
    "manage_players": "Change the list of players",
    "draw_seats": "Draw, publish and swap seats",
    "release_rounds": "Release rounds",
    "publish": "Decide what the public sees, show held results, give the prizes",
    "import": "Bring in results, penalties and games from files",
    "export": "Download the event and its results",
    "change_rules": "Change rules and the amounts of fouls",
    "change_settings": "Change settings, see the trail",
    "manage_privacy": "Decide who is shown by name, give people their data, delete it",
    "manage_members": "Invite people, change and remove roles below their own",
    "hand_on": "Transfer the event to a new owner",
    "delete_event": "Delete the event",
}


def role_name(role: str) -> str:
    """Name a role in the middle of a sentence.

    >>> role_name("head_referee")
    'head referee'
    """
    return _(ROLE_WORDS[role]) if role in ROLE_WORDS else role


def role_sentence(role: str) -> str:
    """Say what a role is for."""
    return _(ROLE_SENTENCES[role])


def rights_table() -> list[tuple[str, Mapping[Role, bool]]]:
    """Return the table of verbs: what each does in words, and which role may; roles from the owner down."""
    return [(_(VERB_WORDS[verb]), {role: role in MAY[verb] for role in ROLES}) for verb in Verb]


COLUMNS: Words = {
    "shown_by_name": "may be shown by name",
    "filmed": "may be filmed",
    "minor": "minor",
    "guardian": "guardian",
    "guardian_consent_on": "guardian agreed on",
}


def say_nameless() -> str:
    """Say what stands for a name that is not shown, with {number} where the player's number goes."""
    return _("Player {number}")


def say_forgotten(event: Event, number: int) -> str:
    """Say in the event's language what a player is called whose name was taken away."""
    with override(offered_language(event.language)):
        return _("Deleted player %(number)d") % {"number": number}


SHOWN_WORDS: Words = {
    "nothing": "nothing is public",
    "name": "the name is public",
    "reason": "name and reason are public",
}


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
    said = f"{since}: {say_cost(game.result, game.penalty)}"
    if game.taken is None:
        return said
    return said + "; " + _("the substitute took place %(place)d and is not ranked") % {"place": game.taken}


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
