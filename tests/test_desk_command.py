"""`manage.py desk`: started as people start it, asked for a page, and stopped with Ctrl-C."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
import segno
from django.core.management import call_command
from django.core.management.base import CommandError

from bootstrap import REPO
from tests.shared_fixtures import copy_migrated, program_environment
from tournament.accounts.actions import find_link
from tournament.accounts.models import EntryLink
from web.management.commands import desk

ORGANISER = re.compile(r"Organiser, once   (http://(?:localhost|127\.0\.0\.1):(\d+)/)(enter/[\w-]{20,}/)$")


@dataclass
class Running:
    """A desk that runs: what it has said so far, and its process."""

    said: str
    process: subprocess.Popen[str]

    @property
    def link(self) -> re.Match[str]:
        """The organiser's one-time link."""
        found = [match for line in self.said.splitlines() if (match := ORGANISER.search(line))]
        assert len(found) == 1, self.said
        return found[0]


@contextmanager
def running_desk(data: Path, *arguments: str, command: tuple[str, ...] = ("desk",)) -> Iterator[Running]:
    """Start a desk on an empty data directory; it is ended with Ctrl-C and must then say goodbye."""
    ours = {name: value for name, value in os.environ.items() if name.startswith("HANCHAN_BACKUP_")}
    environment = program_environment(data, PYTHONIOENCODING="utf-8", **ours)
    line = [sys.executable, str(REPO / "manage.py"), *command, *arguments]
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # Windows
    with subprocess.Popen(
        line, cwd=data, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
        creationflags=flags,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        said = ""
        for told in process.stdout:
            said += told
            if "Ctrl-C" in told:
                break
        try:
            yield Running(said, process)
        except BaseException:
            process.kill()  # else the test that failed waits for it for ever
            raise
        process.send_signal(getattr(signal, "CTRL_C_EVENT", signal.SIGINT))
        rest = process.stdout.read()
    assert (rest.strip(), process.returncode) == ("The desk has stopped. Everything is kept.", 0)


def status_of(url: str) -> int:
    """Return the status of a page."""
    try:
        with urlopen(url, timeout=20) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


@pytest.mark.follows("before/start.md")
@pytest.mark.slow
def test_it_serves_pages_and_files_and_takes_the_next_port(tmp_path: Path) -> None:
    copy_migrated(tmp_path)
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with running_desk(tmp_path, "--port", str(port)) as running:
            local, used = running.link[1], int(running.link[2])
            assert port < used < port + desk.PORTS_TRIED
            assert f"Port {port} is taken, so the desk uses {used}." in running.said
            assert f"On this machine   {local}\n" in running.said
            assert status_of(local) == 200
            with urlopen(local, timeout=20) as answer:
                sheets = re.findall(r'href="(/static/[^"]+\.css)"', answer.read().decode())
            assert sheets
            assert [status_of(local + sheet[1:]) for sheet in sheets] == [200] * len(sheets)
            assert status_of(local + running.link[3]) == 200


def test_a_second_desk_on_the_same_folder_is_refused_in_words(tmp_path: Path) -> None:
    held = desk.hold_folder(tmp_path)
    with pytest.raises(CommandError, match=r"^A desk runs on .* already\. Stop that one first"):
        desk.hold_folder(tmp_path)
    held.close()
    desk.hold_folder(tmp_path).close()


@pytest.mark.django_db
@pytest.mark.parametrize("service", [True, False])
def test_a_log_gets_no_link_and_is_told_the_command(service: bool, settings: Any) -> None:
    settings.SERVICE, settings.DEBUG = service, True
    out = StringIO()
    command = desk.Command(stdout=out)
    command.welcome("127.0.0.1", 8000, command.prepare(sample=False))
    said = out.getvalue()
    assert ("/enter/" in said, "manage.py organiser_link" in said) == (not service, service)
    assert EntryLink.objects.filter(used_at=None).count() == int(not service)


@pytest.mark.follows("before/start.md")
@pytest.mark.django_db
def test_the_command_prints_a_link_that_lets_in() -> None:
    out = StringIO()
    call_command("organiser_link", at="https://desk.example.org/", stdout=out)
    link = out.getvalue().strip()
    assert link.startswith("https://desk.example.org/enter/")
    assert find_link(link.rstrip("/").rpartition("/")[2])


def test_a_port_that_is_none_and_an_address_that_is_not_ours(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"^70000 is no port: they go from 1 to 65535\.$"):
        desk.Command().handle(port=70000)
    with pytest.raises(CommandError, match=r"^The desk cannot listen at 203\.0\.113\.7: "):
        desk.listen("203.0.113.7", 8000)
    with pytest.raises(CommandError, match=r"^The desk cannot listen at no-such-host\.invalid: "):
        desk.listen("no-such-host.invalid", 8000)


def test_phones_are_led_to_a_name_of_the_proxy_and_to_no_whole_domain(settings: Any) -> None:
    settings.HTTPS, settings.EXTRA_HOSTS = True, [".example.net", "desk.example.org"]
    assert desk.Command().hall_url("127.0.0.1", 8000) == "https://desk.example.org/"
    settings.EXTRA_HOSTS = [".example.net"]
    assert desk.Command().hall_url("192.168.1.5", 8000) == "http://192.168.1.5:8000/"


def test_the_code_in_the_terminal_is_the_code() -> None:
    url = "http://192.168.100.100:8000/"
    wanted = [[not module for module in row] for row in segno.make(url, error="l", micro=False).matrix_iter(border=2)]
    light = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}
    drawn = [[light[block][half] for block in line] for line in desk.qr_lines(url, colour=False) for half in (0, 1)]
    assert drawn[: len(wanted)] == wanted
    coloured = desk.qr_lines(url, colour=True)
    assert coloured == [f"\033[38;5;231;48;5;16m{line}\033[0m" for line in desk.qr_lines(url, colour=False)]
