"""Random winning hands as the contract's JSON, from a seed: every meld, every condition, no tile a fifth time.

They are built from groups, so each wins, with a yaku or without. What they are worth is not known here.
"""

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from rules.ruleset import Ruleset
from tools.oracles.recipes import ENDS, HONOURS, RECIPES, WINDS, Group, Pool, Recipe
from tools.oracles.tiles136 import COPIES, EAST, KINDS, NORTH, REDS, Numbering, kind_of, kinds, text_of

MAX_INDICATORS = 5
FLAGS = ("ippatsu", "rinshan", "chankan", "haitei", "houtei", "first_turn")
SEVEN_PAIRS, ORPHANS, GATES = (Recipe(name, weight) for name, weight in (("pairs", 6), ("orphans", 3), ("gates", 2)))
ALL_RECIPES = (*RECIPES, SEVEN_PAIRS, ORPHANS, GATES)
PAIR_POOLS = (
    range(KINDS), range(KINDS), range(9), range(9, 18), range(18, 27), (*range(18, 27), *HONOURS),
    (*ENDS, *HONOURS), HONOURS,
)  # fmt: skip


class Made(NamedTuple):
    """A hand, and the kind of hand that it was made as."""

    recipe: str
    hand: dict[str, Any]


class _GoneError(Exception):
    """The set has no such tile any more."""


class _Wall:
    """The tiles that are left of a set."""

    def __init__(self, chance: Random, players: int) -> None:
        self._chance = chance
        self._left: dict[int, list[int]] = {}
        self.kinds = [kind for kind in range(KINDS) if players == 4 or not 0 < kind < 8]

    def left(self, kind: int) -> list[int]:
        """Return the copies of a kind that are left, in random order."""
        if kind not in self._left:
            here = range(kind * COPIES, kind * COPIES + COPIES)
            self._left[kind] = self._chance.sample(here, COPIES)
        return self._left[kind]

    def take(self, kind: int, copies: int = 1) -> list[int]:
        """Take tiles of one kind out of the set."""
        left = self.left(kind)
        if len(left) < copies:
            raise _GoneError
        self._left[kind] = left[copies:]
        return left[:copies]


@dataclass(frozen=True, slots=True)
class _Tiles:
    """The tiles of a hand: concealed ones, the winning one among them, and melds as (kind, tiles)."""

    concealed: list[int]
    melds: list[tuple[str, list[int]]]

    @property
    def closed(self) -> bool:
        return all(kind == "ankan" for kind, _ in self.melds)

    @property
    def every(self) -> list[int]:
        return [*self.concealed, *(tile for _, tiles in self.melds for tile in tiles)]


def hands(rules: Ruleset, seed: int) -> Iterator[Made]:
    """Yield random hands without end, the same from the same seed."""
    chance = Random(f"{rules.players} {seed}")
    weights = [recipe.weight for recipe in ALL_RECIPES]
    while True:
        [recipe] = chance.choices(ALL_RECIPES, weights)
        if recipe.name == "three suits" and rules.players == 3:
            continue
        yield Made(recipe.name, _tried_until_it_fits(recipe, rules, chance))


def spoiled(rules: Ruleset, seed: int) -> Iterator[Made]:
    """Yield the same hands with one concealed tile exchanged for any other: some still win, most do not."""
    chance = Random(f"spoiled {rules.players} {seed}")
    flags = dict.fromkeys(FLAGS, False)
    for recipe, hand in hands(rules, seed):
        held = Counter(kind for text in texts_of(hand) for kind, _ in kinds(text))
        free = [kind for kind in _Wall(chance, rules.players).kinds if held[kind] < COPIES]
        tiles = Numbering().tiles(hand["tiles"])
        tiles[chance.randrange(len(tiles))] = chance.choice(free) * COPIES + COPIES - 1
        win = _text([chance.choice(tiles)], rules)
        yield Made(recipe, hand | flags | {"tiles": _text(tiles, rules), "win": win})


def texts_of(hand: dict[str, Any]) -> list[str]:
    """Return all tiles that a hand shows, place by place."""
    return [hand["tiles"], *(meld["tiles"] for meld in hand["melds"]), hand["dora"], hand["ura"], "4z" * hand["kita"]]


