"""The wall: what the hall's screens go through, how far the prize giving has come, and what is announced there."""

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
    """Return the pages of a wall that nobody has set: all of them, each of its screens as long as it takes to read."""
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
    """The wall of one event; an event without a row has one of usual values.

    `pages` are those shown, in order, with the seconds of each screen. `network` is the hall's, its password "" for
    none. During the prize giving (`prizes_open`) `prizes_step` steps are revealed, the last place first; `prizes_top`
    is how many places there are to reveal, 0 for all, and `prizes_mark` the results that it was begun with.
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
    """Something said to the hall, in the event's language and perhaps in its second one.

    It is shown from `shown_from` on, `at_once` over everything else for its first minute, until `shown_until` where
    that is said. Taken back, the row stays, marked.
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
