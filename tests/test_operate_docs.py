"""docs/operate: its commands run, its unit file, proxy and container know the program, and every variable is there.

backups.md has a test of its own (test_backups_docs). Blocks that are marked `sh` run here; those marked `console` need
another machine (systemd, Caddy, gunicorn, a container) and are held by what stands in them.
"""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bootstrap import REPO
from tests.shared_fixtures import copy_of_desk, program_environment
from tests.typed import type_lines
from web.management.commands.desk import Command

OPERATE = REPO / "docs" / "operate"
PAGES = sorted(OPERATE.glob("*.md"))
CONTAINER = REPO / "Containerfile"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARIABLE = re.compile(r"\b(?:HANCHAN_[A-Z_]+|DATABASE_URL)\b")
MANAGE = re.compile(r"manage(?:\.py)? ([a-z_]+)(?![\w.])")
# read before the settings are, by bootstrap.py and manage.py
BEFORE_SETTINGS = {"HANCHAN_NO_BOOTSTRAP"}


def blocks(kind: str) -> Iterator[tuple[str, str]]:
    """Yield page and text of every block of a kind."""
    for page in PAGES:
        yield from ((page.name, text) for found, text in BLOCK.findall(page.read_text("utf-8")) if found == kind)


def lines_to_run() -> list[str]:
    """Return the lines that run here: of `sh` blocks, and what stands indented, but for the page with its own test."""
    lines = [line for _page, text in blocks("sh") for line in text.splitlines()]
    for page in PAGES:
        if page.name != "backups.md":
            shown = BLOCK.sub("", page.read_text("utf-8"))
            lines += [line.strip() for line in shown.splitlines() if re.match(r"    +\S.*manage\.py ", line)]
    return lines


