"""Each view declares what the table of rights says, by hand, that its address takes."""

from typing import Any

from django.test import RequestFactory
from django.urls import get_resolver, resolve

from tests.pages.rights_table import ASKED_AGAIN, TABLE, Needs, audience_of
from tests.pages.test_audiences import walk

READS, SENDS = {"GET", "HEAD"}, {"POST"}


def named() -> list[tuple[str, Any]]:
    """List the name of every address with its view."""
    return [(resolve(url).view_name, part.callback) for url, part in walk(get_resolver())]


def methods(view: Any) -> set[str]:
    """Return the methods that a view takes, as it says itself; that comes before all else, so it reads no rows."""
    answer = view(RequestFactory().options("/"))
    assert answer.status_code == 405
    return {*answer["Allow"].split(", ")}


def declared(view: Any) -> tuple[Needs, Needs]:
    """Return what a view's decorators say, in the form of the table."""
    takes = methods(view)
    read, send = getattr(view, "verbs", None) or (view.audience, view.audience)
    assert read == send or takes & READS, "what is only sent takes one right"
    return read if takes & READS else None, send if takes & SENDS else None


def test_the_table_has_every_address_once_and_no_other():
    assert sorted(name for name, _view in named()) == sorted(TABLE)


def test_each_view_takes_what_the_table_says():
    found = {name: declared(view) for name, view in named()}
    assert {name: (found[name], wanted) for name, wanted in TABLE.items() if found[name] != wanted} == {}


def test_each_view_has_the_audience_of_the_table():
    assert {name: view.audience for name, view in named()} == {name: audience_of(name) for name in TABLE}


def test_no_view_takes_other_methods():
    assert {name: left for name, view in named() if (left := methods(view) - READS - SENDS)} == {}


def test_a_password_is_asked_again_where_the_table_says_so():
    assert {name for name, view in named() if hasattr(view, "reauthenticates")} == ASKED_AGAIN
