"""How Django reads and writes the sessions of the desk (SESSION_ENGINE): in the database, with whose they are.

It lists and ends none: see `tournament.selectors.access` and `tournament.services.access.sessions`.
"""

import contextlib
import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import DatabaseError, transaction
from django.utils import timezone

from tournament.compiled_queries import Prepared
from tournament.models import DeskSession

SEEN_AGAIN = dt.timedelta(minutes=5)  # a page that polls would else write every few seconds
MADE, BROWSER = "made", "browser"  # what a session carries from one key to the next


_SESSION = Prepared(lambda key: DeskSession.objects.filter(session_key=key))


class SessionStore(DatabaseStore):
    """Sessions in our own table."""

    @classmethod
    def get_model_class(cls) -> type[DeskSession]:
        """Return the table."""
        return DeskSession

    def load(self) -> dict[str, Any]:
        """Return what a session holds, and note now and then that it was used."""
        now = timezone.now()
        row = _SESSION.first(self.session_key or "")
        if row is None or row.expire_date <= now:
            self._session_key = None
            return {}
        if row.account_id and now - row.seen_at > SEEN_AGAIN:
            # a page is shown all the same where this cannot be written: the disk is full, say
            with contextlib.suppress(DatabaseError), transaction.atomic():
                DeskSession.objects.filter(pk=row.pk).update(seen_at=now)
        return self.decode(row.session_data)

    def create_model_instance(self, data: Mapping[str, Any]) -> DeskSession:
        """Return the row as it is to be written."""
        now = timezone.now()
        values = {MADE: now.isoformat(), **data}
        account = values.get(SESSION_KEY)
        written = super().create_model_instance(values)
        return DeskSession(
            session_key=written.session_key,
            session_data=written.session_data,
            expire_date=written.expire_date,
            account_id=int(account) if account else None,
            browser=str(values.get(BROWSER, ""))[:30],
            made_at=dt.datetime.fromisoformat(values[MADE]),
            seen_at=now,
        )
