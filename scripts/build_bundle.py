"""Build the wheel, and with --offline a zip that starts without the Internet.

The zip holds the wheels of this system for each promised Python version, the fonts (in our wheel), and start.sh,
start.command and start.bat. Build it once for each system of the hall's laptops. Files go to dist/. Sets up .venv with
the packages of the tests, which build the wheel, if they are not there.
"""

import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPO))

import bootstrap  # noqa: E402 - from here on it can be found

START = REPO / "launcher" / "bundle"
RUNNABLE = 0o755
# pip evaluates markers for the Python that runs it, and the zip is for all
OF_ONE_PYTHON = re.compile(r" ; python_full_version [<>=]+ '[0-9.]+'(?= *\\?$)", re.MULTILINE)


def build_wheel(folder: Path) -> Path:
    """Build the wheel into a folder and return its file."""
    line = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(line, cwd=REPO, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("hanchan_desk-*.whl"))


def download_wheels(folder: Path) -> None:
    """Download the pinned packages for this system and each promised Python into a folder."""
    lock = folder / "requirements.txt"
    lock.write_text(OF_ONE_PYTHON.sub("", (REPO / "requirements.txt").read_text(encoding="utf-8")), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    for python in bootstrap.supported_pythons():
        line = [*pip, "--no-deps", "--only-binary", ":all:", "--python-version", python, "--dest", str(folder)]
        subprocess.run([*line, "-r", str(lock)], check=True)
    lock.unlink()


def build_offline(dist: Path) -> Path:
    """Build the zip with all packages into `dist` and return its file."""
    with tempfile.TemporaryDirectory() as name:
        wheels = Path(name)
        wheel = build_wheel(dist)
        download_wheels(wheels)
        shutil.copy(wheel, wheels)
        file = dist / f"hanchan-desk-{wheel.name.split('-')[1]}-{platform.system()}-{platform.machine()}.zip"
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(wheels.glob("*.whl")):
                archive.write(path, f"hanchan-desk/wheels/{path.name}")
            for start in sorted(START.iterdir()):
                entry = zipfile.ZipInfo.from_file(start, f"hanchan-desk/{start.name}")
                entry.external_attr = RUNNABLE << 16
                archive.writestr(entry, fill_in(start.read_text(encoding="utf-8")))
    return file


def fill_in(text: str) -> str:
    """Return a file of launcher/bundle with the system and the Python versions that the zip is for."""
    system = f"{platform.system().replace('Darwin', 'macOS')} {platform.machine()}"
    pythons = bootstrap.supported_pythons()
    places = {"@SYSTEM@": system, "@PYTHONS@": " ".join(pythons), "@OLDEST@": pythons[0], "@NEWEST@": pythons[-1]}
    for place, value in places.items():
        text = text.replace(place, value)
    return text


def main() -> None:
    """Build what is asked for, and print where it is."""
    dist = REPO / "dist"
    dist.mkdir(exist_ok=True)
    print(build_offline(dist) if "--offline" in sys.argv[1:] else build_wheel(dist))


if __name__ == "__main__":
    bootstrap.ensure(["test"])
    main()
