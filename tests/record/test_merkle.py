"""The tree over a record: roots as defined, proofs between all pairs of sizes, and what the phone's check reads."""

import hashlib
import json
from pathlib import Path

import pytest

from tournament.core.heads import consistency_proof, is_consistent, root, roots
from tournament.record.queries import head_words, read_head

LEAVES = [hashlib.sha256(str(number).encode()).hexdigest() for number in range(40)]
PROOFS = Path(__file__).parents[1] / "js" / "proofs.json"
PAIRS = [(1, 1), (1, 2), (2, 3), (3, 7), (4, 7), (6, 8), (7, 8), (8, 8), (8, 40), (13, 32), (21, 40), (39, 40)]


def defined(leaves: list[str]) -> bytes:
    """Work the root out as RFC 9162 defines it."""
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0].encode()).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\1" + defined(leaves[:split]) + defined(leaves[split:])).digest()


def test_roots_are_as_the_standard_defines_them():
    wanted = [defined(LEAVES[:size]).hex() for size in range(1, len(LEAVES) + 1)]
    assert [root(LEAVES[:size]) for size in range(1, len(LEAVES) + 1)] == wanted
    assert list(roots(LEAVES)) == wanted


def test_every_state_is_proved_by_every_later_one_and_nothing_else_is():
    for second in range(1, len(LEAVES) + 1):
        for first in range(1, second + 1):
            proof, old, new = consistency_proof(LEAVES[:second], first), root(LEAVES[:first]), root(LEAVES[:second])
            assert is_consistent(first, second, old, new, proof)
            forged = root(["0" * 64, *LEAVES[1:first]])
            assert not is_consistent(first, second, forged, new, proof)
            assert not is_consistent(first, second, old, new, [*proof, new])
    assert not is_consistent(3, 2, root(LEAVES[:3]), root(LEAVES[:2]), [])


@pytest.mark.timeout(10)  # a check that takes "nothing" for a state climbs for ever
@pytest.mark.parametrize("first", [0, -1])
def test_no_proof_shows_that_a_state_continues_an_empty_one(first: int):
    proof = consistency_proof(LEAVES[:3], 2)
    assert not is_consistent(first, 3, root([]), root(LEAVES[:3]), proof)
    assert not is_consistent(first, 3, root([]), root(LEAVES[:3]), [])


def test_the_phones_check_is_held_to_the_same_proofs():
    wanted = [
        {
            "first": first,
            "second": second,
            "roots": [root(LEAVES[:first]), root(LEAVES[:second])],
            "proof": consistency_proof(LEAVES[:second], first),
        }
        for first, second in PAIRS
    ]
    assert json.loads(PROOFS.read_text(encoding="ascii")) == wanted


def test_words_are_read_back_however_they_are_typed():
    head = hashlib.sha256(b"a head").hexdigest()
    words = head_words(head)
    assert len(words.split()) == 8
    short = ", ".join(word[:4].upper() for word in words.split())
    assert read_head(words) == read_head(short) == words
    assert read_head(f"  {head.upper()}\n") == head
    for wrong in ("", "abandon", words + " zoo", words.replace(words.split()[0], "xyzzy"), "0" * 63, head + head):
        assert read_head(wrong) is None
