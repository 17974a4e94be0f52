"""Our server over real sockets: requests whole and within limits, slow ones without a thread."""

import contextlib
import io
import socket
import threading

import pytest
from django.conf import LazySettings

from tests.web.server.desks import HOST, LONG, SOON, Desk
from tournament.pages.priority import AT_ONCE, PriorityClass
from web.server import front, protocol
from web.server.front import address_of, environ_of
from web.server.protocol import DeskProtocol

SESSION = "sessionid=known"


def first_line(wire: socket.socket) -> bytes:
    """Return the first line of an answer, b"" where the connection was closed without one."""
    with contextlib.suppress(ConnectionResetError):
        return wire.recv(65536).partition(b"\r\n")[0]
    return b""


def test_requests_and_answers_pass_whole(desk: Desk):
    answer = desk.ask()
    assert (answer.status, answer.body, answer.headers["set-cookie"]) == (200, b"here", "a=b")
    assert desk.ask("HEAD").body == b""
    assert len(desk.ask(path="/long/").body) == LONG
    desk.ask("POST", "/caf%C3%A9/?a=%20b", b"0123456789" * 20_000, Cookie=SESSION)
    assert len(desk.bodies[-1]) == 200_000
    environ = desk.seen[-1]
    assert (environ["PATH_INFO"], environ["QUERY_STRING"]) == ("/caf\xc3\xa9/", "a=%20b")
    assert (environ["CONTENT_LENGTH"], environ["REMOTE_ADDR"]) == ("200000", HOST)


