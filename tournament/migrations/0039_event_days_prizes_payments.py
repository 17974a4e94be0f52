"""The country, days and prizes of an event; payments of an event without a sign-up."""

from django.db import migrations, models
from django.db.models.deletion import CASCADE, SET_NULL
from django.db.models.expressions import OuterRef, Subquery


def name_events(apps, editor):
    payments, sign_ups = (apps.get_model("tournament", name).objects for name in ("FeePayment", "SignUp"))
    of_sign_up = sign_ups.filter(pk=OuterRef("sign_up")).values("event")
    payments.update(event=Subquery(of_sign_up))
    if editor.connection.vendor == "postgresql":  # a table with checks to come cannot be altered
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def delete_others(apps, editor):
    apps.get_model("tournament", "FeePayment").objects.filter(sign_up=None).delete()
    if editor.connection.vendor == "postgresql":
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


EVENT, PLAYER, SIGN_UP = "tournament.event", "tournament.player", "tournament.signup"


class Migration(migrations.Migration):
    dependencies = [("tournament", "0038_redactions_and_typed_answers")]

    operations = [
        migrations.AddField("event", "country", models.CharField(blank=True, default="", max_length=3)),
        migrations.AddField("event", "day_rounds", models.JSONField(blank=True, default=list)),
        migrations.AddField("event", "prizes", models.JSONField(blank=True, default=dict)),
        migrations.AddField("event", "qualified", models.BooleanField(default=False)),
        migrations.AddField(
            "feepayment", "player", models.ForeignKey(PLAYER, SET_NULL, null=True, related_name="payments")
        ),
        migrations.AddField(
            "feepayment", "event", models.ForeignKey(EVENT, CASCADE, null=True, related_name="payments")
        ),
        migrations.RunPython(name_events, migrations.RunPython.noop),
        migrations.AlterField("feepayment", "event", models.ForeignKey(EVENT, CASCADE, related_name="payments")),
        migrations.AlterField(
            "feepayment", "sign_up", models.ForeignKey(SIGN_UP, CASCADE, null=True, related_name="payments")
        ),
        migrations.RunPython(migrations.RunPython.noop, delete_others),
    ]
