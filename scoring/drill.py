"""The referee's drill: questions by book and seed, their keys computed by the engine, wrong answers from likely slips.

Three kinds: value a hand of tiles, pay a hand at the table, rule on a foul. The words are in `web`.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple, get_args

from rules.books import Book, Citation
from rules.fouls import Case, Catalogue, Foul
from rules.ruleset import Ruleset
from scoring.announced import Try, tries
from scoring.check import problems
from scoring.count import Count, counts
from scoring.drill_hands import winning_hands
from scoring.entries import Draw, Entry, Nagashi, Ron, Tsumo, Win
from scoring.fu import possible_fu
from scoring.hand import WinningHand
from scoring.payments import Payment, deltas_of, payment_at, transfers_of
from scoring.state import TableState
from scoring.value import MANGAN_HAN, base_of, limit_name

MAX_FU = 70  # more is seen once in a hundred events


def played_hands(rules: Ruleset, chance: Random) -> Iterator[tuple[Entry, TableState]]:
    """Yield hands without end, each with the state before it; seat 0 deals. None has a problem under the rules."""
    makers = [_one_ron, _one_ron, _tsumo, _tsumo, _draw]
    makers += [_two_ron] if rules.multiple_ron == "all" else []
    makers += [_pao] if set(rules.pao) - {"rinshan"} else []
    makers += [_nagashi] if rules.nagashi != "none" else []
    while True:
        entry = chance.choice(makers)(chance, rules)
        state = TableState(
            scores=(rules.start_points,) * rules.players,
            honba=chance.choice((0, 0, 1, 1, 2, 3)),
            sticks=chance.choice((0, 0, 1, 2)),
        )
        if not problems(entry, state, rules):
            yield entry, state


def _win(seat: int, chance: Random, rules: Ruleset, *, tsumo: bool) -> Win:
    """Choose han and fu of a winner: small hands mostly, since limits are easy to pay."""
    han = chance.choice((1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8))
    if han >= MANGAN_HAN:
        return Win(seat=seat, han=han)
    possible = possible_fu(han, rules, tsumo=tsumo)
    return Win(seat=seat, han=han, fu=chance.choice(sorted(fu for fu in possible if fu <= MAX_FU)))


def _riichi(chance: Random, seats: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(seat for seat in seats if chance.random() < 0.35))


def _one_ron(chance: Random, rules: Ruleset) -> Entry:
    winner, loser = chance.sample(range(rules.players), 2)
    win = _win(winner, chance, rules, tsumo=False)
    return Ron(loser=loser, winners=(win,), riichi=_riichi(chance, range(rules.players)))


def _two_ron(chance: Random, rules: Ruleset) -> Entry:
    loser, *winners = chance.sample(range(rules.players), 3)
    wins = tuple(_win(seat, chance, rules, tsumo=False) for seat in sorted(winners))
    return Ron(loser=loser, winners=wins, riichi=_riichi(chance, range(rules.players)))


def _tsumo(chance: Random, rules: Ruleset) -> Entry:
    seat = chance.randrange(rules.players)
    win = _win(seat, chance, rules, tsumo=True)
    return Tsumo(winners=(win,), riichi=_riichi(chance, range(rules.players)))


def _pao(chance: Random, rules: Ruleset) -> Entry:
    winner, liable, loser = chance.sample(range(rules.players), 3)
    yaku = (chance.choice([name for name in rules.pao if name != "rinshan"]),)
    win = Win(seat=winner, yakuman=1, pao=liable, yaku=yaku)
    return Tsumo(winners=(win,)) if chance.random() < 0.5 else Ron(loser=loser, winners=(win,))


def _draw(chance: Random, rules: Ruleset) -> Entry:
    tenpai = tuple(sorted(chance.sample(range(rules.players), chance.randrange(1, rules.players))))
    return Draw(tenpai=tenpai, riichi=_riichi(chance, tenpai))


def _nagashi(chance: Random, rules: Ruleset) -> Entry:
    winner = chance.randrange(rules.players)
    tenpai = tuple(seat for seat in range(rules.players) if chance.random() < 0.4)
    return Nagashi(winners=(winner,), tenpai=tenpai, riichi=_riichi(chance, tenpai))


_OTHER_RULES: Mapping[str, tuple[str, tuple[object, ...]]] = {
    "deposits_to_another": ("multiple_ron_deposits", ("first", "own_back", "after_dealer")),
    "honba_to_another": ("multiple_ron_honba", ("each", "first")),
    "pool_of_others": ("noten_pool", (1000, 1500, 2000, 3000, 4000, 6000)),
    "tsumo_loss_mixed": ("north_share", ("not_missing", "lost", "halved")),
    "pao_honba_mixed": ("pao_honba", ("discarder", "liable")),
    "honba_of_others": ("honba_ron", (200, 300, 600)),
    "honba_each_mixed": ("honba_tsumo", (100, 200, 300)),
    "nagashi_mixed": ("nagashi", ("tsumo", "draw")),
}


def slips(entry: Entry, state: TableState, rules: Ruleset) -> Iterator[Try]:
    """Yield the hand with one thing wrong: those of `scoring.announced`, sticks forgotten, another book's rule."""
    if isinstance(entry, Ron | Tsumo | Nagashi):
        yield from tries(entry, state, rules)
    if isinstance(entry, Ron | Tsumo) and state.sticks:
        yield "deposits_forgotten", entry, state._replace(sticks=0), rules
    if entry.riichi:
        yield "own_deposit_forgotten", dataclasses.replace(entry, riichi=()), state, rules
    if isinstance(entry, Draw):
        others = tuple(seat for seat in range(rules.players) if seat not in entry.tenpai)
        yield "tenpai_reversed", dataclasses.replace(entry, tenpai=others), state, rules
    for cause, (field, values) in _OTHER_RULES.items():
        for value in values if field != "north_share" or rules.players == 3 else ():
            if value != getattr(rules, field):
                yield cause, entry, state, dataclasses.replace(rules, **{field: value})  # type: ignore[arg-type]


