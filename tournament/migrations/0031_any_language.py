import django.core.validators
from django.db import migrations, models

IS_LANGUAGE = django.core.validators.RegexValidator("^[a-z]{2,3}(-[a-z]{2,4})?$")


class Migration(migrations.Migration):
    dependencies = [("tournament", "0030_consent")]

    operations = [
        migrations.AlterField(
            "event", "language", models.CharField(default="en-gb", max_length=8, validators=[IS_LANGUAGE])
        ),
        migrations.AlterField(
            "event",
            "second_language",
            models.CharField(blank=True, default="", max_length=8, validators=[IS_LANGUAGE]),
        ),
    ]
