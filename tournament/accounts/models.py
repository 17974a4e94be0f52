"""Access: accounts, memberships, one-time links, devices, sessions and failed tries."""

import datetime as dt
import uuid
from importlib import import_module

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from tournament.core.limits import MAX_NAME

ANY_TABLE = 0


class TableDevice(models.Model):
    """A table device of an event. A new card changes `card`, which invalidates the older one.

    `table` repeats the membership's, which is deleted with the device's revocation. One with a `player` is that
    player's own phone, let in by the club's code: its `card` is what its browser sent, and without a membership it has
    rights only where the player sits (`tournament.accounts.queries.get_rights`).
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="devices")
    account = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="table_device")
    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, null=True, related_name="phones")
    table = models.PositiveSmallIntegerField(default=ANY_TABLE)
    card = models.CharField(max_length=32)
    pin_hash = models.CharField(max_length=128)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    signed_in_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["table", "pk"]

    def __str__(self) -> str:
        return f"device of table {self.table or 'any'}"

    def has_ended(self, at: dt.datetime) -> bool:
        """Tell whether it is shut out: revoked, or past its time."""
        return self.revoked_at is not None or self.expires_at <= at


class DeskSession(AbstractBaseSession):
    """A browser that is signed in, or was served a form; `browser` as "firefox android", "" where unknown.

    `seen_at` is written at most every five minutes.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="desk_sessions"
    )
    browser = models.CharField(max_length=30, blank=True)
    made_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"session of {self.account}"  # never its key, which is a secret

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Return the store of SESSION_ENGINE; imported by name, since it imports this module."""
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store


class Tries(models.Model):
    """How often something was tried since `began_at`."""

    scope = models.CharField(max_length=20)
    key = models.CharField(max_length=64)
    count = models.PositiveIntegerField(default=0)
    began_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="one_count_a_key")]

    def __str__(self) -> str:
        return f"{self.count} tries of a {self.scope}"


class Account(AbstractUser):
    """An account. The ledger names it by its `uid`, so that the name can be erased."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    display_name = models.CharField(max_length=MAX_NAME)

    def __str__(self) -> str:
        return self.display_name

    @property
    def device(self) -> TableDevice | None:
        """The table device that the account is, None for a person's; a query, unless it was read with the account."""
        return getattr(self, "table_device", None)

    def is_shut_out(self, at: dt.datetime) -> bool:
        """Tell whether it is a table device that may no longer come in."""
        return self.device is not None and self.device.has_ended(at)


class SecondFactor(models.Model):
    """An account's two-step sign-in: the key of an authenticator app, sealed, and digests of recovery codes.

    `step` is the last code's half minute since 1970: no code is taken twice.
    """

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="second_factor")
    sealed_key = models.CharField(max_length=255)
    step = models.PositiveBigIntegerField()
    recovery = models.JSONField(default=list)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"second factor of {self.account}"  # never its key, which is a secret


class Role(models.TextChoices):
    """An account's role at one event; `tournament.core.rights` alone says what each may do."""

    OWNER = "owner"
    ORGANISER = "organiser"
    HEAD_REFEREE = "head_referee"
    REFEREE = "referee"
    SCORER = "scorer"
    TABLE_DEVICE = "table_device"
    VIEWER = "viewer"


class Membership(models.Model):
    """An account's role at an event. A table device has a table too: the same number in every round, or ANY_TABLE."""

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="memberships")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)
    table_number = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "account"], name="one_role_an_event"),
            models.UniqueConstraint(fields=["event"], condition=models.Q(role="owner"), name="one_owner_an_event"),
            models.CheckConstraint(
                condition=models.Q(role="table_device", table_number__isnull=False)
                | (~models.Q(role="table_device") & models.Q(table_number__isnull=True)),
                name="a_table_for_devices_only",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account} as {self.role}"


class EntryLink(models.Model):
    """A one-time link; only the hash of its token is stored.

    It signs in the site's organiser without an event, a new account with that role with one.
    """

    token_hash = models.CharField(max_length=64, unique=True)
    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, null=True, related_name="entry_links")
    role = models.CharField(max_length=20, choices=Role.choices)
    name = models.CharField(max_length=MAX_NAME, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"link for {self.name or self.role}"
