"""Phones that asked to be told of their player's next table."""

from django.db import models


class ToldPhone(models.Model):
    """A phone that is told where its player sits next, by the push service of its browser.

    `endpoint`, `key` and `secret` are what the browser gave: an address at its maker's service, and what a message to
    it is sealed with.
    `told` names the seat that it was told of last, as "round/table/seat".
    """

    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="told_phones")
    endpoint = models.CharField(max_length=600, unique=True)
    key = models.CharField(max_length=90)
    secret = models.CharField(max_length=30)
    language = models.CharField(max_length=8)
    told = models.CharField(max_length=20, blank=True, default="")
    asked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"a phone of {self.player}"  # never its endpoint, by which others could send
