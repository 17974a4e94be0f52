"""What a desk holds beside its events, as a file: the accounts with their passwords' digests, and the site's own trail.

For the move of a whole desk to another database and for nothing else: unlike an event's file it must not be passed on.
"""

from typing import Any

from tournament.hash_chain import canonical, checksum, moment
from tournament.models import Account, AuditRow

FORMAT = "hanchan-desk-site"
VERSION = 1


def get_site_file() -> str:
    """Return accounts and trail as one line of canonical JSON; two queries."""
    content = {
        "accounts": [_account(account) for account in Account.objects.order_by("date_joined", "uid")],
        "audit": [_audit(row) for row in AuditRow.objects.filter(event=None).order_by("seq")],
    }
    return canonical({"format": FORMAT, "version": VERSION, "checksum": checksum(content), "content": content}) + "\n"


def _account(account: Account) -> dict[str, Any]:
    return {
        "uid": str(account.uid),
        "username": account.username,
        "password": account.password,
        "display_name": account.display_name,
        "email": account.email,
        "is_superuser": account.is_superuser,
        "is_staff": account.is_staff,
        "is_active": account.is_active,
        "date_joined": moment(account.date_joined),
    }


def _audit(row: AuditRow) -> dict[str, Any]:
    return {**row.content(), "previous_hash": row.previous_hash, "hash": row.hash}
