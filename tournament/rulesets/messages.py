"""Words for what organisers tell players: house rules, the contact, the rule set to compare with."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournament.text.languages import ENGLISH, in_turn, language_name

IN_ORDER = ("name", "mail", "phone", "other")  # of a contact; a database may keep its keys in another


def say_languages(texts: Mapping[str, Any]) -> str:
    """Name the languages that house rules are written in; "none" for none."""
    codes = sorted(texts, key=lambda code: (code != ENGLISH, code))
    return in_turn(language_name(code) for code in codes) or _("none")


def say_contact(contact: Mapping[str, str]) -> str:
    """Say a contact in one line; "none" for none."""
    return in_turn(contact[key] for key in IN_ORDER if key in contact) or _("none")
