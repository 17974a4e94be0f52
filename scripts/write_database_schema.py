"""Write tournament/record/schema: the rules of a database that the migrations have made, for SQLite and PostgreSQL.

`python scripts/write_database_schema.py` after a migration; `verify_ledger` holds every database against it.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
HERE = "--here"  # in the database of the settings, which is empty
NO_POSTGRESQL = 77


def main() -> int:
    """Make an empty database of each kind, and have its file written."""
    if HERE in sys.argv:
        sys.path.insert(0, str(REPO))
        os.environ["DJANGO_SETTINGS_MODULE"] = "web.settings"
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from tournament.record.schema import file_of, read_schema

        call_command("migrate", interactive=False, verbosity=0)
        text = json.dumps(read_schema(), ensure_ascii=False, indent=1) + "\n"
        file_of(connection.vendor).write_text(text, encoding="utf-8")
        return 0
    line = [sys.executable, str(Path(__file__).resolve()), HERE]
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    with tempfile.TemporaryDirectory(prefix="hanchan-schema-") as data:
        environment = {**kept, "HANCHAN_DATA": data, "HANCHAN_NO_BOOTSTRAP": "1"}
        subprocess.run(line, cwd=REPO, env=environment, check=True)
        with_postgresql = [sys.executable, "-m", "tests.with_postgresql", *line]
        done = subprocess.run(with_postgresql, cwd=REPO, env=environment, check=False)
    if done.returncode == NO_POSTGRESQL:
        sys.stderr.write("There is no PostgreSQL here: its file is the one of before.\n")
    return 0 if done.returncode == NO_POSTGRESQL else done.returncode


if __name__ == "__main__":
    sys.exit(main())
