"""The ASGI application, for uvicorn with several workers (docs/operate/server.md); see web.server.front."""

from importlib import import_module

from django.conf import settings

from web.server.front import Front
from web.server.protocol import DeskProtocol, Places, raise_file_limit
from web.server.tuning import settle
from web.wsgi import application as program

import_module(settings.ROOT_URLCONF)  # all pages, as `desk` does
settle()
DeskProtocol.places = Places(raise_file_limit())
application = Front(program)
