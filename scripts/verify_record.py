"""Verify the record of an event from its file, without Hanchan Desk: standard library only.

python3 verify_record.py cup-record.json [HEAD]     HEAD: 64 hexadecimal digits, as a QR code has them

The format is described in docs/developer/record.md. Exits with 1 and says why where anything does not hold.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

# ---------------------------------------------------------------- Ed25519, RFC 8032

P, Q = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int]


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


def main() -> int:
    """Verify the file that is named."""
    if len(sys.argv) not in (2, 3):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    try:
        file = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
        wrong = verify(file, sys.argv[2].lower() if len(sys.argv) == 3 else "")
        keys = sorted({head["public_key"] for head in file["heads"]})
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as reason:
        sys.stderr.write(f"This is not the record of an event: {reason!r}\n")
        return 1
    print("\n".join(wrong) or f"{file['event']}: {len(file['acts'])} acts, {len(file['rows'])} rows hold; keys {keys}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