def deciding_rules(entry: Entry, state: TableState, rules: Ruleset) -> Iterator[str]:
    """Yield the rules, by field, that decide a payment."""
    if isinstance(entry, Draw):
        yield "noten_pool"
    if isinstance(entry, Nagashi):
        yield from ("nagashi", "limits")
    if isinstance(entry, Ron | Tsumo):
        yield from ("yakuman_base", "pao", "pao_part") if entry.winners[0].pao is not None else ("limits",)
    if state.honba and not isinstance(entry, Draw):
        yield "honba_ron" if isinstance(entry, Ron) else "honba_tsumo"
    if rules.players == 3 and isinstance(entry, Tsumo | Nagashi):
        yield "north_share"
    if entry.riichi or (state.sticks and not isinstance(entry, Draw)):
        yield "riichi_deposit"
    if isinstance(entry, Ron) and len(entry.winners) > 1:
        yield "multiple_ron"
        yield from ["multiple_ron_honba"] if state.honba else []
        yield from ["multiple_ron_deposits"] if state.sticks or entry.riichi else []


Kind = Literal["value", "pay", "foul"]
KINDS: tuple[Kind, ...] = get_args(Kind)
OPTIONS = 4
MAX_TRIED = 200  # questions made in vain before a kind has no new one


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hand may be worth, as an answer."""

    han: int
    fu: int
    yakuman: int
    limit: str | None
    payment: Payment


Answer = Worth | tuple[int, ...] | Case
"""A worth, each seat's change in points, or what a foul asks for."""


class Option(NamedTuple):
    """An answer on offer; `cause` is the slip that leads to it, empty for the right one."""

    answer: Answer
    cause: str


class Cited(NamedTuple):
    """A rule that decides a question: its field and where it is stated, None for an event's own value."""

    field: str
    citation: Citation | None


@dataclass(frozen=True, slots=True)
class HandAsked:
    """What is this hand worth, without honba?"""

    hand: WinningHand


@dataclass(frozen=True, slots=True)
class PaymentAsked:
    """What does each seat gain or lose in this hand? Seat 0 deals."""

    entry: Entry
    state: TableState


@dataclass(frozen=True, slots=True)
class FoulAsked:
    """What does the book ask for in this case of a foul?"""

    foul: Foul
    case: Case


