"""Sign-up before an event: terms, sign-ups, payments, letters and EMA's list; events from before have none."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0030_consent"),
    ]

    operations = [
        migrations.CreateModel(
            name="EmaPlayer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=8, unique=True)),
                ("name", models.CharField(max_length=60)),
                ("country", models.CharField(blank=True, max_length=3)),
                ("club", models.CharField(blank=True, max_length=80)),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="SignUp",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("client_id", models.UUIDField(unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("unconfirmed", "Unconfirmed"),
                            ("place", "Place"),
                            ("waiting", "Waiting"),
                            ("offered", "Offered"),
                            ("cancelled", "Cancelled"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "ended",
                    models.CharField(
                        blank=True,
                        choices=[("", "Nobody"), ("self", "Self"), ("desk", "Desk"), ("lapsed", "Lapsed")],
                        default="",
                        max_length=6,
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("mail", models.CharField(max_length=120)),
                ("ema_number", models.CharField(blank=True, max_length=8)),
                ("country", models.CharField(blank=True, max_length=3)),
                ("club", models.CharField(blank=True, max_length=80)),
                (
                    "language",
                    models.CharField(
                        choices=[("en-gb", "English"), ("ja", "Japanese"), ("de", "German"), ("fr", "French")],
                        default="en-gb",
                        max_length=8,
                    ),
                ),
                ("show_name", models.BooleanField(default=False)),
                ("photo", models.BooleanField(default=False)),
                ("stream", models.BooleanField(default=False)),
                ("minor", models.BooleanField(default=False)),
                ("guardian", models.CharField(blank=True, max_length=60)),
                ("guardian_mail", models.CharField(blank=True, max_length=120)),
                ("guardian_consent_on", models.DateField(null=True)),
                ("answers", models.JSONField(default=dict)),
                ("fee", models.PositiveIntegerField(default=0)),
                ("reference", models.CharField(max_length=25)),
                ("salt", models.CharField(max_length=32)),
                ("arrived_at", models.DateTimeField()),
                ("placed_at", models.DateTimeField(null=True)),
                ("offer_until", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("erased_at", models.DateTimeField(null=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sign_ups", to="tournament.event"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="sign_ups",
                        to="tournament.player",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("link", "Link"),
                            ("own", "Own"),
                            ("received", "Received"),
                            ("place", "Place"),
                            ("waiting", "Waiting"),
                            ("offer", "Offer"),
                            ("lapsed", "Lapsed"),
                            ("cancelled", "Cancelled"),
                            ("reminder", "Reminder"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("ready", "Ready"),
                            ("sending", "Sending"),
                            ("sent", "Sent"),
                            ("by_hand", "By Hand"),
                            ("failed", "Failed"),
                        ],
                        default="ready",
                        max_length=8,
                    ),
                ),
                ("to", models.CharField(max_length=120)),
                ("copy_to", models.CharField(blank=True, max_length=120)),
                (
                    "language",
                    models.CharField(
                        choices=[("en-gb", "English"), ("ja", "Japanese"), ("de", "German"), ("fr", "French")],
                        max_length=8,
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=200)),
                ("body", models.TextField(blank=True)),
                ("fault", models.CharField(blank=True, max_length=200)),
                ("made_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(null=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="letters", to="tournament.event"
                    ),
                ),
                (
                    "sign_up",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters",
                        to="tournament.signup",
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="FeePayment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("amount", models.IntegerField()),
                ("note", models.CharField(blank=True, max_length=60)),
                ("client_id", models.UUIDField(unique=True)),
                ("given_by", models.CharField(max_length=36)),
                ("given_at", models.DateTimeField()),
                (
                    "sign_up",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="payments", to="tournament.signup"
                    ),
                ),
            ],
            options={
                "ordering": ["given_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="SignUpPage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("shown", models.BooleanField(default=False)),
                ("open", models.BooleanField(default=False)),
                ("places", models.PositiveSmallIntegerField(default=0)),
                ("closes_at", models.DateTimeField(null=True)),
                ("offer_hours", models.PositiveSmallIntegerField(default=48)),
                ("fee", models.PositiveIntegerField(default=0)),
                ("currency", models.CharField(default="EUR", max_length=3)),
                ("payee", models.CharField(blank=True, max_length=70)),
                ("iban", models.CharField(blank=True, max_length=34)),
                ("pay_days", models.PositiveSmallIntegerField(default=14)),
                ("keep_days", models.PositiveSmallIntegerField(default=30)),
                ("coming_shown", models.BooleanField(default=True)),
                ("self_check_in", models.BooleanField(default=False)),
                ("address", models.CharField(blank=True, max_length=200)),
                ("map_place", models.CharField(blank=True, max_length=40)),
                ("site", models.CharField(blank=True, max_length=100)),
                ("texts", models.JSONField(default=dict)),
                ("questions", models.JSONField(default=list)),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sign_up_page", to="tournament.event"
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="signup",
            constraint=models.UniqueConstraint(fields=("event", "number"), name="one_sign_up_a_number"),
        ),
        migrations.AddConstraint(
            model_name="signup",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ("place", "offered", "waiting"))),
                fields=("event", "mail"),
                name="one_sign_up_a_mail",
            ),
        ),
        migrations.AddConstraint(
            model_name="signup",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("state__in", ("place", "offered", "waiting")), models.Q(("ema_number", ""), _negated=True)
                ),
                fields=("event", "ema_number"),
                name="one_sign_up_an_ema_number",
            ),
        ),
    ]
