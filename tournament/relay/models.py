"""The relay: what a hall's desk knows of the one it sends to, and what that one has been sent. See `docs/decisions`."""

import uuid

from django.db import models


class Relay(models.Model):
    """The relay that shows an event, at the hall's desk.

    `pairing` was given by the relay. A message names it, and so counts at no other relay and after no other pairing.
    Its address is the event's `other_address`. `show_hall` lets it link to the desk's address in the hall.
    """

    event = models.OneToOneField("tournament.Event", on_delete=models.CASCADE, related_name="relay")
    pairing = models.UUIDField()
    show_hall = models.BooleanField(default=True)
    paired_at = models.DateTimeField()
    paired_by = models.CharField(max_length=36)

    def __str__(self) -> str:
        return f"{self.event} at {self.event.other_address}"


class RelayedEvent(models.Model):
    """An event at the relay: who may send it, and the newest message.

    `state` is what was sent, packed by `tournament.relay.wire`; `event` is made of it, None where nothing is shown.
    """

    slug = models.SlugField(max_length=60, unique=True)
    pairing = models.UUIDField(default=uuid.uuid4)
    public_key = models.CharField(max_length=64)
    paired_at = models.DateTimeField()
    event = models.OneToOneField("tournament.Event", on_delete=models.SET_NULL, null=True, related_name="relayed")
    number = models.PositiveIntegerField(default=0)
    state = models.BinaryField(default=bytes)
    received_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.slug} as of message {self.number}"


class RelayCode(models.Model):
    """A code by which one hall's desk pairs with this relay, once; only its digest is kept."""

    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"code until {self.expires_at}"
