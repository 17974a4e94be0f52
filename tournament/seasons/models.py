"""Seasons: events that count together, and the rule by which they do. No result is stored."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.core.limits import MAX_TITLE
from tournament.events.models import Visibility


class Season(models.Model):
    """Events to one table.

    - `rule`: the fields of `scoring.seasons.SeasonRule`, or `{"list": NAME}` for the rule of a federation's list.
    - `carried`: head starts as text in points by the lasting id of a person: "12500" or "1/2".
    - `reach`: where else it is shown, as `read_reach` reads it: "feed", "calendar" and "teams" true or false,
      "frame" hosts, "hook" {"url", "form"}; what is not there is off.
    - `team_rule`: the fields of `scoring.seasons.TeamRule`; empty where no teams play.
    - `closed_at`: from then on its first is its champion.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=MAX_TITLE)
    rule = models.JSONField(default=dict)
    carried = models.JSONField(default=dict, blank=True)
    reach = models.JSONField(default=dict, blank=True)
    team_rule = models.JSONField(default=dict, blank=True)
    visibility = models.CharField(max_length=8, choices=Visibility.choices, default=Visibility.PUBLIC)
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "name"]

    def __str__(self) -> str:
        return self.name


MAX_WEIGHT_TEXT = 12  # characters


class SeasonEvent(models.Model):
    """An event of a season: what each of its points weighs, a number or a fraction as text, and its phase from 1."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="events")
    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="seasons")
    weight = models.CharField(max_length=MAX_WEIGHT_TEXT, default="1")
    phase = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["event__date", "event__pk"]
        constraints = [models.UniqueConstraint(fields=["season", "event"], name="event_once_in_a_season")]

    def __str__(self) -> str:
        return f"{self.event} in {self.season}"


class PostState(models.TextChoices):
    """How far a message to a season's webhook has come."""

    KNOWN = "known"  # a release from before the webhook was switched on: never sent
    WAITING = "waiting", _("waits")
    SENDING = "sending", _("on its way")
    SENT = "sent", _("sent")
    REFUSED = "refused", _("not sent")
    UNCLEAR = "unclear", _("no answer: it may have arrived")  # and sent again it might be there twice


class SeasonPost(models.Model):
    """A message to a season's webhook, of a release or, without an event, of the table; written when it is sent.

    `key` names it once a season; `answer` is the status of the last HTTP answer, 0 for none.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="posts")
    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, null=True, related_name="+")
    round = models.PositiveSmallIntegerField(default=0)
    key = models.CharField(max_length=80)
    state = models.CharField(max_length=8, choices=PostState.choices, default=PostState.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    answer = models.PositiveSmallIntegerField(default=0)
    at = models.DateTimeField()
    next_at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["season", "key"], name="post_once_a_season")]

    def __str__(self) -> str:
        return f"{self.key} of {self.season}"
