"""What open play adds: a table is released by its signature."""

from tournament.accounts.models import Account
from tournament.core.hooks import SHEET_SIGNED
from tournament.tables.models import Table


def _release(table: Table, by: Account | None) -> None:
    from tournament.open_play.actions import release_signed

    release_signed(table, by)


SHEET_SIGNED.append(_release)
