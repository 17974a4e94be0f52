"""The log of a game, brought to a table where nothing stands: looked at hand by hand, then entered, all or nothing."""

import json
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from rules.ruleset import Ruleset
from scoring.entries import to_json
from scoring.problems import InvalidInput, errors_of, warnings_of
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.imports.actions_imports import take_game
from tournament.imports.listing import Source, source_of
from tournament.imports.views_import_page import PREVIEW_LIFE, LogForm, said
from tournament.models.event import Event
from tournament.models.rounds import Table
from tournament.online_logs.actions import take_online_game
from tournament.online_logs.games_game_log import GamePreview, LoggedHand, read_game_log
from tournament.online_logs.games_online_games import judge_online_game, read_online_game
from tournament.pages.forms_file_form import read_upload
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import flash_problems
from tournament.tables.messages import short_names_at
from tournament.tables.queries_tables import LoadedTable, load_tables
from tournament.text.languages import counted
from tournament.text.numbers_formatting import points
from tournament.text.problems_1 import say
from tournament.text.readback import read_back

SALT = "game-import"


@require_http_methods(["GET", "POST"])
@who_may(Verb.IMPORT)
def game(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Ask for a log, show what was understood of it hand by hand, enter it."""
    table = _table(event, round_number, table_number)
    back = reverse("desk:table", args=[event.slug, round_number, table_number])
    if table.lines and not table.is_empty:
        messages.error(request, _("This table already has hands: import a log at an empty table."))
        return redirect(back)
    if "confirmed" in request.POST:
        return _confirm(request, event, table, request.POST["confirmed"])
    form = LogForm(request.POST, request.FILES) if request.method == "POST" else LogForm()
    title = _("Round %(round)d, table %(table)d: a game from a log") % {"round": round_number, "table": table_number}
    if not form.is_valid():
        context = {"form": form, "title": title, "kind": "game", "back": back}
        shown = desk_context(request, event, "desk", **context)
        return render(request, "files/import_file.html", shown, status=422 if form.is_bound else 200)
    data = read_upload(form.cleaned_data["file"])
    source = source_of(data, form.cleaned_data["file"].name)
    preview, text, mark = _understand(data, source.filename, event.ruleset)
    packed = _pack(event, table, text if preview.is_sound else "", source, mark)
    return _show(request, event, table, preview, packed, title=title)


def _understand(data: bytes, filename: str, rules: Ruleset) -> tuple[GamePreview, str, str]:
    """Return a log as understood, as text to carry, and the mark of one that may come once; "" for the desk's own."""
    try:
        game = read_online_game(data)
    except InvalidInput as refused:
        if any(problem.code != "log.unknown" for problem in refused.problems):
            return GamePreview(filename, (), tuple(refused.problems)), "", ""
        return read_game_log(data, filename, rules=rules), data.decode("utf-8", "replace"), ""
    preview = judge_online_game(game, filename, rules)
    return preview, json.dumps({"entries": [to_json(entry) for entry in preview.entries]}), game.mark


def _table(event: Event, round_: int, number: int) -> LoadedTable:
    table = next((each for each in load_tables(event) if (each.round, each.number) == (round_, number)), None)
    published = event.rounds.filter(number=round_, published_at__isnull=False).exists()
    if table is None or not published:
        raise Http404("There is no such table.")
    return table


def _pack(event: Event, table: LoadedTable, text: str, source: Source, mark: str) -> str:
    place = [event.slug, table.round, table.number]
    packed = {"place": place, "log": text, "file": source.filename, "digest": source.digest, "mark": mark}
    return signing.dumps(packed, salt=SALT, compress=True)


def _show(
    request: DeskRequest, event: Event, table: LoadedTable, preview: GamePreview, packed: str, *, title: str
) -> HttpResponse:
    names = short_names_at(table)
    place = [event.slug, table.round, table.number]
    count = counted("%(count)d hand", "%(count)d hands", len(preview.hands))
    context = {
        "title": title,
        "lead": f"{preview.filename} · {count}",
        "sound": preview.is_sound,
        "file_errors": said(preview.problems, "error"),
        "file_warnings": said(preview.problems, "warning"),
        "errors": len(errors_of(preview.all_problems)),
        "needs_reason": any(warnings_of(hand.problems) for hand in preview.hands),
        "scores": [(name, points(score)) for name, score in zip(names, preview.scores, strict=False)],
        "rows": [_row(hand, names, event) for hand in preview.hands],
        "packed": packed,
        "action": reverse("desk:import_game", args=place),
        "again": reverse("desk:import_game", args=place),
        "back": reverse("desk:table", args=place),
    }
    return render(request, "files/game_import.html", desk_context(request, event, "desk", **context))


def _row(hand: LoggedHand, names: Sequence[str], event: Event) -> dict[str, Any]:
    """Return one hand in words, or as it stands in the file where it cannot be."""
    text = hand.text
    if hand.hand is not None:
        back = read_back(hand.hand, names, event.ruleset)
        text = f"{back.name}: {back.say}"
    not_reached = [] if hand.hand or hand.problems else [_("not judged: a hand before it is wrong")]
    errors = [say(problem, names) for problem in errors_of(hand.problems)]
    warnings = [say(problem, names) for problem in warnings_of(hand.problems)]
    return {"name": hand.number, "text": text, "errors": errors, "warnings": [*warnings, *not_reached]}


def _confirm(request: DeskRequest, event: Event, table: LoadedTable, packed: str) -> HttpResponse:
    address = "desk:import_game", event.slug, table.round, table.number
    try:
        carried = signing.loads(packed, salt=SALT, max_age=PREVIEW_LIFE)
    except signing.BadSignature:
        carried = {}
    if carried.get("place") != [event.slug, table.round, table.number]:
        messages.error(request, _("The preview is too old: choose the file again."))
        return redirect(*address)
    preview = read_game_log(carried["log"].encode(), carried["file"], rules=event.ruleset)
    if not preview.is_sound:  # the rules were changed meanwhile
        messages.error(request, _("The preview is too old: choose the file again."))
        return redirect(*address)
    try:
        count = _take(request, table, preview, carried)
    except Refused as refused:
        flash_problems(request, refused)
        return redirect(*address)
    said_ = ngettext(
        "%(count)d hand is entered. Check the sheet, then sign.",
        "%(count)d hands are entered. Check the sheet, then sign.",
        count,
    )
    messages.success(request, said_ % {"count": count})
    return redirect("desk:table", *address[1:])


def _take(request: DeskRequest, table: LoadedTable, preview: GamePreview, carried: dict[str, Any]) -> int:
    """Enter the hands; those of a game played online come once only."""
    game: dict[str, Any] = {
        "table": Table.objects.select_related("round__event").get(pk=table.id),
        "entries": preview.entries,
        "by": request.user,
    }
    if carried["mark"]:
        players = [seat.number for seat in table.seats]
        return take_online_game(**game, players=players, source=Source(carried["file"], carried["mark"]), sign=False)
    source = Source(carried["file"], carried["digest"])
    return take_game(**game, source=source, reason=request.POST.get("reason", ""))
