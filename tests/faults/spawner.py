"""A process that has loaded the program once and starts the real command from there, so that 200 starts import nothing.

It reads "start PORT" or "end PID" a line and answers with the process's number or its end. What is started is
`manage.py desk` itself in a process of its own; only its modules were read beforehand.
"""

import os
import sys


def answer(number: int | str) -> None:
    """Write one line."""
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def main() -> None:
    """Load the program, then start what is asked for until the input ends."""
    from web.server.gc_tuning import tune_gc

    tune_gc()
    import django
    from django.core.management import execute_from_command_line
    from django.urls import get_resolver

    django.setup()
    get_resolver()._populate()

    import web.management.commands.desk
    import web.server.serving  # noqa: F401

    for line in sys.stdin:
        word, number = line.split()
        if word == "end":
            os.waitpid(int(number), 0)
            answer(number)
            continue
        child = os.fork()
        if child == 0:
            os.dup2(2, 1)  # the answers are the parent's alone
            execute_from_command_line(["manage.py", "desk", "--host", "127.0.0.1", "--port", number])
            os._exit(0)
        answer(child)


if __name__ == "__main__":
    main()
