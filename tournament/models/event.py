"""The event: its name, date, own copy of a rule set, and the version that every change raises."""

import functools
import json

from django.db import models

from rules.books import from_json
from rules.ruleset import Ruleset

# How far a restore moves every version ahead: a phone that has seen version 60 before it must not take another version
# 60 for the one it has.
VERSIONS_AHEAD = 1000


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


class LiveTables(models.TextChoices):
    """What the public may see of a round before it is released whole.

    "signed" shows a table's result from its signature on, "hands" a table hand by hand while it plays.
    """

    NOTHING = "nothing"
    SIGNED = "signed"
    HANDS = "hands"


class LiveOthers(models.TextChoices):
    """Which live tables a phone sees: until the followed player's own is signed that one alone, or all."""

    OWN = "own"
    ALL = "all"


class Hold(models.TextChoices):
    """Which released results the public does not see until the organiser shows them.

    "before_last" keeps back what the second-last round made of the standings, "last" what the last round made.
    """

    NOTHING = "nothing"
    BEFORE_LAST = "before_last"
    LAST = "last"


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
    wall shows its headings, "" for none. `timetable` is when rounds are to start, from the first on: moments in UTC, ""
    for one not known. `keep_months` after its last day the event's people are to be forgotten, None for never. What the
    public sees follows from `live_tables`, `live_others`, `hold` and `shown_through`, the last round up to which
    nothing is held any more: see `tournament.selectors.core.public`.
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
    live_tables = models.CharField(max_length=8, choices=LiveTables.choices, default=LiveTables.NOTHING)
    live_others = models.CharField(max_length=4, choices=LiveOthers.choices, default=LiveOthers.OWN)
    hold = models.CharField(max_length=12, choices=Hold.choices, default=Hold.NOTHING)
    shown_through = models.PositiveSmallIntegerField(default=0)
    show_needs = models.BooleanField(default=False)
    ema_certified = models.BooleanField(default=False)
    timetable = models.JSONField(default=list)
    wishes = models.JSONField(default=dict)
    drawn = models.JSONField(default=dict)
    team_best = models.PositiveSmallIntegerField(default=0)
    keep_months = models.PositiveSmallIntegerField(null=True)
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
