"""Verify the record of an event, or the table of a season, from its files, without Hanchan Desk: standard library only.

python3 verify_record.py cup-record.json [HEAD]     HEAD: 64 hexadecimal digits, as a QR code has them
python3 verify_record.py season-proof.json cup-record.json ... [HEAD]     with the record of each event

The format is described in docs/developer/record.md. Exits with 1 and says why where anything does not hold.
"""

import hashlib
import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

# ---------------------------------------------------------------- Ed25519, RFC 8032

P, Q = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int]
HEAD = re.compile("[0-9A-Fa-f]{64}")
NO_ROW = {None, -1}  # who is not shown by name, who is forgotten


def add(one: Point, two: Point) -> Point:
    """Add two points of the curve."""
    (a, b), (c, d) = one, two
    product = D * a * b * c * d
    x, y = (a * d + b * c) * pow(1 + product, P - 2, P), (b * d + a * c) * pow(1 - product, P - 2, P)
    return x % P, y % P


def times(number: int, point: Point) -> Point:
    """Multiply a point."""
    found = (0, 1)
    while number:
        if number & 1:
            found = add(found, point)
        point, number = add(point, point), number >> 1
    return found


def point_of(data: bytes) -> Point:
    """Read a point; raises ValueError where it is none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or y >= P:
        raise ValueError("no point of the curve")
    return (P - x if x & 1 != sign else x), y


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(text: str, key: str, signature: str) -> bool:
    """Tell whether a text is signed with this key."""
    first, number = bytes.fromhex(signature)[:32], int.from_bytes(bytes.fromhex(signature)[32:], "little")
    mixed = hashlib.sha512(first + bytes.fromhex(key) + text.encode()).digest()
    right = times(int.from_bytes(mixed, "little") % Q, point_of(bytes.fromhex(key)))
    return number < Q and times(number, BASE) == add(point_of(first), right)


# ---------------------------------------------------------------- the record


def canonical(value: Any) -> str:
    """Return JSON with sorted keys and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha(text: str) -> str:
    """Return a SHA-256 in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def root_of(leaves: list[bytes]) -> bytes:
    """Return the root of a tree, RFC 9162 2.1.1."""
    if len(leaves) < 2:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\1" + root_of(leaves[:split]) + root_of(leaves[split:])).digest()


def verify(file: dict[str, Any], asked: str) -> list[str]:
    """Return all that does not hold."""
    wrong: list[str] = []
    previous, leaves, state = sha(file["event"]), [], {}
    for number, act in enumerate(file["acts"], start=1):
        previous = act["hash"] if "hash" in act else sha(f"{previous}\n{canonical(act)}")
        leaves.append(hashlib.sha256(b"\0" + previous.encode()).digest())
        state.update(json.loads(act.get("state") or "{}"))
        if act["seq"] != number:
            wrong.append(f"act {number} is missing")
    roots = {head["size"]: root_of(leaves[: head["size"]]).hex() for head in file["heads"]}
    for head in file["heads"]:
        said = {name: head[name] for name in ("size", "root", "round", "at")} | {"event": file["event"]}
        if roots[head["size"]] != head["root"]:
            wrong.append(f"the root after act {head['size']} is not that of the acts")
        if not is_signed(canonical(said), head["public_key"], head["signature"]):
            wrong.append(f"the signature after act {head['size']} is not valid")
    digests = ((row["key"], sha(canonical([row["opening"], row["key"], row["content"]]))) for row in file["rows"])
    wrong += [f"{key} is not what the acts left" for key, digest in digests if digest != state.get(key)]
    if asked and asked not in (root_of(leaves[:size]).hex() for size in range(1, len(leaves) + 1)):
        wrong.append("the head that you kept is in no state of this record")
    return wrong


# ---------------------------------------------------------------- a season

Game = dict[Any, Fraction]  # points by person


def points_of(scores: list[int], rules: dict[str, Any]) -> list[int]:
    """Return score less return with uma and oka, by seat."""
    order = sorted(scores, reverse=True)
    above = sum(score > rules["return_points"] - bool(rules.get("float_at_return")) for score in scores)
    floating = rules.get("floating_uma") if 1 <= above < len(scores) else None
    uma = floating[above - 1] if floating else rules["uma"]
    prizes, share = [uma[0] + rules["oka"], *uma[1:]], rules["ties"] == "share"
    found, taken = [], defaultdict[int, int](int)
    for score in scores:
        tied, first, at = order.count(score), order.index(score), taken[score]
        pool = sum(prizes[first : first + tied])
        unit = math.gcd(100, pool) if pool % tied else 1
        each, odd = divmod(pool // unit, tied)
        found.append(score - rules["return_points"] + ((each + (at < odd)) * unit if share else prizes[first + at]))
        taken[score] += 1
    return found


def games_of(rows: dict[str, Any], entry: dict[str, Any], at: int) -> Iterable[Game]:
    """Yield the games of an event: what its sheets give, and what the season names beside that."""
    sheets: dict[str, tuple[int, Any]] = {}
    for key, content in rows.items():
        if key.startswith("sheet "):
            place, _, seq = key[6:].rpartition("/")
            sheets[place] = max(sheets.get(place, (0, None)), (int(seq), content), key=lambda sheet: sheet[0])
    signed = {place for place, (_seq, sheet) in sheets.items() if sheet["signed"]}
    for place in signed | entry["beside"].keys():
        seats, beside = rows[f"seats {place}"], entry["beside"].get(place, {})
        second = rows["rules"].get("second_rules", {})
        rules = second if second.get("players") == len(seats) else rows["rules"]["rules"]
        points = points_of(sheets[place][1]["totals"], rules) if place in signed else [0] * len(seats)
        mine = {str(number): points[seat] + beside.get(str(number), 0) for seat, number in seats}
        people = {number: entry["people"][number] for number in mine if number in entry["people"]}
        yield {(who, at, no) if who in NO_ROW else who: Fraction(mine[no]) for no, who in people.items()}


def figures_of(events: list[tuple[list[Game], Fraction]], rule: dict[str, Any], file: dict[str, Any]) -> dict[Any, Any]:
    """Return figure and games of each person by the rule of the season."""
    values, played = defaultdict[Any, list[Fraction]](list), defaultdict[Any, int](int)
    for games, weight in events:
        evening: Game = defaultdict(Fraction)
        for game in games:
            for who, points in game.items():
                evening[who] += points
                played[who] += 1
        for unit in games if rule["unit"] == "game" else [evening]:
            for who, points in unit.items():
                worse = len(unit) - 1 - sum(other > points for other in unit.values())
                rank = Fraction(1000 * worse, len(unit) - 1) if len(unit) > 1 else Fraction(1000)
                values[who].append(rank if rule["measure"] == "base_rank" else points * weight)
    found = {}
    for who, mine in values.items():
        best = sorted(mine, reverse=True)[: rule["best"] or None]
        figure = sum(best) + Fraction(file["carried"].get(str(who), 0))
        found[who] = (figure / len(best) if rule["gather"] == "mean" else figure), played[who]
    return found


def verify_season(file: dict[str, Any], proofs: list[dict[str, Any]], asked: str) -> tuple[list[str], list[str]]:
    """Return all that does not hold, and what is only as the desk gives it."""
    wrong, given, events = [], [], []
    parts = [{name: file[name] for name in ("season", "rule", "carried", "rows")}, *file["events"]]
    root = root_of([hashlib.sha256(b"\0" + canonical(part).encode()).digest() for part in parts]).hex()
    if root != file["root"]:
        wrong.append("the root of the season is not that of its parts")
    if not is_signed(canonical({"season": file["season"], "root": root}), file["public_key"], file["signature"]):
        wrong.append("the signature of the season is not valid")
    if asked not in ("", root):
        wrong.append("this is not the head that you kept: results came since, or something was changed")
    by_root = {proof["root"]: proof for proof in proofs}
    for at, entry in enumerate(file["events"]):
        proof = by_root.pop(entry["root"], None) if entry["root"] else {"rows": []}
        if proof is None:
            wrong.append(f"the record of {entry['event'] or 'an unlisted event'} with root {entry['root']} is missing")
            continue
        name = proof.get("event")
        if entry["root"]:
            wrong += [f"{name}: {each}" for each in verify(proof, "")]
            if (proof["heads"] or [{"root": ""}])[-1]["root"] != entry["root"] or entry["event"] not in (None, name):
                wrong.append(f"{name} is not the event that the season counts")
        rows = {row["key"]: row["content"] for row in proof["rows"]}
        events.append((list(games_of(rows, entry, at)), Fraction(entry["weight"])))
        for who in set(entry["people"].values()) - NO_ROW:
            if not any(rows.get(f"name {no}") for no, each in entry["people"].items() if each == who):
                wrong.append(f"{name} does not show {file['rows'][who][1]} by name")
        taken = defaultdict[str, int](int)
        for row in (row for key, row in rows.items() if key.startswith("penalty ") and not row["cancelled"]):
            taken[str(row["player__number"])] += row["points"]
        for number in sorted({no for beside in entry["beside"].values() for no in beside}, key=int):
            points = sum(beside.get(number, 0) for beside in entry["beside"].values())
            if points != -taken[number]:
                given.append(f"{name}: {points:+} points of player {number} beside score, uma and penalties")
    wrong += [f"{proof['event']} does not count in the season" for proof in by_root.values()]
    if "list" in file["rule"]:
        return wrong, [*given, "the table: a list of a federation is not counted again"]
    found, rows = ({} if wrong else figures_of(events, file["rule"], file)), file["rows"]
    hidden = sum(row[3] for row in rows if row[1] is None)
    for who, (rank, name, figure, games) in enumerate(rows if not wrong else []):
        place = 1 + sum(row[0] is not None and Fraction(row[2]) > Fraction(figure) for row in rows)
        if name is not None and found.get(who) != (Fraction(figure), games):
            wrong.append(f"{name}: the events give {found.get(who)}, not {figure}")
        if rank != (place if games >= file["rule"]["least"] else None):
            wrong.append(f"{name or 'a player without a name'} has another rank than {rank}")
    unnamed = [games for who, (_figure, games) in found.items() if isinstance(who, tuple) and who[0] is None]
    if not wrong and hidden != sum(unnamed):
        wrong.append("the players without a name have other numbers of games")
    nameless = sum(row[1] is None for row in rows)
    return wrong, [*given, f"figures without a name ({nameless})"] if nameless else given


# ---------------------------------------------------------------- the command


def main() -> int:
    """Verify the files that are named."""
    names = [each for each in sys.argv[1:] if not HEAD.fullmatch(each)]
    heads = [each.lower() for each in sys.argv[1:] if HEAD.fullmatch(each)]
    if not names or len(heads) > 1:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    try:
        file, *proofs = [json.loads(Path(name).read_text(encoding="utf-8")) for name in names]
        if file["format"] == "hanchan-desk-season" or proofs:
            wrong, given = verify_season(file, proofs, "".join(heads))
            rest = f" As the desk gives it: {'; '.join(given)}." if given else ""
            said = f"{file['season']}: {len(file['events'])} events, {len(file['rows'])} rows hold."
            holds = f"{said} Head {file['root']}, key {file['public_key']}.{rest}"
        else:
            wrong = verify(file, "".join(heads))
            keys = sorted({head["public_key"] for head in file["heads"]})
            holds = f"{file['event']}: {len(file['acts'])} acts, {len(file['rows'])} rows hold; keys {keys}"
    except (OSError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as reason:
        sys.stderr.write(f"This is not the record of an event or the file of a season: {reason!r}\n")
        return 1
    print("\n".join(wrong) or holds)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
