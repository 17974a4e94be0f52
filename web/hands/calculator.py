"""The public calculator: a hand by its tiles, counted by any of the books. No account, no event, nothing is kept."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rules.books import Book, book_keys, load_book
from scoring.problems import error
from web.gateways import for_anyone
from web.hands.hand_answer import answer_line
from web.words.problems import say

USUAL_RULES = "ema-2025"


@require_safe
@for_anyone
def calculator(request: HttpRequest) -> HttpResponse:
    """Show the picker with the answer to `?rules=KEY&line=…`; an unknown rule set gives the usual one."""
    book = _book(request) or load_book(USUAL_RULES)
    line = request.GET.get("line", "")
    response = render(
        request,
        "hands/calculator.html",
        # no token: nothing is posted from here, so the page needs no cookie
        {"rules": book.ruleset, "line": line, "answer": answer_line(line, book), "csrf_token": ""},
    )
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
@for_anyone
def count(request: HttpRequest) -> HttpResponse:
    """Answer a hand line with ui/count.html; what is wrong with it is part of the answer."""
    book = _book(request)
    response = render(request, "ui/count.html", _unknown(request) if book is None else _answer(request, book))
    response["Cache-Control"] = "no-store"
    return response


def _answer(request: HttpRequest, book: Book) -> dict[str, Any]:
    return answer_line(request.GET.get("line", ""), book)


def _unknown(request: HttpRequest) -> dict[str, Any]:
    key = request.GET.get("rules", "")[:40]
    return {"line": "", "errors": [say(error("event.rules_unknown", key=key, known=tuple(book_keys())))]}


def _book(request: HttpRequest) -> Book | None:
    key = request.GET.get("rules", USUAL_RULES)
    return load_book(key) if key in book_keys() else None
