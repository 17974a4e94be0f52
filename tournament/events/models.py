"""The event, its settings, its copy of a rule set, and the version that every change raises."""

import datetime as dt
import functools
import marshal

from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from rules.books import from_json
from rules.ruleset import RulesBySize, Ruleset
from tournament.core.limits import MAX_TITLE
from tournament.core.settings import Goes, Option, setting
from tournament.core.time_zones import MAX_ZONE, desk_time_zone, has_zone_form

# How far a restore raises every version: else a phone could take another version 60 for the one that it has.
VERSIONS_AHEAD = 1000


@functools.lru_cache(maxsize=256)
def _frozen(rules: bytes) -> Ruleset:
    """Parse and check rules, once for each; they come as `marshal` writes them, in a third of the time of JSON."""
    return from_json(marshal.loads(rules))  # noqa: S302  (written by this process)


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


class Play(models.TextChoices):
    """How an event is played: in rounds, or "open": four sit down when they want, and each table is its own round."""

    ROUNDS = "rounds"
    OPEN = "open"


class Visibility(models.TextChoices):
    """Who finds an event's public pages: nobody but its members, who has the link, or everybody by the list."""

    DRAFT = "draft"
    UNLISTED = "unlisted"
    PUBLIC = "public"


def usual_signals() -> list[int]:
    """Return the default signals of the clock, in minutes before the end."""
    return [15, 5, 0]


BOTH = Goes.RELAY | Goes.COPY


