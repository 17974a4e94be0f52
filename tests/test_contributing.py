"""What strangers find first: guides, forms, hooks, the workflow and the changelog lead to things that exist."""

import importlib
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bootstrap import REPO

GUIDES = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CODE_OF_CONDUCT.md",
    "CHANGELOG.md",
    "docs/developer/README.md",
)
FORMS = REPO / ".github" / "ISSUE_TEMPLATE"


def read(path: Path) -> Any:
    return importlib.import_module("yaml").safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("guide", GUIDES)
def test_each_link_of_a_guide_leads_to_a_file(guide: str) -> None:
    page = REPO / guide
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("wrong_payment", {"rules", "line", "got", "wanted", "version"}),
        ("wrong_standing", {"file", "where", "got", "wanted", "version"}),
        ("fault", {"steps", "came", "machine"}),
        ("feature", {"task", "today"}),
    ],
)
def test_a_form_asks_for_what_an_answer_needs(form: str, wanted: set[str]) -> None:
    fields = read(FORMS / f"{form}.yml")["body"]
    assert {field["id"] for field in fields if field.get("validations", {}).get("required")} == wanted
    assert all(field["attributes"]["label"] for field in fields)


def test_hooks_run_what_ci_runs_and_need_no_network() -> None:
    (hooks,) = read(REPO / ".pre-commit-config.yaml")["repos"]
    assert hooks["repo"] == "local"
    assert {hook["stages"][0]: hook["entry"] for hook in hooks["hooks"]} == {
        "pre-commit": "python3 manage.py test --fast",
        "pre-push": "python3 manage.py test",
    }


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
    assert sections <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
