"""The WSGI application, for the desk's own server (web.server.front) and for any other.

What runs around a request is listed in web.settings.MIDDLEWARE.
"""

import os

from django.core.wsgi import get_wsgi_application

from web.server.tuning import tune_gc

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")

tune_gc()  # before everything is loaded
application = get_wsgi_application()
