"""Every path that a page names exists, and so does every page that the code names."""

import re

import pytest

from bootstrap import REPO

ROOMS = "rules|scoring|tournament|web|templates|static|tests|tools|scripts"
PATH = re.compile(rf"(?:{ROOMS})/[^\s`:#]*")  # a name of a function or partial may follow
TEMPLATE = re.compile(r"[a-z]+/\w+\.html")  # as pages include it
PAGES = sorted(path.relative_to(REPO).as_posix() for path in (*REPO.glob("*.md"), *REPO.glob("docs/**/*.md")))


def paths_in(text: str) -> list[str]:
    """Return the paths in backticks that begin with a room, one for each alternative in braces, and the templates.

    >>> paths_in("`web/urls.py`, `templates/{ui,pdf}/x.html`, `ui/x.html#part`, `python web/x.py`, web/plain.py")
    ['web/urls.py', 'templates/ui/x.html', 'templates/pdf/x.html', 'templates/ui/x.html']
    """
    found = []
    for span in re.findall(r"`([^`\n]+)`", text):
        if match := PATH.match(span):
            head, _brace, rest = match[0].partition("{")
            choices, _brace, tail = rest.partition("}")
            found += [head + choice + tail for choice in choices.split(",")]
        elif match := TEMPLATE.match(span):
            found.append(f"templates/{match[0]}")
    return found


def exists(path: str) -> bool:
    """Tell whether a path is there; capitals such as KEY stand for any name, * for any letters."""
    return any(REPO.glob(re.sub(r"\b[A-Z]{2,}\b(?!\.md)", "*", path.rstrip("/"))))


def is_module_or_inside(name: str) -> bool:
    """Tell whether a dotted name is a package or a module, or at most two names inside a module."""
    parts = name.split(".")
    modules = [REPO / "/".join(parts[:end]) for end in range(max(2, len(parts) - 2), len(parts) + 1)]
    return modules[-1].is_dir() or any(module.with_suffix(".py").exists() for module in modules)


@pytest.mark.parametrize("page", PAGES)
def test_each_path_of_a_page_exists(page: str) -> None:
    assert [path for path in paths_in((REPO / page).read_text(encoding="utf-8")) if not exists(path)] == []


@pytest.mark.parametrize("page", PAGES)
def test_each_module_of_a_page_exists(page: str) -> None:
    names = re.findall(rf"`((?:{ROOMS})(?:\.(?!css\b)\w+)+)`", (REPO / page).read_text(encoding="utf-8"))
    assert [name for name in names if not is_module_or_inside(name)] == []


@pytest.mark.parametrize("page", PAGES)
def test_each_link_of_a_page_leads_to_a_file(page: str) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", (REPO / page).read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not ((REPO / page).parent / link).exists()] == []


def test_each_partial_of_the_house_style_exists() -> None:
    table = (
        (REPO / "docs/developer/style.md").read_text(encoding="utf-8").partition("| partial (")[2].partition("\n\n")[0]
    )
    names = [name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert len(names) > 20
    assert [name for name in names if not exists(f"templates/ui/{name}.html")] == []


def test_each_page_that_the_code_names_exists() -> None:
    sources = [path for room in ROOMS.split("|") for path in (REPO / room).rglob("*.py")]
    named = {
        name for path in sources for name in re.findall(r"\bdocs/[\w/-]+(?:\.\w+)+", path.read_text(encoding="utf-8"))
    }
    assert "docs/developer/glossary.md" in named
    assert sorted(name for name in named if not (REPO / name).exists()) == []


def test_a_wrong_path_is_found() -> None:
    assert exists("rules/books/KEY.toml")
    assert not exists("web/nowhere/KEY.py")
    assert [exists(path) for path in paths_in("`web/{urls,nowhere}.py`")] == [True, False]
    assert [is_module_or_inside(name) for name in ("tournament.text.acts.say", "web.server", "web.nowhere.say")] == [
        True,
        True,
        False,
    ]
