"""The pages of the site that the program writes itself: commands, variables, API, rule fields, rule sets."""

import json
import os
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

REPO = Path(__file__).resolve().parent.parent
# what Django adds to every command
DJANGOS = re.compile(
    r"\s*\[(?:--version|-v \{0,1,2,3\}|--(?:settings|pythonpath) [A-Z]+|--traceback|--\S+-(?:color|checks))\]"
)
VARIABLES = re.compile(r"^## Every variable\n+(\| .*?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


def write_reference(folder: Path) -> None:
    """Write each page of the reference into `folder`, and the page that lists them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")
    os.environ["COLUMNS"] = "100"  # as wide as argparse breaks lines
    import django

    django.setup()
    pages = {
        "commands": ("Commands", commands()),
        "variables": ("Variables", variables()),
        "api": ("The API", api()),
        "rule-fields": ("Rule fields", rule_fields()),
        **{f"rules/{key}": (title, lines) for key, title, lines in rule_sets()},
    }
    listed = "".join(f"- [{title}]({name}.md)\n" for name, (title, _lines) in pages.items())
    contents = {name: f"# {title}\n\n" + "\n".join(lines) + "\n" for name, (title, lines) in pages.items()}
    contents["README"] = f"# Reference\n\nThe program writes these pages itself.\n\n{listed}"
    for name, text in contents.items():
        page = folder / f"{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")


def commands() -> Iterator[str]:
    """Say of each command what `--help` says."""
    from django.core.management import get_commands, load_command_class

    yield "Each is called as `python3 manage.py COMMAND`, or `hanchan-desk COMMAND` where the wheel is installed."
    for name in sorted(name for name, app in get_commands().items() if app == "web"):
        parser = load_command_class("web", name).create_parser("manage.py", name)
        said = DJANGOS.sub("", parser.format_help()).partition("\n  --version")[0]
        yield f"\n## {name}\n\n```text\n{said.strip()}\n```"


def variables() -> Iterator[str]:
    """Return the variables of the page for a server, whose table a test holds against the settings."""
    for table in VARIABLES.findall((REPO / "docs" / "operate" / "server.md").read_text(encoding="utf-8")):
        yield table.replace("](", "](../operate/")


def api() -> Iterator[str]:
    """Say of each address of the API what openapi.json says: parameters, and what an answer holds."""
    described = json.loads((REPO / "docs" / "developer" / "openapi.json").read_text(encoding="utf-8"))
    yield f"{described['info']['description']}\n"
    yield "[openapi.json](../developer/openapi.json) describes it for programs."
    for address, item in described["paths"].items():
        for verb in ("get", "post", "put", "delete"):
            if verb in item:
                yield from _address(f"{verb.upper()} {described['servers'][0]['url']}{address}", item, item[verb])
    yield "\n## What answers hold"
    for name, shape in described["components"]["schemas"].items():
        yield from _shape(name, shape)


def _address(request: str, item: dict[str, Any], act: dict[str, Any]) -> Iterator[str]:
    yield f"\n## {act['summary']}\n\n`{request}`\n"
    given = [*item.get("parameters", ()), *act.get("parameters", ())]
    if given:
        yield "| parameter | in | meaning |\n|---|---|---|"
        yield from (f"| `{one['name']}` | {one['in']} | {one.get('description', '')} |" for one in given)
    yield "\n| answer | meaning |\n|---|---|"
    yield from (f"| {code} | {_answer(answer)} |" for code, answer in act["responses"].items())


def _answer(answer: dict[str, Any]) -> str:
    shapes = re.findall(r"#/components/schemas/(\w+)", json.dumps(answer))
    said = str(answer.get("description", ""))
    return said + "".join(f" ([{shape}](#{shape.lower()}))" for shape in dict.fromkeys(shapes))


def _shape(name: str, shape: dict[str, Any]) -> Iterator[str]:
    yield f"\n### {name}\n\n{shape.get('description', '')}\n"
    if fields := shape.get("properties"):
        yield "| field | kind | meaning |\n|---|---|---|"
        for field, about in fields.items():
            yield f"| `{field}` | {_kind(about)} | {_cell(about.get('description', ''))} |"


def _kind(about: dict[str, Any]) -> str:
    """Say the kind of a field in a word or two, with a link to the shape that it holds."""
    if shapes := re.findall(r"#/components/schemas/(\w+)", json.dumps(about)):
        kinds = ", ".join(f"[{shape}](#{shape.lower()})" for shape in dict.fromkeys(shapes))
        return f"list of {kinds}" if about.get("type") == "array" else kinds
    if "enum" in about:
        return ", ".join(f"`{value}`" for value in about["enum"])
    choices = about.get("anyOf", [about])
    return " or ".join(str(choice.get("type", "any")) for choice in choices)


def rule_fields() -> Iterator[str]:
    """Say of each field of a rule set what it means, and which sets have which value."""
    books = [(key, book) for key, _title, book in _books()]
    yield "Each field of a rule set, with the value in every book. [The format of a file](../rules/README.md)."
    fields = [(row["section"], row["name"], row["says"]) for row in books[0][1]]
    values = {(key, row["name"]): _value(row["value"]) for key, book in books for row in book}
    for section, rows in groupby(fields, key=lambda row: row[0]):
        yield f"\n## {section}\n\n| field | meaning | values |\n|---|---|---|"
        for _section, name, says in rows:
            by_value: dict[str, list[str]] = {}
            for key, _book in books:
                by_value.setdefault(values[key, name], []).append(key)
            usual = max(by_value, key=lambda value: len(by_value[value]))
            others = [f"{value}: {', '.join(keys)}" for value, keys in by_value.items() if value != usual]
            yield f"| `{name}` | {_cell(says)} | {'; '.join([usual, *others])} |"


def rule_sets() -> Iterator[tuple[str, str, Iterator[str]]]:
    """Return key, title and page of each book: every value with its clause."""
    for key, title, book in _books():
        yield key, title, _book_page(key, book)


def _book_page(key: str, book: list[dict[str, Any]]) -> Iterator[str]:
    yield f"`{key}`. **ours** marks a value where the book is silent: our reading, with its reason."
    for section, rows in groupby(book, key=lambda row: row["section"]):
        yield f"\n## {section}\n\n| field | value | meaning | source |\n|---|---|---|---|"
        for row in rows:
            ours = row["ours"] or row["ours_in_part"]
            source = "; ".join(filter(None, [row["clause"], ours and f"**ours**: {ours}"]))
            yield f"| `{row['name']}` | {_value(row['value'])} | {_cell(row['says'])} | {_cell(source)} |"


def _books() -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Return key, title and fields of each book, as `manage.py rules --json` prints them."""
    from io import StringIO

    from django.core.management import call_command

    from rules.books import book_keys

    for key in book_keys():
        printed = StringIO()
        call_command("rules", key, "--json", stdout=printed)
        book = json.loads(printed.getvalue())
        yield key, book["title"], book["fields"]


def _value(value: object) -> str:
    """Write a value as a cell: yes and no for flags, lists with commas."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_value, value)) or "none"
    return f"`{value}`"


def _cell(text: str) -> str:
    """Keep a text within its cell."""
    return text.replace("|", "\\|").replace("\n", " ")
