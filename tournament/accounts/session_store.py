"""How Django reads and writes the sessions of the desk (SESSION_ENGINE): in the database, with whose they are.

A browser has the key, the database its hash: a copy of the database signs nobody in.

It lists and ends none: see `tournament.accounts.queries` and `tournament.accounts.actions`.
"""

import contextlib
import datetime as dt
import hashlib
from collections.abc import Mapping
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import DatabaseError, transaction
from django.utils import timezone

from tournament.accounts.models import Account, DeskSession
from tournament.core.prepared import Prepared

SEEN_AGAIN = dt.timedelta(minutes=5)  # else a polling page would write every few seconds
MADE, BROWSER = "made", "browser"  # session values that survive a change of its key


def stored_key(key: str | None) -> str:
    """Return what the database keeps of a session's key; the key is random, so no salt is needed."""
    return hashlib.sha256((key or "").encode()).hexdigest()[:40]


_SESSION = Prepared(lambda key: DeskSession.objects.select_related("account__table_device").filter(session_key=key))


class SessionStore(DatabaseStore):
    """Sessions in our own table; `account` is whose the session was when it was read."""

    account: Account | None = None
    unknown = False  # the browser's cookie names a session that is over

    @classmethod
    def get_model_class(cls) -> type[DeskSession]:
        """Return the table."""
        return DeskSession

    def load(self) -> dict[str, Any]:
        """Return a session's values, and record every few minutes that it was used."""
        now = timezone.now()
        row = _SESSION.first(stored_key(self.session_key))
        if row is None or row.expire_date <= now:
            self._session_key, self.unknown = None, True
            return {}
        if row.account_id and now - row.seen_at > SEEN_AGAIN:
            # show the page also where this cannot be written, for example on a full disk
            with contextlib.suppress(DatabaseError), transaction.atomic():
                DeskSession.objects.filter(pk=row.pk).update(seen_at=now)
        self.account = row.account
        return self.decode(row.session_data)

    def is_empty(self) -> bool:
        """Tell whether the answer deletes the cookie: after a sign-out, not where the session was over before.

        That answer may come late, and would sign out somebody who signed in meanwhile.
        """
        return super().is_empty() and not self.unknown

    def flush(self) -> None:
        """End the session."""
        self.unknown = False
        super().flush()

    def exists(self, session_key: str) -> bool:
        """Tell whether a key is taken."""
        return super().exists(stored_key(session_key))

    def delete(self, session_key: str | None = None) -> None:
        """Delete a session, this one without a key."""
        DeskSession.objects.filter(session_key=stored_key(session_key or self.session_key)).delete()

    def create_model_instance(self, data: Mapping[str, Any]) -> DeskSession:
        """Return the row as it is to be written."""
        now = timezone.now()
        values = {MADE: now.isoformat(), **data}
        account = values.get(SESSION_KEY)
        written = super().create_model_instance(values)
        return DeskSession(
            session_key=stored_key(written.session_key),
            session_data=written.session_data,
            expire_date=written.expire_date,
            account_id=int(account) if account else None,
            browser=str(values.get(BROWSER, ""))[:30],
            made_at=dt.datetime.fromisoformat(values[MADE]),
            seen_at=now,
        )
