"""The event: its name, date, own copy of a rule set, and the version that every change raises."""

import functools
import json

from django.db import models

from rules.ruleset import Ruleset, from_json


@functools.lru_cache(maxsize=256)
def _frozen(rules: str, source: str) -> Ruleset:
    """Return rules as the frozen value, read and checked once for each text."""
    return from_json(json.loads(rules), source=source)


class SecondPerson(models.TextChoices):
    """Whether somebody else than who signed a sheet must confirm it before its round is released.

    "blind" confirms hands in the same way; a sheet that is typed from paper alone is typed again by another person who
    does not see the first numbers.
    """

    OFF = "off"
    OTHER_PERSON = "other_person"
    BLIND = "blind"


class SheetNumbers(models.TextChoices):
    """What the tables write on their sheets: final counts, or differences from the starting points."""

    TOTALS = "totals"
    DIFFERENCES = "differences"


class Language(models.TextChoices):
    """What an event speaks: its desk and paper, its wall, and the phones that name no language of their own."""

    ENGLISH = "en-gb"
    JAPANESE = "ja"
    GERMAN = "de"
    FRENCH = "fr"


def usual_signals() -> list[int]:
    """Return how many minutes before the end the clock says something: three times, the last at the end."""
    return [15, 5, 0]


class Event(models.Model):
    """One tournament. `rules` is the event's own copy, every field stated, frozen when the first round starts.

    `foul_amounts` are the amounts of the foul catalogue that the event changed, in points, by their key there. `wishes`
    are those last asked for (`draw_wishes.Asked` as JSON), `drawn` what the seats were drawn from beside the seed: the
    wishes, the way of an odd field, the numbers of players and substitutes, and whether the search was ended early.
    `sheet_numbers` is what the page for sheets without hands expects until somebody says otherwise.
    `team_best` is how many members of a team count, 0 for as many as the smallest team has. `clock_signals` are the
    minutes left at which the clock says something, most first, the signal itself among them; `clock_sound` lets the
    page that shows the clock sound them, too. `language` is the event's, `second_language` the other one in which the
    wall shows its headings, "" for none.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    date = models.DateField()
    place = models.CharField(max_length=120, blank=True)
    rules = models.JSONField()
    rules_frozen_at = models.DateTimeField(null=True)
    rounds_planned = models.PositiveSmallIntegerField()
    seed = models.PositiveIntegerField(null=True)
    foul_amounts = models.JSONField(default=dict)
    second_person = models.CharField(max_length=20, choices=SecondPerson.choices, default=SecondPerson.OFF)
    sheet_numbers = models.CharField(max_length=12, choices=SheetNumbers.choices, default=SheetNumbers.TOTALS)
    clock_sound = models.BooleanField(default=True)
    clock_signals = models.JSONField(default=usual_signals)
    language = models.CharField(max_length=8, choices=Language.choices, default=Language.ENGLISH)
    second_language = models.CharField(max_length=8, choices=Language.choices, blank=True, default="")
    wishes = models.JSONField(default=dict)
    drawn = models.JSONField(default=dict)
    team_best = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-date", "name"]

    def __str__(self) -> str:
        return self.name

    @property
    def confirms(self) -> bool:
        """Whether signed sheets wait for another person."""
        return self.second_person != SecondPerson.OFF

    @property
    def types_twice(self) -> bool:
        """Whether a sheet without hands is typed by two people, blind."""
        return self.second_person == SecondPerson.BLIND

    @property
    def ruleset(self) -> Ruleset:
        """The event's rules as the frozen value that `scoring` takes."""
        return _frozen(json.dumps(self.rules), self.slug)
