"""The wall: the pages of the hall's screens, the prize giving and the announcements."""

from typing import Any

from django.db import models


class WallPage(models.TextChoices):
    """A page of the wall."""

    CLOCK = "clock"
    TABLES = "tables"
    NAMES = "names"
    STANDINGS = "standings"
    ANNOUNCEMENTS = "announcements"
    CODES = "codes"


def usual_pages() -> list[dict[str, Any]]:
    """Return the default pages of a wall: all, with the seconds that each takes to read."""
    seconds = {
        WallPage.CLOCK: 15,
        WallPage.NAMES: 12,
        WallPage.TABLES: 12,
        WallPage.STANDINGS: 12,
        WallPage.ANNOUNCEMENTS: 15,
        WallPage.CODES: 12,
    }
    return [{"page": str(page), "seconds": each} for page, each in seconds.items()]


class Wall(models.Model):
    """The wall of one event; an event without a row has the default values.

    `pages` are those shown, in order, with the seconds of each screen; `network` is the hall's. During the prize giving
    (`prizes_open`) `prizes_step` steps are revealed, the last place first; `prizes_top` is the number of places to
    reveal, 0 for all, and `prizes_mark` identifies the results that it began with.
    """

    event = models.OneToOneField("tournament.Event", on_delete=models.CASCADE, related_name="wall")
    pages = models.JSONField(default=usual_pages)
    network = models.CharField(max_length=32, blank=True)
    network_password = models.CharField(max_length=63, blank=True)
    prizes_open = models.BooleanField(default=False)
    prizes_top = models.PositiveSmallIntegerField(default=0)
    prizes_step = models.PositiveSmallIntegerField(default=0)
    prizes_mark = models.CharField(max_length=20, blank=True)

    def __str__(self) -> str:
        return f"wall of {self.event}"


class Announcement(models.Model):
    """An announcement to the hall, in the event's language and perhaps in its second one.

    It is shown from `shown_from` until `shown_until`, if given; `at_once` puts it over everything else for its first
    minute. A withdrawn row stays, marked.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="announcements")
    client_id = models.UUIDField(unique=True)
    position = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=80)
    text = models.CharField(max_length=300, blank=True)
    second_title = models.CharField(max_length=80, blank=True)
    second_text = models.CharField(max_length=300, blank=True)
    at_once = models.BooleanField(default=False)
    shown_from = models.DateTimeField()
    shown_until = models.DateTimeField(null=True)
    written_by = models.CharField(max_length=36)
    written_at = models.DateTimeField()
    taken_back_by = models.CharField(max_length=36, blank=True)
    taken_back_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return self.title
