"""All settings of the desk, for every way to run it. What an organiser may change comes from HANCHAN_… variables.

Never holds a secret: the key is made on the first start and kept in the data directory with the database.
Never asks the network: the machine's own names and addresses are read from its interfaces. A variable that cannot be
used raises ImproperlyConfigured or EnvError with a sentence, which manage.py shows without a traceback.
"""

import os
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environs import Env, validate
from whitenoise.compress import Compressor

from tournament.pages.addresses import PrivateAddress, own_addresses, own_names
from web.server.catalogues import compiled, offered, translations
from web.server.settings_values import (
    cache_of_all,
    data_folder,
    known_zone,
    machine_zone,
    mail_server,
    make_private,
    postgresql_address,
    refuse_foreign_files,
    secret_key,
)

env = Env()

# ---------------------------------------------------------------- places

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = data_folder(env.str("HANCHAN_DATA", ""), BASE_DIR / "var")
STATIC_ROOT = DATA_DIR / "static"
os.umask(0o077)  # what the desk writes holds names: its owner alone reads it
try:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    make_private(DATA_DIR)
except OSError as error:
    raise ImproperlyConfigured(f"The data directory {DATA_DIR} cannot be made: {error.strerror}.") from error
refuse_foreign_files(DATA_DIR)

SECRET_KEY = env.str("HANCHAN_SECRET_KEY", "") or secret_key(DATA_DIR / "secret.key")
DEBUG = env.bool("HANCHAN_DEBUG", False)

# ---------------------------------------------------------------- who may be addressed

# A hall network gives the laptop an address that nobody knows beforehand and that may change during the day. What the
# check of the Host header guards against is a stranger's name that points here (DNS rebinding, poisoned links). Such a
# name is never a bare private address: that appears in the header only if the reader's own browser was sent to it.
# So every private address is accepted, and of names only the machine's own and those that the organiser lists in
# HANCHAN_HOSTS; a desk without such a name takes any *.local (answered by a machine itself, never by the public DNS).
OWN_ADDRESSES = own_addresses()
EXTRA_HOSTS: list[str] = env.list("HANCHAN_HOSTS", [])
_local_names = [f"{name}.local" for name in own_names() if "." not in name] if EXTRA_HOSTS else [".local"]
ALLOWED_HOSTS = [*own_names(), *_local_names, *OWN_ADDRESSES, *EXTRA_HOSTS, PrivateAddress("private addresses")]

# ---------------------------------------------------------------- parts

INSTALLED_APPS = [
    "tournament",
    "web",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "corsheaders",
    "csp",
]

if (BASE_DIR / "tests").is_dir():  # a checkout: `manage.py test` and `manage.py bench`
    INSTALLED_APPS.append("tests")
    if find_spec("django_linear_migrations"):  # a development package
        INSTALLED_APPS.append("django_linear_migrations")

MIDDLEWARE = [
    "web.server.request_log.RequestLog",  # first: it measures all the others
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "tournament.pages.caches.CacheControl",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "tournament.text.languages.ReaderLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "tournament.pages.sign_in.SignedIn",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournament.pages.files.FileArrived",
    "web.server.errors.with_page",
    "web.server.errors.StorageErrors",
]

# A relay shows what desks in halls send it, and nothing of its own: docs/operate/relay.md.
RELAY: bool = env.bool("HANCHAN_RELAY", False)
ROOT_URLCONF = "web.urls_relay" if RELAY else "web.urls"
WSGI_APPLICATION = "web.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            # Set here, not by the app of template_partials: the process that prints loads no app.
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            [
                                "django.template.loaders.filesystem.Loader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        )
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["template_partials.templatetags.partials"],
        },
    },
]

# ---------------------------------------------------------------- data

# SQLite: a writer waits for another instead of failing halfway (IMMEDIATE, timeout in seconds); readers never wait
# (WAL); a hand that was answered has reached the disk (FULL, and on macOS, whose fsync stops at the disk's own memory,
# fullfsync), so that a battery that dies takes nothing with it.
SQLITE: dict[str, Any] = {
    "ENGINE": "web.server.sqlite",
    "NAME": DATA_DIR / "db.sqlite3",
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA foreign_keys=ON;"
        ),
    },
}

