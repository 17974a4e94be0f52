"""Tries that are counted: of a PIN, a password, one-time links. In the database, so that all workers count as one.

A row names nobody: what is counted (a device, an account, an address) stands in it as a keyed hash, and it is thrown
away after an hour.
"""

from django.db import models


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
