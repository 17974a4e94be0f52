"""The pages about substitutes put together: the form, what a change changes, the list. It words and never decides."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.models import Event
from tournament.selectors.people.incidents import RankMove, SeatChange, SubstituteEffect, SubstitutionRow
from tournament.selectors.people.players import list_players
from tournament.selectors.tables.tables import LoadedTable
from web.frame.similar_names import likes_of
from web.people.substitutes_form import SubstituteDraft
from web.words.formatting import ordinal_place
from web.words.people import say_since


def form_context(event: Event, table: LoadedTable, draft: SubstituteDraft) -> dict[str, Any]:
    """Return what the form needs: who can be replaced, by what names, and what was typed; one query."""
    replaced = {each.number for each in table.substitutes}
    people = list_players(event)
    likes = likes_of((row.number, row.name) for row in people)
    return {
        "draft": draft,
        "seats": [
            {"player": player, "chosen": player.number == draft.number, "like": likes.get(player.number, "")}
            for player in table.seats
            if player.ranked and player.number not in replaced
        ],
        "reserves": [row.name for row in people if not row.ranked],
        "next_hand": len(table.game.hands) + 1,
    }


def effect_context(effect: SubstituteEffect) -> dict[str, Any]:
    """Return what a change of substitutes changes, line by line, with what stays as it is left out of the ranking."""
    return {
        "seats": [_seat(change) for change in effect.seats],
        "moves": [_move(move) for move in effect.moves],
        "counts": effect.counts,
        "penalised": any(change.before.penalty or change.after.penalty for change in effect.seats),
    }


def list_context(event: Event, rows: Iterable[SubstitutionRow]) -> list[dict[str, Any]]:
    """Return the substitutes as lines, each with the address at which it is taken out."""
    return [
        {
            "row": row,
            "since": say_since(row.when, row.hand),
            "table_url": reverse("desk:substitutes", args=[event.slug, row.round, row.table]),
            "out_url": reverse("desk:take_substitute_out", args=[event.slug, row.round, row.table, row.id]),
        }
        for row in rows
    ]


def _seat(change: SeatChange) -> dict[str, Any]:
    before, after = change.before, change.after
    figures = [(each.place, each.uma, each.result, each.penalty) for each in (before, after)]
    return {
        "name": before.player.name,
        "ranked": before.player.ranked,
        "score": before.score,
        "before": before,
        "after": after,
        "moves": figures[0] != figures[1],
        "replaced": after.substitute is not None,
    }


def _move(move: RankMove) -> dict[str, Any]:
    before = ordinal_place(move.rank_before, move.shared_before)
    after = ordinal_place(move.rank_after, move.shared_after)
    return {
        "name": move.name,
        "rank": before if before == after else _("%(before)s → %(after)s") % {"before": before, "after": after},
        "before": move.total_before,
        "after": move.total_after,
    }
