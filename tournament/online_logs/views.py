"""Enter games that were played online: read the logs, check them game by game, enter each at its table, all or nothing.

A game goes only to a table without hands.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from rules.ruleset import Ruleset
from scoring.entries import from_json, to_json
from scoring.problems import InvalidInput, errors_of, warnings_of
from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.imports.actions import take_game
from tournament.imports.listing import Source, make_source
from tournament.imports.wizard import PREVIEW_LIFE, Row, problem_texts
from tournament.online_logs.actions import take_online_game, take_open_game
from tournament.online_logs.games import (
    GamePreview,
    LoggedHand,
    judge_online_game,
    list_logs,
    read_game_log,
    read_online_game,
)
from tournament.online_logs.queries import (
    LOG_NAME_TWICE,
    LOG_NO_TABLE,
    LOG_UNKNOWN_NAMES,
    FoundGame,
    find_games,
    find_table,
    list_free_tables,
    read_aliases,
)
from tournament.pages.forms import read_upload
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import flash_problems, to_int
from tournament.people.actions import add_alias
from tournament.people.models import AliasKind
from tournament.seating.queries import list_entrants
from tournament.tables.messages import short_names_at
from tournament.tables.models import Table
from tournament.tables.queries import LoadedTable, load_tables
from tournament.text.languages import colon, join_spaced, plural_text
from tournament.text.names import printable
from tournament.text.numbers import points
from tournament.text.problems import problem_text
from tournament.text.readback import read_back

GAMES_SALT = "online-games"


class LogForm(forms.Form):
    """The log of one game."""

    file = forms.FileField(
        label=gettext_lazy("Log of the game"),
        help_text=gettext_lazy("JSON: an object with “entries”; or a log of Tenhou or mjai"),
    )


class OnlineGamesForm(forms.Form):
    """Logs of games that were played online, and who is who in them."""

    file = forms.FileField(
        label=gettext_lazy("Logs"),
        help_text=gettext_lazy(
            "A zip of logs, or one log: Tenhou as JSON or mjlog, or mjai. Names that nobody knows are asked on the "
            "next page."
        ),
    )
    aliases = forms.CharField(
        label=gettext_lazy("Aliases"),
        help_text=gettext_lazy("One line for each player: the name in the log, a comma, the name or number here."),
        widget=forms.Textarea(attrs={"rows": 5}),
        required=False,
        max_length=60_000,
    )
    sign = forms.BooleanField(
        label=gettext_lazy("Sign the sheet of each game that is over"), required=False, initial=True
    )


@require_http_methods(["GET", "POST"])
@who_may(Right.IMPORT)
def games(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask for logs, show each game with its table, enter those that fit."""
    if "confirmed" in request.POST:
        try:
            carried: dict[str, Any] = signing.loads(request.POST["confirmed"], salt=GAMES_SALT, max_age=PREVIEW_LIFE)
        except signing.BadSignature:
            carried = {}
        if carried.get("event") != event.slug:
            messages.error(request, _("The preview is too old: choose the file again."))
            return redirect("desk:import_games", event.slug)
        chosen = _keep_aliases(request, event, carried["games"])
        taken = 0
        for game in carried["games"]:
            try:
                _enter_game(request, event, game, chosen, sign=carried["sign"])
                taken += 1
            except DomainError as refused:
                said = " ".join(problem_text(problem) for problem in refused.problems)
                messages.error(request, _("%(file)s: %(what)s") % {"file": game["file"], "what": said})
        if taken:
            text = ngettext("%(count)d game is entered.", "%(count)d games are entered.", taken)
            messages.success(request, text % {"count": taken})
        return redirect("desk:imports", event.slug)
    form = OnlineGamesForm(request.POST, request.FILES) if request.method == "POST" else OnlineGamesForm()
    found: list[FoundGame] = []
    if form.is_valid():
        try:
            found = _found(event, form.cleaned_data)
        except InvalidInput as refused:
            for problem in refused.problems:
                form.add_error(None, problem_text(problem))
    if found:
        return _games_page(request, event, found, sign=form.cleaned_data["sign"])
    context = {
        "form": form,
        "title": _("Online games"),
        "kind": "games",
        "back": reverse("desk:imports", args=[event.slug]),
    }
    shown = desk_context(request, event, "settings", **context)
    return render(request, "imports/import_file.html", shown, status=422 if form.is_bound else 200)


def _found(event: Event, data: dict[str, Any]) -> list[FoundGame]:
    aliases = read_aliases(data["aliases"])
    return find_games(event, list_logs(read_upload(data["file"]), data["file"].name), aliases)


