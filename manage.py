#!/usr/bin/env python3
"""The one entry to the desk: sets itself up on the first use, then is Django's manage.py.

Never imports anything before the Python version is known, and holds nothing that Python 2 cannot read: an old Python
gets a sentence, not a traceback.
"""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - the very Pythons that this line speaks to
    sys.exit("Hanchan Desk needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031


def main():
    """Set up if need be, then hand over to Django."""
    import bootstrap

    bootstrap.ensure(sys.argv[1:])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")
    from web.management.overview import print_overview
    from web.server.tuning import tune_gc

    if print_overview(sys.argv):
        return
    tune_gc()
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from environs import EnvError

    try:
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, EnvError) as error:  # settings say what is wrong in a sentence
        if "--traceback" in sys.argv:
            raise
        sys.exit("The desk cannot start. %s" % error)  # noqa: UP031


if __name__ == "__main__":
    main()
