"""What holds for each command of ours: it has words for help and for a database that is not there."""

import subprocess
import sys

import pytest
from django.core.management import execute_from_command_line, get_commands, load_command_class

from bootstrap import REPO

pytestmark = pytest.mark.whole_run

OURS = sorted(name for name, app in get_commands().items() if app in ("web", "tests"))


@pytest.mark.parametrize("name", OURS)
def test_help_says_what_a_command_does(name: str):
    command = load_command_class(get_commands()[name], name)
    printed = command.create_parser("manage.py", name).format_help()
    assert len(command.help or printed) > 80
    assert "usage: manage.py" in printed


def test_no_command_loads_what_only_pages_and_printing_need():
    """To load all pages takes longer than all that most commands do: each starts within two bare starts of Django."""
    line = (
        "import sys, django; django.setup()\n"
        "from django.core.management import load_command_class\n"
        f"for app, name in {[(get_commands()[name], name) for name in OURS]}: load_command_class(app, name)\n"
        "sys.exit(' '.join({'web.urls', 'weasyprint', 'django_tables2', 'openpyxl', 'psycopg'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", line], cwd=REPO, capture_output=True, text=True, check=False)
    assert done.stderr == "\n"


def test_no_command_loads_all_pages_to_check_them():
    wanted = {name: load_command_class(get_commands()[name], name).requires_system_checks for name in OURS}
    assert [name for name, checks in wanted.items() if checks == "__all__"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["standings"], "the following arguments are required: EVENT"),
        (["rules", "house"], "there is no rule set 'house'"),
    ],
)
@pytest.mark.django_db
def test_a_mistake_gets_words_and_never_a_stack_trace(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as stop:
        execute_from_command_line(["manage.py", *arguments])
    said = capsys.readouterr()
    assert (words in said.err, "Traceback" in said.err, said.out) == (True, False, "")
    assert stop.value.code in (1, 2)
