"""The ASGI application, for uvicorn with several workers: `uvicorn web.asgi:application`; see web.server.front."""

from importlib import import_module

from django.conf import settings

from web.server.front import Front
from web.server.gc_tuning import settle_gc
from web.wsgi import application as program

import_module(settings.ROOT_URLCONF)  # all pages, as `desk` does
settle_gc()
application = Front(program)
