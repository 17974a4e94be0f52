"""Verbs on roles: change one, take one away, hand an event on. Who may give which is in tournament.rights."""

from scoring.problems import error
from tournament.models import Account, DeskSession, Event, Membership, Role
from tournament.refusal import Refused
from tournament.rights import outranks
from tournament.selectors.access import get_rights
from tournament.services.core.writing import writing


def change_role(*, event: Event, account: Account, role: Role, by: Account) -> bool:
    """Give somebody at an event another role; return whether that changed anything.

    Raises Refused for a role that is not below one's own, before or after, and for somebody who has none here.
    """
    with writing(event, "role_changed", by=by) as change:
        member = _member(event, account, by)
        if not outranks(get_rights(by, event), role):
            raise Refused(error("members.role_too_high"))
        change.details = {"account": str(account.uid), "former": member.role, "role": str(role)}
        if member.role == role:
            change.nothing_new()
            return False
        member.role = role
        member.save(update_fields=["role"])
    return True


def remove_member(*, event: Event, account: Account, by: Account) -> None:
    """Take somebody's role at an event away, at once; who has none left anywhere is signed out everywhere.

    What they wrote stays, in their name. Raises Refused for a role that is not below one's own, and for nobody.
    """
    with writing(event, "member_removed", by=by) as change:
        member = _member(event, account, by)
        change.details = {"account": str(account.uid), "role": member.role}
        member.delete()
        if not account.is_superuser and not account.memberships.exists():
            DeskSession.objects.filter(account=account).delete()


def hand_event_on(*, event: Event, account: Account, by: Account) -> None:
    """Make somebody at an event its owner; who owned it becomes an organiser.

    Raises Refused for the owner, for a table device, and for somebody who has no role here.
    """
    with writing(event, "event_handed_on", by=by) as change:
        people = event.memberships.exclude(role=Role.TABLE_DEVICE)
        member = people.filter(account=account).first()
        if member is None:
            raise Refused(error("members.unknown"))
        if member.role == Role.OWNER:
            raise Refused(error("members.owns_already"))
        people.filter(role=Role.OWNER).update(role=Role.ORGANISER)
        member.role = Role.OWNER
        member.save(update_fields=["role"])
        change.details = {"account": str(account.uid)}


def _member(event: Event, account: Account, by: Account) -> Membership:
    """Return somebody's role at an event; raises Refused where `by` may not change it."""
    member: Membership | None = event.memberships.filter(account=account).first()
    if member is None:
        raise Refused(error("members.unknown"))
    if member.role == Role.OWNER:
        raise Refused(error("members.owner_stays"))
    if not outranks(get_rights(by, event), Role(member.role)):
        raise Refused(error("members.role_too_high"))
    return member
