"""What people type is as long in every model as `tournament.core.limits` says, however many models have it."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db.models import CharField

from tournament.core.limits import (
    MAX_CLAUSE,
    MAX_CLUB,
    MAX_LEDGER_REASON,
    MAX_LEGAL_NAME,
    MAX_MAIL,
    MAX_NAME,
    MAX_REASON,
    MAX_TEAM,
)
from tournament.core.models import AppendOnly

BY_NAME = {
    "reason": MAX_REASON,
    "cancel_reason": MAX_REASON,
    "clause": MAX_CLAUSE,
    "club": MAX_CLUB,
    "team": MAX_TEAM,
    "legal_name": MAX_LEGAL_NAME,
    "preferred_name": MAX_NAME,
    "guardian": MAX_NAME,
    "mail": MAX_MAIL,
    "guardian_mail": MAX_MAIL,
}


def fields(name: str) -> "Iterator[CharField[str, str]]":
    for model in apps.get_app_config("tournament").get_models():
        yield from (each for each in model._meta.get_fields() if isinstance(each, CharField) and each.name == name)


@pytest.mark.parametrize("name", BY_NAME)
def test_all_fields_of_a_name_take_as_much(name: str):
    found = {str(each): each.max_length for each in fields(name) if not issubclass(each.model, AppendOnly)}
    assert found
    assert set(found.values()) == {BY_NAME[name]}, found


def test_reasons_in_the_ledger_take_as_much():
    found = {str(each): each.max_length for each in fields("reason") if issubclass(each.model, AppendOnly)}
    assert set(found.values()) == {MAX_LEDGER_REASON}, found
