"""The form of all rules of an event, and its controls by section as the settings page lays them out."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules.books import Book
from rules.ruleset import Ruleset, rule_fields
from scoring.problems import Problem
from tournament.core.limits import MOST_TITLE
from tournament.rulesets.forms_rules_fields import (
    MOST_POINTS,
    CountsField,
    Kind,
    LimitsField,
    Numbers,
    PlacesField,
    RowsField,
    WholeNumberField,
    WorthField,
    flat,
    kind_of,
)
from tournament.rulesets.views_rules import SECTION_OF, Stated, stated
from tournament.text.rules_1 import (
    CHOICES,
    SECTIONS,
    UNITS,
    fields_named,
    rule_gloss,
    rule_hint,
    rule_name,
    say_contradiction,  # fmt: skip
)

# what a table could not show or a clock could not count
MOST: Mapping[str, int] = {"rounds": 4, "extra_rounds": 4, "minutes": 600, "extra_hands": 20, "players": 4}
LIMIT_LINES = 7  # two more than any book has


class RulesForm(forms.Form):
    """All rules. `seated` says that the number of players stands, `begun` that a change needs a reason."""

    reason = forms.CharField(
        label=_("Reason"), max_length=300, required=False, help_text=_("Players read it beside the change.")
    )

    def __init__(self, rules: Ruleset, *args: Any, seated: bool, begun: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        made = {field.name: _field_for(field.name, rules, seated=seated) for field in rule_fields()}
        reason = self.fields["reason"]
        reason.required = begun
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


class RuleSetForm(RulesForm):
    """All rules of a rule set of the site, its title and the version's note; `again` says that it has versions."""

    def __init__(self, rules: Ruleset, title: str, *args: Any, again: bool) -> None:
        super().__init__(rules, *args, seated=False, begun=again)
        self.fields = {
            "title": forms.CharField(label=gettext("Name"), max_length=MOST_TITLE, initial=title),
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


def _field_for(name: str, rules: Ruleset, *, seated: bool) -> forms.Field:
    value, label = _plain(getattr(rules, name)), rule_name(name)
    match kind_of(name):
        case "switch":
            return forms.BooleanField(label=label, initial=value, required=False)
        case "choice":
            return forms.ChoiceField(label=label, initial=value, choices=_choices(name))
        case "several" | "counts" | "order" as kind:
            return _list_field(kind, name, value, label)
        case "number":
            return WholeNumberField(
                label=label,
                initial=value,
                min_value=0,
                max_value=MOST.get(name, MOST_POINTS),
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
            return RowsField(places, label=label, initial=_rows(value, places))
        case "limits":
            return LimitsField(max(LIMIT_LINES, len(value)), label=label, initial=flat(value))
    return WorthField(label=label, initial=value)


def _list_field(kind: Kind, name: str, value: list[str], label: str) -> forms.Field:
    if kind == "counts":
        return CountsField(_choices(name), value, label=label)
    if kind == "order":
        return forms.ChoiceField(label=label, initial=",".join(value), required=False, choices=_orders(name))
    boxes = forms.CheckboxSelectMultiple
    return forms.MultipleChoiceField(label=label, initial=value, required=False, choices=_choices(name), widget=boxes)


def _choices(name: str) -> list[tuple[str, str]]:
    return [(key, gettext(words)) for key, words in CHOICES[name].items()]


def _orders(name: str) -> list[tuple[str, str]]:
    """Return every way to put some of a list's items in a row, as choices."""
    words = dict(_choices(name))
    rows = [row for count in range(len(words) + 1) for row in itertools.permutations(words, count)]
    return [(",".join(row), gettext(", then ").join(words[item] for item in row) or gettext("nothing")) for row in rows]


def _rows(value: Sequence[Sequence[int]], places: int) -> list[int | None]:
    """Return rows of points as numbers side by side, short rows filled up."""
    return [number for row in value for number in (*row, *[None] * (places - len(row)))]


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


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
