"""What the rows of a list of players are to each other and to the event's players: the same, alike, one number twice.

It adds problems to drafts and changes nothing else.
"""

import dataclasses
from collections.abc import Iterator, Sequence

from scoring.problems import Problem, error, warning
from tournament.imports.names import find_similar, first_index_by_key, same_name_keys
from tournament.imports.player_rows import PlayerDraft


def compare_drafts(drafts: Sequence[PlayerDraft], existing: Sequence[str]) -> tuple[PlayerDraft, ...]:
    """Add to each draft what it has in common with other rows and with the event's players."""
    added: dict[int, list[Problem]] = {}
    for index, problem in (
        *_judge_doubles(drafts, existing),
        *_judge_alikes(drafts, existing),
        *_judge_ema_doubles(drafts),
    ):
        added.setdefault(index, []).append(problem)
    return tuple(
        dataclasses.replace(draft, problems=draft.problems + tuple(added.get(index, ())))
        for index, draft in enumerate(drafts)
    )


def _judge_doubles(drafts: Sequence[PlayerDraft], existing: Sequence[str]) -> Iterator[tuple[int, Problem]]:
    in_event = first_index_by_key(existing)
    in_file = first_index_by_key(draft.preferred_name for draft in drafts)
    for index, draft in enumerate(drafts):
        keys = sorted(same_name_keys(draft.preferred_name))
        known = next((in_event[key] for key in keys if key in in_event), None)
        if known is not None:
            yield index, error("import.name_exists", row=draft.row, name=draft.preferred_name, existing=existing[known])
        first = min((in_file[key] for key in keys), default=index)
        if first < index:
            yield (
                index,
                error("import.name_twice", row=draft.row, name=draft.preferred_name, other_row=drafts[first].row),
            )


def _judge_alikes(drafts: Sequence[PlayerDraft], existing: Sequence[str]) -> Iterator[tuple[int, Problem]]:
    start = len(existing)
    for index, other in find_similar([*existing, *(draft.preferred_name for draft in drafts)]):
        if index < start:
            continue  # both are in the event already: not this file's matter
        draft = drafts[index - start]
        if other < start:
            yield (
                index - start,
                warning(
                    "import.name_like_existing", row=draft.row, name=draft.preferred_name, existing=existing[other]
                ),
            )
        else:
            like = drafts[other - start]
            yield (
                index - start,
                warning(
                    "import.name_similar",
                    row=draft.row,
                    name=draft.preferred_name,
                    other=like.preferred_name,
                    other_row=like.row,
                ),
            )


def _judge_ema_doubles(drafts: Sequence[PlayerDraft]) -> Iterator[tuple[int, Problem]]:
    first: dict[str, int] = {}
    for index, draft in enumerate(drafts):
        if draft.ema_number and first.setdefault(draft.ema_number, index) != index:
            other = drafts[first[draft.ema_number]]
            yield (
                index,
                error(
                    "import.ema_number_twice",
                    row=draft.row,
                    number=draft.ema_number,
                    other_row=other.row,
                    other=other.preferred_name,
                ),
            )
