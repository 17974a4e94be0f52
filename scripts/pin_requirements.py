"""Pin the dependency groups of pyproject.toml, with everything that they need, for all systems and Python versions.

Writes requirements.txt (what runs), requirements-postgresql.txt (the driver) and requirements-dev.txt (what tests and
lints), each file of a package with its hash, so that pip installs nothing else than what was tested. Then asks for each
promised system and Python whether every package has a wheel, prints that table, and exits with 1 if one is missing;
`--wheels` does this alone. `--keep` keeps the versions of the files, and adds only what is new in pyproject.toml.
Needs the network and uv (`.venv/bin/python -m pip install uv`); nothing that runs or tests needs uv. Read the
difference before it is committed, then run `manage.py test`.
"""

import importlib.util
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

REPO = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPO))

from bootstrap import supported_pythons  # noqa: E402 - from here on it can be found

HEADER = "# Made by scripts/pin_requirements.py from pyproject.toml. Do not edit by hand.\n"
FILES = {
    "desk": "requirements.txt",
    "postgresql": "requirements-postgresql.txt",
    "dev": "requirements-dev.txt",
}
PLATFORMS = {
    "Linux x86-64": "x86_64-unknown-linux-gnu",
    "Linux arm64": "aarch64-unknown-linux-gnu",
    "macOS arm64": "aarch64-apple-darwin",
    "macOS Intel": "x86_64-apple-darwin",
    "Windows x86-64": "x86_64-pc-windows-msvc",
    "Windows arm64": "aarch64-pc-windows-msvc",
}
NO_TESTS = {("Windows arm64", "3.11")}  # where nobody can test the desk, and only run it: pyyaml has no wheel


def read_settings() -> dict[str, Any]:
    """Return pyproject.toml."""
    return tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))


def run_uv(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `uv pip` with these arguments."""
    command = [sys.executable, "-m", "uv", "pip", *arguments]
    return subprocess.run(command, cwd=REPO, check=False, capture_output=True, text=True)


def compile_lock(asked: list[str], constraints: str, folder: Path, *options: str) -> list[str]:
    """Return a block `name[extra]==version ; marker` with its hashes for each package that uv resolves for `asked`.

    `constraints` are lines `name==version ; marker`. Extras stay in the lock: pip before 23.3 takes `fonttools[woff]`
    for another package than a pinned `fonttools`, and asks for the newest one.
    """
    (folder / "asked.txt").write_text("\n".join(asked) + "\n", encoding="utf-8")
    (folder / "constraints.txt").write_text(constraints, encoding="utf-8")
    oldest = read_settings()["project"]["requires-python"].removeprefix(">=")
    done = run_uv(
        *("compile", "--quiet", "--universal", "--no-header", "--no-annotate", "--no-strip-extras"),
        *("--generate-hashes", "--python-version", oldest, "--constraints", str(folder / "constraints.txt")),
        *(*options, str(folder / "asked.txt")),
    )
    if done.returncode:
        sys.exit(done.stderr)
    blocks = re.split(r"\n(?=\S)", done.stdout.strip())
    # brotlicffi is the stand-in for other Pythons than CPython, on which we do not run
    return [block for block in blocks if "!= 'CPython'" not in block]


def read_versions(text: str) -> str:
    """Return the lines `name==version ; marker` of a requirements file, without hashes and extras."""
    lines = (line.removesuffix("\\").rstrip() for line in text.splitlines())
    return "".join(re.sub(r"\[.*?\]", "", line) + "\n" for line in lines if re.match(r"\S+==", line))


def write_locks(*, keep: bool) -> None:
    """Write each file with what the files before it do not have."""
    kept = "".join(read_versions((REPO / name).read_text(encoding="utf-8")) for name in FILES.values()) if keep else ""
    asked: list[str] = []
    known: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for group, name in FILES.items():
            asked += read_settings()["dependency-groups"][group]
            constraints = kept + read_versions("\n".join(known))
            options = [] if keep else ["--upgrade"]
            new = [block for block in compile_lock(asked, constraints, Path(folder), *options) if block not in known]
            before = "".join(f"-r {earlier}\n" for earlier in list(FILES.values())[: list(FILES).index(group)])
            text = HEADER + before + "\n".join(new) + "\n"
            (REPO / name).write_text(text, encoding="utf-8", newline="\n")
            known += new
            print(f"{name}: {len(new)} packages")


def find_missing_wheel(file: str, platform: str, python: str) -> str:
    """Return uv's words for the first package of a lock that has no wheel there, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        done = run_uv(
            *("install", "--dry-run", "--only-binary", ":all:", "--no-deps", "--require-hashes", "--target", folder),
            *("--python-platform", platform, "--python-version", python, "-r", file),
        )
    return "" if done.returncode == 0 else " ".join(done.stderr.split())


def check_wheels() -> bool:
    """Print which promised systems have a wheel of every package; return whether all have."""
    pythons = supported_pythons()
    holes = []
    for name in FILES.values():
        print(f"{name:<28}{''.join(f'{python:>8}' for python in pythons)}")
        for system, platform in PLATFORMS.items():
            cells = []
            for python in pythons:
                missing = find_missing_wheel(name, platform, python)
                excepted = name == FILES["dev"] and (system, python) in NO_TESTS
                cells.append("none" if missing and excepted else "MISSING" if missing else "ok")
                holes += [missing] if missing and not excepted else []
            print(f"  {system:<26}{''.join(f'{cell:>8}' for cell in cells)}")
    print("\n".join(holes) or "No wheel is missing.")
    return not holes


def main() -> None:
    """Write the locks, then check them."""
    if not importlib.util.find_spec("uv"):
        sys.exit("This needs uv: run `.venv/bin/python -m pip install uv`, then the same command again.")
    if "--wheels" not in sys.argv[1:]:
        write_locks(keep="--keep" in sys.argv[1:])
    sys.exit(0 if check_wheels() else 1)


if __name__ == "__main__":
    main()
