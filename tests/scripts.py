"""`python -m tests.scripts`: test and check the JavaScript of `static`; a step of `manage.py test`.

The tests of `tests/js` run under the Node that playwright brings, else under the machine's. Biome (format, lint) and
TypeScript (`// @ts-check`) come from npm by `package-lock.json`. Exits with 1 if anything fails, `npm ci` too, and with
77 where Node or npm is missing.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import playwright

from bootstrap import REPO

STATIC = REPO / "static"
MODULES = REPO / "node_modules"
NOT_HERE = 77
TYPED = "// @ts-check\n"
INSTALL = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1")
CHECKS = (("biome", "ci", "."), ("tsc",), ("tsc", "-p", "tests/js"))


def main() -> int:
    """Run all of it and return the exit code."""
    return exit_code([_test(), _types_asked(), *_checks()])


def exit_code(codes: list[int]) -> int:
    """Return 1 where one of these has failed, NOT_HERE where one of them has not run, else 0."""
    failed = any(code not in (0, NOT_HERE) for code in codes)
    return 1 if failed else max(codes)


def _test() -> int:
    driver = Path(playwright.__file__).parent / "driver"
    node = shutil.which("node", path=str(driver)) or shutil.which("node")
    if node is None:
        return _not_run("the tests: no Node here")
    return _run(node, "--test", *map(str, sorted((REPO / "tests" / "js").glob("*.test.mjs"))))


def _types_asked() -> int:
    ours = (path for path in STATIC.rglob("*.js") if STATIC / "vendor" not in path.parents)
    wrong = [path.name for path in ours if not path.read_text(encoding="utf-8").startswith(TYPED)]
    if wrong:
        sys.stdout.write(f"These do not begin with {TYPED.strip()}: {', '.join(sorted(wrong))}\n")
    return int(bool(wrong))


def _checks() -> list[int]:
    npm = shutil.which("npm")
    if npm is None:
        return [_not_run("Biome and TypeScript: no npm here")]
    if not _is_installed() and (code := _run(npm, *INSTALL)):
        sys.stdout.write(f"npm could not install Biome and TypeScript (exit code {code}); the reason is above.\n")
        return [1]
    return [_run(str(MODULES / ".bin" / name), *arguments) for name, *arguments in CHECKS]


def _is_installed() -> bool:
    done = MODULES / ".package-lock.json"
    return done.exists() and done.stat().st_mtime >= (REPO / "package-lock.json").stat().st_mtime


def _run(*command: str) -> int:
    return subprocess.run(command, cwd=REPO, check=False).returncode


def _not_run(why: str) -> int:
    sys.stdout.write(f"NOT RUN: {why}.\n")
    sys.stdout.flush()
    return NOT_HERE


if __name__ == "__main__":
    sys.exit(main())
