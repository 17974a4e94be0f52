"""Turn what web.settings reads from the environment into Django's own settings, and make the desk's files private.

The database holds names, and the key signs links: both are for the desk's owner alone.
"""

import contextlib
import importlib.util
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

import tzlocal
from django.core.exceptions import ImproperlyConfigured

OTHERS = 0o077


def make_private(folder: Path) -> None:
    """Close the data folder and what earlier versions left open in it, where the file system knows owners."""
    for path in (folder, *folder.glob("db.sqlite3*"), *folder.glob("events/*.json"), *folder.glob("*.key")):
        with contextlib.suppress(OSError):  # another owner's, as in a container: doctor tells
            mode = path.stat().st_mode
            if mode & OTHERS:
                path.chmod(mode & ~OTHERS)


def refuse_foreign_files(folder: Path) -> None:
    """Refuse a data folder that has something of another user, who started the desk with sudo, say.

    Raises ImproperlyConfigured with a sentence.
    """
    for path in (folder, *folder.glob("db.sqlite3*"), *folder.glob("*.lock"), *folder.glob("*.key")):
        if not os.access(path, os.R_OK | os.W_OK):
            owner = f" belongs to {path.owner()} and" if os.name == "posix" else ""
            raise ImproperlyConfigured(
                f"{path}{owner} cannot be read and written by this user. Start the desk as the user that the data "
                "belongs to, or name another folder: HANCHAN_DATA=FOLDER."
            )


def is_private(folder: Path) -> bool:
    """Tell whether nobody else may enter a folder; True where the file system knows no owners."""
    return not folder.stat().st_mode & OTHERS


def secret_key(path: Path) -> str:
    """Return the key kept in `path`; make it, readable by its owner alone, if there is none.

    Two processes may start at once: the one that links its finished file first wins, and both read that file.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(64), encoding="ascii")
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        except OSError:  # a file system without links, a USB stick say
            draft.replace(path)
        draft.unlink(missing_ok=True)
    return path.read_text(encoding="ascii").strip()


def data_folder(name: str, usual: Path) -> Path:
    """Return the data folder of HANCHAN_DATA; an empty value, usual in files of settings, is none."""
    return (Path(name).expanduser() if name.strip() else usual).resolve()


def postgresql_address(url: str) -> None:
    """Refuse an address of any other database, for only these two are tested, and one that lacks its driver."""
    if url and not url.startswith(("postgres://", "postgresql://")):
        raise ImproperlyConfigured("DATABASE_URL must start with postgres:// (without it, SQLite is used).")
    if url and importlib.util.find_spec("psycopg") is None:
        raise ImproperlyConfigured(
            "DATABASE_URL names a PostgreSQL database, and its driver is not installed. Install the desk with it: "
            "pipx install 'hanchan_desk-VERSION-py3-none-any.whl[postgresql]', or in a checkout "
            ".venv/bin/python -m pip install -r requirements-postgresql.txt. Windows on ARM has no driver."
        )


def cache_of_all(where: str, folder: Path) -> dict[str, Any] | None:
    """Return what all workers know together (`files`: in `folder`), None where one process serves alone."""
    if not where:
        return None
    if where == "files":  # several workers of one machine
        options = {"MAX_ENTRIES": 2000}
        return {
            "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
            "LOCATION": folder,
            "OPTIONS": options,
        }
    if where == "database":  # its table is made by manage.py createcachetable
        return {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "hanchan_shared"}
    if not where.startswith(("redis://", "rediss://", "unix://")):
        raise ImproperlyConfigured("HANCHAN_CACHE must be files, database, or an address that begins with redis://.")
    if importlib.util.find_spec("redis") is None:
        raise ImproperlyConfigured("HANCHAN_CACHE: Redis is reached by the package redis, which is not installed.")
    options = {"socket_connect_timeout": 1, "socket_timeout": 2}
    return {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": where, "OPTIONS": options}


def mail_server(url: str) -> dict[str, Any]:
    """Return what HANCHAN_MAIL says, nothing for none; raises ImproperlyConfigured.

    smtp://NAME:PASSWORD@HOST:587 encrypts by STARTTLS, smtps:// from the start; file:///FOLDER writes letters there.
    """
    if not url:
        return {}
    parts = urlsplit(url)
    if parts.scheme == "file" and parts.path:
        return {"backend": "django.core.mail.backends.filebased.EmailBackend", "folder": parts.path}
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise ImproperlyConfigured(
            "HANCHAN_MAIL must look like smtp://NAME:PASSWORD@HOST:587, smtps:// or file:///FOLDER."
        )
    return {
        "backend": "django.core.mail.backends.smtp.EmailBackend",
        "host": parts.hostname,
        "port": parts.port or (465 if parts.scheme == "smtps" else 587),
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "ssl": parts.scheme == "smtps",
        "tls": parts.scheme == "smtp" and parts.hostname not in ("localhost", "127.0.0.1"),
    }


def known_zone(name: str) -> None:
    """Refuse a time zone that does not exist; an empty name is none."""
    if name and not _is_zone(name):
        raise ImproperlyConfigured(f"HANCHAN_TZ: no time zone is called {name}; one is Europe/London.")


def machine_zone() -> str:
    """Return the name of the machine's time zone, UTC where it has none: `manage.py doctor` compares the two.

    A machine has none where TZ holds a rule instead of a name, or /etc/localtime is a file of its own.
    """
    try:
        name = tzlocal.get_localzone_name()
    except (LookupError, OSError):  # files of the system name different zones
        name = None
    return name if name and name != "Etc/UTC" and _is_zone(name) else "UTC"


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return False
    return True
