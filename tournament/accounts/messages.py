"""The words of roles, rights, browsers and systems."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from tournament.accounts.models import Role
from tournament.core.rights import RIGHTS_BY_ROLE, ROLES_BY_RANK, Right
from tournament.text.acts import word_details
from tournament.text.languages import Words

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


def browser_text(code: str) -> str:
    """Put the code of a browser into words.

    >>> browser_text("firefox android"), browser_text("windows"), browser_text("")
    ('Firefox on Android', 'A browser on Windows', 'A browser')
    """
    words = code.split()
    browser = next((BROWSERS[word] for word in words if word in BROWSERS), _("A browser"))
    system = next((SYSTEMS[word] for word in words if word in SYSTEMS), "")
    return _("%(browser)s on %(system)s") % {"browser": browser, "system": system} if system else browser


ROLES = (*reversed(ROLES_BY_RANK), Role.TABLE_DEVICE)  # as tables have them

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
    return [(_(VERB_WORDS[verb]), {role: role in RIGHTS_BY_ROLE[verb] for role in ROLES}) for verb in Right]


word_details(role=ROLE_WORDS, former=ROLE_WORDS)
