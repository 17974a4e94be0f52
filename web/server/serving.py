"""Tune Python for a desk: its search for reference cycles, and how its threads take turns.

uvicorn in this process, on a socket that is open already: the desk's own server.
"""

import gc
import socket
import sys

import uvicorn

from web.server.front import Front, Wsgi
from web.server.protocol import DeskProtocol, Places, raise_file_limit

# At Python's own 700, to look takes a quarter of each start and of each migration: what is loaded stays, and is walked
# time and again. A gathering of 50,000 is some megabytes.
SELDOM = (50_000, 20, 100)
# A request leaves a ring of some 60 objects. A look at 50,000 stops all threads for 36 ms: one hand in a hundred.
SERVING = (2_000, 50, 100)
# Seconds until a thread at work lets another go on. An answer gives Python away at each query and each send, and has to
# get it back: at the 5 ms that Python gives, a phone's answer of 2 ms took 50 beside referees who send hands.
SWITCH = 0.0002


def tune_gc() -> None:
    """Look for rings of forgotten objects after 50,000 new ones; to be called before anything is loaded."""
    gc.set_threshold(*SELDOM)


def settle() -> None:
    """Look at what comes from here on alone, and a little at a time, and let threads take turns; when all is loaded."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SERVING)
    sys.setswitchinterval(SWITCH)


KEEP_ALIVE = 75  # seconds that a connection stays between two requests: phones ask more often
ENDS_WITHIN = 10  # seconds for what is under way when the desk is stopped
BACKLOG = 2048  # connections that the system holds until they are taken: a hall opens its phones at once


class Server(uvicorn.Server):
    """uvicorn's; it ends when what is under way is answered."""

    def __init__(self, front: Front) -> None:
        """Prepare to serve."""
        config = uvicorn.Config(
            front,
            http=DeskProtocol,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=ENDS_WITHIN,
        )
        super().__init__(config)
        self.front = front

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what would not end by itself, then the threads."""
        self.front.streams.end_all()
        await super().shutdown(sockets)
        self.front.stop(ENDS_WITHIN)


def serve_socket(sock: socket.socket, program: Wsgi) -> None:
    """Serve a WSGI program until Ctrl-C or a request to end, which is raised as KeyboardInterrupt afterwards."""
    DeskProtocol.places = Places(raise_file_limit())
    settle()
    Server(Front(program)).run(sockets=[sock])
