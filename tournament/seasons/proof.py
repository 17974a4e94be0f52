"""The file that proves a season: the signed heads of its events under one head, and what its table is counted from.

With the record files of the events, `scripts/verify_record.py` counts the table again. Who is not shown by name is
linked to no player: such a row has its figure alone. Format: docs/developer/record.md.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from django.db.models import OuterRef, Subquery

from scoring.placement import places_of, players_above, uma_of
from tournament.core.hash_chain import canonical
from tournament.core.heads import root
from tournament.core.signing_key import sign
from tournament.events.models import Event, Visibility
from tournament.people.queries import human_keys
from tournament.publication.names import names_mark
from tournament.publication.queries import by_public_state, keep
from tournament.record.models import RecordHead
from tournament.seasons.models import SeasonEvent
from tournament.seasons.queries import SeasonView, rule_json
from tournament.seasons.results import EventResult, count_events
from tournament.tables.queries import EVENTS_AT_ONCE, LoadedTable, list_public_tables, prepare_public_tables

FORMAT = "hanchan-desk-season"
VERSION = 1
FORGOTTEN = -1  # of no row, but with a place among the others


class _ProvedEvent(NamedTuple):
    """Rows of people by number of the player, and the points of games beside score and uma, by table and number."""

    people: Mapping[int, int]
    beside: Mapping[str, Mapping[str, int]]


def get_season_proof(view: SeasonView) -> dict[str, Any]:
    """Return the content of the file; two queries while nothing changes."""
    heads = RecordHead.objects.filter(event=OuterRef("event")).order_by("-size")[:1]
    rows = SeasonEvent.objects.filter(season=view.season).exclude(event__visibility=Visibility.DRAFT)
    found = list(rows.select_related("event").annotate(root=Subquery(heads.values("root"))))
    mark = f"{view.mark}|{' '.join(row.root or '-' for row in found)}"
    return keep(f"season-proof {view.season.pk} {names_mark()}", lambda: _make(view, found), mark=mark)


def _make(view: SeasonView, found: list[Any]) -> dict[str, Any]:
    shown = {line.row.person: at for at, line in enumerate(view.lines) if line.name}
    head = {
        "season": view.season.slug,
        "rule": rule_json(view.rule),
        "carried": {str(shown[key]): str(points) for key, points in view.carried.items() if key in shown},
        "rows": [[line.row.rank, line.name or None, str(line.row.figure), line.row.games] for line in view.lines],
    }
    counted = count_events([row.event for row in found])
    proved = []
    for at, row in enumerate(found):
        if at % EVENTS_AT_ONCE == 0:
            prepare_public_tables(each.event for each in found[at : at + EVENTS_AT_ONCE])
        read = partial(_read, row.event, counted[row.event_id])
        proved.append(by_public_state(row.event, "season-proof", read))
    keys = human_keys({pk for each in proved for pk in each.people.values()})
    events = [
        {
            "event": row.event.slug if evening.listed else None,
            "root": row.root or "",
            "weight": evening.weight,
            "people": {
                str(number): FORGOTTEN if number in counted[row.event_id].forgotten else shown.get(keys[pk])
                for number, pk in each.people.items()
            },
            "beside": each.beside,
        }
        for row, each, evening in zip(found, proved, view.evenings, strict=True)
    ]
    top = root([canonical(head), *map(canonical, events)])
    key, signature = sign(canonical({"season": view.season.slug, "root": top}))
    signed = {"root": top, "public_key": key, "signature": signature}
    return {"format": FORMAT, "version": VERSION, **head, "events": events, **signed}


def _read(event: Event, counted: EventResult) -> _ProvedEvent:
    """Return who an event counts, and what score and uma do not explain: penalties, chombo, substitutes, chips."""
    played = set(counted.games.people)
    people = {number: pk for number, pk in {**counted.people, **counted.forgotten}.items() if pk in played}
    beside: dict[str, dict[str, int]] = {}
    for table, game in zip(list_public_tables(event), counted.games, strict=True):
        plain = _plain_points(table)
        mine = {player.number: plain[player.seat] for player in table.seats if player.number in people}
        rest = {str(number): int(game[people[number]]) - points for number, points in mine.items()}
        rest = {number: points for number, points in rest.items() if points}
        if rest or not table.signed:
            beside[f"{table.round}/{table.number}"] = rest
    return _ProvedEvent(people, beside)


def _plain_points(table: LoadedTable) -> tuple[int, ...]:
    """Return what the sealed scores of a sheet give by seat with uma and oka; noughts without a signed sheet."""
    if table.sheet is None or not table.sheet.signed:
        return (0,) * len(table.seats)
    scores, rules = table.sheet.totals, table.rules
    uma = uma_of(places_of(scores, rules), rules, players_above(scores, rules))
    return tuple(score - rules.return_points + each for score, each in zip(scores, uma, strict=True))
