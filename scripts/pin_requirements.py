"""Pin what pyproject.toml asks for, with everything that comes along, for all systems and Python versions at once.

Writes requirements.txt (what runs) and requirements-dev.txt (what tests and lints). Needs the network and `pip install
uv`; nothing that runs or tests needs uv. Read the difference before it is committed, then run `manage.py test`.
"""

import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
HEADER = "# Made by scripts/pin_requirements.py from pyproject.toml. Do not edit by hand.\n"


def compiled(*options: str) -> list[str]:
    """Return the lines `name==version ; marker` that uv resolves for pyproject.toml under these options."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--no-header", "--no-annotate"]
    done = subprocess.run([*command, *options, "pyproject.toml"], cwd=REPO, check=True, capture_output=True, text=True)
    # brotlicffi is the stand-in for other Pythons than CPython, on which we do not run
    return [line for line in done.stdout.splitlines() if line and "!= 'CPython'" not in line]


def main() -> None:
    """Write both files, the second holding only what the first has not."""
    runs = compiled("--upgrade")
    (REPO / "requirements.txt").write_text(HEADER + "\n".join(runs) + "\n", encoding="utf-8", newline="\n")
    tests = [line for line in compiled("--extra", "dev", "--constraints", "requirements.txt") if line not in runs]
    text = HEADER + "-r requirements.txt\n" + "\n".join(tests) + "\n"
    (REPO / "requirements-dev.txt").write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(runs)} packages to run, {len(tests)} more to test.")


if __name__ == "__main__":
    main()
