"""Build the wheel, and with --offline a zip that starts without the Internet.

The zip holds the wheels of this system and Python version, the fonts (in our wheel), and start.sh, start.command and
start.bat. Build it once for each system of the hall's laptops. Files go to dist/.
"""

import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
START = REPO / "launcher" / "bundle"
RUNNABLE = 0o755


def build_wheel(folder: Path) -> Path:
    """Build the wheel into a folder and return its file."""
    line = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(line, cwd=REPO, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("hanchan_desk-*.whl"))


def build_offline(dist: Path) -> Path:
    """Build the zip with all packages into `dist` and return its file."""
    version = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    tag = f"{sys.platform}-py{sys.version_info[0]}{sys.version_info[1]}"
    file = dist / f"hanchan-desk-{version}-{tag}.zip"
    with tempfile.TemporaryDirectory() as name:
        wheels = Path(name)
        shutil.copy(build_wheel(dist), wheels)
        line = [sys.executable, "-m", "pip", "download", "--quiet", "--require-hashes", "--only-binary", ":all:"]
        subprocess.run([*line, "--dest", name, "-r", str(REPO / "requirements.txt")], check=True)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for wheel in sorted(wheels.glob("*.whl")):
                archive.write(wheel, f"hanchan-desk/wheels/{wheel.name}")
            for start in sorted(START.iterdir()):
                entry = zipfile.ZipInfo.from_file(start, f"hanchan-desk/{start.name}")
                entry.external_attr = RUNNABLE << 16
                archive.writestr(entry, start.read_bytes())
    return file


def main() -> None:
    """Build what is asked for, and say where it is."""
    dist = REPO / "dist"
    dist.mkdir(exist_ok=True)
    print(build_offline(dist) if "--offline" in sys.argv[1:] else build_wheel(dist))


if __name__ == "__main__":
    main()
