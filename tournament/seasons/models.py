"""Seasons: events that count together, and the rule by which they do. No result is stored."""

from django.db import models

from tournament.core.limits import MAX_TITLE
from tournament.events.models import Visibility


class Season(models.Model):
    """Events to one table.

    - `rule`: the fields of `scoring.seasons.SeasonRule`, or `{"list": NAME}` for the rule of a federation's list.
    - `carried`: head starts as text in points by the lasting id of a person: "12500" or "1/2".
    - `closed_at`: from then on its first is its champion.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=MAX_TITLE)
    rule = models.JSONField(default=dict)
    carried = models.JSONField(default=dict, blank=True)
    visibility = models.CharField(max_length=8, choices=Visibility.choices, default=Visibility.PUBLIC)
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "name"]

    def __str__(self) -> str:
        return self.name


class SeasonEvent(models.Model):
    """An event of a season: what each of its points weighs, a number or a fraction as text, and its phase from 1."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="events")
    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="seasons")
    weight = models.CharField(max_length=12, default="1")
    phase = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["event__date", "event__pk"]
        constraints = [models.UniqueConstraint(fields=["season", "event"], name="event_once_in_a_season")]

    def __str__(self) -> str:
        return f"{self.event} in {self.season}"
