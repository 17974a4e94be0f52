"""A process that has loaded the program once and starts the real command from there, so that 200 starts import nothing.

It reads "start PORT HOURS", "work NUMBER SEED" or "end PID" a line and answers with the process's number or its end.
What is started is `manage.py desk` itself, with its clock so many hours off, or a worker (tools/faults/worker.py), in a
process of its own; only its modules were read beforehand.
"""

import os
import sys
from datetime import UTC, datetime, timedelta


def answer(number: int | str) -> None:
    """Write one line."""
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def main() -> None:
    """Load the program, then start what is asked for until the input ends."""
    from web.server.tuning import tune_gc

    tune_gc()
    import django
    from django.core.management import execute_from_command_line
    from django.urls import get_resolver

    django.setup()
    get_resolver()._populate()
    import time_machine

    import web.management.commands.desk
    import web.server.front  # noqa: F401
    from tools.faults.hall import SLUG
    from tools.faults.worker import Worker

    for line in sys.stdin:
        word, *numbers = line.split()
        if word == "end":
            os.waitpid(int(numbers[0]), 0)
            answer(numbers[0])
            continue
        child = os.fork()
        if child == 0:
            os.dup2(2, 1)  # the answers are the parent's alone
            if word == "work":
                Worker(SLUG, *map(int, numbers)).run()
            with time_machine.travel(datetime.now(UTC) + timedelta(hours=float(numbers[1])), tick=True):
                execute_from_command_line(["manage.py", "desk", "--host", "127.0.0.1", "--port", numbers[0]])
            os._exit(0)
        answer(child)


if __name__ == "__main__":
    main()
