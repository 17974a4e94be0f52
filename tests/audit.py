"""`python -m tests.audit`: asks the known vulnerability lists about every pinned package; a step of `manage.py test`.

Exits with 0 if all could be asked and none is known to be vulnerable, with 1 if one is, and with 77 where the lists
cannot be reached: that says nothing of the packages, and no run fails for it.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from bootstrap import REPO

NOT_REACHED = 77
COMMAND = ["-m", "pip_audit", "--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]


def verdict(packages: Sequence[dict[str, Any]]) -> tuple[int, list[str]]:
    """Judge what pip-audit found out: the exit code, and a line for each package that needs words.

    >>> verdict([{"name": "a", "version": "1", "vulns": []}])
    (0, ['1 packages asked about, none of them known to be vulnerable.'])
    >>> verdict([{"name": "a", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}])
    (1, ['a 1: X-1, mended in 2'])
    >>> verdict([{"name": "a", "skip_reason": "not found"}])
    (77, ['The lists of vulnerabilities told nothing of 1 of 1 packages.'])
    """
    known = [
        f"{package['name']} {package['version']}: {found['id']}, mended in {' or '.join(found['fix_versions'])}"
        for package in packages
        for found in package.get("vulns", [])
    ]
    untold = sum("skip_reason" in package for package in packages)
    if known:
        return 1, known
    if untold:
        return NOT_REACHED, [f"The lists of vulnerabilities told nothing of {untold} of {len(packages)} packages."]
    return 0, [f"{len(packages)} packages asked about, none of them known to be vulnerable."]


def main() -> int:
    """Ask, print, and return the exit code."""
    command = [sys.executable, *COMMAND, "-r", "requirements.txt"]
    try:
        done = subprocess.run(command, cwd=REPO, capture_output=True, text=True, timeout=120, check=False)
        packages = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        sys.stdout.write("The lists of vulnerabilities cannot be reached from here.\n")
        return NOT_REACHED
    code, lines = verdict(packages)
    sys.stdout.write("\n".join(lines) + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
