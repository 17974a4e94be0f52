"""Roles and verbs in words: what each role is for, what each verb does, which role has which. It decides nothing."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from tournament.models import Role
from tournament.rights import LADDER, MAY, Verb
from web.words.languages import Words

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
    "owner": "Does everything, gives every role, and can hand the event on to somebody else. An event has one.",
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
    "table_device": "A tablet or phone at a table: enters the next hand of its own table and calls a referee, no more.",
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
    "exchange_players": "Exchange two people who stood under each other's name",
    "manage_devices": "Let table devices in and shut them out",
    "manage_players": "Change the list of players",
    "draw_seats": "Draw, publish and swap seats",
    "release_rounds": "Release rounds",
    "publish": "Decide what the public sees, show held results, give the prizes",
    "import": "Bring in results, penalties and games from files",
    "export": "Take the event and its results away as files",
    "change_rules": "Change rules and the amounts of fouls",
    "change_settings": "Change settings, see what was done",
    "manage_privacy": "Decide who is shown by name, give people their data, take it away",
    "manage_members": "Invite people, change and take away roles below one's own",
    "hand_on": "Hand the event on to a new owner",
}

SENTENCES: Words = {
    "access.needs_referee": "This is for a referee: your role enters the next hand and changes none.",
    "members.unknown": "This person has no role at this event.",
    "members.owner_stays": "The owner's role cannot be changed or taken away: the owner hands the event on.",
    "members.role_too_high": "You can give and take away roles below your own only.",
    "members.owns_already": "The event is this person's already.",
}

VERBS: Words = {
    "role_changed": "made {account} {role} instead of {former}",
    "member_removed": "took the role {role} of {account} away",
    "event_handed_on": "handed the event on to {account}",
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
