"""The tree over a log, as RFC 6962 (2.1) and RFC 9162 (2.1): roots and proofs. Pure.

Leaves are the hashes of audit rows, 64 hexadecimal digits, taken as ASCII. All values here are such digits.
"""

import hashlib
from collections.abc import Iterator, Sequence


def root(leaves: Sequence[str]) -> str:
    """Return the root of a log.

    >>> root([])[:16]
    'e3b0c44298fc1c14'
    """
    return _root([_leaf(each) for each in leaves]).hex()


def roots(leaves: Sequence[str]) -> Iterator[str]:
    """Yield the root of the first leaf, of the first two, and so on.

    >>> list(roots(["a", "b", "c"]))[-1] == root(["a", "b", "c"])
    True
    """
    peaks: list[tuple[int, bytes]] = []  # whole subtrees by size, largest first
    for leaf in leaves:
        peaks.append((1, _leaf(leaf)))
        while len(peaks) > 1 and peaks[-1][0] == peaks[-2][0]:
            (size, right), (_size, left) = peaks.pop(), peaks.pop()
            peaks.append((2 * size, _node(left, right)))
        whole = peaks[-1][1]
        for _size, left in reversed(peaks[:-1]):
            whole = _node(left, whole)
        yield whole.hex()


def consistency_proof(leaves: Sequence[str], first: int) -> list[str]:
    """Return the proof that the log's first `first` leaves are the log of that size (RFC 9162, 2.1.4.1)."""
    return [each.hex() for each in _subproof([_leaf(each) for each in leaves], first, whole=True)]


def is_consistent(first: int, second: int, first_root: str, second_root: str, proof: Sequence[str]) -> bool:
    """Tell whether a proof shows that one log continues another (RFC 9162, 2.1.4.2).

    >>> is_consistent(2, 3, root(["a", "b"]), root(["a", "b", "c"]), consistency_proof(["a", "b", "c"], 2))
    True
    """
    if not 0 < first <= second:
        return False
    if first == second:
        return first_root == second_root and not proof
    path = [bytes.fromhex(each) for each in proof]
    if first & (first - 1) == 0:
        path.insert(0, bytes.fromhex(first_root))
    if not path:
        return False
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = path[0]
    for each in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = _node(each, old), _node(each, new)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            new = _node(new, each)
        at, last = at >> 1, last >> 1
    return last == 0 and (old.hex(), new.hex()) == (first_root, second_root)


def _leaf(text: str) -> bytes:
    return hashlib.sha256(b"\0" + text.encode()).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def _root(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256().digest()
    split = _split(len(leaves))
    return _node(_root(leaves[:split]), _root(leaves[split:]))


def _split(size: int) -> int:
    """Return the largest power of two below a size of at least two."""
    return int(1 << (size - 1).bit_length() - 1)


def _subproof(leaves: Sequence[bytes], first: int, *, whole: bool) -> list[bytes]:
    if first == len(leaves):
        return [] if whole else [_root(leaves)]
    split = _split(len(leaves))
    left, right = leaves[:split], leaves[split:]
    if first <= split:
        return [*_subproof(left, first, whole=whole), _root(right)]
    return [*_subproof(right, first - split, whole=False), _root(left)]
