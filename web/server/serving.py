"""The desk's own server: uvicorn in this process, on a socket that is open already, and Python tuned for it."""

import socket

import uvicorn

from web.server.front import Front, Wsgi
from web.server.protocol import DeskProtocol, Places, raise_file_limit
from web.server.tuning import settle

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