def some_hands(rules: Ruleset, seed: int, count: int) -> list[Made]:
    """Return the first hands of a seed."""
    return [made for made, _ in zip(hands(rules, seed), range(count), strict=False)]


def _tried_until_it_fits(recipe: Recipe, rules: Ruleset, chance: Random) -> dict[str, Any]:
    while True:
        with contextlib.suppress(_GoneError):
            return _hand(recipe, rules, chance)


def _hand(recipe: Recipe, rules: Ruleset, chance: Random) -> dict[str, Any]:
    wall = _Wall(chance, rules.players)
    tiles = _tiles(recipe, rules, wall, chance)
    kita = len(wall.take(NORTH, _kita(wall, chance))) if rules.kita else 0
    seats = "ESWN"[: rules.players]
    hand: dict[str, Any] = {
        "melds": [_meld(kind, meld, rules, chance) for kind, meld in tiles.melds],
        "round_wind": chance.choice("ESWN"[: rules.rounds + rules.extra_rounds]),
        "seat_wind": chance.choice(seats),
        "kita": kita,
        "honba": chance.choice((0, 0, 0, 1, 2, 5)),
    }
    win = chance.choice(tiles.concealed)
    hand |= {"tiles": _text(tiles.concealed, rules), "win": _text([win], rules)}
    hand |= _indicators(tiles, wall, rules, chance)
    hand |= _conditions(tiles, win, hand, wall, chance)
    hand["ippatsu"] = hand["ippatsu"] and any(rules.ippatsu)
    if not hand["riichi"] or not rules.ura_dora:
        hand["ura"] = ""
    return hand


def _text(tiles: Iterable[int], rules: Ruleset) -> str:
    reds = [REDS[five] + at for five in set(rules.red_fives) for at in range(rules.red_fives.count(five))]
    return text_of(tiles, reds=reds)


def _kita(wall: _Wall, chance: Random) -> int:
    return min(chance.choice((0, 0, 0, 1, 1, 2, 3, 4)), len(wall.left(NORTH)))


# ---------------------------------------------------------------- tiles


def _tiles(recipe: Recipe, rules: Ruleset, wall: _Wall, chance: Random) -> _Tiles:
    if recipe is SEVEN_PAIRS:
        pool = [kind for kind in chance.choice(PAIR_POOLS) if kind in wall.kinds]
        if len(pool) < 7:
            raise _GoneError
        return _Tiles([tile for kind in chance.sample(pool, 7) for tile in wall.take(kind, 2)], [])
    if recipe is ORPHANS:
        orphans = [*ENDS, *HONOURS]
        return _Tiles([wall.take(kind)[0] for kind in [*orphans, chance.choice(orphans)]], [])
    if recipe is GATES:
        first = 9 * chance.randrange(4 - rules.players, 3)
        gates = [first, first, *range(first, first + 9), first + 8, first + 8, first + chance.randrange(9)]
        return _Tiles([wall.take(kind)[0] for kind in gates], [])
    return _from_groups(recipe, rules, wall, chance)


def _from_groups(recipe: Recipe, rules: Ruleset, wall: _Wall, chance: Random) -> _Tiles:
    pool = chance.choice(recipe.pools).for_players(rules.players)
    groups = recipe.fixed(chance, rules.players)
    groups += [_group(pool, chance) for _ in range(4 - len(groups))]
    called = chance.choice((0.3, 0.5, 0.9, 1.0)) if chance.random() < recipe.open_share else 0.0
    made = _Tiles([], [])
    for group in groups:
        kind = _call(group, rules, chance, called=called, quads=recipe.quads)
        tiles = _take(group, wall, quad=kind is not None and kind.endswith("kan"))
        if kind is None:
            made.concealed.extend(tiles)
        else:
            made.melds.append((kind, tiles))
    if not pool.pairs:
        raise _GoneError
    made.concealed.extend(wall.take(chance.choice(pool.pairs), 2))
    return made


def _group(pool: Pool, chance: Random) -> Group:
    if pool.runs and (not pool.sames or chance.random() < pool.run_share):
        return "run", chance.choice(pool.runs)
    if not pool.sames:
        raise _GoneError
    return "same", chance.choice(pool.sames)