def test_a_stranger_sends_little_and_in_time(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    assert desk.ask("POST", body=b"a" * 1000).status == 200
    assert desk.ask("POST", body=b"a" * 20_000).status == 413
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n"
    monkeypatch.setattr(front, "STRANGERS_WITHIN", 0.05)
    with desk.half_open(head + b"a" * 100) as wire:
        assert first_line(wire) == b"HTTP/1.1 408 Request Timeout"
    monkeypatch.setattr(front, "STRANGERS_WITHIN", SOON)
    monkeypatch.setattr(front, "STRANGERS_BODIES", 5000)
    with desk.half_open(head + b"a" * 4000), desk.half_open(head + b"a" * 4000) as second:
        assert first_line(second) == b"HTTP/1.1 503 Service Unavailable"
        assert desk.ask("POST", body=b"a" * 50_000, Cookie=SESSION).status == 200
    assert [len(body) for body in desk.bodies] == [1000, 50_000]


def test_small_answers_leave_at_once(desk: Desk):
    with desk.half_open(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") as wire:
        assert first_line(wire) == b"HTTP/1.1 200 OK"
        while not DeskProtocol.places.idle:
            threading.Event().wait(0.01)
        connection = next(iter(DeskProtocol.places.idle))
        assert connection.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_head_has_a_deadline_and_a_length(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(protocol, "HEAD_WITHIN", 0.05)
    with desk.half_open(b"GET / HTTP/1.1\r\nHost: ") as wire:
        assert first_line(wire) == b""
    with desk.half_open(b"") as wire:
        assert first_line(wire) == b""
    monkeypatch.setattr(protocol, "HEAD_WITHIN", SOON)
    with desk.half_open(b"GET / HTTP/1.1\r\nA: " + b"a" * 40_000) as wire:
        assert first_line(wire) == b""
    with desk.half_open(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") as wire:  # a second request over a connection, the same
        said = b""
        while not said.endswith(b"0\r\n\r\n"):
            said += wire.recv(65536)
        wire.sendall(b"GET / HTTP/1.1\r\nA: " + b"a" * 40_000)
        assert first_line(wire) == b""
    assert desk.seen[0]["HTTP_HOST"] == "x"


@pytest.mark.parametrize(
    ("head", "answer"),
    [
        (b"A: " + b"a" * 30_000, b"HTTP/1.1 200 OK"),
        (b"A: " + b"a" * 40_000, b"HTTP/1.1 400 Bad Request"),
        (b"A: " + b"a" * 20_000 + b"\r\nB: " + b"b" * 20_000, b"HTTP/1.1 400 Bad Request"),
        (b"\r\n".join(b"H%d: x" % number for number in range(90)), b"HTTP/1.1 200 OK"),
        (b"\r\n".join(b"H%d: x" % number for number in range(3000)), b"HTTP/1.1 400 Bad Request"),
    ],
)
def test_a_head_that_comes_whole_is_measured_too(desk: Desk, head: bytes, answer: bytes):
    with desk.half_open(b"GET / HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n\r\n") as wire:
        assert first_line(wire) == answer
    with desk.half_open(b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n") as wire:
        assert first_line(wire) == b"HTTP/1.1 400 Bad Request"
    assert len(desk.seen) == (answer == b"HTTP/1.1 200 OK")


def test_a_reader_who_does_not_read_is_left(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(protocol, "READS_WITHIN", 0.05)
    with desk.half_open(b"GET /long/ HTTP/1.1\r\nHost: x\r\n\r\n" * 8) as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(200):
            if not DeskProtocol.places.taken and desk.seen:
                break
            threading.Event().wait(0.05)
        assert DeskProtocol.places.taken == 0


def test_where_all_places_are_taken_the_idle_go_first_and_then_the_silent(desk: Desk):
    DeskProtocol.places.most = 4
    with contextlib.ExitStack() as stack:
        idle = stack.enter_context(desk.half_open(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        said = b""
        while not said.endswith(b"0\r\n\r\n"):
            said += idle.recv(65536)
        silent = [stack.enter_context(desk.half_open(b"GET")) for _ in range(3)]
        assert first_line(idle) == b""
        silent[0].setblocking(False)
        with pytest.raises(BlockingIOError):
            silent[0].recv(1)
        silent[0].settimeout(SOON)
        silent.append(stack.enter_context(desk.half_open(b"GET")))
        assert first_line(silent[0]) == b""
        assert desk.ask(Cookie=SESSION).status == 200


def test_requests_at_the_door_are_refused_where_too_many_wait(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(front, "MAX_AT_DOOR", 0)
    answer = desk.ask("POST", "/login/", b"a=b")
    assert (answer.status, answer.headers["retry-after"]) == (503, "10")
    assert desk.ask("POST", "/login/", b"a=b", Cookie=SESSION).status == 200
    assert desk.ask().status == 200


def test_hands_and_previews_wait_behind_no_page(desk: Desk):
    go, served = threading.Event(), threading.Event()

    def page() -> None:
        go.wait(SOON)
        served.set()

    for _ in range(AT_ONCE[PriorityClass.DESK]):
        desk.front.lanes.run(PriorityClass.DESK, page)
    assert desk.ask("GET", "/desk/cup/rounds/1/tables/1/preview/", Cookie=SESSION).status == 200
    assert desk.ask("POST", "/desk/cup/rounds/1/tables/1/", b"line=d", Cookie=SESSION).status == 200
    assert not served.is_set()
    go.set()
    assert desk.ask("GET", "/desk/cup/", Cookie=SESSION).status == 200


def test_a_session_that_nobody_looked_up_waits_for_those_of_its_own_network(desk: Desk, settings: LazySettings):
    settings.HTTPS, settings.PROXIES = True, (HOST,)
    go, looked_up = threading.Event(), list[str]()

    def look_up(key: str) -> bool:
        looked_up.append(key)
        go.wait(SOON)
        return False

    def request(key: str, address: str) -> bytes:
        return f"GET / HTTP/1.1\r\nHost: x\r\nCookie: sessionid={key}\r\nX-Forwarded-For: {address}\r\n\r\n".encode()

    desk.front.sessions.look_up = look_up  # type: ignore[method-assign]
    with contextlib.ExitStack() as stack:
        for number in range(20):
            address = f"2001:db8:0:1::{number + 1}"  # one network
            stack.enter_context(desk.half_open(request(f"flood-{number}", address)))
        wire = stack.enter_context(desk.half_open(request("guest", "2001:db8:0:2::1")))
        for _ in range(6000):  # a minute at most
            if desk.front.lanes.count_waiting(PriorityClass.CLAIM) == 20:
                break
            threading.Event().wait(0.01)
        go.set()
        assert first_line(wire) == b"HTTP/1.1 200 OK"
    assert looked_up.index("guest") <= 2


def test_only_trusted_proxies_speak_for_others(settings: LazySettings):
    scope = {
        "method": "GET", "path": "/", "query_string": b"", "http_version": "1.1", "scheme": "http",
        "client": ("10.0.0.9", 1), "server": ("10.0.0.1", 80),
        "headers": [(b"x-forwarded-for", b"1.2.3.4"), (b"x-forwarded-host", b"desk.org"), (b"x_forwarded_for", b"6.6"),
                    (b"host", b"inner"), (b"cookie", b"a=b"), (b"cookie", b"c=d")],
    }  # fmt: skip
    stranger = environ_of(scope, io.BytesIO(b""))
    assert "HTTP_X_FORWARDED_FOR" not in stranger
    assert (stranger["HTTP_HOST"], stranger["HTTP_COOKIE"]) == ("inner", "a=b; c=d")
    settings.HTTPS, settings.PROXIES = True, ("10.0.0.9",)
    proxy = environ_of(scope, io.BytesIO(b""))
    assert (proxy["HTTP_X_FORWARDED_FOR"], proxy["HTTP_HOST"]) == ("1.2.3.4", "desk.org")
    assert (address_of(stranger), address_of(proxy)) == ("10.0.0.9", "1.2.3.4")
