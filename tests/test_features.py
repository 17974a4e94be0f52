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
    "web.demo.feature": ("web.demo", "tournament.services.files.sample", "tournament.services.files.random_games"),
    "web.drill.feature": ("web.drill", "tournament.services.people.drills", "tournament.selectors.people.drills"),
    "web.files.online_logs_feature": (
        *("web.files.online_logs_feature", "web.files.online_games", "web.files.game_import"),
        *("tournament.imports.online_games", "tournament.imports.game_log", "tournament.imports.online_tenhou"),
        *("tournament.selectors.files.online_games", "tournament.services.files.online_games"),
    ),
    "web.hands.slips_feature": ("web.hands.slips_feature", "web.hands.likely_slips"),
    "web.public.stats_feature": (
        *("web.public.stats_feature", "web.public.stories", "web.public.recap", "web.public.charts", "web.public.race"),
        *("web.public.bars", "web.public.card", "web.public.card_picture", "tournament.selectors.public.recap"),
    ),
    "web.push.feature": ("web.push", "tournament.services.people.phones", "tournament.selectors.people.phones"),
    "web.relay.feature": ("web.relay.feature", "web.relay.sender", "web.relay.hall_page", "web.relay.receive"),
    "web.relay.publish_feature": ("web.relay.publish_feature", "web.relay.folder"),
    "web.wall.overlay_feature": ("web.wall.overlay_feature", "web.wall.overlay"),
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
from tests.web.test_crawl import crawl
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
        "web.drill.feature",
        "web.public.stats_feature",
        "web.push.feature",
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
