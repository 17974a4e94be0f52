"""The desk's addresses, and before them a page that fails as a database does."""

from typing import NoReturn

from django.http import HttpRequest
from django.urls import path

from web import urls

OF_A_DATABASE = "no such thing\nDETAIL: Key (name)=(Akelei Sommerwind)"


def enter(_request: HttpRequest, token: str) -> NoReturn:
    """Fail."""
    raise ValueError(OF_A_DATABASE)


handler404, handler500 = urls.handler404, urls.handler500
urlpatterns = [path("enter/<str:token>/", enter), *urls.urlpatterns]
