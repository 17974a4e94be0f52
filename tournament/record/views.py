"""*Check this result*: the signed heads of an event's record, a head that somebody has, and the file that proves it."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.events.models import Event
from tournament.pages.files import qr_code
from tournament.pages.permissions import for_public
from tournament.pages.public_page import phones_url, public_context
from tournament.record.queries import Head, RecordedHead, find_head, find_in_record, get_proof, list_heads, read_head

MAX_ASKED = 500  # characters: a scanned address is longer than its head


def record_address(event: Event, head: Head) -> str:
    """Return the address, without a host, at which this head is looked up."""
    return f"{reverse('public:record', args=[event.slug])}?head={head.root}"


@never_cache
@require_safe
@for_public
def record(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the heads, newest first; `?head=` is one that the reader has, as words, digits or a scanned address."""
    asked = request.GET.get("head", "").strip()[:MAX_ASKED]
    heads = list_heads(event)
    context = {
        "heads": heads,
        "newest": heads[0] if heads else None,
        "code": qr_code(phones_url(request, event, record_address(event, heads[0]))) if heads else "",
        "asked": asked,
        "most": MAX_ASKED,
        **_answer(event, asked),
    }
    return render(request, "record/record.html", public_context(event, "standings", **context))


def _answer(event: Event, asked: str) -> dict[str, str]:
    """Return what is said of a head that was asked for, with the level of the note."""
    if not asked:
        return {}
    head = read_head(asked)
    if head is None:
        return {
            "level": "warning",
            "answer": _("That is neither eight words of the list nor a scanned code. Nothing was compared."),
        }
    found = find_head(event, head) if settings.RELAY else find_in_record(event, head)
    if found is None and settings.RELAY:
        return {
            "level": "warning",
            "answer": _(
                "The relay knows only the signed states, and this is not one of them. Ask at the desk in the hall."
            ),
        }
    if found is None:
        return {
            "level": "error",
            "answer": _(
                "This is not part of this event’s record. Either it belongs to another event, or the record was "
                "changed after it was shown. Ask the organiser, and keep what you have."
            ),
        }
    return {"level": "ok", "answer": f"{_which(found)} {_since(found)}"}


def _which(found: RecordedHead) -> str:
    if found.head is None:
        return _("This is part of the record, after action %(size)d.") % {"size": found.size}
    if found.head.round:
        return _("This is part of the record: it was signed when round %(round)d was released.") % {
            "round": found.head.round
        }
    return _("This is part of the record: it was signed after a change to released results.")


def _since(found: RecordedHead) -> str:
    if not found.since:
        return _("Nothing was recorded since.")
    return ngettext("%(count)d action was recorded since.", "%(count)d actions were recorded since.", found.since) % {
        "count": found.since
    }


@never_cache
@require_safe
@for_public
def proof(_request: HttpRequest, event: Event) -> HttpResponse:
    """Return the file with which a stranger verifies the event, without this program."""
    answer = HttpResponse(get_proof(event), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="{event.slug}-record.json"'
    return answer
