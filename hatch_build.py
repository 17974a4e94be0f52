"""The packages that a wheel asks for, in the versions that the tests ran with: those of requirements.txt.

pyproject.toml names what we import; an installed desk gets exactly what a checkout gets.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PINNED = re.compile(r"^([A-Za-z0-9._-]+(?:\[[^\]]*\])?==[^ \\]+(?: ; [^\\]+?)?) *\\?$", re.MULTILINE)


class PinnedDependencies(MetadataHookInterface):
    """Fills in `dependencies`, which pyproject.toml declares dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dependencies of the built package."""
        text = (Path(self.root) / "requirements.txt").read_text(encoding="utf-8")
        metadata["dependencies"] = PINNED.findall(text)