def variables_of_the_program() -> set[str]:
    """Return every variable that the settings read."""
    tree = ast.parse((REPO / "web" / "settings.py").read_text("utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in texts if VARIABLE.fullmatch(text)} | BEFORE_SETTINGS


# ---------------------------------------------------------------- variables


def test_every_variable_is_in_the_table_and_every_one_in_the_documents_is_known():
    known = variables_of_the_program()
    server = (OPERATE / "server.md").read_text("utf-8")
    table = {name for line in server.splitlines() if line.startswith("| `") for name in VARIABLE.findall(line)}
    named = {name for page in PAGES for name in VARIABLE.findall(page.read_text("utf-8"))}
    named |= set(VARIABLE.findall(CONTAINER.read_text("utf-8")))
    assert table == known
    assert named <= known


def test_every_command_in_the_documents_is_one():
    from django.core.management import get_commands

    texts = [page.read_text("utf-8") for page in PAGES] + [CONTAINER.read_text("utf-8").replace('", "', " ")]
    named = {name for text in texts for name in MANAGE.findall(text)}
    assert named <= set(get_commands())
    assert named >= {"desk", "doctor", "check", "backup", "move_desk", "migrate", "collectstatic", "createcachetable"}


def test_every_page_is_in_the_list_of_pages():
    listed = set(re.findall(r"\]\((\w+\.md)\)", (OPERATE / "README.md").read_text("utf-8")))
    assert listed == {page.name for page in PAGES} - {"README.md"}


# ---------------------------------------------------------------- commands


def once_each(lines: list[str]) -> list[str]:
    """Leave out a line whose command runs in a later one, too: with other variables, or where it may fail."""
    commands = [line.partition("manage.py ")[2].removesuffix(" || true") for line in lines]
    return [line for at, line in enumerate(lines) if commands[at] not in commands[at + 1 :]]


def run(line: str, data: Path) -> subprocess.CompletedProcess[str]:
    """Run one line in a shell, `python3` being this Python."""
    line = line.replace("python3 ", f"'{sys.executable}' ")
    environment = program_environment(data)
    return subprocess.run(line, shell=True, cwd=REPO, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow  # real commands, as a person types them
@pytest.mark.skipif(sys.platform == "win32", reason="not on Windows: the pages' lines are a shell's")
def test_the_commands_run_as_they_stand(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory):
    data = copy_of_desk(tmp_path_factory, tmp_path / "data")
    lines = [line.replace(" EVENT", " cup") for line in lines_to_run()]
    assert len(lines) == len([line for line in lines if line])
    serving = [line for line in lines if " desk " in line]
    by_process = [line for line in once_each(lines) if line not in serving]
    plain = [line for line in by_process if line.startswith("python3 ")]
    for line, ended in zip(plain, type_lines(plain, data), strict=True):
        assert (line, ended.code, "Traceback" in ended.err) == (line, 0, False), ended.out + ended.err
    for line in by_process:
        if line not in plain:  # with settings of its own
            done = run(line, data)
            assert (line, done.returncode, "Traceback" in done.stderr) == (line, 0, False), done.stdout + done.stderr
    assert [line.partition("manage.py ")[2] for line in serving] == ["desk --host 127.0.0.1"]


def test_a_command_that_stands_twice_runs_once_where_it_may_not_fail():
    lines = ["A=1 python3 manage.py migrate", "python3 manage.py doctor || true", "python3 manage.py migrate"]
    assert once_each([*lines, "python3 manage.py doctor"]) == [lines[2], "python3 manage.py doctor"]


# ---------------------------------------------------------------- commands of a server

SERVER = OPERATE / "server.md"
# Programs of the system, as they act on what a line gives to the desk: sudo and systemd-run pass on nothing of the
# caller's environment, and a desk that was told no data directory would use the one beside the program.
SYSTEM = {
    "sudo": """
import os, sys
rest = sys.argv[1:]
if rest[0] == "-u":
    rest = rest[2:]
os.execvpe(rest[0], rest, {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]})
""",
    "systemd-run": """
import os, sys
rest, given = sys.argv[1:], {}
while rest[0].startswith("-"):
    option = rest.pop(0)
    if option == "-p":
        name, _, value = rest.pop(0).partition("=")
        given[name] = value
lines = open(given["EnvironmentFile"], encoding="utf-8").read().splitlines()
assert given["User"] == "hanchan"
os.chdir(given["WorkingDirectory"])
os.umask(int(given["UMask"], 8))
os.execvpe(rest[0], rest, {"PATH": os.environ["PATH"], **dict(line.split("=", 1) for line in lines)})
""",
    "python3": f"""
import os, sys
if "HANCHAN_DATA" not in os.environ:
    sys.exit("this would have used the data beside the program")
python = {sys.executable!r}
os.execvpe(python, [python, *sys.argv[1:]], os.environ | {{"HANCHAN_NO_BOOTSTRAP": "1"}})
""",
    "systemctl": "",
}


def server_blocks(kind: str) -> list[str]:
    """Return the blocks of a kind of the page about servers."""
    return [text for found, text in BLOCK.findall(SERVER.read_text("utf-8")) if found == kind]


def server_lines(heading: str = "") -> list[str]:
    """Return the page's lines for a console, those below a heading or all."""
    text = SERVER.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0] if heading else ""
    found = [block for kind, block in BLOCK.findall(text or SERVER.read_text("utf-8")) if kind == "console"]
    return [line for block in found for line in block.replace("\\\n", "").splitlines()]


class Machine:
    """A machine that was set up by the page, with its folders somewhere else."""

    def __init__(self, root: Path) -> None:
        """Write the page's files, and the system's programs that its lines call."""
        self.root, self.data, self.backups = root, root / "data", root / "backups"
        self.programs = root / "bin"
        for folder in (self.backups, self.programs):
            folder.mkdir()
        for name, text in SYSTEM.items():
            self._install(name, f"#!{sys.executable}\n{text}")
        (environment,) = [text for text in server_blocks("ini") if "[Unit]" not in text]
        (root / "hanchan.env").write_text(self._here(environment), "utf-8")
        (script,) = server_blocks("bash")
        self._install("hanchan-manage", self._here(script))

    def _install(self, name: str, text: str) -> None:
        (self.programs / name).write_text(text, "utf-8")
        (self.programs / name).chmod(0o755)

    def _here(self, text: str) -> str:
        for there, here in {
            "/var/lib/hanchan": self.data,
            "/var/backups/hanchan": self.backups,
            "/etc/hanchan.env": self.root / "hanchan.env",
            "/opt/hanchan-desk": REPO,
            "/usr/bin/python3": "python3",
        }.items():
            text = text.replace(there, str(here))
        return text

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run a line of the page in a shell of somebody who has set nothing of the desk's."""
        environment = {"PATH": f"{self.programs}:/usr/bin:/bin", "HOME": str(self.root)}
        done = subprocess.run(
            self._here(line), shell=True, cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )
        assert (line, done.returncode, "Traceback" in done.stderr) == (line, 0, False), done.stdout + done.stderr
        return done


def test_every_command_of_a_server_has_the_settings_of_its_service():
    ours = [line for line in server_lines() if "manage" in line and not line.startswith("podman ")]
    assert len(ours) > 8
    assert [line for line in ours if not re.match(r"(echo .* \| )?sudo hanchan-manage [a-z_]+", line)] == []
    for _page, text in blocks("sh"):
        assert not (_page == "server.md" and "manage.py" in text)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the page's lines are a shell's")
def test_the_commands_of_a_server_work_on_the_data_of_its_service(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
):
    machine = Machine(tmp_path)
    copy_of_desk(tmp_path_factory, machine.data)
    shutil.rmtree(machine.data / "static")
    lines = [line for line in server_lines() if line.startswith("sudo hanchan-manage ")]
    restore = "sudo hanchan-manage restore FILE"
    assert restore in lines
    of_data, said = f"Data: {machine.data} (1 event)", {}
    for line in lines:
        if line not in (restore, "sudo hanchan-manage doctor"):  # which finds what this machine lacks
            said[line] = machine.run(line.replace(" EVENT", " cup"))
    (file,) = machine.backups.glob("*.encrypted.backup")
    said[restore] = machine.run(restore.replace("FILE", str(file)))
    for command in ("backup", "restore", "organiser_link"):
        (done,) = [done for line, done in said.items() if f"manage {command}" in line]
        assert of_data in (done.stdout + done.stderr).splitlines()
    assert list((machine.data / "static").glob("staticfiles.json"))
    assert (machine.data / "event.json").read_text("utf-8").startswith('{"checksum":')


def test_a_command_without_the_settings_is_noticed(tmp_path: Path):
    machine = Machine(tmp_path)
    with pytest.raises(AssertionError, match="this would have used the data beside the program"):
        machine.run("sudo -u hanchan python3 manage.py backup")


@pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("git"), reason="the page's lines are a shell's, and git's"
)
def test_an_update_and_the_way_back_find_their_versions(tmp_path: Path):
    machine, source, there = Machine(tmp_path), tmp_path / "source", tmp_path / "program"

    def git(*arguments: str | Path) -> None:
        named = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "core.hooksPath=/dev/null"]
        subprocess.run(["git", *named, *map(str, arguments)], check=True, capture_output=True)

    git("init", source)
    git("-C", source, "commit", "--allow-empty", "-m", "one")
    git("clone", source, there)
    git("-C", source, "commit", "--allow-empty", "-m", "two")
    lines = [line for line in server_lines("Update and roll back") if " git " in line]
    head, pull, checkout, back = [line.replace("/opt/hanchan-desk", str(there)) for line in lines]
    first = machine.run(head).stdout.strip()
    machine.run(pull)
    newer = machine.run(head).stdout.strip()
    machine.run(checkout.replace("VERSION", first))
    assert machine.run(head).stdout.strip() == first != newer
    machine.run(back)
    machine.run(pull)
    assert machine.run(head).stdout.strip() == newer