DATABASE_URL = env.str("DATABASE_URL", "", validate=postgresql_address)
DATABASES: dict[str, Any] = {
    "default": dj_database_url.parse(DATABASE_URL, conn_max_age=600, conn_health_checks=True)
    if DATABASE_URL
    else SQLITE,
}
if DATABASE_URL:  # an answered hand is on the disk there, too, whatever the server's own setting
    _options = DATABASES["default"].setdefault("OPTIONS", {})
    _options["options"] = f"{_options.get('options', '')} -c synchronous_commit=on".strip()
    # the server plans each query once for a connection: a preview takes 2.2 ms instead of 3.6
    _options |= {"server_side_binding": True, "prepare_threshold": 1}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# What is derived from the database stays in each process, under versions that the database hands out: a worker that
# lacks it makes it again. What workers must know of each other goes into the shared one: see core.shared_cache.
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "tournament.publication.queries.PageCache", "OPTIONS": {"MAX_ENTRIES": 2000}},
}
if (_shared := cache_of_all(env.str("HANCHAN_CACHE", ""), DATA_DIR / "shared")) is not None:
    CACHES["shared"] = _shared

# How long a cache before the desk (a CDN, a proxy) may answer strangers without asking; 0 lets it ask each time.
CDN_SECONDS: int = env.int("HANCHAN_CDN_SECONDS", 0, validate=validate.Range(min=0, max=60))

DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000  # a page that lists 400 players sends some ten fields for each
DATA_UPLOAD_MAX_NUMBER_FILES = 10

# Pages of other sites may read what everybody may read, and nothing else: no cookie goes along, and no other verb.
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ["GET", "HEAD", "OPTIONS"]
CORS_ALLOW_HEADERS = ["accept", "if-none-match"]
CORS_EXPOSE_HEADERS = ["ETag", "X-Server-Time"]

# How often a phone asks whether anything has changed while somebody looks at it, in seconds: see
# static/js/version_stream.js.
PHONE_POLL_SECONDS: float = 6

# ---------------------------------------------------------------- people

AUTH_USER_MODEL = "tournament.Account"
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
PASSWORD_HASHERS = [
    "web.server.passwords.SerialArgon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{validator}"}
    for validator in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]

# ---------------------------------------------------------------- what a browser may do

HTTPS = env.bool("HANCHAN_HTTPS", False)  # behind a proxy that speaks https and sets X-Forwarded-Proto itself
# Whose word on where a request comes from is believed behind TLS: the own machine's proxy, and others by name.
_proxies: list[str] = env.list("HANCHAN_PROXIES", [])
PROXIES = ("127.0.0.1", "::1", *(address.strip() for address in _proxies))
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True
SESSION_ENGINE = (
    "tournament.accounts.session_store"  # the database, with whose session it is: docs/decisions/0019-sessions.md
)
SESSION_COOKIE_AGE = 30 * 24 * 3600
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS  # requests in plain http are redirected; the health check is not
SECURE_REDIRECT_EXEMPT = [r"^health/$"]
SECURE_HSTS_SECONDS = env.int("HANCHAN_HSTS_SECONDS", 24 * 3600) if HTTPS else 0
# What a club's other sites and browsers' own lists do is not for a desk to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# A form's Origin is compared with the address it was sent to, whatever that is; only a proxy's names need saying.
CSRF_FAILURE_VIEW = "web.server.errors.csrf_failed"
CSRF_TRUSTED_ORIGINS = [f"https://{host if not host.startswith('.') else '*' + host}" for host in EXTRA_HOSTS if HTTPS]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

# ---------------------------------------------------------------- backups

# While an event runs the desk copies its database every so many minutes (0 for never) into DATA_DIR/backups and into
# every other folder named here, a USB stick say; sealed where there is a key. See docs/operate/backups.md.
BACKUP_MINUTES: int = env.int("HANCHAN_BACKUP_MINUTES", 5, validate=validate.Range(min=0, max=1440))
_backup_folders: list[str] = env.list("HANCHAN_BACKUP_TO", [])
BACKUP_TO = tuple(Path(folder.strip()).expanduser() for folder in _backup_folders if folder.strip())
BACKUP_KEY: str = env.str("HANCHAN_BACKUP_KEY", "")

# ---------------------------------------------------------------- mail

