"""Fetch the browser libraries that the pages use into static/vendor, from the npm registry, with their checksums.

Run by hand when a version below is raised; nothing that runs or tests needs npm or the network. npm compares each
archive with the registry's own digest; from then on tests/test_vendor.py compares the files with checksums.txt.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

VENDOR = Path(__file__).resolve().parent.parent / "static" / "vendor"
CHECKSUMS = VENDOR / "checksums.txt"


@dataclass(frozen=True, slots=True)
class Library:
    """One package of the registry: the files we take, as {path in the archive: our name}."""

    package: str
    version: str
    files: dict[str, str]

    @property
    def folder(self) -> Path:
        """Where its files go; the version is in the name, so that no browser keeps an old one."""
        return VENDOR / f"{self.package}-{self.version}"


LIBRARIES = (
    Library("htmx.org", "2.0.11", {"dist/htmx.min.js": "htmx.min.js", "LICENSE": "LICENSE"}),
    # the build that sets window.idb: no module loader is needed
    Library("idb", "8.0.4", {"build/umd.js": "idb.umd.js", "LICENSE": "LICENSE"}),
)


def fetch(library: Library, scratch: Path) -> None:
    """Download one package and unpack the files we take; raises CalledProcessError where npm fails."""
    npm = shutil.which("npm") or "npm"
    command = [
        npm,
        "pack",
        "--json",
        "--silent",
        "--pack-destination",
        str(scratch),
        f"{library.package}@{library.version}",
    ]
    packed = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=scratch).stdout)
    shutil.rmtree(library.folder, ignore_errors=True)
    library.folder.mkdir(parents=True)
    with tarfile.open(scratch / packed[0]["filename"]) as archive:
        for source, name in library.files.items():
            member = archive.extractfile(f"package/{source}")
            if member is None:
                sys.exit(f"{library.package} {library.version} has no file {source}.")
            (library.folder / name).write_bytes(member.read())


def main() -> None:
    """Fetch everything again; folders of versions no longer listed go."""
    for folder in VENDOR.iterdir():
        if folder.is_dir() and folder not in {library.folder for library in LIBRARIES}:
            shutil.rmtree(folder)
    with tempfile.TemporaryDirectory() as scratch:
        for library in LIBRARIES:
            fetch(library, Path(scratch))
            print(f"{library.package} {library.version} is in {library.folder.relative_to(VENDOR.parent.parent)}")
    files = sorted(path for path in VENDOR.rglob("*") if path.is_file() and path != CHECKSUMS)
    lines = (
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(VENDOR).as_posix()}" for path in files
    )
    CHECKSUMS.write_text("\n".join(lines) + "\n", encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
