"""EMA's list of players, from which a sign-up takes name, country and club: the page that shows and replaces it.

It belongs to the whole desk.
"""

from dataclasses import dataclass

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput, ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act
from tournament.core.audit import append_audit
from tournament.core.errors import DomainError
from tournament.core.now import now
from tournament.imports.listing import ListKind, Vocabulary, list_in
from tournament.imports.players import MEANINGS, NOT_USED, read_draft
from tournament.pages.forms import FileForm
from tournament.pages.permissions import DeskRequest, for_site
from tournament.pages.requests import UNPROCESSABLE
from tournament.signup.models import EmaPlayer
from tournament.text.languages import join_commas, plural_text
from tournament.text.problems import problem_text

EMA_LIST_TAKEN = Act("ema_list_taken", "imported EMA's list of players ({count})")

EMA_LIST_NOTHING = ProblemType(
    "ema_list.nothing", "No players were found. The file needs columns with the headings Number and Name."
)

# as in a list of an event's players, but here a plain number or id is EMA's
_MEANINGS = {key: MEANINGS[key] for key in ("first_name", "last_name", "name", "country", "club")}
_MEANINGS |= {"ema_number": f"{MEANINGS['ema_number']}|number|id", "country": f"{MEANINGS['country']}|federation"}
_NOT_USED = {key: texts for key, texts in NOT_USED.items() if key != "count"}
EMA_LIST = ListKind(
    Vocabulary(_MEANINGS, ignored=_NOT_USED),
    complete=lambda meanings: "ema_number" in meanings and not meanings.isdisjoint(("name", "last_name")),
    most_rows=100_000,
)


@dataclass(frozen=True, slots=True)
class EmaListResult:
    """How many lines were taken, and the rows of the file that have no number or no name."""

    players: int
    left_out: tuple[int, ...]


def take_ema_list(*, data: bytes, filename: str, by: Account) -> EmaListResult:
    """Replace the list by that of a file with the columns number, name (or first and last name), country, club.

    Raises InvalidInput for a file that is not a list, and DomainError for a list without numbers and names.
    """
    found, left_out = _read(data, filename)
    if not found:
        raise DomainError(EMA_LIST_NOTHING())
    with transaction.atomic():
        EmaPlayer.objects.all().delete()
        EmaPlayer.objects.bulk_create(found.values(), batch_size=1000)
        append_audit(None, EMA_LIST_TAKEN, {"count": len(found)}, by=str(by.uid), at=now())
    return EmaListResult(len(found), tuple(left_out))


def _read(data: bytes, filename: str) -> tuple[dict[str, EmaPlayer], list[int]]:
    sheet = EMA_LIST.read(data, filename)
    listing = list_in(sheet, EMA_LIST)
    found, left_out = dict[str, EmaPlayer](), list[int]()
    if listing.header is None:
        return found, left_out
    for row in listing.rows:
        draft = read_draft(row, listing.header, is_text=sheet.kind == "csv")
        if draft.is_sound and draft.ema_number:
            found[draft.ema_number] = EmaPlayer(
                number=draft.ema_number, name=draft.preferred_name, country=draft.country, club=draft.club
            )
        else:
            left_out.append(row.number)
    return found, left_out


@require_http_methods(["GET", "POST"])
@for_site
def ema_list(request: DeskRequest) -> HttpResponse:
    """Show how many players of EMA's list this desk knows; replace the list by that of a file."""
    form = FileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            data, filename = form.content()
            taken = take_ema_list(data=data, filename=filename, by=request.user)
            said = plural_text("%(count)d player is imported.", "%(count)d players are imported.", taken.players)
            messages.success(request, said)
            if taken.left_out:
                rows = join_commas(map(str, taken.left_out[:10]))
                messages.warning(request, _("Rows without a number or a name are left out: %(rows)s.") % {"rows": rows})
            return redirect("desk:ema_list")
        except (DomainError, InvalidInput) as refused:
            for problem in refused.problems:
                form.add_error(None, problem_text(problem))
    context = {"form": form, "known": EmaPlayer.objects.count()}
    return render(request, "signup/ema_list.html", context, status=UNPROCESSABLE if form.errors else 200)
