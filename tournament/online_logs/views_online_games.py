"""Games that were played online: logs read and looked at game by game, then each entered at its table, whole."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from scoring.entries import from_json, to_json
from scoring.problems import InvalidInput
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.imports.listing import Source
from tournament.imports.views_import_page import PREVIEW_LIFE, OnlineGamesForm, Row
from tournament.models.event import Event
from tournament.models.rounds import Table
from tournament.online_logs.actions import take_online_game
from tournament.online_logs.games_online_games import list_logs
from tournament.online_logs.queries import FoundGame, find_games, read_aliases
from tournament.pages.forms_file_form import read_upload
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.tables.messages import short_names_at
from tournament.text.languages import counted, side_by_side
from tournament.text.numbers_formatting import points
from tournament.text.problems_1 import say

SALT = "online-games"


@require_http_methods(["GET", "POST"])
@who_may(Verb.IMPORT)
def games(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask for logs, show each game with its table, enter those that fit."""
    if "confirmed" in request.POST:
        return _confirm(request, event, request.POST["confirmed"])
    form = OnlineGamesForm(request.POST, request.FILES) if request.method == "POST" else OnlineGamesForm()
    found: list[FoundGame] = []
    if form.is_valid():
        try:
            found = _found(event, form.cleaned_data)
        except InvalidInput as refused:
            for problem in refused.problems:
                form.add_error(None, say(problem))
    if found:
        return _show(request, event, found, sign=form.cleaned_data["sign"])
    context = {
        "form": form,
        "title": _("Online games"),
        "kind": "games",
        "back": reverse("desk:imports", args=[event.slug]),
    }
    shown = desk_context(request, event, "settings", **context)
    return render(request, "files/import_file.html", shown, status=422 if form.is_bound else 200)


def _found(event: Event, data: dict[str, Any]) -> list[FoundGame]:
    aliases = read_aliases(data["aliases"])
    return find_games(event, list_logs(read_upload(data["file"]), data["file"].name), aliases)


def _show(request: DeskRequest, event: Event, found: Sequence[FoundGame], *, sign: bool) -> HttpResponse:
    sound = [game for game in found if game.is_sound]
    left_out = len(found) - len(sound)
    context = {
        "title": _("Online games"),
        "lead": counted("%(count)d game", "%(count)d games", len(found)),
        "count": len(sound),
        "left_out": left_out,
        "submit": counted("Enter %(count)d game", "Enter %(count)d games", len(sound)),
        # what is wrong first
        "rows": [_row(game) for game in sorted(found, key=lambda game: game.is_sound)],
        "packed": _pack(event, sound, sign=sign),
        "action": reverse("desk:import_games", args=[event.slug]),
        "back": reverse("desk:imports", args=[event.slug]),
    }
    return render(request, "files/online_games.html", desk_context(request, event, "settings", **context))


def _row(game: FoundGame) -> Row:
    """Return one game in words: its table, who has how many points, and what is wrong with it."""
    preview, table = game.preview, game.table
    names = short_names_at(table) if table else []
    parts = [counted("%(count)d hand", "%(count)d hands", len(preview.hands))] if preview.hands else []
    if table:
        by_player = dict(zip((seat.number for seat in table.seats), names, strict=True))
        place = {"round": table.round, "table": table.number}
        parts.insert(0, _("Round %(round)d, table %(table)d") % place)
        parts += [
            f"{by_player[player]} {points(score)}" for player, score in zip(game.players, preview.scores, strict=False)
        ]
    said = list(_said(game, names))
    return Row(
        preview.filename,
        side_by_side(parts),
        [text for text, wrong in said if wrong],
        [text for text, wrong in said if not wrong],
    )


def _said(game: FoundGame, names: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield what is to be said of a game, and whether it keeps the game out."""
    for problem in (*game.preview.problems, *game.problems):
        yield say(problem), problem.severity == "error"
    for hand in game.preview.hands:
        for problem in hand.problems:
            text = _("Hand %(number)d: %(what)s") % {"number": hand.number, "what": say(problem, names)}
            yield text, problem.severity == "error"


def _pack(event: Event, sound: Sequence[FoundGame], *, sign: bool) -> str:
    packed = [
        {
            "file": game.source.filename,
            "mark": game.mark,
            "table": game.table.id if game.table else 0,
            "players": game.players,
            "entries": [to_json(entry) for entry in game.preview.entries],
        }
        for game in sound
    ]
    return signing.dumps({"event": event.slug, "sign": sign, "games": packed}, salt=SALT, compress=True)


def _confirm(request: DeskRequest, event: Event, packed: str) -> HttpResponse:
    try:
        carried: dict[str, Any] = signing.loads(packed, salt=SALT, max_age=PREVIEW_LIFE)
    except signing.BadSignature:
        carried = {}
    if carried.get("event") != event.slug:
        messages.error(request, _("The preview is too old: choose the file again."))
        return redirect("desk:import_games", event.slug)
    tables = {table.pk: table for table in Table.objects.filter(round__event=event).select_related("round__event")}
    taken = 0
    for game in carried["games"]:
        try:
            taken += _take(request, tables, game, sign=carried["sign"])
        except Refused as refused:
            said = " ".join(say(problem) for problem in refused.problems)
            messages.error(request, _("%(file)s: %(what)s") % {"file": game["file"], "what": said})
    if taken:
        text = ngettext("%(count)d game is entered.", "%(count)d games are entered.", taken)
        messages.success(request, text % {"count": taken})
    return redirect("desk:imports", event.slug)


def _take(request: DeskRequest, tables: dict[int, Table], game: dict[str, Any], *, sign: bool) -> bool:
    """Enter one game; True when it is. Raises Refused with what keeps it out."""
    if game["table"] not in tables:
        return False
    take_online_game(
        table=tables[game["table"]],
        players=game["players"],
        entries=[from_json(entry) for entry in game["entries"]],
        source=Source(game["file"], game["mark"]),
        sign=sign,
        by=request.user,
    )
    return True
