"""What people type is as long in every model as `tournament.bounds` says, however many models have it."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db.models import CharField

from tournament import bounds
from tournament.models import ledger

BY_NAME = {
    "reason": bounds.MOST_REASON,
    "cancel_reason": bounds.MOST_REASON,
    "clause": bounds.MOST_CLAUSE,
    "club": bounds.MOST_CLUB,
    "team": bounds.MOST_TEAM,
    "legal_name": bounds.MOST_LEGAL_NAME,
    "preferred_name": bounds.MOST_NAME,
    "guardian": bounds.MOST_NAME,
    "mail": bounds.MOST_MAIL,
    "guardian_mail": bounds.MOST_MAIL,
}


def fields(name: str) -> "Iterator[CharField[str, str]]":
    for model in apps.get_app_config("tournament").get_models():
        yield from (each for each in model._meta.get_fields() if isinstance(each, CharField) and each.name == name)


@pytest.mark.parametrize("name", BY_NAME)
def test_all_fields_of_a_name_take_as_much(name: str):
    found = {str(each): each.max_length for each in fields(name) if each.model.__module__ != ledger.__name__}
    assert found
    assert set(found.values()) == {BY_NAME[name]}, found


def test_reasons_in_the_ledger_take_as_much():
    found = {str(each): each.max_length for each in fields("reason") if each.model.__module__ == ledger.__name__}
    assert set(found.values()) == {bounds.MOST_LEDGER_REASON}, found
