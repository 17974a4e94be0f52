"""A desk without a rare feature: its modules cannot be imported and its line is gone, and all pages work."""

import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap import REPO
from tests.ready import copy_of_desk, program_environment

pytestmark = pytest.mark.slow

# the registration of each feature, and the modules that are gone with it
GONE = {
    "tournament.demo.feature": ("web.demo", "tournament.demo.sample", "tournament.demo.sample"),
    "tournament.drill.feature": ("web.drill", "tournament.drill.actions", "tournament.drill.queries"),
    "tournament.online_logs.feature": (
        *(
            "tournament.online_logs.feature",
            "tournament.online_logs.views",
            "tournament.online_logs.views",
        ),
        *(
            "tournament.online_logs.games",
            "tournament.online_logs.games",
            "tournament.online_logs.tenhou",
        ),
        *("tournament.online_logs.queries", "tournament.online_logs.actions"),
    ),
    "tournament.slips.feature": ("tournament.slips.feature", "tournament.slips.views"),
    "tournament.stats.feature": (
        *(
            "tournament.stats.feature",
            "tournament.stats.views",
            "tournament.stats.views",
            "tournament.stats.charts",
            "tournament.stats.charts",
        ),
        *(
            "tournament.stats.charts",
            "tournament.stats.cards",
            "tournament.stats.cards",
            "tournament.stats.queries",
        ),
    ),
    "tournament.push.feature": ("web.push", "tournament.push.actions", "tournament.push.queries"),
    "tournament.relay.feature": (
        "tournament.relay.feature",
        "tournament.relay.sender",
        "tournament.relay.views",
        "tournament.relay.views",
    ),
    "tournament.publish.feature": ("tournament.publish.feature", "tournament.publish.site_copy"),
    "tournament.overlay.feature": ("tournament.overlay.feature", "tournament.overlay.views"),
}
CRAWL = """
import importlib.abc, sys
line, gone = sys.argv[1], tuple(sys.argv[2:])

class Gone(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if any(name == each or name.startswith(each + ".") for each in gone):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Gone())
from tournament import features
features.RARE = tuple(each for each in features.RARE if each != line)
features.FEATURES = tuple(each for each in features.FEATURES if each != line)
import django
django.setup()
from django.core.management import call_command
from django.test import Client
from tests.pages.test_crawl import crawl
from tournament.models import Account
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
        *(pytest.param(line, marks=pytest.mark.nightly) for line in GONE),
    ],
)
def test_a_desk_without_a_rare_feature_shows_all_other_pages(
    line: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
):
    data = copy_of_desk(tmp_path_factory, tmp_path)
    environment = program_environment(data, DJANGO_SETTINGS_MODULE="web.settings")
    done = subprocess.run(
        [sys.executable, "-c", CRAWL, line, *GONE[line]],
        cwd=REPO,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
