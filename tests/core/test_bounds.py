"""What people type is as long in every model as `tournament.core.limits` says, however many models have it."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db.models import CharField

from tournament.core.limits import (
    MOST_CLAUSE,
    MOST_CLUB,
    MOST_LEDGER_REASON,
    MOST_LEGAL_NAME,
    MOST_MAIL,
    MOST_NAME,
    MOST_REASON,
    MOST_TEAM,
)
from tournament.core.models import AppendOnly

BY_NAME = {
    "reason": MOST_REASON,
    "cancel_reason": MOST_REASON,
    "clause": MOST_CLAUSE,
    "club": MOST_CLUB,
    "team": MOST_TEAM,
    "legal_name": MOST_LEGAL_NAME,
    "preferred_name": MOST_NAME,
    "guardian": MOST_NAME,
    "mail": MOST_MAIL,
    "guardian_mail": MOST_MAIL,
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
    assert set(found.values()) == {MOST_LEDGER_REASON}, found