def _call(group: Group, rules: Ruleset, chance: Random, *, called: float, quads: float) -> str | None:
    """Choose what meld a group is, None for a concealed one."""
    open_ = chance.random() < called
    if group[0] == "run":
        return "chi" if open_ and rules.chii else None
    if chance.random() < quads:
        return chance.choice(("daiminkan", "shouminkan")) if open_ else "ankan"
    return "pon" if open_ else None


def _take(group: Group, wall: _Wall, *, quad: bool) -> list[int]:
    shape, first = group
    if shape == "run":
        return [wall.take(kind)[0] for kind in range(first, first + 3)]
    return wall.take(first, 4 if quad else 3)


def _meld(kind: str, tiles: list[int], rules: Ruleset, chance: Random) -> dict[str, Any]:
    sources = {"chi": ("left",), "ankan": (None,)}.get(kind, ("left", "right", "across")[: rules.players - 1])
    return {"kind": kind, "tiles": _text(tiles, rules), "from": chance.choice(sources)}


# ---------------------------------------------------------------- indicators


def _indicators(tiles: _Tiles, wall: _Wall, rules: Ruleset, chance: Random) -> dict[str, str]:
    """Turn indicators, one more than the hand's quads at least; half of them make a tile of the hand dora."""
    own = 1 + sum(kind.endswith("kan") for kind, _ in tiles.melds)
    count = min(own + chance.choice((0, 0, 0, 1, 2, 4)), MAX_INDICATORS if rules.kan_dora != "none" else 1)
    return {name: _text([_indicator(tiles, wall, chance) for _ in range(count)], rules) for name in ("dora", "ura")}


def _indicator(tiles: _Tiles, wall: _Wall, chance: Random) -> int:
    kind = chance.choice(wall.kinds)
    if chance.random() < 0.5:
        kind = _before(kind_of(chance.choice(tiles.every)), wall.kinds)
    while not wall.left(kind):
        kind = chance.choice(wall.kinds)
    return wall.take(kind)[0]


def _before(kind: int, in_set: list[int]) -> int:
    """Return the kind of the indicator that makes a kind dora."""
    row = [each for each in in_set if each // 9 == kind // 9 and _family(each) == _family(kind)]
    return row[row.index(kind) - 1]


def _family(kind: int) -> str:
    return "number" if kind < EAST else "wind" if kind in WINDS else "dragon"


# ---------------------------------------------------------------- conditions


def _conditions(tiles: _Tiles, win: int, hand: dict[str, Any], wall: _Wall, chance: Random) -> dict[str, Any]:
    """Choose conditions that can be together."""
    tsumo = chance.random() < 0.5
    flags: dict[str, Any] = dict.fromkeys(FLAGS, False)
    flags |= {"tsumo": tsumo, "riichi": 0}
    untouched = not tiles.melds and not hand["kita"]
    if untouched and (tsumo or hand["seat_wind"] != "E") and chance.random() < 0.04:
        return flags | {"first_turn": True}
    if tiles.closed and chance.random() < 0.45:
        flags["riichi"] = 2 if chance.random() < 0.15 else 1
    quads = any(kind.endswith("kan") for kind, _ in tiles.melds)
    if tsumo and (quads or hand["kita"]) and chance.random() < 0.25:
        flags["rinshan"] = True
    elif not tsumo and _robbed(tiles, win, hand, wall) and chance.random() < 0.15:
        flags["chankan"] = True
    elif chance.random() < 0.08:
        flags["haitei" if tsumo else "houtei"] = True
    # a quad, a kita or a call ends the ippatsu, and before a double riichi the double
    plain = not (flags["chankan"] or flags["haitei"] or flags["houtei"]) and untouched
    can = flags["riichi"] == 1 or (flags["riichi"] == 2 and plain)
    flags["ippatsu"] = can and not flags["rinshan"] and chance.random() < 0.3
    return flags


def _robbed(tiles: _Tiles, win: int, hand: dict[str, Any], wall: _Wall) -> bool:
    """Tell whether somebody else can have had the other three tiles of the winning one's kind."""
    return len(wall.left(kind_of(win))) == COPIES - 1
