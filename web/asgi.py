"""The ASGI application, for uvicorn with several workers (docs/operate/server.md); see web.server.front."""

from importlib import import_module

from django.conf import settings

from web.server.front import ENDS_WITHIN, AsgiApp, Receive, Scope, Send
from web.server.protocol import ConnectionLimit, DeskProtocol, raise_file_limit
from web.server.tuning import settle
from web.wsgi import application as program

import_module(settings.ROOT_URLCONF)  # all pages, as `desk` does
settle()
DeskProtocol.places = ConnectionLimit(raise_file_limit())
front = AsgiApp(program)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer requests; where the server ends, end the threads, which close their connections to the database."""
    if scope["type"] != "lifespan":
        return await front(scope, receive, send)
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    front.stop(ENDS_WITHIN)
    await send({"type": "lifespan.shutdown.complete"})
    return None