# Letters to those who sign up. Without a mail server the desk shows each letter, to be copied: nothing else differs.
_mail = mail_server(env.str("HANCHAN_MAIL", ""))
MAIL: bool = bool(_mail)  # whether the desk sends letters by itself
EMAIL_BACKEND = str(_mail.get("backend", "django.core.mail.backends.dummy.EmailBackend"))
EMAIL_HOST, EMAIL_PORT = str(_mail.get("host", "localhost")), int(_mail.get("port", 25))
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = str(_mail.get("user", "")), str(_mail.get("password", ""))
EMAIL_USE_SSL, EMAIL_USE_TLS = bool(_mail.get("ssl")), bool(_mail.get("tls"))
EMAIL_FILE_PATH = str(_mail.get("folder", "")) or None
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL: str = env.str("HANCHAN_MAIL_FROM", "")
if MAIL and not DEFAULT_FROM_EMAIL:
    raise ImproperlyConfigured("HANCHAN_MAIL needs HANCHAN_MAIL_FROM, the address that letters come from.")

# A season's webhook leads to the Internet by https. With this it may lead to a machine of the desk's own network, by
# http too; who runs the desk can then make it send there.
PRIVATE_HOOKS: bool = env.bool("HANCHAN_PRIVATE_HOOKS", False)

# ---------------------------------------------------------------- a demo

# Runs desks with invented events, one after another, each for so many minutes (see demo.views). It says to each of
# them until when it stays; nothing that such a desk does leaves it.
DEMO: bool = env.bool("HANCHAN_DEMO", False)
DEMO_MINUTES: float = env.float("HANCHAN_DEMO_MINUTES", 60.0, validate=validate.Range(min=0.1, max=1440))
DEMO_UNTIL: datetime | None = env.datetime("HANCHAN_DEMO_UNTIL", None) if DEMO else None
if DEMO:
    MAIL, EMAIL_BACKEND = False, "django.core.mail.backends.dummy.EmailBackend"
    MIDDLEWARE.append("tournament.demo.limits.GuestLimits")

# ---------------------------------------------------------------- language and time

LANGUAGE_CODE = "en-gb"
LOCALE_PATHS = [compiled(BASE_DIR / "locale", DATA_DIR / "locale")]
TRANSLATIONS = translations(BASE_DIR / "locale")
# Drafts, of which much is still English, are offered only where they are named: codes with commas, or "all".
LANGUAGES = [("en-gb", "English"), *offered(TRANSLATIONS, env.list("HANCHAN_DRAFT_LANGUAGES", []))]

# The desk's zone: of pages without an event, and of new events. Django sets TZ to it, so the machine's own distance
# from UTC is read before that.
MACHINE_OFFSET = datetime.now(UTC).astimezone().utcoffset()
TIME_ZONE = env.str("HANCHAN_TZ", "", validate=known_zone) or machine_zone()
USE_TZ = True
USE_I18N = True

# ---------------------------------------------------------------- files

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]  # packages bring files that no page names
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "tournament.pages.static_files.PackedStaticFiles"},
}
WHITENOISE_USE_FINDERS = DEBUG
# The fonts in TrueType are the printer's, read from the disk: compressing them would take most of a minute.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = [*Compressor.SKIP_COMPRESS_EXTENSIONS, "ttf"]
MEDIA_ROOT = DATA_DIR / "files"

# ---------------------------------------------------------------- log

# To the console, and never what a person typed or where they sat: Django's own lines name paths, in which one-time
# links stand. What a line says is made in web.server.log_lines.
# A service's output is a log, which others read: the desk prints no one-time link there. systemd says so by itself.
SERVICE: bool = env.bool("HANCHAN_SERVICE", env.str("JOURNAL_STREAM", "") != "")
LOG_FORMAT = env.str("HANCHAN_LOG", "text", validate=validate.OneOf(["text", "json"]))
SLOW_QUERY_MS: int = env.int("HANCHAN_SLOW_QUERY_MS", 500)
METRICS_TOKEN: str = env.str("HANCHAN_METRICS_TOKEN", "")
# Several workers on one machine gather their figures in this folder; without it each process has its own.
SHARED_METRICS: str = env.str("PROMETHEUS_MULTIPROC_DIR", "")


def _told(level: str) -> dict[str, Any]:
    return {"handlers": ["console"], "level": level, "propagate": False}


LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"discreet": {"()": "web.server.log_lines.RedactPathsFilter"}},
    "formatters": {
        "text": {"()": "web.server.log_lines.LineFormatter"},
        "json": {"()": "web.server.log_lines.JsonFormatter"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["discreet"]}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": _told("WARNING"),
        "django.request": _told("ERROR"),
        "django.security": _told("ERROR"),
        "uvicorn": _told("ERROR"),  # it tells of every broken request
        "hanchan.request": _told("INFO" if LOG_FORMAT == "json" else "ERROR"),
    },
}
