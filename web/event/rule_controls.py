"""The form of all rules as the settings page lays it out: by section, each control with what its rule set says.

It arranges and words; it judges nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.forms import BoundField
from django.utils.translation import gettext as _

from rules.books import Book
from rules.ruleset import rule_fields
from web.event.rule_rows import SECTION_OF, Stated, stated
from web.event.rules_form import Kind, Numbers, RulesForm, kind_of
from web.words.rules import SECTIONS, UNITS, rule_gloss, rule_hint, rule_name


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
        ControlSection(key, _(title), [control for control in made if SECTION_OF[control.name] == key])
        for key, title in SECTIONS.items()
    ]


def _control(name: str, form: RulesForm, book: Book | None, preset: Mapping[str, Any] | None) -> RuleControl:
    return RuleControl(
        name=name,
        title=rule_name(name),
        gloss=rule_gloss(name),
        hint=str(_("seats are drawn")) if form.fields[name].disabled else rule_hint(name),
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
        return _("yakuman") if SECTION_OF[name] == "yakuman" else _("han")
    return (UNITS[name](2) % {"count": ""}).strip() if name in UNITS and name != "players" else ""
