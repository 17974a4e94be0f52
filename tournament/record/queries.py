"""The record of an event for everybody: its signed heads, proofs between them, and the file that proves the results.

A head is read aloud as eight words, 88 of its 256 bits. `words.txt` is the English list of BIP 39 (MIT licence): 2,048
words that differ in their first four letters.
"""

import functools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db.models import Q

from tournament.core.hash_chain import canonical, moment
from tournament.core.heads import consistency_proof, roots
from tournament.core.models import AuditRow
from tournament.core.sealed_rows import NOTE, Rows, Sealed, digest, opening, read_sealed_hands, read_sealed_rows
from tournament.events.models import Event
from tournament.incidents.models import Disqualification, Substitution
from tournament.penalties.models import Penalty
from tournament.publication.queries import ROUND_RELEASED, PublicView, by_public_state, read_public_view
from tournament.record.models import RecordHead

COUNT = 8
BITS = 11
_START = 4
_HEAD = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


@functools.cache
def _known() -> tuple[str, ...]:
    return tuple(Path(__file__).with_name("words.txt").read_text(encoding="ascii").split())


def head_words(head: str) -> str:
    """Return the eight words of a head.

    >>> head_words("0" * 64)
    'abandon abandon abandon abandon abandon abandon abandon abandon'
    """
    bits = int(head, 16) >> (256 - COUNT * BITS)
    places = [bits >> BITS * (COUNT - 1 - place) & 2**BITS - 1 for place in range(COUNT)]
    return " ".join(_known()[place] for place in places)


def read_head(text: str) -> str | None:
    """Return a head that somebody gave as eight words or 64 hexadecimal digits, in one form; None for anything else.

    An address that ends in the digits will do, as a QR code holds it, and the first four letters of each word.

    >>> read_head(" Abandon aban,abandon abandon abandon abandon abandon ABAN ")
    'abandon abandon abandon abandon abandon abandon abandon abandon'
    """
    digits = _HEAD.findall(text.lower())
    if digits:
        return str(digits[-1])
    starts = [word[:_START] for word in re.findall("[a-z]+", text.lower())]
    by_start = {word[:_START]: word for word in _known()}
    if len(starts) != COUNT or any(start not in by_start for start in starts):
        return None
    return " ".join(by_start[start] for start in starts)


def is_head(head: str, asked: str) -> bool:
    """Tell whether a head is the one that `read_head` has read."""
    return asked in (head, head_words(head))


FORMAT = "hanchan-desk-record"
VERSION = 1
ALWAYS = ("rules", "event")
OF_ALL = ("player", "cut")
OF_ROUNDS = ("hand", "sheet", "standings")


@dataclass(frozen=True, slots=True)
class Head:
    """A signed head: the root over the first `size` acts; `round` is the one released then, 0 for a later change."""

    size: int
    root: str
    round: int
    at: datetime
    public_key: str
    signature: str

    @property
    def words(self) -> str:
        """The first 88 bits as eight words."""
        return head_words(self.root)


@dataclass(frozen=True, slots=True)
class RecordedHead:
    """Where a head that somebody has stands in the record: after act `size`; `since` acts came after it.

    `head` is the signed one of that size, None for a state between two.
    """

    size: int
    since: int
    head: Head | None


def list_heads(event: Event) -> list[Head]:
    """Return the signed heads, newest first."""
    rows = RecordHead.objects.filter(event=event).order_by("-size")
    return [Head(*row) for row in rows.values_list("size", "root", "round", "at", "public_key", "signature")]


def get_head(event: Event) -> Head | None:
    """Return the newest head as pages show it."""
    found = by_public_state(event, "record", lambda: list_heads(event)[:1])
    return found[0] if found else None


def find_in_record(event: Event, asked: str) -> RecordedHead | None:
    """Return where a head stands that `read_head` has read, None where the record has never had it."""
    hashes = _hashes(event)
    for size, root in enumerate(roots(hashes), start=1):
        if is_head(root, asked):
            head = next((head for head in list_heads(event) if head.size == size), None)
            return RecordedHead(size, len(hashes) - size, head)
    return None


