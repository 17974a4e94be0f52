"""Hanchan Desk as an installed program: `hanchan-desk` starts the desk, `hanchan-desk COMMAND` is `manage.py COMMAND`.

The wheel holds the tree of the repository as `hanchan_desk/app`, and this package around it. Data is kept in the
platform's own folder for programs, or where HANCHAN_DATA says.
"""

import os
import sys
from pathlib import Path

APP = Path(__file__).resolve().parent / "app"


def main() -> None:
    """Run a command of the desk; without one, or with options alone, start it."""
    from platformdirs import user_data_path

    os.environ["HANCHAN_NO_BOOTSTRAP"] = "1"  # pip has installed what the desk needs
    os.environ.setdefault("HANCHAN_DATA", str(user_data_path("hanchan-desk", appauthor=False)))
    sys.path.insert(0, str(APP))
    if not sys.argv[1:] or (sys.argv[1].startswith("--") and sys.argv[1] not in ("--help", "--version")):
        sys.argv[1:1] = ["desk"]
    from manage import main as manage  # the manage.py of the tree

    manage()
