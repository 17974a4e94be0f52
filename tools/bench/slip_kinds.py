"""Slips of one hand, as a tired typist makes them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from rules.ruleset import Ruleset
from scoring.entries import Draw, Entry, Ron, Tsumo, Win
from scoring.seat_exchange import exchange_seats

OneHand = Callable[[Entry, Ruleset, random.Random], Entry | None]


def _value(entry: Entry, win: Callable[[Win], Win | None]) -> Entry | None:
    if not isinstance(entry, Ron | Tsumo) or entry.winners[-1].yakuman:
        return None
    changed = win(entry.winners[-1])
    return replace(entry, winners=(*entry.winners[:-1], changed)) if changed else None


def _digit_text(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + text[at + 1 :] if chance.random() < 0.5 else text[:at] + text[at] + text[at:]


def digit(entry: Entry, _rules: Ruleset, chance: random.Random) -> Entry | None:
    """Lose or double a digit of han, of fu, or of both written together."""

    def change(win: Win) -> Win | None:
        which = chance.choice(("han", "fu"))
        text = _digit_text(str(getattr(win, which)), chance)
        return _of(win, which, int(text)) if text.strip("0") else None

    return _value(entry, change)


def _of(win: Win, which: str, value: int) -> Win:
    return replace(win, han=value) if which == "han" else replace(win, fu=value)


def neighbour(entry: Entry, _rules: Ruleset, chance: random.Random) -> Entry | None:
    """Take the han or the fu of the next row."""

    def change(win: Win) -> Win | None:
        step = chance.choice((-1, 1))
        if win.han > 4 or chance.random() < 0.5:
            return replace(win, han=win.han + step) if win.han + step else None
        return replace(win, fu=win.fu + 10 * step)

    return _value(entry, change)


def discarder(entry: Entry, rules: Ruleset, chance: random.Random) -> Entry | None:
    """Name another player as the discarder."""
    if not isinstance(entry, Ron):
        return None
    return replace(entry, loser=chance.randrange(rules.players))


def winner(entry: Entry, rules: Ruleset, chance: random.Random) -> Entry | None:
    """Name another player as the winner; the riichi stays where it was typed, mostly."""
    seat = chance.randrange(rules.players)
    if not isinstance(entry, Ron | Tsumo) or seat in [win.seat for win in entry.winners]:
        return None
    was = entry.winners[-1].seat
    riichi = entry.riichi
    if was in riichi and chance.random() < 0.3:
        riichi = tuple(sorted({*riichi, seat} - {was}))
    return replace(entry, winners=(*entry.winners[:-1], replace(entry.winners[-1], seat=seat)), riichi=riichi)


def riichi_missed(entry: Entry, _rules: Ruleset, chance: random.Random) -> Entry | None:
    """Miss a riichi."""
    return replace(entry, riichi=_without(entry.riichi, chance)) if entry.riichi else None


def _without(seats: Sequence[int], chance: random.Random) -> tuple[int, ...]:
    gone = chance.choice(list(seats))
    return tuple(seat for seat in seats if seat != gone)


def riichi_doubled(entry: Entry, rules: Ruleset, chance: random.Random) -> Entry | None:
    """Enter the riichi of somebody who made none beside those that were made."""
    more = {chance.randrange(rules.players), *entry.riichi}
    return replace(entry, riichi=tuple(sorted(more)))


def tsumo_as_ron(entry: Entry, rules: Ruleset, chance: random.Random) -> Entry | None:
    """Enter a tsumo as a ron."""
    if not isinstance(entry, Tsumo):
        return None
    return Ron(loser=chance.randrange(rules.players), winners=entry.winners, riichi=entry.riichi)


def ron_as_tsumo(entry: Entry, _rules: Ruleset, _chance: random.Random) -> Entry | None:
    """Enter a ron as a tsumo."""
    if not isinstance(entry, Ron) or len(entry.winners) != 1:
        return None
    return Tsumo(winners=entry.winners, riichi=entry.riichi)


def tenpai(entry: Entry, rules: Ruleset, chance: random.Random) -> Entry | None:
    """Tick one player wrongly, or any list."""
    if not isinstance(entry, Draw):
        return None
    if chance.random() < 0.7:
        return replace(entry, tenpai=tuple(sorted({*entry.tenpai} ^ {chance.randrange(rules.players)})))
    return replace(entry, tenpai=tuple(seat for seat in range(rules.players) if chance.random() < 0.5))


def exchanged_hand(entry: Entry, rules: Ruleset, chance: random.Random) -> Entry | None:
    """Exchange winner and discarder, or any two players of one hand."""
    if isinstance(entry, Ron) and len(entry.winners) == 1 and chance.random() < 0.7:
        exchanged = exchange_seats(entry, entry.loser, entry.winners[0].seat)
        return exchanged if chance.random() < 0.5 else replace(exchanged, riichi=entry.riichi)
    one, other = chance.sample(range(rules.players), 2)
    return exchange_seats(entry, one, other)


ONE_HAND: dict[str, OneHand] = {
    "digit": digit,
    "neighbour": neighbour,
    "discarder": discarder,
    "winner": winner,
    "riichi_missed": riichi_missed,
    "riichi_doubled": riichi_doubled,
    "tsumo_as_ron": tsumo_as_ron,
    "ron_as_tsumo": ron_as_tsumo,
    "tenpai": tenpai,
    "exchanged": exchanged_hand,
}
