"""The WSGI application, for the desk's own server and for any other.

Never anything but Django's own handler: what runs around a request is listed in web.settings.MIDDLEWARE.
"""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")

application = get_wsgi_application()
