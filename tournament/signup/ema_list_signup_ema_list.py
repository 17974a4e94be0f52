"""EMA's list of players, from which a sign-up takes name, country and club; it belongs to the whole desk."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput
from tournament.core.errors import Refused
from tournament.models.sign_up import EmaPlayer
from tournament.pages.forms_file_form import FileForm
from tournament.pages.permissions_gateways import DeskRequest, for_site
from tournament.pages.requests_tables import UNPROCESSABLE
from tournament.signup.ema_list_1 import take_ema_list
from tournament.text.languages import counted, in_turn
from tournament.text.problems_1 import say


@require_http_methods(["GET", "POST"])
@for_site
def ema_list(request: DeskRequest) -> HttpResponse:
    """Show how many players of EMA's list this desk knows; replace the list by that of a file."""
    form = FileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            data, filename = form.content()
            taken = take_ema_list(data=data, filename=filename, by=request.user)
            said = counted("%(count)d player is imported.", "%(count)d players are imported.", taken.players)
            messages.success(request, said)
            if taken.left_out:
                rows = in_turn(map(str, taken.left_out[:10]))
                messages.warning(request, _("Rows without a number or a name are left out: %(rows)s.") % {"rows": rows})
            return redirect("desk:ema_list")
        except (Refused, InvalidInput) as refused:
            for problem in refused.problems:
                form.add_error(None, say(problem))
    context = {"form": form, "known": EmaPlayer.objects.count()}
    return render(request, "signup/ema_list.html", context, status=UNPROCESSABLE if form.errors else 200)
