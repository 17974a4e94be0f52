"""The small form of a relay: the public pages as files in a folder, written again whenever something public changes.

Nothing is deleted but what an earlier run wrote: the folder may hold a club's other pages.
"""

import hashlib
import json
import re
import tempfile
import zipfile
from pathlib import Path

from tournament.models.event import Event, Visibility
from tournament.publish.site_copy_1 import MADE, write_site

LIST = ".hanchan-files.json"  # in the folder: what was written, with digests
WHEN = re.compile(rf"<span {MADE}>[^<]*</span>".encode())  # moves with each copy


def publish(event: Event, folder: Path, languages: list[str]) -> int:
    """Bring a folder to what is public now, nothing of a draft; return how many files changed. Raises OSError."""
    _make_folder(folder)
    known, found, changed = _read_list(folder), dict[str, str](), 0
    with tempfile.TemporaryFile() as file:
        write_site(event, languages if event.visibility != Visibility.DRAFT else [], file)
        with zipfile.ZipFile(file) as copy:
            for name in copy.namelist():
                content = copy.read(name)
                found[name] = hashlib.sha256(WHEN.sub(b"", content) if name.endswith(".html") else content).hexdigest()
                if known.get(name) != found[name] or not (folder / name).exists():
                    _write(folder / name, content)
                    changed += 1
    for name in known.keys() - found.keys():
        (folder / name).unlink(missing_ok=True)
        changed += 1
    if changed:
        _write(folder / LIST, json.dumps(found, sort_keys=True).encode())
    return changed


def _read_list(folder: Path) -> dict[str, str]:
    """Return what an earlier run wrote; nothing where the list is not ours or names files elsewhere."""
    try:
        known = json.loads((folder / LIST).read_bytes())
    except (OSError, ValueError):
        return {}
    inside = isinstance(known, dict) and all(
        (folder / name).resolve().is_relative_to(folder.resolve()) for name in known
    )
    return known if inside else {}


def _write(path: Path, content: bytes) -> None:
    """Write a file that a web server may read, whole or not at all."""
    _make_folder(path.parent)
    draft = path.with_name(f".{path.name}.new")
    draft.write_bytes(content)
    draft.chmod(0o644)
    draft.replace(path)


def _make_folder(folder: Path) -> None:
    if not folder.exists():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)  # the desk's own files are for their owner alone; these are for everybody
