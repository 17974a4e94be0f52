"""Verbs on drafts of a draw: start a search, ask it to stop, search again, take what it found, throw it away.

The search itself holds no lock and writes no trail: it is in `draft_search`. Published seats never move by themselves.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import ProtectedError

from scoring.problems import Problem, error
from tournament.draws.plan import Drawn, Found, Plan, read_drawn
from tournament.draws.report import Seats
from tournament.draws.wishes import PLAIN, Asked, problems_of, read_asked
from tournament.models import Account, DraftState, DrawDraft, Event, Person, Player
from tournament.refusal import Refused
from tournament.seating.errors import SeatingError
from tournament.seating.uneven import Way
from tournament.selectors.draws.drafts import get_field, is_alive
from tournament.services.core.writing import Change, writing
from tournament.services.draws.seat_rows import seat_rounds

MOST_SEED: Final = 2_147_483_647
MOST_DRAFTS: Final = 8
SUBSTITUTE: Final = "Substitute"
WAYS: Final = (Way.FULL, Way.SUBSTITUTES, Way.RESTS)  # no rule set of ours knows tables of two sizes


def plan_for(event: Event, *, seed: int, asked: Asked = PLAIN, way: str = Way.FULL.value) -> Plan:
    """Return the plan of a draw for an event as it is now; two queries.

    Raises Refused, in words, where the players cannot be seated so or a wish cannot be.
    """
    if not 0 <= seed <= MOST_SEED:
        raise Refused(error("draw.seed_out_of_range", most=MOST_SEED))
    if way not in WAYS:
        raise Refused(error("draw.way_unknown"))
    plan = get_field(event, seed=seed, asked=asked, way=way)
    try:
        tables = len(plan.option.sizes)
    except SeatingError as wrong:
        raise Refused(seating_problem(wrong)) from wrong
    numbers = [each.number for each in plan.entrants]
    found = problems_of(asked, numbers, tables=tables, table_size=plan.table_size, rounds=plan.rounds)
    if found:
        raise Refused(*found)
    return plan


def seating_problem(wrong: SeatingError) -> Problem:
    """Return what the search says as a problem."""
    plain = {key: str(value) if isinstance(value, float) else value for key, value in wrong.params.items()}
    return Problem(wrong.code, plain)


def start_draft(
    *,
    event: Event,
    seed: int,
    asked: Asked = PLAIN,
    way: str = Way.FULL.value,
    by: Account,
) -> DrawDraft:
    """Write a draft that is to be searched, and keep its wishes as the event's last; the caller starts the search.

    Raises Refused once a round is published, while another search is on, when there are many drafts already, and as
    `plan_for` does.
    """
    with writing(event, "draft_started", by=by) as change:
        refuse_published(change.event)
        plan = plan_for(change.event, seed=seed, asked=asked, way=way)
        drafts = list(change.event.drafts.only("state", "seen_at"))
        if any(draft.state == DraftState.SEARCHING and is_alive(draft, change.at) for draft in drafts):
            raise Refused(error("draft.searching"))
        if len(drafts) >= MOST_DRAFTS:
            raise Refused(error("draft.too_many", most=MOST_DRAFTS))
        change.event.wishes = asked.as_json()
        change.event.save(update_fields=["wishes"])
        draft = DrawDraft.objects.create(
            event=change.event,
            fingerprint=plan.fingerprint,
            made_by=change.by,
            made_at=change.at,
            seen_at=change.at,
            **_asked_for(plan),
        )
        change.details = {"seed": seed, "way": plan.way, "wishes": sorted(asked.used)}
    return draft


def restart_draft(*, draft: DrawDraft, by: Account) -> DrawDraft:
    """Make a draft whose search was interrupted, failed or was stopped ready to be searched again from its own seed.

    Raises Refused as `start_draft` does, and while its search is on.
    """
    with writing(draft.event, "draft_started", by=by) as change:
        refuse_published(change.event)
        current = _current(change, draft)
        if current.state == DraftState.DONE:
            change.nothing_new()
            return current
        others = change.event.drafts.filter(state=DraftState.SEARCHING)
        if any(is_alive(each, change.at) for each in others):
            raise Refused(error("draft.searching"))
        asked = read_asked(current.asked)
        plan = plan_for(change.event, seed=current.seed, asked=asked, way=current.way)
        current.state, current.attempt = DraftState.SEARCHING, current.attempt + 1
        current.share, current.best, current.stop_asked, current.problem = 0, [], False, {}
        current.seen_at, current.fingerprint = change.at, plan.fingerprint
        current.save()
        change.details = {"seed": current.seed, "way": plan.way, "wishes": sorted(asked.used)}
    return current


def stop_draft(*, draft: DrawDraft, by: Account) -> None:
    """Say that the best so far is good enough; the search ends by itself, within a second as a rule."""
    with writing(draft.event, "draft_stopped", by=by) as change:
        current = _current(change, draft)
        if current.state != DraftState.SEARCHING or current.stop_asked:
            change.nothing_new()
            return
        current.stop_asked = True
        current.save(update_fields=["stop_asked"])
        change.details = {"seed": current.seed}


def discard_draft(*, draft: DrawDraft, by: Account) -> None:
    """Throw a draft away; a search that is on ends. Seats that were taken from it stay."""
    with writing(draft.event, "draft_discarded", by=by) as change:
        current = _current(change, draft)
        change.details = {"seed": current.seed}
        current.delete()


def take_draft(*, draft: DrawDraft, by: Account) -> None:
    """Make a draft the draw of its event, instead of the one that is there.

    Raises Refused once a round is published, before the search is over, and when the list of players, the number of
    rounds or the size of tables changed since.
    """
    with writing(draft.event, "seats_drawn", by=by) as change:
        refuse_published(change.event)
        current = _current(change, draft)
        if current.state not in (DraftState.DONE, DraftState.STOPPED):
            raise Refused(error("draft.not_done"))
        plan = get_field(change.event, seed=current.seed, asked=read_asked(current.asked), way=current.way)
        if plan.fingerprint != current.fingerprint:
            raise Refused(error("draw.players_changed"))
        clear_draw(change.event)
        _write_seats(change, plan, current.rounds, current.report)
        current.taken_at = change.at
        current.save(update_fields=["taken_at"])


def store_found(draft: DrawDraft, found: Found) -> None:
    """Put what a search found onto a draft that is not saved yet."""
    draft.rounds = [[list(table) for table in tables] for tables in found.rounds]
    draft.resting = [list(numbers) for numbers in found.resting]
    draft.substitutes = len(found.substitutes)
    draft.report = {**found.report.as_json(), "cut_short": found.cut_short}
    draft.share = 1000


def write_found(change: Change, plan: Plan, found: Found) -> None:
    """Make what was found the draw of the event, without a draft of it, within a change."""
    clear_draw(change.event)
    _write_seats(change, plan, found.rounds, {**found.report.as_json(), "cut_short": found.cut_short})


def refuse_published(event: Event) -> None:
    """Raise Refused where a round of the event is published."""
    if event.rounds.filter(published_at__isnull=False).exists():
        raise Refused(error("draw.already_published"))


def clear_draw(event: Event) -> None:
    """Delete the rounds of an unpublished draw and the substitutes that it brought, within a change."""
    drawn = read_drawn(event.drawn)
    event.rounds.all().delete()
    if drawn and drawn.substitutes:
        brought = event.players.filter(number__in=drawn.substitutes, ranked=False)
        people = list(brought.values_list("person_id", flat=True))
        try:
            brought.delete()
            Person.objects.filter(pk__in=people, players=None).delete()
        except ProtectedError as wrong:
            raise Refused(error("draw.substitute_in_use")) from wrong
    event.drafts.exclude(taken_at=None).update(taken_at=None)
    event.seed, event.drawn = None, {}
    event.save(update_fields=["seed", "drawn"])


def _asked_for(plan: Plan) -> dict[str, Any]:
    return {"seed": plan.seed, "asked": plan.asked.as_json(), "way": plan.way}


def _current(change: Change, draft: DrawDraft) -> DrawDraft:
    """Return the draft as it stands; raises Refused where somebody has thrown it away."""
    current = change.event.drafts.filter(pk=draft.pk).first()
    if current is None:
        raise Refused(error("draft.gone"))
    return current


def _write_seats(change: Change, plan: Plan, rounds: Seats, report: Mapping[str, Any]) -> None:
    """Write the seats of a draw and what it was drawn from; `report` is one as JSON, with `cut_short`."""
    event = change.event
    brought = _bring_substitutes(event, plan)
    players = {player.number: player for player in event.players.all()}
    seat_rounds(event, [[[players[who] for who in table] for table in tables] for tables in rounds])
    drawn = Drawn(len(plan.entrants), plan.way, brought, plan.asked, bool(report["cut_short"]))
    event.seed, event.drawn = plan.seed, drawn.as_json()
    event.save(update_fields=["seed", "drawn"])
    change.details = {
        "seed": plan.seed,
        "repeats": report["figures"]["repeats"],
        "players": len(plan.entrants) + len(brought),
        "missed": {wish["key"]: wish["missed"] for wish in report["wishes"]},
    }


def _bring_substitutes(event: Event, plan: Plan) -> tuple[int, ...]:
    """Add players who are not ranked for the seats that nobody fills, with names that nobody has."""
    numbers = plan.substitutes
    if not numbers:
        return ()
    taken = {name.casefold() for name in event.players.values_list("person__preferred_name", flat=True)}
    names = (f"{SUBSTITUTE} {number}" for number in range(1, len(taken) + len(numbers) + 1))
    free = [name for name in names if name.casefold() not in taken]
    for number, name in zip(numbers, free, strict=False):
        person = Person.objects.create(preferred_name=name)
        Player.objects.create(event=event, person=person, number=number, ranked=False)
    return numbers
