"""The ASGI application, for uvicorn with several workers: `uvicorn web.asgi:application`; see web.server.front."""

from web.server.front import Front
from web.wsgi import application as program

application = Front(program)