def _games_page(request: DeskRequest, event: Event, found: Sequence[FoundGame], *, sign: bool) -> HttpResponse:
    sound = [game for game in found if game.is_sound or game.asks]
    left_out = len(found) - len(sound)
    unknown = _list_unknown(zip(game.names, game.players, strict=True) for game in sound)
    context = {
        "title": _("Online games"),
        "lead": plural_text("%(count)d game", "%(count)d games", len(found)),
        "count": len(sound),
        "left_out": left_out,
        "submit": plural_text("Enter %(count)d game", "Enter %(count)d games", len(sound)),
        # what is wrong first
        "rows": [_game_row(game) for game in sorted(found, key=lambda game: game.is_sound)],
        "packed": _pack_games(event, sound, sign=sign),
        "unknown": unknown,
        "players": list_entrants(event) if unknown else [],
        "kinds": [each for each in AliasKind if each != AliasKind.SPELLING],
        "action": reverse("desk:import_games", args=[event.slug]),
        "back": reverse("desk:imports", args=[event.slug]),
    }
    return render(request, "online_logs/online_games.html", desk_context(request, event, "settings", **context))


def _list_unknown(seats: Iterable[Iterable[tuple[str, int]]]) -> list[str]:
    """List the names of logs that mean no player, each once."""
    return list(dict.fromkeys(name for game in seats for name, number in game if not number))


def _game_row(game: FoundGame) -> Row:
    """Return one game in words: its table, who has how many points, and what is wrong with it."""
    preview, table = game.preview, game.table
    names = short_names_at(table) if table else []
    parts = [plural_text("%(count)d hand", "%(count)d hands", len(preview.hands))] if preview.hands else []
    if game.opens:
        parts.insert(0, _("A table of its own"))
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
        join_spaced(parts),
        [text for text, wrong in said if wrong],
        [text for text, wrong in said if not wrong],
    )