class Event(models.Model):
    """One tournament. A column that is no setting stays on its desk and in its event.

    - `rules`: the event's own copy, every field stated, frozen when the first round starts.
    - `second_rules`: the same of an open event's tables with another number of players, {} for none.
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
    - `country`: where it is, an ISO code of three letters, "" for unknown; `qualified`: players had to qualify for it.
    - `play`: in an open event a table is a round, and `rounds_planned` is how many there were so far.
    - `day_rounds`: the rounds of each day from `date` on, if it lasts several days; else empty.
    - `time_zone`: the name of the zone in which its times are shown and typed; see `tournament.core.time_zones`.
    - `timetable`: planned starts from round 1 on, moments in UTC, "" for unknown.
    - `keep_months`: after its last day the event's people are to be erased, None for never.
    - `record_salt`: of the digests in the trail, never shown; "" until something is sealed.
    - `prizes`: what can be won, as `tournament.standings.prizes` reads it.
    - `colour`: "#rrggbb", "" for none; `logo` and `photo`: the names of the pictures in `Logo` and
      `Photo`, which move with them, "" for none.
    - `redactions`: by the digest of a text in an append-only row that names a person whose data was deleted, the text
      without the name, which is shown in its place.
    - `equipment`: who brings what to which table (`tournament.hall.equipment`); `rota`: which referee has which tables
      in which round (`tournament.hall.rota`); each a list of rows with names.
    - `observer_report`: what EMA's observer wrote, by part; `phone_signing`: players may sign finished games on phones.
    - `club_code`: lets the phones of players in, who type their own results; "" while they may not. Never in a file.
    - `archived_at`: from then on the list of events has it apart; nothing else changes.
    - `other_address`: of another desk that shows its public pages, such as "https://live.example.org/", "" for none: at
      the hall's desk the relay, at a relay the hall's desk. Never in a file.
    - `live_tables`, `live_others`, `hold` and `shown_through` (the last round that is not held) decide what the public
      sees: see `tournament.publication.queries`.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = setting(models.CharField(max_length=MAX_TITLE), Goes.RELAY)
    date = models.DateField()
    place = setting(models.CharField(max_length=MAX_TITLE, blank=True), Goes.RELAY)
    country = setting(models.CharField(max_length=3, blank=True, default=""), BOTH)
    qualified = setting(models.BooleanField(default=False), BOTH)
    visibility = setting(
        models.CharField(max_length=8, choices=Visibility.choices, default=Visibility.PUBLIC),
        Goes.RELAY,
        page="event",
        label=_("Visibility"),
        options={
            Visibility.DRAFT: Option(_("Draft"), _("Draft"), _("Only people with a role at this event see its pages.")),
            Visibility.UNLISTED: Option(
                _("Unlisted"), _("Unlisted"), _("Anyone with the link sees its pages; it is in no list.")
            ),
            Visibility.PUBLIC: Option(
                _("Public"), _("Public"), _("Everybody sees its pages; it is in the list of events.")
            ),
        },
    )
    play = setting(
        models.CharField(max_length=6, choices=Play.choices, default=Play.ROUNDS),
        BOTH,
        page="play",
        label=_("How it is played"),
        options={
            Play.ROUNDS: Option(
                _("in rounds"), _("In rounds"), _("All tables of a round start together and are released together.")
            ),
            Play.OPEN: Option(
                _("open, table by table"),
                _("Open play"),
                _(
                    "Players sit down at a table as they come, and each table is released by its signature. For a club "
                    "night."
                ),
            ),
        },
    )
    archived_at = models.DateTimeField(null=True)
    rules = setting(models.JSONField(), Goes.COPY)
    second_rules = setting(models.JSONField(default=dict, blank=True), Goes.COPY)
    rules_frozen_at = models.DateTimeField(null=True)
    rule_set_uid = setting(models.UUIDField(null=True), Goes.COPY)
    rule_set_version = setting(models.PositiveSmallIntegerField(default=0), BOTH)
    rounds_planned = setting(models.PositiveSmallIntegerField(), Goes.RELAY)
    day_rounds = setting(models.JSONField(default=list, blank=True), Goes.RELAY)
    seed = models.PositiveIntegerField(null=True)
    foul_amounts = setting(models.JSONField(default=dict), BOTH)
    kept_amounts = setting(models.JSONField(default=list), Goes.RELAY)
    compared_with = setting(models.CharField(max_length=60, blank=True, default=""), BOTH)
    house_rules = setting(models.JSONField(default=dict), BOTH)
    contact = setting(models.JSONField(default=dict), BOTH)
    second_person = setting(
        models.CharField(max_length=20, choices=SecondPerson.choices, default=SecondPerson.OFF),
        Goes.COPY,
        page="sheets",
        label=_("Who confirms signed sheets"),
        options={
            SecondPerson.OFF: Option(
                _("nobody else"),
                _("Nobody"),
                _("A signed sheet counts at once: one person alone can run the event."),
            ),
            SecondPerson.OTHER_PERSON: Option(
                _("another person"),
                _("Another person"),
                _(
                    "Somebody other than the signer checks every sheet and confirms it or sends it back, without "
                    "changing anything. A round is released only when all its sheets are confirmed."
                ),
            ),
            SecondPerson.BLIND: Option(
                _("another person, typing blind"),
                _("Another person, typing blind"),
                _(
                    "The same, and a table entered only from its sheet is typed again by another person, who does not "
                    "see the first numbers. It counts when both agree."
                ),
            ),
        },
    )
    sheet_numbers = setting(
        models.CharField(max_length=12, choices=SheetNumbers.choices, default=SheetNumbers.TOTALS), Goes.COPY
    )
    clock_sound = setting(models.BooleanField(default=True), BOTH)
    clock_signals = setting(models.JSONField(default=usual_signals), BOTH)
    language = setting(models.CharField(max_length=8, validators=[is_language], default=ENGLISH), BOTH)
    second_language = setting(models.CharField(max_length=8, validators=[is_language], blank=True, default=""), BOTH)
    time_zone = setting(models.CharField(max_length=MAX_ZONE, validators=[has_zone_form], default=desk_time_zone), BOTH)
    live_tables = setting(
        models.CharField(max_length=8, choices=LiveTables.choices, default=LiveTables.NOTHING),
        BOTH,
        page="publication",
        label=_("Before a round is released"),
        options={
            LiveTables.NOTHING: Option(
                _("rounds only when they are released"),
                _("Nothing"),
                _(
                    "All tables of a round become public together, when it is released. No table sees the others' "
                    "scores while it plays."
                ),
            ),
            LiveTables.SIGNED: Option(
                _("a table's result from its signature on"),
                _("Each result once its sheet is signed"),
                _("A table can be read as soon as it is signed, marked as live. The standings wait for the release."),
            ),
            LiveTables.HANDS: Option(
                _("tables hand by hand"),
                _("Hand by hand"),
                _(
                    "Each hand can be read as soon as it is entered, marked as live, while the table still plays. For "
                    "spectators and streams."
                ),
            ),
        },
    )
    live_others = setting(
        models.CharField(max_length=4, choices=LiveOthers.choices, default=LiveOthers.OWN),
        BOTH,
        page="publication",
        label=_("Which live tables a phone sees"),
        options={
            LiveOthers.OWN: Option(
                _("a phone's own table first"),
                _("Their own table until it is signed, then all"),
                _(
                    "Phones that follow nobody, hall screens and other programs see no live table. This keeps "
                    "neighbours' scores out of sight; it is not a lock, because a phone can follow anybody."
                ),
            ),
            LiveOthers.ALL: Option(
                _("all live tables on every phone"),
                _("All"),
                _("Everybody sees every live table, including hall screens and other programs."),
            ),
        },
    )
    hold = setting(
        models.CharField(max_length=12, choices=Hold.choices, default=Hold.NOTHING),
        BOTH,
        page="publication",
        label=_("Results held back"),
        options={
            Hold.NOTHING: Option(_("no results held"), _("None"), _("Released results are public.")),
            Hold.BEFORE_LAST: Option(
                _("results of the second-last round held"),
                _("After the second-last round"),
                _(
                    "Its results and the standings stay hidden until you show them, before the last round or later; "
                    "until then nothing after it is live."
                ),
            ),
            Hold.LAST: Option(
                _("results of the last round held"),
                _("The last round, until the prizes"),
                _("Its results stay hidden, and nothing of it is live, until you show them."),
            ),
        },
    )
    shown_through = setting(models.PositiveSmallIntegerField(default=0), Goes.RELAY)
    show_needs = setting(
        models.BooleanField(default=False),
        BOTH,
        page="publication",
        options={
            True: Option(
                _("needs in the last hand on phones"),
                _("Needs in the last hand on phones"),
                _(
                    "Phones may show what each player needs in the last hand of a table. That page shows the scores of "
                    "the running table, regardless of the choice above."
                ),
            ),
            False: Option(_("no needs in the last hand on phones")),
        },
    )
    ema_certified = setting(
        models.BooleanField(default=False),
        BOTH,
        page="publication",
        options={
            True: Option(
                _("EMA-certified"),
                _("This event is EMA-certified"),
                _(
                    "The desk then warns if you hold results against EMA's guidelines, which ask for the results of "
                    "each round before the next session begins. Holding the last round is allowed."
                ),
            ),
            False: Option(_("not EMA-certified")),
        },
    )
    observer_report = models.JSONField(default=dict, blank=True)
    prizes = setting(models.JSONField(default=dict, blank=True), BOTH)
    phone_signing = setting(models.BooleanField(default=False), Goes.COPY)
    club_code = models.CharField(max_length=10, blank=True, default="")
    redactions = models.JSONField(default=dict, blank=True)
    timetable = setting(models.JSONField(default=list), Goes.RELAY)
    wishes = models.JSONField(default=dict)
    equipment = models.JSONField(default=list, blank=True)
    rota = models.JSONField(default=list, blank=True)
    drawn = models.JSONField(default=dict)
    team_best = setting(models.PositiveSmallIntegerField(default=0), BOTH)
    keep_months = setting(models.PositiveSmallIntegerField(null=True), BOTH)
    colour = setting(models.CharField(max_length=7, blank=True, default=""), BOTH)
    logo = setting(models.CharField(max_length=16, blank=True, default=""), BOTH)
    photo = setting(models.CharField(max_length=16, blank=True, default=""), BOTH)
    other_address = models.CharField(max_length=200, blank=True, default="")
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    record_salt = models.CharField(max_length=32, blank=True, default="")

    class Meta:
        ordering = ["-date", "name"]

    def __str__(self) -> str:
        return self.name

    @property
    def last_date(self) -> dt.date:
        """The last day by `day_rounds`; a timetable may say more, which `list_days` reads."""
        return self.date + dt.timedelta(days=max(len(self.day_rounds), 1) - 1)

    @property
    def is_open(self) -> bool:
        """Whether each table is a round of its own."""
        return self.play == Play.OPEN

    def ends_with(self, rounds: int) -> bool:
        """Tell whether so many rounds are all of the event; of an open one nobody knows which table is the last."""
        return not self.is_open and rounds >= self.rounds_planned

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
        return _frozen(marshal.dumps(self.rules, 2))  # 2: equal rules give equal bytes

    @property
    def rulesets(self) -> RulesBySize:
        """The rules by the number of players at a table: the event's own first, then the second rule set."""
        own = self.ruleset
        found = RulesBySize({own.players: own})
        if self.second_rules:
            second = _frozen(marshal.dumps(self.second_rules, 2))
            found.setdefault(second.players, second)
        return found

    def rules_for(self, seats: int) -> Ruleset:
        """Return the rules of a table with so many seats; who asks for many tables asks `rulesets` once."""
        return self.rulesets[seats]


class Logo(models.Model):
    """The logo of an event: a PNG in base64, apart because few of those who read an event need it."""

    event_column, file_column = "logo", "png"  # where the event has its name, and this row the file

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="picture")
    png = models.TextField()

    def __str__(self) -> str:
        return f"logo of {self.event}"


class Photo(models.Model):
    """The picture of an event on its page: a WebP in base64, twice as wide as high."""

    event_column, file_column = "photo", "webp"

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="photograph")
    webp = models.TextField()

    def __str__(self) -> str:
        return f"photo of {self.event}"
