"""Rows that are written once: the model refuses to change or delete them, and so does a trigger in the database."""

from typing import Any, NoReturn

from django.db import models


class AppendOnlyError(RuntimeError):
    """Somebody tried to change or delete a row that is written once."""


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """A queryset that inserts and reads."""

    def update(self, **_kwargs: Any) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__} rows are never changed")

    def delete(self) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__} rows are never deleted")


class AppendOnly(models.Model):
    """A row that can be inserted and read, nothing else."""

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; raises AppendOnlyError if it is there already."""
        if not self._state.adding:
            raise AppendOnlyError(f"{type(self).__name__} rows are never changed")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise AppendOnlyError(f"{type(self).__name__} rows are never deleted")
