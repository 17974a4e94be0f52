"""What the settings promise: who may address the desk, what a browser may do, how the data is kept, what is logged."""

import datetime as dt
import json
import os
import socket
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pytest
import tzlocal
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.http.request import split_domain_port, validate_host
from django.test import Client

from bootstrap import REPO
from tests.privileges import AS_ANY_USER
from tests.shared_fixtures import made_once, program_environment, run_folder
from web.server.settings_values import data_folder, machine_zone, secret_key
from web.settings import PASSWORD_HASHERS

# what one page or command needs, and the desk's start does not; psycopg comes with django-tables2, which looks for it
LATER = ("openpyxl", "PIL", "icalendar", "weasyprint", "fontTools", "uvicorn")
REPORT = f"""
import json, sys
if sys.argv[1:] == ["pages"]:
    import web.wsgi, web.urls
from django.conf import settings
from django.db import connection
names = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"]
with connection.cursor() as cursor:
    pragmas = {{name: cursor.execute("PRAGMA " + name).fetchone()[0] for name in names}}
wanted = ["DEBUG", "TIME_ZONE", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "CSRF_TRUSTED_ORIGINS", "SECRET_KEY",
          "ROOT_URLCONF"]
report = {{name: getattr(settings, name) for name in wanted}}
print(json.dumps({{**report, "pragmas": pragmas, "mode": settings.DATABASES["default"]["OPTIONS"]["transaction_mode"],
                  "hosts": [str(host) for host in settings.ALLOWED_HOSTS],
                  "loaded": sorted(set({LATER}) & set(sys.modules)),
                  "pages": "tournament.exports.views" in sys.modules}}))
"""


