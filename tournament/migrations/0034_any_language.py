import django.core.validators
from django.db import migrations, models

IS_LANGUAGE = django.core.validators.RegexValidator("^[a-z]{2,3}(-[a-z]{2,4})?$")


def any_language(**options: str | bool) -> models.CharField:
    return models.CharField(max_length=8, validators=[IS_LANGUAGE], **options)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0033_told_phones")]

    operations = [
        migrations.AlterField("event", "language", any_language(default="en-gb")),
        migrations.AlterField("event", "second_language", any_language(blank=True, default="")),
        migrations.AlterField("signup", "language", any_language(default="en-gb")),
        migrations.AlterField("letter", "language", any_language()),
    ]
