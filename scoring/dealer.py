"""Who deals the next hand, and whether the game ends: dealer, round, honba after a hand that is paid."""

from rules.ruleset import Ruleset
from scoring.entries import Abort, Draw, Entry, Nagashi, Ron, Tsumo
from scoring.payments import after_discarder
from scoring.placement import places_of
from scoring.state import TableState


def next_hand(entry: Entry, state: TableState, rules: Ruleset) -> TableState:
    """Return the state of the next hand: dealer, round, honba and the end of the game (E25 3.4.4, 3.4.5, 3.5)."""
    winners = _winners(entry, rules)
    stays = _dealer_stays(entry, winners, state, rules)
    honba = state.honba + 1 if winners is None or stays else 0
    if _bust(state, rules):
        return state._replace(honba=honba, ended=True)
    if stays:
        # by a win or in tenpai (sanma rule book 11)
        kept = isinstance(entry, (Ron, Tsumo)) or state.dealer in getattr(entry, "tenpai", ())
        straight = state.straight + 1 if state.straight >= 0 and kept else -1
        ended = _dealer_stops(entry, state, rules)
        return state.passed(state.dealer, state.round, honba, _straight(straight, rules), ended=ended)
    dealer = (state.dealer + 1) % state.players
    wind = state.round + (dealer == 0)
    return state.passed(
        dealer, wind, honba, _straight(-1 if honba else 0, rules), ended=_played_out(state, wind, rules)
    )


def after_chombo(state: TableState, rules: Ruleset) -> TableState:
    """Return the state in which the hand is dealt again; a chombo that was paid can end the game."""
    return state._replace(straight=_straight(-1, rules), ended=rules.chombo_pays != "nothing" and _bust(state, rules))


def _bust(state: TableState, rules: Ruleset) -> bool:
    return rules.bust and min(state.scores) < int(rules.bust_at_zero)


def _straight(deals: int, rules: Ruleset) -> int:
    """Return the deals in a row under rules with paarenchan, else 0: states stay equal."""
    return deals if rules.paarenchan[0] else 0


def _winners(entry: Entry, rules: Ruleset) -> tuple[int, ...] | None:
    """Return the seats that won the hand, None for a draw."""
    match entry:
        case Ron() | Tsumo():
            return tuple([win.seat for win in entry.winners])
        case Nagashi() if rules.nagashi == "tsumo":
            return entry.winners
    return None


def _dealer_stays(entry: Entry, winners: tuple[int, ...] | None, state: TableState, rules: Ruleset) -> bool:
    if winners is not None:
        if isinstance(entry, Ron) and rules.dealer_on_multiple_ron != "among":
            return state.dealer == after_discarder(winners, entry.loser, state.players)[0]
        return state.dealer in winners
    if isinstance(entry, Abort):
        return True
    tenpai = entry.tenpai if isinstance(entry, Draw | Nagashi) else ()
    stays = rules.dealer_on_draw_later if state.round else rules.dealer_on_draw
    if stays in ("always", "never"):
        return stays == "always"
    return state.dealer in tenpai or (stays == "tenpai_or_nobody" and not tenpai)


def _dealer_stops(entry: Entry, state: TableState, rules: Ruleset) -> bool:
    """Return whether a repeating dealer ends the game: at the target in an extra round, or by agari-yame."""
    extra = state.round >= rules.rounds and rules.target_points and not rules.repeat_before_target
    if extra and max(state.scores) >= rules.target_points:
        return True
    return (entry.stops if rules.yame_choice else True) and _leads_last(entry, state, rules)


def may_stop(entry: Entry, state: TableState, rules: Ruleset) -> bool:
    """Return whether the dealer may choose that the game ends with this hand; `state` is the one after its payments."""
    return (
        rules.yame_choice
        and _dealer_stays(entry, _winners(entry, rules), state, rules)
        and _leads_last(entry, state, rules)
    )


def _leads_last(entry: Entry, state: TableState, rules: Ruleset) -> bool:
    """Return whether a repeating dealer stands alone in first place in the last deal, by a hand that may end it.

    In an extra round every deal may be the last one (Tenhou manual).
    """
    last = state.round >= rules.rounds or (state.round == rules.rounds - 1 and state.dealer == state.players - 1)
    if not last or max(state.scores) < rules.target_points or isinstance(entry, Abort):
        return False
    if not (rules.tenpai_yame if _winners(entry, rules) is None else rules.agari_yame):
        return False
    places = places_of(state.scores, rules)
    return places[state.dealer] == 1 and places.count(1) == 1


def _played_out(state: TableState, wind: int, rules: Ruleset) -> bool:
    """Return whether the game is over when the deal passes into round `wind`."""
    if wind < rules.rounds:
        return False
    return wind >= rules.rounds + rules.extra_rounds or max(state.scores) >= rules.target_points
