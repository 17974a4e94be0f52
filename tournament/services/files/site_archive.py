"""The verb that takes in what a desk holds beside its events, into an empty database: accounts and the site's trail.

It writes no row of its own: all that it writes was written before, by whom each row says.
"""

import json
from typing import Any
from uuid import UUID

from django.db import transaction

from scoring.problems import error
from tournament.event_file import MOMENT, checksum
from tournament.models import Account, AuditRow, Event
from tournament.refusal import Refused
from tournament.selectors.files.archive import FORMAT, VERSION


def take_site(*, data: bytes) -> int:
    """Take accounts and trail in as they were, and return how many accounts there are.

    Raises Refused where the database holds anything already, or the file is damaged.
    """
    content = _read(data)
    with transaction.atomic():
        if Event.objects.exists() or Account.objects.exists() or AuditRow.objects.exists():
            raise Refused(error("archive.not_empty"))
        Account.objects.bulk_create([_account(facts) for facts in content["accounts"]])
        AuditRow.objects.bulk_create([AuditRow(**{**row, "at": MOMENT.read(row["at"])}) for row in content["audit"]])
    return len(content["accounts"])


def _read(data: bytes) -> dict[str, Any]:
    """Return the content of a file that this program has just written."""
    file = json.loads(data)
    if (file["format"], file["version"]) != (FORMAT, VERSION) or checksum(file["content"]) != file["checksum"]:
        raise Refused(error("archive.checksum"))
    content: dict[str, Any] = file["content"]
    return content


def _account(facts: dict[str, Any]) -> Account:
    return Account(**{**facts, "uid": UUID(facts["uid"]), "date_joined": MOMENT.read(facts["date_joined"])})
