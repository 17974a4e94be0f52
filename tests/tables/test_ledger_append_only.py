"""What is written once stays: the model refuses to change a row, and so does the database itself."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, models, transaction

from scoring.paper_sheet import PaperSheet
from tests.factories import enter, make_event, sign, table_of, writer_of
from tournament.core.models import AppendOnlyError, AuditRow
from tournament.sheets.actions import enter_totals
from tournament.sheets.models import SheetRow, TypedSheet
from tournament.tables.models import LedgerEntry

pytestmark = pytest.mark.django_db

MODELS = [LedgerEntry, SheetRow, AuditRow, TypedSheet]
COLUMNS = {LedgerEntry: "payload", SheetRow: "reason", AuditRow: "details", TypedSheet: "reason"}


@pytest.fixture(scope="module")
def written(rows_of_module: None) -> None:
    """Write a row of each kind that is written once."""
    event = make_event()
    table = table_of(event)
    enter(table, "1t 230")
    sign(table)
    enter_totals(
        table=table_of(event, 2),
        sheet=PaperSheet((30_000,) * 4, (0,) * 4),
        client_id=uuid4(),
        expected_seq=0,
        by=writer_of(event),
    )


@pytest.fixture(params=MODELS, ids=lambda model: model.__name__)
def row(request: pytest.FixtureRequest, written: None) -> models.Model:
    """Return a row of each kind."""
    found: models.Model = request.param.objects.order_by("-pk")[0]
    return found


def values_of(model: type[models.Model]) -> list[tuple[object, ...]]:
    return list(model._default_manager.order_by("pk").values_list())


@pytest.mark.once
@pytest.mark.parametrize(
    "change",
    [
        lambda row: row.save(),
        lambda row: row.delete(),
        lambda row: type(row).objects.filter(pk=row.pk).update(by="x"),
        lambda row: type(row).objects.filter(pk=row.pk).delete(),
        lambda row: type(row).objects.all().delete(),
    ],
    ids=["save", "delete", "update many", "delete many", "delete all"],
)
def test_the_model_refuses(row: models.Model, change: Callable[[models.Model], object]):
    before = values_of(type(row))
    with pytest.raises(AppendOnlyError):
        change(row)
    assert values_of(type(row)) == before


@pytest.mark.parametrize(
    "statement", ["UPDATE {table} SET {column} = 'x' WHERE id = %s", "DELETE FROM {table} WHERE id = %s"]
)
def test_the_database_refuses(row: models.Model, statement: str):
    before = values_of(type(row))
    table = row._meta.db_table
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(table=table, column=COLUMNS[type(row)]), [row.pk])  # type: ignore[index]
    assert values_of(type(row)) == before


def test_the_database_refuses_what_the_model_would_let_through(row: models.Model):
    """`bulk_update` asks neither `save` nor `update`."""
    before = values_of(type(row))
    setattr(row, COLUMNS[type(row)], "x")  # type: ignore[index]
    with pytest.raises((DatabaseError, AppendOnlyError)), transaction.atomic():
        type(row)._default_manager.bulk_update([row], [COLUMNS[type(row)]])  # type: ignore[index]
    assert values_of(type(row)) == before


def test_an_event_with_a_history_cannot_be_deleted():
    event = make_event()
    with pytest.raises(models.ProtectedError):
        event.delete()
