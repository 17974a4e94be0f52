"""Settings of an event: what its pages, the trail, a relay and a copy know of a column of `Event`, declared with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Flag, auto
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import models

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Column = TypeVar("Column", bound="models.Field[Any, Any]")


class Goes(Flag):
    """Where a column goes from its event; one that is not declared stays."""

    RELAY = auto()  # everybody may read it somewhere on the event's pages, so a relay gets it
    COPY = auto()  # an event that is made from this one takes it


@dataclass(frozen=True, slots=True)
class Option:
    """A value of a setting: how the trail says that it was chosen, its name on the page, and what it means there."""

    said: "StrOrPromise"
    label: "StrOrPromise" = ""
    help: "StrOrPromise" = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting and its values; with the two of True and False it is a checkbox, with others a choice.

    `page` names the page of the settings that sets it, "" for one with a form of its own.
    """

    column: "models.Field[Any, Any]"
    goes: Goes
    page: str
    label: "StrOrPromise"
    options: Mapping[Any, Option]

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.attname

    @property
    def checkbox(self) -> Option | None:
        """The value of a checkbox that is ticked, None for a choice."""
        return self.options.get(True)

    def say(self, value: Any) -> str:
        """Say that a value was chosen; one that this program does not know stands as it is."""
        return str(self.options[value].said if value in self.options else value)


_SETTINGS: dict[Any, Setting] = {}


def setting(
    column: Column,
    goes: Goes,
    *,
    page: str = "",
    label: "StrOrPromise" = "",
    options: Mapping[Any, Option] = MappingProxyType({}),
) -> Column:
    """Declare a column of `Event` as a setting; the parameters are the fields of `Setting`."""
    _SETTINGS[column] = Setting(column, goes, page, label, options)
    return column


def list_settings(model: type[models.Model], page: str | None = None) -> list[Setting]:
    """List the settings of a model in the order of its columns, all or those of one page of the settings."""
    found = [_SETTINGS[column] for column in model._meta.concrete_fields if column in _SETTINGS]
    return [each for each in found if page in (None, each.page)]


def list_names(model: type[models.Model], goes: Goes) -> list[str]:
    """List the columns of a model that go there."""
    return [each.name for each in list_settings(model) if goes in each.goes]