def _said(game: FoundGame, names: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield what is to be said of a game, and whether it keeps the game out."""
    for problem in (*game.preview.problems, *game.problems):
        yield problem_text(problem), problem.severity == "error"
    for hand in game.preview.hands:
        for problem in hand.problems:
            text = _("Hand %(number)d: %(what)s") % {"number": hand.number, "what": problem_text(problem, names)}
            yield text, problem.severity == "error"


def _pack_games(event: Event, sound: Sequence[FoundGame], *, sign: bool) -> str:
    packed = [
        {
            "file": game.source.filename,
            "mark": game.mark,
            "table": game.table.id if game.table else 0,
            "names": game.names,
            "players": game.players,
            "entries": [to_json(entry) for entry in game.preview.entries],
        }
        for game in sound
    ]
    return signing.dumps({"event": event.slug, "sign": sign, "games": packed}, salt=GAMES_SALT, compress=True)


def _keep_aliases(request: DeskRequest, event: Event, games: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Keep each name that somebody has said who it is as an alias of that person; return the numbers by name."""
    chosen: dict[str, int] = {}
    kind = request.POST.get("kind", "")
    known = AliasKind(kind) if kind in AliasKind.values else AliasKind.TENHOU
    for index, name in enumerate(_list_unknown(zip(game["names"], game["players"], strict=True) for game in games)):
        player = event.players.filter(number=to_int(request.POST.get(f"who-{index}")) or 0).first()
        if player is None:
            continue
        chosen[name] = player.number
        try:
            add_alias(person=player.person, kind=known, name=name, by=request.user)
        except DomainError as refused:  # the name is another person's elsewhere: it counts for these games alone
            flash_problems(request, refused)
    return chosen


def _enter_game(
    request: DeskRequest, event: Event, game: dict[str, Any], chosen: Mapping[str, int], *, sign: bool
) -> None:
    """Enter one game at its table, or in an open event at one of its own; raises DomainError with what keeps it out."""
    players = [number or chosen.get(name, 0) for name, number in zip(game["names"], game["players"], strict=True)]
    if unknown := [name for name, number in zip(game["names"], players, strict=True) if not number]:
        raise DomainError(LOG_UNKNOWN_NAMES(people=tuple(map(printable, unknown))))
    if len(set(players)) < len(players):
        raise DomainError(LOG_NAME_TWICE())
    facts: dict[str, Any] = {
        "players": players,
        "entries": [from_json(entry) for entry in game["entries"]],
        "source": Source(game["file"], game["mark"]),
        "sign": sign,
        "by": request.user,
    }
    place = game["table"]
    if not place and (found := find_table(list_free_tables(event), players)):
        place = found.id
    table = Table.objects.filter(round__event=event, pk=place).select_related("round__event").first()
    if table:
        take_online_game(table=table, **facts)
    elif event.is_open:
        take_open_game(event=event, **facts)
    else:
        raise DomainError(LOG_NO_TABLE())


GAME_SALT = "game-import"


@require_http_methods(["GET", "POST"])
@who_may(Right.IMPORT)
def game(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Ask for a log, show what was understood of it hand by hand, enter it."""
    table = _table(event, round_number, table_number)
    back = reverse("desk:table", args=[event.slug, round_number, table_number])
    if table.lines and not table.is_empty:
        messages.error(request, _("This table already has hands: import a log at an empty table."))
        return redirect(back)
    if "confirmed" in request.POST:
        return _confirm_game(request, event, table, request.POST["confirmed"])
    form = LogForm(request.POST, request.FILES) if request.method == "POST" else LogForm()
    title = _("Round %(round)d, table %(table)d: a game from a log") % {"round": round_number, "table": table_number}
    if not form.is_valid():
        context = {"form": form, "title": title, "kind": "game", "back": back}
        shown = desk_context(request, event, "desk", **context)
        return render(request, "imports/import_file.html", shown, status=422 if form.is_bound else 200)
    data = read_upload(form.cleaned_data["file"])
    source = make_source(data, form.cleaned_data["file"].name)
    preview, text, mark = _understand(data, source.filename, table.rules)
    packed = _pack_game(event, table, text if preview.is_sound else "", source, mark)
    names = short_names_at(table)
    place = [event.slug, table.round, table.number]
    count = plural_text("%(count)d hand", "%(count)d hands", len(preview.hands))
    context = {
        "title": title,
        "lead": f"{preview.filename} · {count}",
        "sound": preview.is_sound,
        "file_errors": problem_texts(preview.problems, "error"),
        "file_warnings": problem_texts(preview.problems, "warning"),
        "errors": len(errors_of(preview.all_problems)),
        "needs_reason": any(warnings_of(hand.problems) for hand in preview.hands),
        "scores": [(name, points(score)) for name, score in zip(names, preview.scores, strict=False)],
        "rows": [_hand_row(hand, names, table.rules) for hand in preview.hands],
        "packed": packed,
        "action": reverse("desk:import_game", args=place),
        "again": reverse("desk:import_game", args=place),
        "back": reverse("desk:table", args=place),
    }
    return render(request, "online_logs/game_import.html", desk_context(request, event, "desk", **context))


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


def _pack_game(event: Event, table: LoadedTable, text: str, source: Source, mark: str) -> str:
    place = [event.slug, table.round, table.number]
    packed = {"place": place, "log": text, "file": source.filename, "digest": source.digest, "mark": mark}
    return signing.dumps(packed, salt=GAME_SALT, compress=True)


def _hand_row(hand: LoggedHand, names: Sequence[str], rules: Ruleset) -> dict[str, Any]:
    """Return one hand in words, or as it stands in the file where it cannot be."""
    text = hand.text
    if hand.hand is not None:
        back = read_back(hand.hand, names, rules)
        text = f"{back.name}{colon()}{back.say}"
    not_reached = [] if hand.hand or hand.problems else [_("not judged: a hand before it is wrong")]
    errors = [problem_text(problem, names) for problem in errors_of(hand.problems)]
    warnings = [problem_text(problem, names) for problem in warnings_of(hand.problems)]
    return {"name": hand.number, "text": text, "errors": errors, "warnings": [*warnings, *not_reached]}


def _confirm_game(request: DeskRequest, event: Event, table: LoadedTable, packed: str) -> HttpResponse:
    address = "desk:import_game", event.slug, table.round, table.number
    try:
        carried = signing.loads(packed, salt=GAME_SALT, max_age=PREVIEW_LIFE)
    except signing.BadSignature:
        carried = {}
    if carried.get("place") != [event.slug, table.round, table.number]:
        messages.error(request, _("The preview is too old: choose the file again."))
        return redirect(*address)
    preview = read_game_log(carried["log"].encode(), carried["file"], rules=table.rules)
    if not preview.is_sound:  # the rules were changed meanwhile
        messages.error(request, _("The preview is too old: choose the file again."))
        return redirect(*address)
    try:
        count = _enter_hands(request, table, preview, carried)
    except DomainError as refused:
        flash_problems(request, refused)
        return redirect(*address)
    said_ = ngettext(
        "%(count)d hand is entered. Check the sheet, then sign.",
        "%(count)d hands are entered. Check the sheet, then sign.",
        count,
    )
    messages.success(request, said_ % {"count": count})
    return redirect("desk:table", *address[1:])


def _enter_hands(request: DeskRequest, table: LoadedTable, preview: GamePreview, carried: dict[str, Any]) -> int:
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
