"""Teams of a season, and who sits down for a team. No result is stored."""

from django.db import models

from tournament.core.limits import MAX_TEAM
from tournament.people.models import KnownPerson
from tournament.seasons.models import Season


class SeasonTeam(models.Model):
    """A team of a season, by a number that the trail names; after `last_phase` it plays no more.

    `points` are its own, no member's: phase, points (a penalty is below 0) and reason each. `code_hash` is of the code
    by which its captain hands in line-ups, "" for none.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="teams")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=MAX_TEAM)
    members = models.ManyToManyField(KnownPerson, related_name="teams")
    points = models.JSONField(default=list, blank=True)
    last_phase = models.PositiveSmallIntegerField(null=True)
    code_hash = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["season", "number"], name="team_number_once_a_season")]

    def __str__(self) -> str:
        return self.name


class LineUp(models.Model):
    """A seat of a team at a table of a game of an event; `member` is sealed until all of the table have theirs."""

    team = models.ForeignKey(SeasonTeam, on_delete=models.CASCADE, related_name="line_ups")
    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="line_ups")
    game = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    member = models.ForeignKey(KnownPerson, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["event__date", "event", "game", "table", "seat"]
        constraints = [models.UniqueConstraint(fields=["team", "event", "game", "table"], name="team_once_a_table")]

    def __str__(self) -> str:
        return f"{self.team}: game {self.game}, table {self.table} of {self.event}"
