"""All forgeries as one table: how each is made, and the finding that names it."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.record.forgeries import (
    change_number,
    change_uma,
    charge_another,
    cut_penalty,
    delete_event,
    delete_penalty,
    double_view,
    drop_guard,
    drop_head,
    dup_penalty,
    dup_player,
    dup_table,
    exchange_persons,
    exchange_rounds,
    exchange_seats,
    foreign_player,
    foreign_round,
    foreign_seat,
    foul_at_another_table,
    give_acts_to_another,
    give_away,
    give_by_another,
    head_words,
    hold,
    insert_penalty,
    later_round,
    lift_cancelled,
    move_head,
    player,
    put,
    release_more,
    rename,
    rewrite_hand,
    seat_round,
    sign_anew,
    site_trail,
    strip,
    take_release_back,
    wait_for_an_act,
    withdraw,
    write_act,
)
from tournament.events.models import Event


@dataclass(frozen=True, slots=True)
class Forgery:
    """How to forge, and what names it: words of the finding.

    `again`: with every hash made again. `moves`: the standing is then another one.
    """

    forge: Callable[[Event], None]
    named: str
    again: bool = False
    moves: bool = False


OF_TRAIL = "cup: the trail is not the one"
TABLE = {
    "insert_penalty": Forgery(insert_penalty, "(player 1) is in no chained act", moves=True),
    "delete_penalty": Forgery(delete_penalty, "is gone; act", moves=True),
    "exchange_seats": Forgery(exchange_seats, "seats 1/1 is not what act", moves=True),
    "exchange_persons": Forgery(exchange_persons, "name 2 is not what act"),
    "change_uma": Forgery(change_uma, "cup: rules is not what act", moves=True),
    "unrank": Forgery(lambda event: put(player(event, 1), ranked=False), "player 1 is not what act", moves=True),
    "rewrite_hand": Forgery(rewrite_hand, OF_TRAIL, again=True, moves=True),
    "give_acts_to_another": Forgery(give_acts_to_another, OF_TRAIL, again=True),
    # twelve more
    "cut_penalty": Forgery(cut_penalty, "(player 1) is not what act", moves=True),
    "charge_another": Forgery(charge_another, "(player 3) is not what act", moves=True),
    "lift_cancelled": Forgery(lift_cancelled, "(player 2) is not what act", moves=True),
    "give_by_another": Forgery(give_by_another, "penalty note"),
    "rename": Forgery(rename, "name 1 is not what act"),
    "change_number": Forgery(change_number, "person 1 is not what act"),
    "withdraw": Forgery(withdraw, "player 1 is not what act"),
    "take_release_back": Forgery(take_release_back, "round 1 is not what act", moves=True),
    "release_more": Forgery(release_more, "round 2 is not what act"),
    "sign_anew": Forgery(sign_anew, "sheet 1/1/2 is in no chained act"),
    "drop_head": Forgery(drop_head, "its signed head is gone"),
    "move_head": Forgery(move_head, "signature of the head"),
    # eleven that nothing named on 28 November 2026
    "dup_penalty": Forgery(dup_penalty, "is there twice", moves=True),
    "strip": Forgery(strip, "cup: nothing is sealed"),
    "delete_event": Forgery(delete_event, "other: this desk noted"),
    "head_words": Forgery(head_words, "cup: the signed head after act"),
    "site_trail": Forgery(site_trail, "site: this desk noted"),
    "foreign_player": Forgery(foreign_player, "points at another event or round (player)"),
    "foreign_seat": Forgery(foreign_seat, "seat 1/1/0 points at another event or round (player)"),
    "foreign_round": Forgery(foreign_round, "points at another event or round (round)"),
    "seat_round": Forgery(seat_round, "seat 1/1/0 points at another event or round (round)"),
    "hold": Forgery(hold, "cup: shown is not what act"),
    "dup_player": Forgery(dup_player, "player 1 is there twice"),
    # nine of our own
    "dup_table": Forgery(dup_table, "seats 1/1 is there twice"),
    "foul_at_another_table": Forgery(foul_at_another_table, "points at another event or round (table)"),
    "give_away": Forgery(give_away, "is gone; act", moves=True),
    "exchange_rounds": Forgery(exchange_rounds, "seats 1/1 is not what act", moves=True),
    "later_round": Forgery(later_round, "(player 1) is not what act", moves=True),
    "double_view": Forgery(double_view, "beside what the migrations make: view tournament_penalty", moves=True),
    "wait_for_an_act": Forgery(wait_for_an_act, "beside what the migrations make: trigger later"),
    "drop_guard": Forgery(drop_guard, "lacks what the migrations make: trigger tournament_ledgerentry_refuses_"),
    "write_act": Forgery(write_act, "changes what was signed before, and no head is signed after it", moves=True),
}
