"""The WSGI application, for the desk's own server and for any other.

What runs around a request is listed in web.settings.MIDDLEWARE; only the question that phones ask all the time is
answered before, where another phone has just asked it.
"""

import os

from django.core.wsgi import get_wsgi_application

from web.server.gc_tuning import tune_gc

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")

tune_gc()  # before everything is loaded
_program = get_wsgi_application()  # sets Django up: what follows may ask it for its addresses

from web.server.poll_answers import PollAnswers  # noqa: E402

application = PollAnswers(_program)
