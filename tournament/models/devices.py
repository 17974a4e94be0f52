"""Tablets and phones that stand at tables: an account each, with a card that names it and a PIN that proves it.

Which table a device enters for stands in its membership (`table_number`, ANY_TABLE for all of them). What the card
carries is signed; the PIN is kept as a hash and was shown once.
"""

from django.conf import settings
from django.db import models

ANY_TABLE = 0


class TableDevice(models.Model):
    """A device of an event, whoever holds it. A new card changes `card`, which makes the older one worthless.

    `table` repeats the membership's, which ends with the device, so that a list can still say where it stood.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="devices")
    account = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="table_device")
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
