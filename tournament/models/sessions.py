"""Sessions of the desk, as rows that say whose they are: that is what a list of them and ending one need.

No address and no User-Agent is kept: the kind of browser is a code of two words, read once when somebody signs in.
"""

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models


class DeskSession(AbstractBaseSession):
    """A browser that is signed in, or was served a form; `browser` as "firefox android", "" where nobody knows.

    `seen_at` is written at most every five minutes.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="desk_sessions"
    )
    browser = models.CharField(max_length=30, blank=True)
    made_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"session of {self.account}"  # never its key, which lets in whoever has it

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Return the store of SESSION_ENGINE, which reads and writes these rows; named there, so no import circle."""
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store
