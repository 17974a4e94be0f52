"""Form fields of rules whose value is not one word or number: places, amounts, limits."""

import itertools
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rules.consistency import MOST_REDS
from rules.ruleset import Ruleset
from tournament.pages.requests_tables import read_points
from tournament.text.rules_1 import (
    is_yaku,
    limit_word,  # fmt: skip
)

Kind = Literal["switch", "choice", "several", "counts", "order", "number", "worth", "places", "rows", "limits"]

MOST_POINTS = 1_000_000
MOST_HAN = 99
LISTS: Mapping[str, Kind] = {"uma": "places", "floating_uma": "rows", "limits": "limits"}
IN_ORDER = ("equal_totals",)  # lists whose order says something
MANY_OF_ONE = ("red_fives",)  # lists that may have one thing several times
_HINTS = typing.get_type_hints(Ruleset)


def kind_of(name: str) -> Kind:
    """Tell by its type which control a field has."""
    hint = _HINTS[name]
    if hint is bool:
        return "switch"
    if hint is int:
        return "number"
    if typing.get_origin(hint) is Literal:
        return "choice"
    if name in LISTS:
        return LISTS[name]
    if is_yaku(name):
        return "worth"
    if name in MANY_OF_ONE:
        return "counts"
    return "order" if name in IN_ORDER else "several"


class WholeNumberField(forms.IntegerField):
    """A whole number as people type it: 30000, 30,000, −15,000. What cannot be read stays in the field to be mended."""

    def __init__(self, **kwargs: Any) -> None:
        digits = {"inputmode": "numeric"} if kwargs.get("min_value") == 0 else {}  # a phone's digits have no minus
        super().__init__(widget=forms.TextInput(attrs={"class": "is-number", **digits}), **kwargs)

    def to_python(self, value: Any) -> int | None:
        """Read the number."""
        if value in self.empty_values:
            return None
        number = read_points(str(value))
        if number is None:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return number


class Numbers(forms.MultiWidget):
    """Numbers side by side; `says` names each. The page draws them (see tournament.rulesets.forms_rules_form)."""

    use_fieldset = True

    def __init__(self, fields: Sequence[forms.Field], says: Sequence[Any]) -> None:
        super().__init__([field.widget for field in fields])
        self.says = says

    def decompress(self, value: Any) -> list[int | None]:
        """Return one number a control, none where a list is shorter."""
        numbers = flat(value or ())
        return [*numbers, *[None] * (len(self.widgets) - len(numbers))]


class _NumbersField(forms.MultiValueField):
    """Some whole numbers; those from `needed` on may be left empty."""

    def __init__(self, says: Sequence[Any], *, needed: int, most: int, least: int = 0, **kwargs: Any) -> None:
        fields = [
            WholeNumberField(required=at < needed, min_value=least, max_value=most) for at, _word in enumerate(says)
        ]
        widget = Numbers(fields, says)
        super().__init__(fields, widget=widget, require_all_fields=False, required=False, **kwargs)

    def clean(self, value: Any) -> Any:
        """Read what was typed; one number alone may be missing, and then it is said."""
        typed = list(value or []) + [""] * (len(self.fields) - len(value or []))
        numbers = [field.clean(text) for field, text in zip(self.fields, typed, strict=True)]
        return self.compress(numbers)

    def compress(self, data_list: Any) -> Any:
        """Return the numbers."""
        return list(data_list)


class WorthField(_NumbersField):
    """What a yaku is worth closed and open."""

    def __init__(self, **kwargs: Any) -> None:
        says = [pgettext_lazy("the hand of a yaku", "closed"), pgettext_lazy("the hand of a yaku", "open")]
        super().__init__(says, needed=2, most=MOST_HAN, **kwargs)


class PlacesField(_NumbersField):
    """Points by place; places that nobody has are left empty."""

    def __init__(self, places: int, *, needed: int, **kwargs: Any) -> None:
        says = [_("place %(n)d") % {"n": place} for place in range(1, places + 1)]
        super().__init__(says, needed=needed, least=-MOST_POINTS, most=MOST_POINTS, **kwargs)

    def compress(self, data_list: Any) -> list[int]:
        """Return the points without the empty places at the end."""
        points = [number for number in data_list if number is not None]
        if data_list[: len(points)] != points:
            raise forms.ValidationError(_("Fill the places from the first on."))
        return points


class CountsField(_NumbersField):
    """How many of each of some things: a list of them."""

    def __init__(self, choices: Sequence[tuple[str, str]], value: Sequence[str], **kwargs: Any) -> None:
        self.things = [key for key, _words in choices]
        initial = [value.count(thing) for thing in self.things]
        super().__init__([words for _key, words in choices], needed=0, most=MOST_REDS, initial=initial, **kwargs)

    def compress(self, data_list: Any) -> list[str]:
        """Return each thing as often as its number says."""
        return [thing for thing, count in zip(self.things, data_list, strict=True) for _ in range(count or 0)]


class RowsField(_NumbersField):
    """Points by place for one, two… players above; rows that are empty at the end are left out."""

    def __init__(self, places: int, **kwargs: Any) -> None:
        self.places = places
        says = [
            _("%(above)d above, place %(n)d") % {"above": above, "n": place}
            for above in range(1, places)
            for place in range(1, places + 1)
        ]
        super().__init__(says, needed=0, least=-MOST_POINTS, most=MOST_POINTS, **kwargs)

    def compress(self, data_list: Any) -> list[list[int]]:
        """Return the rows; a row ends with its last number."""
        rows = [data_list[at : at + self.places] for at in range(0, len(data_list), self.places)]
        filled = [[number for number in row if number is not None] for row in rows]
        if any(row[: len(numbers)] != numbers for row, numbers in zip(rows, filled, strict=True)):
            raise forms.ValidationError(_("Fill the places from the first on."))
        while filled and not filled[-1]:
            filled.pop()
        return filled


class LimitsField(_NumbersField):
    """Limits as pairs of han and base value; empty pairs are left out."""

    def __init__(self, lines: int, **kwargs: Any) -> None:
        words = [(_("%(limit)s from han") % {"limit": limit_word(at)}, _("base value")) for at in range(lines)]
        super().__init__(list(itertools.chain(*words)), needed=0, most=MOST_POINTS, **kwargs)

    def compress(self, data_list: Any) -> list[list[int]]:
        """Return the pairs that are filled."""
        pairs = [list(pair) for pair in zip(data_list[::2], data_list[1::2], strict=True)]
        if any((han is None) is not (base is None) for han, base in pairs):
            raise forms.ValidationError(_("Each limit needs its han and its base value."))
        return [pair for pair in pairs if pair[0] is not None]


def flat(value: Sequence[Any]) -> list[Any]:
    """Return numbers and lists of numbers as one list."""
    return [number for item in value for number in (item if isinstance(item, list | tuple) else [item])]
