"""The migration that drops django-axes' tables and takes passwords from table devices, forwards and back."""

import datetime as dt
import importlib
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.state import ProjectState
from django.utils import timezone

from tests.factories import make_account, make_event, writer_of
from tournament.accounts.actions import make_devices
from tournament.accounts.models import Account, SecondFactor, TableDevice

pytestmark = pytest.mark.django_db(transaction=True)
MODULE = importlib.import_module("tournament.migrations.0037_one_limiter_and_devices_without_passwords")


def run(*, back: bool = False) -> None:
    state: Any = ProjectState.from_apps(apps)
    with connection.schema_editor() as editor:
        for operation in MODULE.Migration.operations:
            (operation.database_backwards if back else operation.database_forwards)("tournament", editor, state, state)


def axes_rows() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM django_migrations WHERE app = 'axes'")
        return int(cursor.fetchone()[0])


def test_a_desk_of_before_keeps_no_table_of_axes():
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE axes_accessattempt (id integer PRIMARY KEY)")
        cursor.execute("CREATE TABLE axes_accesslog (id integer PRIMARY KEY)")
        cursor.execute(
            "CREATE TABLE axes_accessattemptexpiration "
            "(access_attempt_id integer PRIMARY KEY REFERENCES axes_accessattempt (id))"
        )
        cursor.execute("INSERT INTO axes_accessattempt VALUES (1)")
        cursor.execute("INSERT INTO axes_accessattemptexpiration VALUES (1)")
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('axes', '0001_initial', %s)", [timezone.now()]
        )
    run()
    assert not [name for name in connection.introspection.table_names() if name.startswith("axes_")]
    assert axes_rows() == 0
    call_command("migrate", check=True, verbosity=0)
    run()  # a new desk, which never had them
    run(back=True)


def test_devices_lose_passwords_and_people_keep_theirs():
    event, rita = make_event(slug="cup"), make_account("Rita")
    until = timezone.now() + dt.timedelta(hours=9)
    tables = [(1, "Table 1"), (2, "Table 2")]
    make_devices(event=event, tables=tables, expires_at=until, by=writer_of(event))
    first, second = (device.account for device in TableDevice.objects.select_related("account"))
    for account in (rita, first):
        account.set_password("seven winds blow")
        account.save()
        SecondFactor.objects.create(account=account, sealed_key="x", step=0, made_at=timezone.now())
    run()
    able = [Account.objects.get(pk=account.pk).has_usable_password() for account in (rita, first, second)]
    assert able == [True, False, False]
    assert Account.objects.get(pk=second.pk).password == second.password  # whose session goes on
    assert [factor.account for factor in SecondFactor.objects.all()] == [rita]
