"""The wall for everybody: the projector page that goes through its pages, one page alone, and what it asks for news."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from tournament.models import Event, WallPage
from web.gateways import for_public
from web.server.caches import same_for_all
from web.wall.wall_answer import show_wall, wall_version
from web.wall.wall_page import wall_context
from web.words.languages import follow_wall


@require_safe
@for_public
def display(request: HttpRequest, event: Event, page: str = "") -> HttpResponse:
    """Show the pages of the wall one after the other, or one of them alone, in the event's languages."""
    if page and page not in WallPage.values:
        raise Http404("The wall has no such page.")
    follow_wall(event.language)
    return show_wall(request, event, "wall/display.html", lambda: wall_context(request, event, page))


@require_safe
@for_public
def version(request: HttpRequest, event: Event) -> HttpResponse:
    """Tell a screen whether the wall has changed, and the time: 304 where it knows; no body else."""
    etag = f'"{wall_version(event)}"'
    answer = get_conditional_response(request, etag) or HttpResponse()
    answer["ETag"] = etag
    answer["Cache-Control"] = "no-cache"
    answer["X-Server-Time"] = str(int(timezone.now().timestamp() * 1000))
    return same_for_all(answer)
