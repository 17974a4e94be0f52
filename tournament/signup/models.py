"""Sign-up before an event: what the organiser offers, who wants to come, what they paid, and the letters to them.

All but the offer is personal data, and goes on the day that the offer states: see `services.signup.retention`.
"""

from django.db import models

from tournament.core.limits import MAX_CLUB, MAX_MAIL, MAX_NAME
from tournament.events.models import ENGLISH, is_language


class SignUpPage(models.Model):
    """The page of an event before it begins, and the terms of its sign-up.

    - `shown`: the page is public; `open`: it takes sign-ups, until `closes_at` or else until the event begins.
    - `fee`: in hundredths of `currency`, 0 for none; `iban` and `payee`: the account, "" for none.
    - `offer_hours`: how long a place is kept for somebody of the waiting list to whom it is offered.
    - `keep_days`: after the event's last day, all sign-ups and letters are deleted.
    - `address` and `map_place` ("52.52, 13.405"): where it is; `texts`: plain text by key and language.
    - `questions`: the organiser's own, as `tournament.signup.settings` reads them.
    - `site`: the beginning of every link in a letter, such as "https://desk.example.org".
    """

    event = models.OneToOneField("tournament.Event", on_delete=models.CASCADE, related_name="sign_up_page")
    shown = models.BooleanField(default=False)
    open = models.BooleanField(default=False)
    places = models.PositiveSmallIntegerField(default=0)
    closes_at = models.DateTimeField(null=True)
    offer_hours = models.PositiveSmallIntegerField(default=48)
    fee = models.PositiveIntegerField(default=0)
    currency = models.CharField(max_length=3, default="EUR")
    payee = models.CharField(max_length=70, blank=True)
    iban = models.CharField(max_length=34, blank=True)
    pay_days = models.PositiveSmallIntegerField(default=14)
    keep_days = models.PositiveSmallIntegerField(default=30)
    coming_shown = models.BooleanField(default=True)
    self_check_in = models.BooleanField(default=False)
    address = models.CharField(max_length=200, blank=True)
    map_place = models.CharField(max_length=40, blank=True)
    site = models.CharField(max_length=100, blank=True)
    texts = models.JSONField(default=dict)
    questions = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"sign-up of {self.event}"


class SignUpState(models.TextChoices):
    """How far a sign-up has come. "unconfirmed" waits for the organiser; an offer lapses at its deadline."""

    UNCONFIRMED = "unconfirmed"
    PLACE = "place"
    WAITING = "waiting"
    OFFERED = "offered"
    CANCELLED = "cancelled"


HOLDS_PLACE = (SignUpState.PLACE, SignUpState.OFFERED)
ACTIVE = (*HOLDS_PLACE, SignUpState.WAITING)


