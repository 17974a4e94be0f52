"""Who may come in: accounts, what they may do at an event, and links that let somebody in once."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models


class Account(AbstractUser):
    """Somebody who writes. The ledger names an account by its `uid`, so that a name can be taken away."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    display_name = models.CharField(max_length=60)

    def __str__(self) -> str:
        return self.display_name


class Role(models.TextChoices):
    """What an account is at one event. What each may do there is in tournament.rights and nowhere else."""

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
    """A link that lets one person in, once. Only the hash of its token is kept.

    Without an event it makes the site's organiser; with one it makes an account with that role there.
    """

    token_hash = models.CharField(max_length=64, unique=True)
    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, null=True, related_name="entry_links")
    role = models.CharField(max_length=20, choices=Role.choices)
    name = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"link for {self.name or self.role}"
