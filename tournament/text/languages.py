"""Languages: the tables of words that translators read, lists in a sentence, what an event speaks, what a reader chose.

A table annotated as Words holds English texts as its values: scripts/catalogues.py collects them, and code that shows
one calls gettext first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from django.conf import settings
from django.conf.locale import LANG_INFO
from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.translation import (
    activate,
    get_language,
    get_language_from_request,
    get_supported_language_variant,
    ngettext,
    override,
    pgettext,
)
from django.utils.translation import gettext as _

Words: TypeAlias = Mapping[Any, Any]
ENGLISH = settings.LANGUAGE_CODE
# Languages into which the desk is translated: no referee reads half a page in another language. The desk of an event in
# any other, a draft, is English; its public pages are not.
DESK_LANGUAGES: frozenset[str] = frozenset(
    {ENGLISH, *(each.code for each in settings.TRANSLATIONS if not each.is_draft)}
)


def plural_text(one: str, many: str, count: int, **more: object) -> str:
    """Fill the text for so many things: `%(count)d`, and `more` by name. Its texts are collected as those of ngettext.

    >>> plural_text("%(count)d hand", "%(count)d hands", 2)
    '2 hands'
    """
    return ngettext(one, many, count) % {"count": count, **more}


def join_and(words: Sequence[str]) -> str:
    """List words as in a sentence: commas, and an "and" before the last.

    >>> join_and(["Ito", "Berg", "Sato"]), join_and(["Ito"]), join_and([])
    ('Ito, Berg and Sato', 'Ito', '')
    """
    if len(words) < 2:
        return "".join(words)
    return _("%(first)s and %(last)s") % {"first": join_commas(words[:-1]), "last": words[-1]}


def join_or(words: Sequence[str]) -> str:
    """List words of which one holds: commas, and an "or" before the last.

    >>> join_or(["Ito", "Berg", "Sato"]), join_or(["Ito"]), join_or([])
    ('Ito, Berg or Sato', 'Ito', '')
    """
    if len(words) < 2:
        return "".join(words)
    return _("%(first)s or %(last)s") % {"first": join_commas(words[:-1]), "last": words[-1]}


def join_commas(words: Iterable[str]) -> str:
    """Put words in a row, with commas alone."""
    return comma().join(words)


def comma() -> str:
    """Return what separates the parts of a list."""
    return pgettext("between the parts of a list", ", ")


def colon() -> str:
    """Return what separates a label from its text: French has a no-break space before it, Japanese a wide sign."""
    return pgettext("between a label and its text", ": ")


def sentences(said: Iterable[str]) -> str:
    """Put whole sentences one behind another; empty ones are left out."""
    return pgettext("between two sentences", " ").join(each for each in said if each)


def join_sentences(said: Iterable[str]) -> str:
    """Put statements without a full stop of their own one behind another; empty ones are left out.

    >>> join_sentences(["3 han", "", "Riichi: Ito"])
    '3 han. Riichi: Ito'
    """
    return pgettext("between two statements", ". ").join(each for each in said if each)


def join_spaced(said: Iterable[str]) -> str:
    """Put parts that could stand alone into one line; empty ones are left out.

    >>> join_spaced(["3 han", "", "5 han"])
    '3 han; 5 han'
    """
    return pgettext("between the parts of a line", "; ").join(each for each in said if each)


def language_name(code: str) -> str:
    """Return a language's own name, of a draft with that word; a dash for none."""
    name = str(LANG_INFO.get(code, {}).get("name_local", "\N{EN DASH}"))
    return dict(settings.LANGUAGES).get(code) or name[:1].upper() + name[1:]


def known_language(code: str) -> str:
    """Return the language that is offered under this code, "" where none is."""
    return code if code in dict(settings.LANGUAGES) else ""


def offered_language(code: str) -> str:
    """Return the language under this code, English where it is not offered: an event may have one of another time."""
    return known_language(code) or ENGLISH


def follow_desk(language: str) -> None:
    """Let a page of the desk speak the event's language, as far as the desk can."""
    activate(language if language in DESK_LANGUAGES else ENGLISH)


def follow_wall(language: str) -> None:
    """Let a page of the wall speak the event's language, whatever the machine behind the projector speaks."""
    activate(offered_language(language))


def in_language(language: str, say: Callable[[], str]) -> str:
    """Say something in another language; "" where there is none."""
    if not known_language(language):
        return ""
    with override(language):
        return say()


class ReaderLanguage(LocaleMiddleware):
    """Django's middleware, without its search for a language in addresses: ours name none."""

    def process_request(self, request: HttpRequest) -> None:
        """Speak the language that the reader's cookie or browser asks for."""
        activate(get_language_from_request(request))
        request.LANGUAGE_CODE = get_language()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:  # noqa: ARG002
        """Say which language it became."""
        patch_vary_headers(response, ["Accept-Language"])
        response.headers.setdefault("Content-Language", get_language())
        return response


def follow_reader(request: HttpRequest, language: str) -> None:
    """Let a public page speak the event's language where neither the phone nor its browser has said another.

    What a phone chose stands in the cookie, what a browser wants in Accept-Language; the middleware has read both.
    """
    if not asks_for_language(request) and known_language(language):
        activate(language)
        request.LANGUAGE_CODE = language


def asks_for_language(request: HttpRequest) -> bool:
    """Tell whether a request names a language that is offered, by its cookie or by what the browser says."""
    if known_language(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")):
        return True
    for part in request.headers.get("Accept-Language", "").lower().split(","):
        wanted = part.partition(";")[0].strip()
        try:
            if wanted and wanted != "*" and get_supported_language_variant(wanted):
                return True
        except LookupError:
            continue
    return False
