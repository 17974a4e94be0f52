"""A substitute as the desk types it: who is replaced, by whom, since when, why. Mapped to values, not judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID, uuid4

from scoring.problems import Problem, error, shown
from tournament.services.people.substitutions import Replacement

WHENS = ("before", "during")


@dataclass(frozen=True, slots=True)
class SubstituteDraft:
    """What stands in the form, as texts."""

    client_id: str
    player: str = ""
    name: str = ""
    when: str = ""
    hand: str = ""
    reason: str = ""
    later: bool = False

    @property
    def number(self) -> int:
        """The number of the player who is replaced, 0 where none is chosen."""
        return int(self.player) if self.player.isascii() and self.player.isdigit() and len(self.player) < 6 else 0


def read_draft(data: Mapping[str, str]) -> SubstituteDraft:
    """Return what a form says; a page without its number gets a new one."""
    given = data.get("client_id", "")
    return SubstituteDraft(
        client_id=given if _is_uuid(given) else str(uuid4()),
        player=data.get("player", ""),
        name=data.get("name", "")[:200],
        when=data.get("when", ""),
        hand=data.get("hand", "").strip()[:20],
        reason=data.get("reason", "")[:300],
        later=bool(data.get("later")),
    )


def problems_of(draft: SubstituteDraft, data: Mapping[str, str]) -> list[Problem]:
    """List what keeps a draft from being sent to the desk at all."""
    found = []
    if not _is_uuid(data.get("client_id", "")):
        found.append(error("form.stale"))
    if not draft.number:
        found.append(error("substitute.player_missing"))
    if draft.when not in WHENS:
        found.append(error("substitute.when_missing"))
    if draft.when == "during" and draft.hand and not _is_number(draft.hand):
        found.append(error("substitute.hand_not_a_number", value=shown(draft.hand)))
    return found


def replacement_of(draft: SubstituteDraft) -> Replacement:
    """Return a sound draft as the desk takes it."""
    during = draft.when == "during"
    return Replacement(
        when="during" if during else "before",
        reason=draft.reason,
        name=draft.name,
        hand=int(draft.hand) if during and draft.hand else None,
        later=draft.later,
    )


def client_id_of(draft: SubstituteDraft) -> UUID:
    """Return the number under which a draft is written once."""
    return UUID(draft.client_id)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
