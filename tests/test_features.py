"""A desk without a rare feature: its line is gone, its folder has models alone, and all pages work."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap import REPO
from tests.shared_fixtures import copy_of_desk, program_environment
from tournament.features import RARE

pytestmark = pytest.mark.slow
PARTS = ("rules", "scoring", "tournament", "web", "templates", "static", "locale", "tests")
FILES = ("bootstrap.py", "manage.py", "pyproject.toml", "requirements.txt")

CRAWL = """
import django
django.setup()
from django.core.management import call_command
from django.test import Client
from tests.pages.test_crawl import crawl
from tournament.accounts.models import Account
call_command("check")
for account in (None, Account.objects.get(username="elke")):
    client = Client(HTTP_HOST="localhost", secure=True)
    if account:
        client.force_login(account)
    came = crawl(client, "/desk/cup/" if account else "/e/cup/", 1)
    print(len(came), "pages")
    for url, (status, _text) in came.items():
        assert status in (200, 204, 302, 304, 405), (url, status)
from web.management.commands.desk import Command
print([type(each).__name__ for each in Command().threads(str)])
call_command("forget_expired", "--dry-run")
"""


@pytest.mark.parametrize(
    "line",
    [
        "tournament.drill.feature",
        "tournament.stats.feature",
        "tournament.push.feature",
        *(pytest.param(line, marks=pytest.mark.nightly) for line in RARE),
    ],
)
def test_a_desk_without_a_rare_feature_shows_all_other_pages(
    line: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
):
    data, house = copy_of_desk(tmp_path_factory, tmp_path / "data"), tmp_path / "house"
    for part in PARTS:
        shutil.copytree(REPO / part, house / part, ignore=shutil.ignore_patterns("__pycache__", "data"))
    for file in FILES:
        shutil.copy(REPO / file, house)
    feature = line.split(".")[1]
    for module in (house / "tournament" / feature).iterdir():
        if module.name not in ("__init__.py", "models.py"):
            module.unlink()
    shutil.rmtree(house / "templates" / feature, ignore_errors=True)
    (house / "tournament" / "features.py").write_text(
        (REPO / "tournament" / "features.py").read_text("utf-8").replace(f'    "{line}",\n', ""), encoding="utf-8"
    )
    environment = program_environment(data, DJANGO_SETTINGS_MODULE="web.settings")
    done = subprocess.run(
        [sys.executable, "-c", CRAWL], cwd=house, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
