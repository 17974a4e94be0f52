"""Every text column of every model: searched for the names of who is forgotten, emptied, or kept for a reason."""

from django.apps import apps
from django.db import models

from tournament.core.redactions import FIXED
from tournament.privacy.actions import CHANGEABLE
from tournament.signup.retention import EMPTY

OTHER_APPS = {"auth", "axes", "contenttypes", "sessions"}  # of packages: nothing there is about a player

PERSON = "emptied: the person's own"
HASH, SECRET = "a digest, a key or a salt", "drawn by chance"
CODE = "a word of the program, a language or a number"
ACCOUNT = "of an account, which its owner renames and a superuser deletes"
RULES = "rules with their sources, the same for all events"
EVENT = "what the event is called and where: sealed, and the organiser's to rename"
NUMBERS = "numbers, players by number"
KEPT = {
    "Account.password": HASH, "Account.username": ACCOUNT, "Account.first_name": ACCOUNT, "Account.last_name": ACCOUNT,
    "Account.email": ACCOUNT, "Account.display_name": ACCOUNT,
    "Alias.text": "deleted with the person's data", "Alias.key": "deleted with the person's data",
    "AuditRow.verb": CODE, "AuditRow.state": HASH, "AuditRow.salt": HASH, "AuditRow.previous_hash": HASH,
    "AuditRow.hash": HASH,
    "CrewDrill.token": SECRET, "CrewDrill.kinds": CODE, "CrewDrill.rules": RULES, "CrewDrill.foul_amounts": NUMBERS,
    "CrewResult.answers": CODE,
    "Cut.through": NUMBERS,
    "DeskPresence.tab": SECRET, "DeskPresence.place": CODE,
    "DeskSession.browser": CODE, "DeskSession.session_key": SECRET, "DeskSession.session_data": HASH,
    "DrawDraft.way": CODE, "DrawDraft.best": NUMBERS, "DrawDraft.rounds": NUMBERS, "DrawDraft.resting": NUMBERS,
    "DrawDraft.fingerprint": HASH,
    "EmaPlayer.number": "EMA's public list, until another one is imported",
    "EmaPlayer.name": "EMA's public list, until another one is imported",
    "EmaPlayer.country": "EMA's public list, until another one is imported",
    "EmaPlayer.club": "EMA's public list, until another one is imported",
    "EntryLink.token_hash": HASH,
    "Event.slug": EVENT, "Event.name": EVENT, "Event.place": EVENT, "Event.rules": RULES, "Event.compared_with": RULES,
    "Event.second_rules": RULES,
    "Event.foul_amounts": NUMBERS, "Event.kept_amounts": NUMBERS, "Event.clock_signals": NUMBERS,
    "Event.language": CODE, "Event.second_language": CODE, "Event.timetable": "moments", "Event.colour": CODE,
    "Event.logo": HASH, "Event.other_address": "the address of a desk", "Event.record_salt": SECRET,
    "Event.redactions": "texts without the names", "Event.time_zone": CODE, "Event.country": CODE,
    "Event.day_rounds": NUMBERS, "Event.club_code": SECRET,
    "LedgerEntry.previous_hash": HASH, "LedgerEntry.hash": HASH,
    "Letter.to": "the address of another person: letters to this one are deleted", "Letter.language": CODE,
    "Letter.copy_to": "the address of another person: letters to this one are deleted",
    "Logo.png": "a picture", "Photo.webp": "a picture", "Event.photo": HASH,
    "Penalty.foul": CODE, "Penalty.case": CODE,
    "Person.preferred_name": PERSON, "Person.legal_name": PERSON, "Person.ema_number": PERSON,
    "Person.country": PERSON, "Person.club": PERSON, "Person.salt": PERSON,
    "Tries.scope": CODE, "Tries.key": HASH,
    "RecordHead.root": HASH, "RecordHead.public_key": HASH, "RecordHead.signature": HASH,
    "RelayCode.digest": HASH,
    "RelayedEvent.slug": EVENT, "RelayedEvent.public_key": HASH,
    "RelayedEvent.state": "replaced by the next message of the hall's desk, which has no name in it",
    "RuleSet.key": CODE, "RuleSetVersion.rules": RULES, "RuleSetVersion.source": RULES,
    "RuleSetVersion.citations": RULES, "RuleSetVersion.note": RULES,
    "SeatCode.code_hash": HASH,
    "Season.slug": EVENT, "Season.name": EVENT, "Season.rule": RULES,
    "Season.carried": "numbers, people by lasting id", "SeasonEvent.weight": NUMBERS,
    "Season.team_rule": RULES, "SeasonTeam.code_hash": HASH,
    "Season.reach": "what is switched on, and addresses of sites", "SeasonPost.key": CODE,
    "SheetRow.totals": NUMBERS, "SheetRow.ledger_hash": HASH, "TypedSheet.counts": NUMBERS,
    "TypedSheet.loans": NUMBERS, "TypedSheet.players": NUMBERS,
    "SignUp.language": CODE, "SignUp.reference": SECRET,
    "SignUpPage.currency": CODE, "SignUpPage.payee": "whose account the fees go to: a bank compares it",
    "SignUpPage.iban": "a number", "SignUpPage.address": EVENT, "SignUpPage.map_place": EVENT,
    "SignUpPage.site": "the address of this desk",
    "TableDevice.card": SECRET, "TableDevice.pin_hash": HASH,
    "ToldPhone.endpoint": "deleted with the person's data", "ToldPhone.key": "deleted with the person's data",
    "ToldPhone.secret": "deleted with the person's data", "ToldPhone.language": CODE, "ToldPhone.told": NUMBERS,
    "SecondFactor.sealed_key": SECRET, "SecondFactor.recovery": HASH,
    "Wall.pages": CODE, "Wall.network": "the hall's network", "Wall.network_password": "the hall's network",
    "Wall.prizes_mark": HASH,
}  # fmt: skip


def is_text(field: object) -> bool:
    """Tell whether somebody's words may be in a column: not in a choice of ours, nor in the uid of an account."""
    if not isinstance(field, models.CharField | models.TextField | models.JSONField | models.BinaryField):
        return False
    of_account = field.name == "by" or field.name.endswith("_by")
    return not field.choices and not (of_account and field.max_length == 36)


def all_columns() -> set[str]:
    found = set()
    for model in apps.get_models():
        if model._meta.app_label not in OTHER_APPS:
            found |= {f"{model.__name__}.{each.name}" for each in model._meta.concrete_fields if is_text(each)}
    return found


def test_every_text_column_is_searched_emptied_or_kept_for_a_reason():
    searched = [
        f"{model.__name__}.{column}"
        for where in (CHANGEABLE, FIXED)
        for model, (_way, columns) in where.items()
        for column in columns
    ]
    emptied = [
        f"SignUp.{column}" for column in EMPTY if is_text(apps.get_model("tournament.SignUp")._meta.get_field(column))
    ]
    assert not set(searched) & set(KEPT)
    assert {*searched, *emptied, *KEPT} - all_columns() == set(), "these columns are gone"
    assert all_columns() - {*searched, *emptied, *KEPT} == set(), "who forgets a person must know these columns"