Asked = HandAsked | PaymentAsked | FoulAsked


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its options in the order shown, the index of the right one, and the rules that decide it."""

    kind: Kind
    asked: Asked
    options: tuple[Option, ...]
    key: int
    cited: tuple[Cited, ...]

    @property
    def answer(self) -> Answer:
        """The right answer."""
        return self.options[self.key].answer


def questions(book: Book, fouls: Catalogue, *, seed: int, kinds: Iterable[Kind] = KINDS) -> Iterator[Question]:
    """Yield distinct questions, the same from the same seed; they end where every kind has run out.

    >>> from rules.books import load_book
    >>> from rules.foul_books import catalogue
    >>> first = next(questions(load_book("ema-2025"), catalogue("ema-2025"), seed=1, kinds=["pay"]))
    >>> first.kind, len(first.options)
    ('pay', 4)
    """
    chance = Random(f"{book.ruleset.key} {seed}")  # noqa: S311 - an exercise
    makers: dict[Kind, Iterator[Question | None]] = {
        "value": _values(book, chance),
        "pay": _payments(book, chance),
        "foul": _fouls(fouls, chance),
    }
    wanted = [kind for kind in KINDS if kind in set(kinds)]
    seen: set[object] = set()
    for turn in itertools.count():
        if not wanted:
            return
        kind = wanted[turn % len(wanted)]
        made = _new(makers[kind], seen)
        if made is None:
            wanted.remove(kind)
        else:
            yield made


def _new(maker: Iterator[Question | None], seen: set[object]) -> Question | None:
    for made in itertools.islice(maker, MAX_TRIED):
        if made is None:
            continue
        told = repr(made.asked)
        if told not in seen:
            seen.add(told)
            return made
    return None


def _question(
    asked: Asked, right: Answer, wrong: Iterable[Option], cited: tuple[Cited, ...], chance: Random
) -> Question | None:
    """Return a question with wrong answers that differ from the right one and each other; None for too few."""
    distinct: dict[object, Option] = {}
    for option in wrong:
        if _shown(option.answer) != _shown(right):
            distinct.setdefault(_shown(option.answer), option)
    if len(distinct) < OPTIONS - 1:
        return None
    options = [Option(right, ""), *chance.sample(list(distinct.values()), OPTIONS - 1)]
    chance.shuffle(options)
    key = next(index for index, option in enumerate(options) if not option.cause)
    kind: Kind = {HandAsked: "value", PaymentAsked: "pay", FoulAsked: "foul"}[type(asked)]  # type: ignore[assignment]
    return Question(kind, asked, tuple(options), key, cited)


def _shown(answer: Answer) -> object:
    """Return what makes an answer another one: its payment, its points, its acts."""
    if isinstance(answer, Worth):
        return answer.payment
    if isinstance(answer, Case):
        acts = tuple("nothing" if act == "legal" else act for act in answer.acts)
        again = answer.repeated and (answer.repeated.acts, answer.repeated.points, answer.repeated.times)
        return acts, answer.points, answer.most, answer.per, answer.units, answer.each_player, again
    return answer


def _cite(book: Book, fields: Iterable[str]) -> tuple[Cited, ...]:
    return tuple(Cited(name, book.citations.get(name)) for name in dict.fromkeys(fields))


# ---------------------------------------------------------------- value a hand


def _values(book: Book, chance: Random) -> Iterator[Question | None]:
    """Yield hands to value; limit hands are rarer than a table sees them, since their fu ask nothing."""
    rules = book.ruleset
    for hand in winning_hands(rules, chance):
        taken, *others = counts(hand, rules)
        if taken.han >= MANGAN_HAN and chance.random() > (0.1 if taken.yakuman else 0.4):
            continue
        right = Worth(taken.han, taken.fu, taken.yakuman, taken.limit, _payment(taken.base, hand, rules))
        wrong = [Option(worth, cause) for cause, worth in _worths(taken, others, hand, rules)]
        yield _question(HandAsked(hand), right, wrong, _cite(book, _deciding(taken, hand, rules)), chance)


def _payment(base: int, hand: WinningHand, rules: Ruleset, *, dealt: bool | None = None) -> Payment:
    return payment_at(base, rules, tsumo=hand.tsumo, deals=hand.deals if dealt is None else dealt)


def _worths(taken: Count, others: list[Count], hand: WinningHand, rules: Ruleset) -> Iterator[tuple[str, Worth]]:
    """Yield what a slip makes of a hand: dealer mixed up, han or fu of a neighbour row, dora or kiriage forgotten."""
    mixed = _payment(taken.base, hand, rules, dealt=not hand.deals)
    yield (
        "not_as_dealer" if hand.deals else "as_dealer",
        Worth(taken.han, taken.fu, taken.yakuman, taken.limit, mixed),
    )
    for other in others:
        yield "lower_reading", Worth(other.han, other.fu, other.yakuman, other.limit, _payment(other.base, hand, rules))
    if taken.yakuman:
        for han in (11, 8, 6):
            yield "limit_less", _worth(han, 0, hand, rules)
        return
    kiriage = dataclasses.replace(rules, kiriage_mangan=not rules.kiriage_mangan)
    yield "kiriage_forgotten" if rules.kiriage_mangan else "kiriage_taken", _worth(taken.han, taken.fu, hand, kiriage)
    if dora := sum(taken.dora):
        yield "dora_forgotten", _worth(taken.han - dora, taken.fu, hand, rules)
    for cause, han, fu in _neighbours(taken, hand, rules):
        yield cause, _worth(han, fu, hand, rules)


def _neighbours(taken: Count, hand: WinningHand, rules: Ruleset) -> Iterator[tuple[str, int, int]]:
    """Yield the neighbour rows of the table of values that a hand can have."""
    possible = possible_fu(taken.han, rules, tsumo=hand.tsumo)
    for cause, step in (("one_fu_step_less", -10), ("one_fu_step_more", 10)):
        if taken.fu + step in possible and taken.han < MANGAN_HAN:
            yield cause, taken.han, taken.fu + step
    if taken.han > 1:
        yield "one_han_less", taken.han - 1, taken.fu
    yield "one_han_more", taken.han + 1, taken.fu
    if taken.han >= MANGAN_HAN:  # the rows of the limits on both sides
        least = [han for han, _ in rules.limits]
        yield from (("limit_more", han, taken.fu) for han in least if han > taken.han)
        yield from (("limit_less", han, taken.fu) for han in reversed(least) if han <= taken.han - 2)


def _worth(han: int, fu: int, hand: WinningHand, rules: Ruleset) -> Worth:
    base = base_of(han, fu, rules)
    return Worth(han, fu, 0, limit_name(base, rules), _payment(base, hand, rules))


_FIELDS = {"north": "north_value"}  # yaku that are no field of their own


def _deciding(taken: Count, hand: WinningHand, rules: Ruleset) -> Iterator[str]:
    """Yield the rules that decide what a hand is worth: its yaku, then what makes points of them."""
    yield from (_FIELDS.get(name, name) for name, _ in taken.yaku)
    if taken.yakuman:
        yield "yakuman_base"
        return
    if any(item.why == "double_wind_pair" for item in taken.fu_items):
        yield "double_wind_pair_fu"
    if hand.tsumo and any(name == "pinfu" for name, _ in taken.yaku):
        yield "pinfu_tsumo"
    if taken.dora.red:
        yield "red_fives"
    if taken.dora.kita:
        yield "kita"
    plain = dataclasses.replace(rules, kiriage_mangan=False)
    if taken.base != base_of(taken.han, taken.fu, plain):
        yield "kiriage_mangan"
    yield "limits"
    if hand.tsumo and rules.players == 3:
        yield "north_share"


# ---------------------------------------------------------------- pay a hand


def _payments(book: Book, chance: Random) -> Iterator[Question | None]:
    rules = book.ruleset
    for entry, state in played_hands(rules, chance):
        right = _changes(entry, state, rules)
        wrong = [Option(_changes(one, there, other), cause) for cause, one, there, other in slips(entry, state, rules)]
        cited = _cite(book, deciding_rules(entry, state, rules))
        yield _question(PaymentAsked(entry, state), right, wrong, cited, chance)


def _changes(entry: Entry, state: TableState, rules: Ruleset) -> tuple[int, ...]:
    return deltas_of(transfers_of(entry, state, rules), rules.players)


# ---------------------------------------------------------------- rule on a foul


def _fouls(fouls: Catalogue, chance: Random) -> Iterator[Question | None]:
    """Yield every case of the catalogue once; wrong answers are other cases, those of its section and book first."""
    pairs = [(foul, case) for foul in fouls.fouls for case in fouls.penalties[foul.key].cases]
    asked = chance.sample(pairs, len(pairs))
    for foul, case in asked:
        near = [Option(each, "other_case") for each in fouls.penalties[foul.key].cases if each is not case]
        if foul.key in fouls.official:
            near += [Option(each, "beside") for each in fouls.official[foul.key].cases]
        section = [each for other, each in pairs if other.section == foul.section and other is not foul]
        far = [each for other, each in pairs if other.section != foul.section]
        wrong = [*near, *(Option(each, "other_foul") for each in section)]
        wrong += [Option(each, "other_foul") for each in chance.sample(far, min(len(far), 12))]
        clause = Citation(fouls.penalties[foul.key].clause, ours=bool(fouls.penalties[foul.key].ours))
        yield _question(FoulAsked(foul, case), case, wrong, (Cited("", clause),), chance)