class SignUp(models.Model):
    """Somebody who wants to come: `number` is the order of arrival, and never given twice.

    `ended` says who ended a cancelled one. `salt` is in the address of the personal page, which only the desk's secret
    key completes: no row holds a link. `fee` is in hundredths, `reference` names its payment. `answers` are texts by
    the organiser's question, both in the event's language. At `erased_at` all that is personal went; the number stays.
    """

    class Ended(models.TextChoices):
        """Who ended it: nobody, they themselves, the desk, or the deadline of an offer."""

        NOBODY = ""
        SELF = "self"
        DESK = "desk"
        LAPSED = "lapsed"

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="sign_ups")
    number = models.PositiveIntegerField()
    client_id = models.UUIDField(unique=True)
    state = models.CharField(max_length=12, choices=SignUpState.choices)
    ended = models.CharField(max_length=6, choices=Ended.choices, blank=True, default=Ended.NOBODY)
    name = models.CharField(max_length=MAX_NAME)
    mail = models.CharField(max_length=MAX_MAIL)
    ema_number = models.CharField(max_length=8, blank=True)
    country = models.CharField(max_length=3, blank=True)
    club = models.CharField(max_length=MAX_CLUB, blank=True)
    language = models.CharField(max_length=8, validators=[is_language], default=ENGLISH)
    show_name = models.BooleanField(default=False)
    photo = models.BooleanField(default=False)
    stream = models.BooleanField(default=False)
    minor = models.BooleanField(default=False)
    guardian = models.CharField(max_length=MAX_NAME, blank=True)
    guardian_mail = models.CharField(max_length=MAX_MAIL, blank=True)
    guardian_consent_on = models.DateField(null=True)
    answers = models.JSONField(default=dict)
    fee = models.PositiveIntegerField(default=0)
    reference = models.CharField(max_length=25)
    salt = models.CharField(max_length=32)
    arrived_at = models.DateTimeField()
    placed_at = models.DateTimeField(null=True)
    offer_until = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    player = models.ForeignKey("tournament.Player", on_delete=models.SET_NULL, null=True, related_name="sign_ups")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_sign_up_a_number"),
            models.UniqueConstraint(
                fields=["event", "mail"], condition=models.Q(state__in=ACTIVE), name="one_sign_up_a_mail"
            ),
            models.UniqueConstraint(
                fields=["event", "ema_number"],
                condition=models.Q(state__in=ACTIVE) & ~models.Q(ema_number=""),
                name="one_sign_up_an_ema_number",
            ),
        ]

    def __str__(self) -> str:
        return f"sign-up {self.number}"

    @property
    def due(self) -> int:
        """What is to be paid, in hundredths: nothing without a place."""
        return self.fee if self.state == SignUpState.PLACE else 0


class FeePayment(models.Model):
    """Money that came in, in hundredths; less than nothing went out, or takes a wrong row back.

    It is of a sign-up, the fee of a `player` who has none, or what `note` says.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="payments")
    sign_up = models.ForeignKey(SignUp, on_delete=models.CASCADE, null=True, related_name="payments")
    player = models.ForeignKey("tournament.Player", on_delete=models.SET_NULL, null=True, related_name="payments")
    amount = models.IntegerField()
    note = models.CharField(max_length=60, blank=True)
    client_id = models.UUIDField(unique=True)
    given_by = models.CharField(max_length=36)
    given_at = models.DateTimeField()

    class Meta:
        ordering = ["given_at", "pk"]

    def __str__(self) -> str:
        return f"{self.amount} for {self.sign_up or self.event}"


class LetterState(models.TextChoices):
    """A draft waits for the organiser; what is ready is sent, by the desk or by hand."""

    DRAFT = "draft"
    READY = "ready"
    SENDING = "sending"
    SENT = "sent"
    BY_HAND = "by_hand"
    FAILED = "failed"


class Letter(models.Model):
    """A mail to somebody: `kind` names its words; `subject` and `body` are kept as sent.

    Links are never stored: "{link}" marks their place. Without a sign-up it is the link to the form.
    """

    class Kind(models.TextChoices):
        """What a letter says."""

        LINK = "link"
        OWN = "own"
        RECEIVED = "received"
        PLACE = "place"
        WAITING = "waiting"
        OFFER = "offer"
        LAPSED = "lapsed"
        CANCELLED = "cancelled"
        REMINDER = "reminder"
        RULES = "rules"

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="letters")
    sign_up = models.ForeignKey(SignUp, on_delete=models.CASCADE, null=True, related_name="letters")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=8, choices=LetterState.choices, default=LetterState.READY)
    to = models.CharField(max_length=MAX_MAIL)
    copy_to = models.CharField(max_length=MAX_MAIL, blank=True)
    language = models.CharField(max_length=8, validators=[is_language])
    subject = models.CharField(max_length=200, blank=True)
    body = models.TextField(blank=True)
    fault = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class EmaPlayer(models.Model):
    """A line of the list of players that the site took from EMA: a sign-up finds its name, country and club here."""

    number = models.CharField(max_length=8, unique=True)
    name = models.CharField(max_length=MAX_NAME)
    country = models.CharField(max_length=3, blank=True)
    club = models.CharField(max_length=MAX_CLUB, blank=True)

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return self.number