def find_head(event: Event, asked: str) -> RecordedHead | None:
    """Return the same of a signed head, where nothing but those is known: at a relay."""
    heads = list_heads(event)
    return next(
        (RecordedHead(head.size, heads[0].size - head.size, head) for head in heads if is_head(head.root, asked)), None
    )


def prove_consistent(event: Event, first: int, second: int) -> list[str]:
    """Return the proof that the record's first `second` acts begin with its first `first`; [] for odd numbers."""
    hashes = _hashes(event)[:second]
    return consistency_proof(hashes, first) if 0 < first <= len(hashes) else []


def _hashes(event: Event) -> list[str]:
    return list(AuditRow.objects.filter(event=event).order_by("seq").values_list("hash", flat=True))


# ---------------------------------------------------------------- the file


def get_proof(event: Event) -> str:
    """Return the file that lets a stranger verify the event up to its newest head, as one line of canonical JSON."""
    heads = list_heads(event)
    size = heads[0].size if heads else 0
    acts = list(AuditRow.objects.filter(event=event, seq__lte=size).order_by("seq"))
    sealed: dict[str, str | None] = {}
    for act in acts:
        sealed.update(json.loads(act.state) if act.state else {})
    salt = event.record_salt
    rows = []
    for key, row in sorted(_public_rows(event, acts).items()):
        opened = opening(salt, key, row)
        if sealed.get(key) == digest(opened, key, row.content):  # else it was changed after that head
            rows.append({"key": key, "content": row.content, "opening": opened})
    return canonical(
        {
            "format": FORMAT,
            "version": VERSION,
            "event": event.slug,
            "root": heads[0].root if heads else "",
            "acts": [_act(act) for act in acts],
            "heads": [_head(head) for head in reversed(heads)],
            "rows": rows,
        }
    )


def _act(act: AuditRow) -> dict[str, Any]:
    """Return an act as far as everybody may read it; one from before seals is a hash alone."""
    return act.content() if act.salt else {"seq": act.seq, "hash": act.hash}


def _head(head: Head) -> dict[str, Any]:
    return {
        "size": head.size,
        "root": head.root,
        "round": head.round,
        "at": moment(head.at),
        "public_key": head.public_key,
        "signature": head.signature,
    }


def _public_rows(event: Event, acts: list[AuditRow]) -> Rows:
    """Return the rows that the public may see."""
    seen = read_public_view(event)
    everything = {**read_sealed_rows(event.pk), **dict(read_sealed_hands(event.pk)), **dict(_standings(acts))}
    named = {f"name {number}" for number in event.players.filter(shown_by_name=True).values_list("number", flat=True)}
    shown = {*named, *ALWAYS, *_acts(event, seen)}
    published = set(event.rounds.filter(published_at__isnull=False).values_list("number", flat=True))
    rounds = {"round": published, "seats": published, **{kind: set(seen.rounds) for kind in OF_ROUNDS}}
    return {key: row for key, row in everything.items() if key in shown or _is_public(key, rounds)}


def _standings(acts: list[AuditRow]) -> Iterator[tuple[str, Sealed]]:
    for act in acts:
        details = json.loads(act.details) if act.verb == ROUND_RELEASED.name else {}
        if "standings" in details:
            yield f"standings {details['round']}", Sealed(details["standings"])


def _is_public(key: str, rounds: Mapping[str, set[int]]) -> bool:
    """Tell whether everybody may read a row; `rounds` are those of which a kind is public."""
    if NOTE in key:
        return False
    kind, _space, place = key.partition(" ")
    return kind in OF_ALL or (kind in rounds and int(place.partition("/")[0]) in rounds[kind])


def _acts(event: Event, seen: PublicView) -> Iterator[str]:
    """Yield the keys of acts about players that public pages show: never a warning, or what is kept back."""
    counted = Q(round=None) | Q(round__number__in=seen.rounds)
    penalties = Penalty.objects.filter(counted, event=event, cancelled_at=None).exclude(points=0)
    substitutions = Substitution.objects.filter(event=event, table__round__number__in=seen.rounds)
    out = Disqualification.objects.filter(event=event, cancelled_at=None).exclude(shown="nothing")
    for kind, found in (("penalty", penalties), ("substitution", substitutions), ("disqualification", out)):
        for client_id in found.values_list("client_id", flat=True):
            yield f"{kind} {client_id}"
