"""The packages that a wheel asks for, in the versions that the tests ran with: those of the requirements files.

pyproject.toml names what we import; an installed desk gets exactly what a checkout gets.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PINNED = re.compile(r"^([A-Za-z0-9._-]+(?:\[[^\]]*\])?==[^ \\]+(?: ; [^\\]+?)?) *\\?$", re.MULTILINE)


class PinnedDependencies(MetadataHookInterface):
    """Fills in `dependencies` and the extra `postgresql`, which pyproject.toml declares dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dependencies of the built package."""
        metadata["dependencies"] = self.read_pins("requirements.txt")
        metadata["optional-dependencies"] = {"postgresql": self.read_pins("requirements-postgresql.txt")}

    def read_pins(self, name: str) -> list[str]:
        """Return the pinned packages of a requirements file, each with its marker."""
        return PINNED.findall((Path(self.root) / name).read_text(encoding="utf-8"))
