"""Names of players as a reader may see them, also in what somebody typed: announcements, reasons, notes.

Who is not shown by name has a stand-in with the number. In a text a person is found by every full name and by the
surname, in any case: "MOSS was late" names Anna Moss.
"""

import contextlib
import functools
import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from django.db.models import Case, CharField, F, Q, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Concat

from scoring.entries import Correction, Entry
from tournament.core.redactions import redact
from tournament.events.models import Event
from tournament.players.models import Person, Player

SHORTEST = 2  # letters of a name that is looked for in texts
SHORTEST_SURNAME = 3  # in letters with words between them: "li" alone is a syllable
_LETTER = r"[A-Za-z\u00c0-\u024f]"
Said = Callable[[str], str]


def names_in(person: Person) -> list[str]:
    """Return the names of a person that are looked for in texts, the longest first.

    >>> names_in(Person(preferred_name="Anna Moss", legal_name="MOSS Anna Maria"))
    ['MOSS Anna Maria', 'Anna Moss', 'Moss', 'MOSS']
    """
    full = [name.strip() for name in (person.preferred_name, person.legal_name)]
    found = dict.fromkeys(name for name in (*full, *map(surname, full)) if len(name) >= SHORTEST)
    return sorted(found, key=len, reverse=True)


def names_of_player(player: Player) -> list[str]:
    """Return the names of a player that are looked for in texts: the person's, and that of the sign-up; one query."""
    signed_up = {name for row in player.sign_ups.all() for name in names_in(Person(preferred_name=row.name))}
    return sorted({*names_in(player.person), *signed_up}, key=lambda name: (-len(name), name))


def surname(name: str) -> str:
    """Return the part of a full name that stands for the family: in capitals, first in East Asian scripts, or last.

    >>> surname("MOSS Anna"), surname("Anna van der Moss"), surname("山田 太郎"), surname("Moss"), surname("Anna Li")
    ('MOSS', 'Moss', '山田', '', '')
    """
    parts = name.split()
    if len(parts) < SHORTEST:
        return ""
    if _is_east_asian(name):
        return parts[0]
    found = next((part for part in parts if part.isupper() and len(part) >= SHORTEST_SURNAME), parts[-1])
    return found if len(found) >= SHORTEST_SURNAME else ""


def _is_east_asian(name: str) -> bool:
    return unicodedata.name(name[0], "").startswith(("CJK", "HIRAGANA", "KATAKANA", "HANGUL"))


def pattern_of(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds these names in any case, as whole words where their script has words.

    >>> pattern_of(["Ito"]).sub("X", "Ito, ITO and Itoh, Ito's"), pattern_of(["Ito"]).search("kito")
    ("X, X and Itoh, X's", None)
    """
    parts = "|".join(r"\s+".join(map(re.escape, name.split())) for name in names)
    return re.compile(rf"(?<!{_LETTER})(?:{parts})(?!{_LETTER})", re.IGNORECASE)


def without_hidden_names(event: Event) -> Said:
    """Return what takes the names of hidden and of forgotten players out of a typed text, where the public reads.

    One query with the first text that is not empty.
    """

    @functools.cache
    def patterns() -> list[tuple[re.Pattern[str], str]]:
        hidden = Player.objects.filter(event=event, shown_by_name=False).select_related("person")
        known = [(names_in(player.person), shown_name(player), player.person.preferred_name) for player in hidden]
        # at the desk a player is shown by name, hidden or not
        return [(pattern_of(names), said) for names, said, name in known if names and said != name]

    def say(text: str) -> str:
        text = redact(event, text)
        for pattern, said in patterns() if text else ():
            text = pattern.sub(lambda _found, words=said: words, text)  # type: ignore[misc]
        return text

    return say


def say_entry(entry: Entry, say: Said) -> Entry:
    """Return an entry with what somebody typed in it: its note, and why a correction moves points."""
    said = replace(entry, note=say(entry.note))
    return replace(said, reason=say(said.reason)) if isinstance(said, Correction) else said


def mentions(names: Iterable[str], texts: Iterable[Any]) -> int:
    """Count the texts that hold one of these names."""
    wanted = list(names)
    pattern = pattern_of(wanted)
    return sum(bool(pattern.search(str(text))) for text in texts) if wanted else 0


NUMBER = "{number}"  # where a stand-in has the player's number

_say: ContextVar[Callable[[], str] | None] = ContextVar("stand-in for names", default=None)


@contextlib.contextmanager
def read_for_public(stand_in: Callable[[], str]) -> Iterator[None]:
    """Read names as the public may see them until this ends; `stand_in` says "Player {number}" for a reader."""
    token = _say.set(stand_in)
    try:
        yield
    finally:
        _say.reset(token)


def names_mark() -> str:
    """Return a cache key of the reader for whom names are read now: "" for the desk."""
    words = _words()
    return hashlib.sha256(words.encode()).hexdigest()[:8] if words else ""


def name_of(player: str = "") -> str | Combinable:
    """Return the expression of a player's name for a query; `player` is the path, such as "player__"."""
    plain, words = f"{player}person__preferred_name", _words()
    if not words:
        return plain
    before, _, after = words.partition(NUMBER)
    stand_in = Concat(Value(before), Cast(f"{player}number", CharField()), Value(after), output_field=CharField())
    # a missing player, as that of a substitute who is none, has no name
    shown = Q(**{f"{player}shown_by_name": True}) | Q(**{f"{player}number": None})
    return Case(When(shown, then=F(plain)), default=stand_in, output_field=CharField())


def shown_name(player: Player) -> str:
    """Return the name of a player who was read with the person."""
    if is_open(player.shown_by_name):
        return player.person.preferred_name
    return _words().replace(NUMBER, str(player.number))


def _words() -> str:
    say = _say.get()
    return say() if say else ""


def is_open(shown_by_name: bool) -> bool:
    """Tell whether the reader may see who a player is: the name, and country and club, which would identify."""
    return shown_by_name or _say.get() is None


def list_names(event: Event) -> list[tuple[int, str]]:
    """List (number, name) of the players by name; one query."""
    rows = event.players.values_list("number", name_of())
    return sorted(rows, key=lambda row: row[1].casefold())
