"""The addresses of a demo."""

from django.urls import path

from tournament.demo import views as guests
from web.urls import handler404, handler500, urlpatterns

urlpatterns = [*urlpatterns, path("demo/", guests.demo, name="demo")]
__all__ = ["handler404", "handler500", "urlpatterns"]