def fresh(data: Path, *arguments: str, **environment: str) -> dict[str, Any]:
    """Load the settings in a process of their own, with "pages" everything, and return what they say."""
    env = program_environment(data, DJANGO_SETTINGS_MODULE="web.settings", PYTHONPATH=str(REPO), **environment)
    command = [sys.executable, "-c", REPORT, *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def first_start(folder: Path) -> None:
    """Write down what a first start on a new machine says."""
    (folder / "said.json").write_text(json.dumps(fresh(folder / "data", "pages")), encoding="utf-8")


@pytest.fixture
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a first start: its data, and what it said as said.json."""
    return made_once(run_folder(tmp_path_factory), f"first start {REPORT}", first_start)


def said(started: Path) -> dict[str, Any]:
    """Return what the first start said."""
    report: dict[str, Any] = json.loads((started / "said.json").read_text("utf-8"))
    return report


# ---------------------------------------------------------------- where the data is


@pytest.mark.parametrize(("name", "folder"), [("", "usual"), (" ", "usual"), ("given", "given")])
def test_an_empty_data_folder_is_the_usual_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert data_folder(name, tmp_path / "usual") == tmp_path / folder


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("name", ["db.sqlite3", "desk.lock", "secret.key"])
def test_a_file_of_another_user_is_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch(mode=0o400)
    environment = program_environment(tmp_path, PYTHONPATH=str(REPO), HANCHAN_NO_BOOTSTRAP="1")
    command = [*AS_ANY_USER, sys.executable, str(REPO / "manage.py"), "desk", "--prepare"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"The desk cannot start. {tmp_path / name} belongs to ")
    assert len(done.stderr.splitlines()) == 1


# ---------------------------------------------------------------- who may be addressed


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "127.0.0.1:8000", "192.168.178.20", "10.1.2.3:8001", "172.31.255.254",
     "169.254.7.7", "100.100.1.1", "[::1]:8000", "[fe80::1]", "[fd00::17]:8000", "laptop.local", "LAPTOP.LOCAL:8000"],
)  # fmt: skip
def test_the_hall_is_let_in(host: str) -> None:
    assert validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS)


@pytest.mark.parametrize(
    "host",
    ["example.com", "192.168.1.1.example.com", "127.0.0.1.nip.example", "8.8.8.8", "172.32.0.1", "[2001:4860::8888]",
     "notlocal", "private addresses", "localhost.example.com", "0x7f000001", "192.168.1"],
)  # fmt: skip
def test_a_name_that_only_points_here_is_not(host: str) -> None:
    domain = split_domain_port(host)[0]
    assert not (domain and validate_host(domain, settings.ALLOWED_HOSTS))


def test_a_page_asked_for_by_a_strange_name_is_refused(client: Client) -> None:
    assert client.get("/static/none", headers={"host": "rebound.example.com"}).status_code == 400


def test_what_the_environment_sets_is_taken(started: Path, tmp_path: Path) -> None:
    plain = said(started)
    chosen = {"HANCHAN_HOSTS": "desk.example.org,.example.net", "HANCHAN_TZ": "Asia/Tokyo"}
    proxied = fresh(tmp_path, HANCHAN_HTTPS="1", HANCHAN_RELAY="1", **chosen)

    assert (plain["SESSION_COOKIE_SECURE"], plain["CSRF_COOKIE_SECURE"], plain["CSRF_TRUSTED_ORIGINS"]) == (
        False,
        False,
        [],
    )
    assert (proxied["SESSION_COOKIE_SECURE"], proxied["CSRF_COOKIE_SECURE"]) == (True, True)
    assert proxied["CSRF_TRUSTED_ORIGINS"] == ["https://desk.example.org", "https://*.example.net"]
    new = [host for host in proxied["hosts"] if host not in plain["hosts"]]
    assert [host for host in new if not host.endswith(".local")] == ["desk.example.org", ".example.net"]
    assert validate_host("evil.local", plain["hosts"])
    assert not validate_host("evil.local", proxied["hosts"])
    assert validate_host(f"{socket.gethostname().partition('.')[0].lower()}.local", proxied["hosts"])
    assert (plain["ROOT_URLCONF"], proxied["ROOT_URLCONF"]) == ("web.urls", "web.urls_relay")
    assert proxied["TIME_ZONE"] == "Asia/Tokyo"
    assert "*" not in plain["hosts"]


@pytest.mark.skipif(os.name == "nt", reason="TZ is not read on Windows")
@pytest.mark.parametrize(
    ("variables", "zone"),
    [
        ({"TZ": "America/St_Johns"}, "America/St_Johns"),
        ({"TZ": "Asia/Tokyo", "HANCHAN_TZ": ""}, "Asia/Tokyo"),
        ({"TZ": "Asia/Tokyo", "HANCHAN_TZ": "Europe/Berlin"}, "Europe/Berlin"),
        ({"TZ": "Etc/UTC"}, "UTC"),
    ],
)
def test_the_desks_zone_is_the_machines_unless_it_is_named(
    tmp_path: Path, variables: dict[str, str], zone: str
) -> None:
    script = "from django.conf import settings; print(settings.TIME_ZONE, settings.MACHINE_OFFSET)"
    environment = program_environment(tmp_path, DJANGO_SETTINGS_MODULE="web.settings", PYTHONPATH=str(REPO))
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment | variables, capture_output=True, text=True, check=True
    )
    machine = dt.datetime.now(ZoneInfo(variables["TZ"])).utcoffset()
    assert done.stdout == f"{zone} {machine}\n"


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("Etc/UTC", "UTC"),
        (None, "UTC"),  # no /etc/localtime, as in a container, or a copy without a name
        ("Mars/Phobos", "UTC"),
        (ZoneInfoNotFoundError("two files name two zones"), "UTC"),
    ],
)
def test_a_machine_without_a_zone_of_a_name_is_in_utc(
    monkeypatch: pytest.MonkeyPatch, name: str | Exception | None, zone: str
) -> None:
    def found() -> str | None:
        if isinstance(name, Exception):
            raise name
        return name

    monkeypatch.setattr(tzlocal, "get_localzone_name", found)
    assert machine_zone() == zone


# ---------------------------------------------------------------- what a browser may do


def test_every_answer_tells_the_browser_what_it_may_do(client: Client) -> None:
    answer = client.get("/static/there-is-no-such-file")
    policy = {directive.strip() for directive in answer.headers["Content-Security-Policy"].split(";")}
    assert policy == {
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "font-src 'self'", "img-src 'self' data:",
        "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "object-src 'none'", "base-uri 'none'",
        "form-action 'self'", "frame-ancestors 'none'",
    }  # fmt: skip
    names = ("X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy")
    assert [answer.headers[name] for name in names] == ["DENY", "nosniff", "same-origin", "same-origin"]


# ---------------------------------------------------------------- how data is kept


def test_the_key_is_made_once_and_read_by_its_owner_alone(tmp_path: Path) -> None:
    place = tmp_path / "key"
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(lambda _: secret_key(place), range(8)))
    assert keys == {secret_key(place)}
    assert len(place.read_text()) >= 64
    assert [path.name for path in tmp_path.iterdir()] == ["key"]
    if os.name == "posix":
        assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_a_first_start_keeps_its_data_in_one_place(started: Path) -> None:
    report = said(started)
    assert report["SECRET_KEY"] == (started / "data" / "secret.key").read_text()
    assert report["pragmas"] == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 20000}
    assert (report["mode"], report["DEBUG"]) == ("IMMEDIATE", False)
    assert (started / "data" / "db.sqlite3").exists()


def test_a_start_loads_nothing_that_one_page_alone_needs(started: Path) -> None:
    report = said(started)
    assert (report["pages"], report["loaded"]) == (True, [])


# ---------------------------------------------------------------- people


@pytest.mark.django_db
def test_ten_wrong_passwords_close_the_door_to_that_pair_and_no_name_is_logged(
    capfd: pytest.CaptureFixture[str],
) -> None:
    get_user_model().objects.create_user(username="invented-referee", password="right-and-long-enough")

    def try_it(password: str, address: str) -> bool:
        sent = {"username": "invented-referee", "password": password}
        return Client(REMOTE_ADDR=address).post("/login/", sent).status_code == 302

    assert try_it("right-and-long-enough", "192.168.1.9")
    assert [try_it("wrong", "192.168.1.9") for _ in range(10)] == [False] * 10
    assert not try_it("right-and-long-enough", "192.168.1.9")
    assert try_it("right-and-long-enough", "192.168.1.10")
    assert tuple(capfd.readouterr()) == ("", "")


@pytest.mark.django_db
def test_passwords_are_kept_by_argon2(settings: Any) -> None:
    settings.PASSWORD_HASHERS = PASSWORD_HASHERS
    account = get_user_model().objects.create_user(username="invented-organiser", password="right-and-long-enough")
    assert account.password.startswith("argon2$argon2id$")


def test_a_weak_password_is_refused_in_words() -> None:
    from django.contrib.auth.password_validation import validate_password

    with pytest.raises(ValidationError) as refusal:
        validate_password("letmein")
    assert refusal.value.messages == [
        "This password is too short. It must contain at least 8 characters.",
        "This password is too common.",
    ]


# ---------------------------------------------------------------- what cannot be used


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("HANCHAN_TZ", "Mars/Phobos", "HANCHAN_TZ: no time zone is called Mars/Phobos; one is Europe/London."),
        ("DATABASE_URL", "mysql://a/b", "DATABASE_URL must start with postgres:// (without it, SQLite is used)."),
        ("HANCHAN_DEBUG", "perhaps", 'Environment variable "HANCHAN_DEBUG" invalid: Not a valid boolean.'),
        ("HANCHAN_DATA", f"{__file__}/data", f"The data directory {__file__}/data cannot be made: Not a directory."),
    ],
)
def test_a_wrong_variable_gets_a_sentence(tmp_path: Path, name: str, value: str, sentence: str) -> None:
    environment = program_environment(tmp_path) | {name: value}
    command = [sys.executable, str(REPO / "manage.py"), "check"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"The desk cannot start. {sentence}\n")


@pytest.mark.slow
def test_a_broken_database_file_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "db.sqlite3").write_bytes(b"this was never a database " * 100)
    command = [sys.executable, str(REPO / "manage.py"), "desk", "--port", "18000"]
    environment = program_environment(tmp_path)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    words = f"CommandError: The database in {tmp_path} cannot be used: file is not a database\n"
    assert (done.returncode, done.stderr) == (1, words)
    assert (tmp_path / "db.sqlite3").read_bytes() == b"this was never a database " * 100
