"""`manage.py desk` with stopwatches: each answer says in the header X-Stages where its time went, in milliseconds.

`python -m tools.load.stages HOST PORT` serves until it is ended. The stages of a request, one after the other:

queue     it waits for a thread
line      its transaction waits for the writer before it (SQLite)
fsync     its commits wait for the disk
work      its thread computes
lock      its thread waits for Python's one running thread, for a processor, or for a read
loop      the answer waits for the thread that sends
"""

import json
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from django.core.management import execute_from_command_line

_here = threading.local()


def add(stage: str, milliseconds: float) -> None:
    """Count time of the request that this thread serves."""
    stages = getattr(_here, "stages", None)
    if stages is not None:
        stages[stage] = stages.get(stage, 0.0) + milliseconds


def measured(stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose waiting, not its work, is counted."""

    def inner(*args: Any, **named: Any) -> Any:
        wall, own = time.perf_counter(), time.thread_time()
        try:
            return call(*args, **named)
        finally:
            add(stage, (time.perf_counter() - wall - time.thread_time() + own) * 1000)

    return inner


def put_stopwatches() -> None:
    """Measure what the desk's classes do."""
    from web.server import front
    from web.server.sqlite.base import DatabaseWrapper

    DatabaseWrapper.set_autocommit = measured("line", DatabaseWrapper.set_autocommit)  # type: ignore[method-assign]
    DatabaseWrapper.commit = measured("fsync", DatabaseWrapper.commit)  # type: ignore[method-assign]

    class Staged(front.AsgiApp):
        """The front, with times."""

        async def _in_thread(self, lane: Any, address: str, work: Callable[[], Any]) -> Any:
            asked = time.perf_counter()
            answer, stages, ended = await super()._in_thread(lane, address, lambda: timed(asked, work))
            if isinstance(answer, front.Answer):
                stages["loop"] = (time.perf_counter() - ended) * 1000
                answer.headers = [*answer.headers, ("X-Stages", json.dumps(stages))]
            return answer

    front.AsgiApp = Staged  # type: ignore[misc]


def timed(asked: float, work: Callable[[], Any]) -> tuple[Any, dict[str, float], float]:
    """Do some work in a thread; return what it returns, its stages, and when it ended."""
    began, own = time.perf_counter(), time.thread_time()
    _here.stages = stages = {"queue": (began - asked) * 1000}
    answer = work()
    ended, stages["work"] = time.perf_counter(), (time.thread_time() - own) * 1000
    known = stages["work"] + stages.get("line", 0.0) + stages.get("fsync", 0.0)
    stages["lock"] = max(0.0, (ended - began) * 1000 - known)
    _here.stages = None
    return answer, stages, ended


if __name__ == "__main__":
    import django

    django.setup()
    put_stopwatches()
    execute_from_command_line(["manage.py", "desk", "--host", sys.argv[1], "--port", sys.argv[2]])