# ---------------------------------------------------------------- unit file, proxy, container


def test_the_unit_starts_the_desk_with_options_that_it_has():
    environment, unit = server_blocks("ini")
    settings = [line.partition("=")[::2] for line in unit.splitlines() if "=" in line]
    start = dict(settings)["ExecStart"].split()
    assert start[:3] == ["/usr/bin/python3", "manage.py", "desk"]
    options = Command().create_parser("manage.py", "desk").parse_args(start[3:])
    assert (options.host, options.port) == ("127.0.0.1", 8000)
    names = {line.partition("=")[0] for line in environment.splitlines()}
    assert names <= variables_of_the_program()
    assert dict(line.partition("=")[::2] for line in environment.splitlines())["HANCHAN_DATA"] == "/var/lib/hanchan"
    assert dict(settings)["KillSignal"] == "SIGINT"  # what the desk takes for Ctrl-C
    written = dict(settings)["ReadWritePaths"].split()
    values = dict(line.partition("=")[::2] for line in environment.splitlines())
    # a folder that is not there yet keeps systemd from starting the unit, unless it begins with -
    assert {values["HANCHAN_DATA"], values["HANCHAN_BACKUP_TO"], "-/opt/hanchan-desk/.venv"} == set(written)
    made = [line.split()[-1] for line in server_lines("What you need")[:5]]
    assert values["HANCHAN_BACKUP_TO"] in made


def test_the_proxies_lead_to_addresses_that_the_program_has():
    from django.urls import resolve

    for page, text in blocks("caddy"):
        assert (page, text.count("{"), "/health/" in text) == (page, text.count("}"), True)
        for path in re.findall(r"(/[a-z]+)/\*", text):
            address = {"/desk": "/desk/new/", "/api": "/api/v1/events/x/version", "/enter": "/enter/x/"}
            assert resolve(address.get(path, f"{path}/")).func is not None
    assert resolve("/health/").func is not None


def test_the_container_asks_for_what_the_bootstrap_would_and_calls_what_it_has():
    import bootstrap

    text = CONTAINER.read_text("utf-8")
    assert {package for package in bootstrap.PANGO.values() if package not in text} == set()
    for name in re.findall(r"bootstrap\.(\w+)\(", text):
        assert callable(getattr(bootstrap, name))
    wanted = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    version = re.search(r"python:(\d+)\.(\d+)-slim", text)
    assert version is not None
    assert f">={version[1]}.{version[2]}" in wanted.replace(" ", "")
