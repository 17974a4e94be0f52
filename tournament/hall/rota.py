"""The rota of referees, and the equipment: who has which tables in which round, who brings which set to which table."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods

from rules.ema_events import PLAYERS_A_REFEREE
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.hall.actions import MAX_TABLE, ROTA_OWN_TABLE, list_own_tables, read_tables, set_equipment, set_rota
from tournament.pages.forms import ReadField, edit_rows
from tournament.pages.permissions import DeskRequest, who_may
from tournament.publication.names import list_names
from tournament.tables.models import Table
from tournament.text.problems import problem_text

MAX_NAME = 80
MAX_ROUNDS = 20  # that the rota shows
MAX_REFEREES, MAX_SETS = 40, 150


def _check_tables(text: str) -> str:
    read_tables(text)
    return text


class RefereeForm(forms.Form):
    """A referee: a name, the player that they are, if any, and the tables of each round."""

    name = forms.CharField(label=gettext_lazy("Referee"), max_length=MAX_NAME, required=False)
    player = forms.TypedChoiceField(label=gettext_lazy("Also plays"), coerce=int, empty_value=0, required=False)  # type: ignore[arg-type]

    def __init__(self, *args: Any, people: list[tuple[int, str]], rounds: list[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        player: Any = self.fields["player"]
        player.choices = [("", "–"), *((number, f"{number} {name}") for number, name in people)]
        given = self.initial.get("rounds", {})
        for number in rounds:
            label = _("Round %(number)d") % {"number": number}
            shown = given.get(str(number), "")
            field = ReadField(_check_tables, label=label, max_length=40, required=False, initial=shown)
            field.widget.attrs["size"] = 6
            self.fields[f"round_{number}"] = field
        self.rounds = rounds

    def clean(self) -> dict[str, Any]:
        """Say that tables or a player need a name."""
        if (self.errors or any(self.cleaned_data.values())) and self.cleaned_data.get("name") == "":
            self.add_error("name", _("Write the referee's name."))
        return self.cleaned_data

    def row(self) -> dict[str, Any]:
        """Return the row of the rota; a round without tables is left out."""
        typed = {number: self.cleaned_data.get(f"round_{number}", "").strip() for number in self.rounds}
        return {
            "name": self.cleaned_data.get("name", ""),
            "player": self.cleaned_data.get("player") or 0,
            "rounds": {str(number): text for number, text in typed.items() if text},
        }


@dataclass(frozen=True, slots=True)
class RoundCover:
    """How a round is covered: how many referees have tables, who has a break, and the tables that nobody has."""

    number: int
    referees: int
    breaks: list[str]
    without: list[int]


def cover_of(rows: Iterable[dict[str, Any]], tables: dict[int, list[int]]) -> list[RoundCover]:
    """Return the cover of each round with a draw or with somebody in the rota; `tables` are those of each round."""
    rows, found = list(rows), []
    for number in sorted({*tables, *(int(each) for row in rows for each in row["rounds"])}):
        has = [(row["name"], read_tables(row["rounds"].get(str(number), ""))) for row in rows]
        covered = {table for _name, mine in has for table in mine}
        without = [table for table in tables.get(number, []) if table not in covered]
        breaks = [name for name, mine in has if not mine]
        found.append(RoundCover(number, len(rows) - len(breaks), breaks, without))
    return found


@require_http_methods(["GET", "POST"])
@who_may(Right.SEE_DESK, post=Right.RULE)
def rota(request: DeskRequest, event: Event) -> HttpResponse:
    """Show and set which referee has which tables in each round, and what the rota leaves open."""
    tables: dict[int, list[int]] = {}
    drawn = Table.objects.filter(round__event=event).order_by("round__number", "number")
    for number, table in drawn.values_list("round__number", "number"):
        tables.setdefault(number, []).append(table)
    rounds = list(range(1, min(max(event.rounds_planned, *tables, 1), MAX_ROUNDS) + 1))
    players = event.players.filter(withdrawn_at=None, ranked=True).count()

    def shown() -> dict[str, Any]:
        return {
            "rounds": rounds,
            "cover": cover_of(event.rota, tables),
            "own": [problem_text(ROTA_OWN_TABLE(**each)) for each in list_own_tables(event, event.rota)],
            "players": players,
            "least": max(-(-players // PLAYERS_A_REFEREE), 1),
        }

    return edit_rows(
        request, event, "rota", "hall/rota.html", RefereeForm, event.rota, set_rota, most=MAX_REFEREES,
        said=_("The rota is saved."), context=shown, people=list(list_names(event)), rounds=rounds,
    )  # fmt: skip


class EquipmentForm(forms.Form):
    """What somebody brings for one table."""

    who = forms.CharField(label=gettext_lazy("Who brings it"), max_length=MAX_NAME, required=False)
    what = forms.CharField(label=pgettext_lazy("equipment", "Set"), max_length=MAX_NAME, required=False)
    table = forms.IntegerField(label=gettext_lazy("Table"), min_value=1, max_value=MAX_TABLE, required=False)
    mat = forms.BooleanField(label=gettext_lazy("Mat"), required=False)
    sticks = forms.BooleanField(label=pgettext_lazy("equipment", "Sticks"), required=False)
    returned = forms.BooleanField(label=gettext_lazy("Gone home"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["table"] = self.initial.get("table") or None

    def clean(self) -> dict[str, Any]:
        """Say that a set needs somebody who brings it: it goes back to them."""
        if (self.errors or any(self.cleaned_data.values())) and self.cleaned_data.get("who") == "":
            self.add_error("who", _("Write who brings it."))
        return self.cleaned_data

    def row(self) -> dict[str, Any]:
        """Return the row of the list."""
        given = self.cleaned_data
        texts = {name: given.get(name, "") for name in ("who", "what")}
        flags = {name: bool(given.get(name)) for name in ("mat", "sticks", "returned")}
        return {**texts, "table": given.get("table") or 0, **flags}


@require_http_methods(["GET", "POST"])
@who_may(Right.SEE_DESK, post=Right.MANAGE_PLAYERS)
def equipment(request: DeskRequest, event: Event) -> HttpResponse:
    """Show and set who brings which set, mat and sticks to which table; the sheet for the way home is its print."""

    def shown() -> dict[str, Any]:
        rows = event.equipment
        needed = len(set(Table.objects.filter(round__event=event).values_list("number", flat=True)))
        taken = {row["table"] for row in rows}
        return {
            "counts": [(_("Sets"), len(rows)), (_("Mats"), sum(row["mat"] for row in rows)),
                       (_("Sets of sticks"), sum(row["sticks"] for row in rows))],
            "needed": needed,
            "without": [table for table in range(1, needed + 1) if table not in taken] if rows else [],
            "home": sorted((row for row in rows if not row["returned"]), key=lambda row: (row["who"], row["table"])),
        }  # fmt: skip

    return edit_rows(
        request, event, "equipment", "hall/equipment.html", EquipmentForm, event.equipment, set_equipment,
        most=MAX_SETS, said=_("The list of equipment is saved."), context=shown,
    )  # fmt: skip
