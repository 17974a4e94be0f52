"""The event, its settings, its copy of a rule set, and the version that every change raises."""

import functools
import marshal

from django.core.validators import RegexValidator
from django.db import models

from rules.books import from_json
from rules.ruleset import Ruleset
from tournament.core.limits import MOST_TITLE
from tournament.core.time_zones import MOST_ZONE, desk_time_zone, has_zone_form

# How far a restore raises every version: else a phone could take another version 60 for the one that it has.
VERSIONS_AHEAD = 1000


@functools.lru_cache(maxsize=256)
def _frozen(rules: bytes, source: str) -> Ruleset:
    """Parse and check rules, once for each; they come as `marshal` writes them, in a third of the time of JSON."""
    return from_json(marshal.loads(rules), source=source)  # noqa: S302  (written by this process)


class SecondPerson(models.TextChoices):
    """Whether another person than the signer must confirm a sheet before its round is released.

    With "blind", a sheet without hands is typed again by another person who does not see the first numbers.
    """

    OFF = "off"
    OTHER_PERSON = "other_person"
    BLIND = "blind"


class SheetNumbers(models.TextChoices):
    """The numbers on paper sheets: final counts, or differences from the starting points."""

    TOTALS = "totals"
    DIFFERENCES = "differences"


ENGLISH = "en-gb"
# a code of any language: this desk may not have what another one was set to
is_language = RegexValidator("^[a-z]{2,3}(-[a-z]{2,4})?$")


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


class Visibility(models.TextChoices):
    """Who finds an event's public pages: nobody but its members, who has the link, or everybody by the list."""

    DRAFT = "draft"
    UNLISTED = "unlisted"
    PUBLIC = "public"


def usual_signals() -> list[int]:
    """Return the default signals of the clock, in minutes before the end."""
    return [15, 5, 0]


class Event(models.Model):
    """One tournament.

    - `rules`: the event's own copy, every field stated, frozen when the first round starts.
    - `rule_set_uid`, `rule_set_version`: the version of a rule set of the site that the rules are from, None and 0 for
      a book. The set may be gone, or on another machine; the rules carry its title.
    - `foul_amounts`: the changed amounts of the foul catalogue, in points by key.
    - `kept_amounts`: what a chombo and a replacement cost before a change of the rules, for those given until then.
    - `wishes`: those last asked for; `drawn`: the origin of the seats, besides `seed` (both JSON of `draws`).
    - `compared_with`: the rule set that the rules are shown against beside their own, "" for the one that it modifies.
    - `house_rules`: plain text by language; `contact`: `name`, `mail`, `phone` and `other` for everybody to read.
    - `sheet_numbers`: the default of the page for sheets without hands.
    - `team_best`: how many members of a team count, 0 for as many as the smallest team has.
    - `clock_signals`: minutes left at each signal, most first, with 0; `clock_sound`: whether the page sounds them.
    - `second_language`: of the wall's headings, "" for none.
    - `time_zone`: the name of the zone in which its times are shown and typed; see `tournament.core.time_zones`.
    - `timetable`: planned starts from round 1 on, moments in UTC, "" for unknown.
    - `keep_months`: after its last day the event's people are to be erased, None for never.
    - `record_salt`: of the digests in the trail, never shown; "" until something is sealed.
    - `colour`: "#rrggbb", "" for none; `logo`: the name of the picture in `Logo`, which moves with it, "" for none.
    - `redactions`: by the digest of a text in an append-only row that names a person whose data was deleted, the text
      without the name, which is shown in its place.
    - `observer_report`: what EMA's observer wrote, by part; `phone_signing`: players may sign finished games on phones.
    - `archived_at`: from then on the list of events has it apart; nothing else changes.
    - `other_address`: of another desk that shows its public pages, such as "https://live.example.org/", "" for none: at
      the hall's desk the relay, at a relay the hall's desk. Never in a file.
    - `live_tables`, `live_others`, `hold` and `shown_through` (the last round that is not held) decide what the public
      sees: see `tournament.publication.queries`.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=MOST_TITLE)
    date = models.DateField()
    place = models.CharField(max_length=MOST_TITLE, blank=True)
    visibility = models.CharField(max_length=8, choices=Visibility.choices, default=Visibility.PUBLIC)
    archived_at = models.DateTimeField(null=True)
    rules = models.JSONField()
    rules_frozen_at = models.DateTimeField(null=True)
    rule_set_uid = models.UUIDField(null=True)
    rule_set_version = models.PositiveSmallIntegerField(default=0)
    rounds_planned = models.PositiveSmallIntegerField()
    seed = models.PositiveIntegerField(null=True)
    foul_amounts = models.JSONField(default=dict)
    kept_amounts = models.JSONField(default=list)
    compared_with = models.CharField(max_length=60, blank=True, default="")
    house_rules = models.JSONField(default=dict)
    contact = models.JSONField(default=dict)
    second_person = models.CharField(max_length=20, choices=SecondPerson.choices, default=SecondPerson.OFF)
    sheet_numbers = models.CharField(max_length=12, choices=SheetNumbers.choices, default=SheetNumbers.TOTALS)
    clock_sound = models.BooleanField(default=True)
    clock_signals = models.JSONField(default=usual_signals)
    language = models.CharField(max_length=8, validators=[is_language], default=ENGLISH)
    second_language = models.CharField(max_length=8, validators=[is_language], blank=True, default="")
    time_zone = models.CharField(max_length=MOST_ZONE, validators=[has_zone_form], default=desk_time_zone)
    live_tables = models.CharField(max_length=8, choices=LiveTables.choices, default=LiveTables.NOTHING)
    live_others = models.CharField(max_length=4, choices=LiveOthers.choices, default=LiveOthers.OWN)
    hold = models.CharField(max_length=12, choices=Hold.choices, default=Hold.NOTHING)
    shown_through = models.PositiveSmallIntegerField(default=0)
    show_needs = models.BooleanField(default=False)
    ema_certified = models.BooleanField(default=False)
    observer_report = models.JSONField(default=dict, blank=True)
    phone_signing = models.BooleanField(default=False)
    redactions = models.JSONField(default=dict, blank=True)
    timetable = models.JSONField(default=list)
    wishes = models.JSONField(default=dict)
    drawn = models.JSONField(default=dict)
    team_best = models.PositiveSmallIntegerField(default=0)
    keep_months = models.PositiveSmallIntegerField(null=True)
    colour = models.CharField(max_length=7, blank=True, default="")
    logo = models.CharField(max_length=16, blank=True, default="")
    other_address = models.CharField(max_length=200, blank=True, default="")
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    record_salt = models.CharField(max_length=32, blank=True, default="")

    class Meta:
        ordering = ["-date", "name"]

    def __str__(self) -> str:
        return self.name

    @property
    def confirms(self) -> bool:
        """Whether signed sheets need confirmation by another person."""
        return self.second_person != SecondPerson.OFF

    @property
    def types_twice(self) -> bool:
        """Whether sheets without hands are typed by two people, blind."""
        return self.second_person == SecondPerson.BLIND

    @property
    def ruleset(self) -> Ruleset:
        """The event's rules as `scoring` takes them."""
        return _frozen(marshal.dumps(self.rules, 2), self.slug)  # 2: equal rules give equal bytes


class Logo(models.Model):
    """The logo of an event: a PNG in base64, apart because few of those who read an event need it."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="picture")
    png = models.TextField()

    def __str__(self) -> str:
        return f"logo of {self.event}"
