"""Signing out elsewhere: one browser, all others, or somebody at one's event. The list stands on the account page."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from tournament.models import Event, Role
from tournament.refusal import Refused
from tournament.rights import Verb, outranks
from tournament.services.access.access import end_member_sessions, end_other_sessions, end_session
from web.gateways import DeskRequest, for_account, who_may
from web.words.problems import say


@require_POST
@for_account
def end(request: DeskRequest) -> HttpResponse:
    """Sign out the browser that `number` names, or with `others` all but this one."""
    if "others" in request.POST:
        _say_ended(request, end_other_sessions(keep=request.session.session_key, by=request.user))
    else:
        _say_ended(request, int(end_session(number=request.POST.get("number", ""), by=request.user)))
    return redirect("account")


@require_POST
@who_may(Verb.MANAGE_MEMBERS)
def end_member(request: DeskRequest, event: Event, account_id: int) -> HttpResponse:
    """Sign somebody with a role below one's own out everywhere; the role stays as it is."""
    membership = event.memberships.select_related("account").filter(account=account_id).first()
    if membership is None:
        raise Http404("There is nobody like this.")
    if not outranks(request.rights, Role(membership.role)):
        raise PermissionDenied
    try:
        _say_ended(request, end_member_sessions(event=event, account=membership.account, by=request.user))
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, say(problem))
    return redirect("desk:members", event.slug)


def _say_ended(request: DeskRequest, count: int) -> None:
    if count:
        words = ngettext("%(count)d browser is signed out.", "%(count)d browsers are signed out.", count)
        messages.success(request, words % {"count": count})
    else:
        messages.info(request, _("Nobody was signed in there."))
