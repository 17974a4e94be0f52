"""The form of all rules of an event, its fields for places, amounts and limits, and its controls by section."""

import itertools
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from rules.books import Book
from rules.consistency import MAX_REDS
from rules.ruleset import Ruleset, rule_fields
from scoring.problems import Problem
from tournament.core.limits import MAX_TITLE
from tournament.pages.requests import read_points
from tournament.rulesets.messages import SECTION_OF, Stated, stated
from tournament.text.rules import (
    CHOICES,
    SECTIONS,
    UNITS,
    fields_named,
    is_yaku,
    limit_word,
    rule_gloss,
    rule_hint,
    rule_name,
    say_contradiction,
)

# what a table could not show or a clock could not count
MOST: Mapping[str, int] = {"rounds": 4, "extra_rounds": 4, "minutes": 600, "extra_hands": 20, "players": 4}
LIMIT_LINES = 7  # two more than any book has


class RulesForm(forms.Form):
    """All rules. `seated` says that the number of players stands, `begun` that a change needs a reason."""

    reason = forms.CharField(
        label=_("Reason"), max_length=300, required=False, help_text=_("Players read it beside the change.")
    )
    ANNOUNCED = _(
        "With a reason, players read the change and its date on the page of the rules; without one it is not listed."
    )

    def __init__(self, rules: Ruleset, *args: Any, seated: bool, begun: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        made = {field.name: _field_for(field.name, rules, seated=seated) for field in rule_fields()}
        reason = self.fields["reason"]
        reason.required = begun
        reason.help_text = reason.help_text if begun else self.ANNOUNCED
        self.fields = {**made, "reason": reason}

    def values(self) -> dict[str, Any]:
        """Return all rules as plain values; a list of the same things keeps its order."""
        return {field.name: self._value(field.name) for field in rule_fields()}

    def value_now(self, name: str) -> Any:
        """Return what a field holds now: what was typed where it can be read, else the event's own value."""
        readable = self.is_bound and name in getattr(self, "cleaned_data", {})
        return self._value(name) if readable else _plain(getattr(self.rules, name))

    def _value(self, name: str) -> Any:
        value, before = self.cleaned_data[name], _plain(getattr(self.rules, name))
        kind = kind_of(name)
        if kind == "order":
            return value.split(",") if value else []
        return before if kind in ("several", "counts") and sorted(value) == sorted(before) else value


def _field_for(name: str, rules: Ruleset, *, seated: bool) -> forms.Field:
    value, label = _plain(getattr(rules, name)), rule_name(name)
    match kind_of(name):
        case "switch":
            return forms.BooleanField(label=label, initial=value, required=False)
        case "choice":
            return forms.ChoiceField(label=label, initial=value, choices=_choices(name))
        case "several" | "counts" | "order" as kind:
            if kind == "counts":
                return CountsField(_choices(name), value, label=label)
            if kind == "order":
                return forms.ChoiceField(label=label, initial=",".join(value), required=False, choices=_orders(name))
            boxes = forms.CheckboxSelectMultiple
            return forms.MultipleChoiceField(
                label=label, initial=value, required=False, choices=_choices(name), widget=boxes
            )
        case "number":
            return WholeNumberField(
                label=label,
                initial=value,
                min_value=0,
                max_value=MOST.get(name, MAX_POINTS),
                disabled=seated and name == "players",
            )
    return _numbers_field(name, rules, label, seated=seated)


def _numbers_field(name: str, rules: Ruleset, label: str, *, seated: bool) -> forms.Field:
    """Return the field of several numbers side by side; before seats are drawn it has room for four players."""
    value = _plain(getattr(rules, name))
    places = rules.players if seated else max(4, rules.players)
    match kind_of(name):
        case "places":
            return PlacesField(places, needed=min(3, places), label=label, initial=value)
        case "rows":
            return RowsField(
                places,
                label=label,
                initial=[number for row in value for number in (*row, *[None] * (places - len(row)))],
            )
        case "limits":
            return LimitsField(max(LIMIT_LINES, len(value)), label=label, initial=flat(value))
    return WorthField(label=label, initial=value)


Kind = Literal["switch", "choice", "several", "counts", "order", "number", "worth", "places", "rows", "limits"]


def _choices(name: str) -> list[tuple[str, str]]:
    return [(key, gettext(words)) for key, words in CHOICES[name].items()]


def _orders(name: str) -> list[tuple[str, str]]:
    """Return every way to put some of a list's items in a row, as choices."""
    words = dict(_choices(name))
    rows = [row for count in range(len(words) + 1) for row in itertools.permutations(words, count)]
    return [(",".join(row), gettext(", then ").join(words[item] for item in row) or gettext("nothing")) for row in rows]


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


MAX_POINTS = 1_000_000
MAX_HAN = 99
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
    """Numbers side by side; `says` names each. The page draws them (see tournament.rulesets.forms)."""

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


def flat(value: Sequence[Any]) -> list[Any]:
    """Return numbers and lists of numbers as one list."""
    return [number for item in value for number in (item if isinstance(item, list | tuple) else [item])]


class WorthField(_NumbersField):
    """What a yaku is worth closed and open."""

    def __init__(self, **kwargs: Any) -> None:
        says = [pgettext_lazy("the hand of a yaku", "closed"), pgettext_lazy("the hand of a yaku", "open")]
        super().__init__(says, needed=2, most=MAX_HAN, **kwargs)


class PlacesField(_NumbersField):
    """Points by place; places that nobody has are left empty."""

    def __init__(self, places: int, *, needed: int, **kwargs: Any) -> None:
        says = [_("place %(n)d") % {"n": place} for place in range(1, places + 1)]
        super().__init__(says, needed=needed, least=-MAX_POINTS, most=MAX_POINTS, **kwargs)

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
        super().__init__([words for _key, words in choices], needed=0, most=MAX_REDS, initial=initial, **kwargs)

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
        super().__init__(says, needed=0, least=-MAX_POINTS, most=MAX_POINTS, **kwargs)

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
        super().__init__(list(itertools.chain(*words)), needed=0, most=MAX_POINTS, **kwargs)

    def compress(self, data_list: Any) -> list[list[int]]:
        """Return the pairs that are filled."""
        pairs = [list(pair) for pair in zip(data_list[::2], data_list[1::2], strict=True)]
        if any((han is None) is not (base is None) for han, base in pairs):
            raise forms.ValidationError(_("Each limit needs its han and its base value."))
        return [pair for pair in pairs if pair[0] is not None]


class RuleSetForm(RulesForm):
    """All rules of a rule set of the site, its title and the version's note; `again` says that it has versions."""

    def __init__(self, rules: Ruleset, title: str, *args: Any, again: bool) -> None:
        super().__init__(rules, *args, seated=False, begun=again)
        self.fields = {
            "title": forms.CharField(label=gettext("Name"), max_length=MAX_TITLE, initial=title),
            **self.fields,
        }
        note = self.fields["reason"]
        note.label = gettext("What is changed, and why")
        note.help_text = gettext("Kept with the version, and shown as the source of each value that you change.")


def put_at_fields(form: forms.Form, problems: Iterable[Problem]) -> list[Problem]:
    """Put contradictions at their fields and at those that they name; return the problems that belong to no field."""
    others = []
    for problem in problems:
        name, why = str(problem.params.get("rule", "")), str(problem.params.get("why", ""))
        if problem.code != "rules.contradiction" or name not in form.fields:
            others.append(problem)
            continue
        form.add_error(name, say_contradiction(name, why))
        for other in fields_named(why):
            form.add_error(other, gettext("This does not go with “%(rule)s”.") % {"rule": rule_name(name)})
    return others


def wrong_fields(form: forms.Form) -> list[dict[str, str]]:
    """Return the fields with an error, each with its anchor on the page and its title."""
    anchors = {"title": "name", "reason": "save"}
    return [
        {"anchor": anchors[name], "title": str(form[name].label)}
        if name in anchors
        else {"anchor": f"rule-{name}", "title": rule_name(name)}
        for name in form.fields
        if name in form.errors
    ]


@dataclass(frozen=True, slots=True)
class NumberPart:
    """One of several numbers of a rule: its word, and how its input is named and filled."""

    says: str
    name: str
    id: str
    value: str
    digits: bool


@dataclass(frozen=True, slots=True)
class RuleControl:
    """One rule of the form; `unit` stands behind its number, `differs` says that it is not as in the rule set."""

    name: str
    title: str
    gloss: str
    hint: str
    kind: Kind
    unit: str
    field: BoundField
    parts: Sequence[NumberPart]
    preset: Stated | None
    differs: bool

    def __reduce__(self) -> tuple[Any, ...]:
        """Stand in a pickle as what the control shows: by that `drawn` knows it again, and a form's field has none."""
        holds = (self.field.value(), [str(each) for each in self.field.errors], self.field.field.required)
        words = (self.title, self.gloss, self.hint, self.unit)
        return tuple, ((self.name, self.kind, holds, words, self.parts, self.preset, self.differs),)


@dataclass(frozen=True, slots=True)
class ControlSection:
    """Rules of the form that belong together."""

    key: str
    title: str
    controls: Sequence[RuleControl]

    @property
    def changed(self) -> int:
        """How many are not as in the rule set."""
        return sum(control.differs for control in self.controls)


def controls_of(form: RulesForm, book: Book | None) -> list[ControlSection]:
    """Return the form's controls by section."""
    preset = book.ruleset.as_json() if book else None
    made = [_control(field.name, form, book, preset) for field in rule_fields()]
    return [
        ControlSection(key, gettext(title), [control for control in made if SECTION_OF[control.name] == key])
        for key, title in SECTIONS.items()
    ]


def _control(name: str, form: RulesForm, book: Book | None, preset: Mapping[str, Any] | None) -> RuleControl:
    return RuleControl(
        name=name,
        title=rule_name(name),
        gloss=rule_gloss(name),
        hint=gettext("seats are drawn") if form.fields[name].disabled else rule_hint(name),
        kind=kind_of(name),
        unit=_unit(name),
        field=form[name],
        parts=_parts(form[name]),
        preset=stated(name, book.ruleset, book) if book else None,
        differs=preset is not None and form.value_now(name) != preset[name],
    )


def _parts(field: BoundField) -> list[NumberPart]:
    """Return the numbers of a field that has several; none for any other."""
    widget = field.field.widget
    if not isinstance(widget, Numbers):
        return []
    drawn = widget.get_context(field.html_name, field.value(), {"id": field.auto_id})["widget"]["subwidgets"]
    return [
        NumberPart(str(says), part["name"], part["attrs"]["id"], part["value"] or "", "inputmode" in part["attrs"])
        for says, part in zip(widget.says, drawn, strict=True)
    ]


def _unit(name: str) -> str:
    if kind_of(name) == "worth":
        return gettext("yakuman") if SECTION_OF[name] == "yakuman" else gettext("han")
    return (UNITS[name](2) % {"count": ""}).strip() if name in UNITS and name != "players" else ""
