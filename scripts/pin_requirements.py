"""Pin what pyproject.toml asks for, with everything that comes along, for all systems and Python versions at once.

Writes requirements.txt (what runs) and requirements-dev.txt (what tests and lints), each file of a package with its
hash, so that pip installs nothing else than what was tested. Needs the network and `pip install uv`; nothing that runs
or tests needs uv. Read the difference before it is committed, then run `manage.py test`. With --keep, the versions that
stand in the two files stay, and only what is new in pyproject.toml is added.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

REPO = Path(__file__).resolve().parent.parent
HEADER = "# Made by scripts/pin_requirements.py from pyproject.toml. Do not edit by hand.\n"
FILES = ("requirements.txt", "requirements-dev.txt")


def compiled(asked: list[str], *options: str, kept: Path | None) -> list[str]:
    """Return a block `name==version ; marker` with its hashes for each package that uv resolves for what is asked."""
    wanted = REPO / "var" / "asked.txt"
    wanted.parent.mkdir(exist_ok=True)
    wanted.write_text("\n".join(asked) + "\n", encoding="utf-8")
    python = ["--python-version", settings()["project"]["requires-python"].removeprefix(">=")]
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--no-header", "--no-annotate"]
    command += ["--generate-hashes", *(["--constraints", str(kept)] if kept else []), *python, *options, str(wanted)]
    done = subprocess.run(command, cwd=REPO, check=True, capture_output=True, text=True)
    blocks = re.split(r"\n(?=\S)", done.stdout.strip())
    # brotlicffi is the stand-in for other Pythons than CPython, on which we do not run
    return [block for block in blocks if "!= 'CPython'" not in block]


def settings() -> dict[str, Any]:
    """Return pyproject.toml."""
    return tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))


def versions(text: str) -> str:
    """Return the lines `name==version ; marker` of a requirements file, without hashes."""
    lines = (line.removesuffix("\\").rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if "==" in line) + "\n"


def main() -> None:
    """Write both files, the second holding only what the first has not."""
    kept = None
    if "--keep" in sys.argv[1:]:
        kept = REPO / "var" / "kept-versions.txt"
        kept.parent.mkdir(exist_ok=True)
        kept.write_text("".join(versions((REPO / name).read_text(encoding="utf-8")) for name in FILES))
    imports, dev = settings()["tool"]["hanchan-desk"]["imports"], settings()["project"]["optional-dependencies"]["dev"]
    runs = compiled(imports, *([] if kept else ["--upgrade"]), kept=kept)
    (REPO / FILES[0]).write_text(HEADER + "\n".join(runs) + "\n", encoding="utf-8", newline="\n")
    first = REPO / "var" / "first-versions.txt"
    first.parent.mkdir(exist_ok=True)
    first.write_text(versions("\n".join(runs)) + (kept.read_text() if kept else ""))
    tests = [block for block in compiled(imports + dev, kept=first) if block not in runs]
    text = HEADER + "-r requirements.txt\n" + "\n".join(tests) + "\n"
    (REPO / FILES[1]).write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(runs)} packages to run, {len(tests)} more to test.")


if __name__ == "__main__":
    main()
