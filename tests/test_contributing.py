"""What strangers find first: the workflow and the changelog are of this project."""

import importlib
import re
import tomllib
from pathlib import Path
from typing import Any

from bootstrap import REPO


def read(path: Path) -> Any:
    return importlib.import_module("yaml").safe_load(path.read_text(encoding="utf-8"))


def test_the_public_workflow_runs_our_own_script_on_the_oldest_python() -> None:
    (job,) = read(REPO / ".github" / "workflows" / "ci.yml")["jobs"].values()
    assert job["steps"][-1] == {"run": "bash .ci/run"}
    project = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={job['strategy']['matrix']['python'][0]}"


def test_the_changelog_ends_with_the_version_of_the_project() -> None:
    text = (REPO / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    project = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert versions[0] == ("Unreleased", "")
    assert versions[1][0] == project["version"]
    assert all(date for _version, date in versions[1:])
    sections = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert sections <= {"In short", "When you update", "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
