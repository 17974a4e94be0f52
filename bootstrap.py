"""First-use set-up: a virtual environment, the pinned packages, and what Debian or Homebrew can give for PDF and tests.

Standard library only, and the same on Linux, macOS and Windows. Later starts read one small stamp file and go on.
Never asks a question, and never leaves a stamp behind after a failure: the next start tries again.
"""

import ctypes
import errno
import glob
import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

REPO = Path(__file__).resolve().parent
VENV = REPO / ".venv"
STAMP = VENV / "hanchan-desk.json"
# What each profile installs: the last file, which names the others.
REQUIREMENTS = {
    "run": ("requirements.txt",),
    "postgresql": ("requirements.txt", "requirements-postgresql.txt"),
    "dev": ("requirements.txt", "requirements-postgresql.txt", "requirements-dev.txt"),
}
DEV_COMMANDS = frozenset(file.stem for file in (REPO / "tests" / "management" / "commands").glob("[a-z]*.py"))
# What pip prints of each package, and before it unpacks them all.
PIP_STEP = re.compile(
    r"(?:Collecting|Requirement already satisfied:|Ignoring) (?P<name>[A-Za-z0-9._-]+)|Installing collected packages"
)
UNWRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC}
GUARD = "HANCHAN_BOOTSTRAP_STARTED"

# What WeasyPrint loads, and the Debian package that has it. The last makes smaller files and is not on older systems.
PANGO = {
    "libpango-1.0.so.0": "libpango-1.0-0",
    "libpangoft2-1.0.so.0": "libpangoft2-1.0-0",
    "libharfbuzz-subset.so.0": "libharfbuzz-subset0",
}
PANGO_ELSEWHERE = {
    "linux": "install Pango with your system's package manager (Fedora: dnf install pango; Arch: pacman -S pango)",
    "darwin": "install Homebrew (https://brew.sh), then: brew install pango",
    "win32": "install MSYS2 (https://www.msys2.org), then in its shell: pacman -S mingw-w64-ucrt-x86_64-pango",
}


# The programs that tests need: names to look for on the PATH, then patterns of where they lie outside it.
# Chromium without the part that has windows opens a page with a quarter of the work, so it is looked for first.
HEADLESS = ("chromium-headless-shell", "chrome-headless-shell")
BROWSERS = (
    *HEADLESS,
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge",
    "/Applications/*.app/Contents/MacOS/Chromium",
    "/Applications/*.app/Contents/MacOS/Google Chrome",
    "C:/Program Files*/Google/Chrome/Application/chrome.exe",
    "C:/Program Files*/Microsoft/Edge/Application/msedge.exe",
)  # fmt: skip
POSTGRESQL = (
    "initdb",
    "/usr/lib/postgresql/*/bin/initdb",
    "/opt/homebrew/opt/postgresql*/bin/initdb",
    "/usr/local/opt/postgresql*/bin/initdb",
    "C:/Program Files/PostgreSQL/*/bin/initdb.exe",
)


@dataclass(frozen=True, slots=True)
class Machine:
    """What decides how system packages can be had."""

    platform: str  # as sys.platform
    distribution: frozenset[str]  # ID and ID_LIKE of /etc/os-release
    root: bool
    sudo: bool  # without a password
    brew: bool
    apt_get: bool

    @property
    def apt(self) -> list[str] | None:
        """How apt-get can be called here without asking anybody; None where it cannot."""
        if not self.apt_get or not self.distribution & {"debian", "ubuntu"}:
            return None
        if self.root:
            return ["apt-get"]
        return ["sudo", "-n", "apt-get"] if self.sudo else None


@dataclass(frozen=True, slots=True)
class Want:
    """One thing from outside Python: whose packages bring it, and what is lost without it."""

    name: str
    without: str
    apt: tuple[str, ...] = ()
    brew: tuple[str, ...] = ()
    snap_on_ubuntu: bool = False  # there the package is a snap, which is not for unattended machines


def say(text: str) -> None:
    """Tell the person at the terminal, at once and apart from any output of the command itself."""
    print(text, file=sys.stderr, flush=True)


# ---------------------------------------------------------------- decisions: pure functions


def profile_of(arguments: Iterable[str], database_url: str = "") -> str:
    """Name the packages that a command needs: those of tests and benchmarks, of a desk on PostgreSQL, or of a desk."""
    if DEV_COMMANDS & set(list(arguments)[:1]):
        return "dev"
    return "postgresql" if database_url.startswith("postgres") else "run"


def stamp_key(profile: str, contents: Iterable[bytes], version: tuple[int, ...]) -> str:
    """Return what the stamp must say for these requirement files under this Python to be installed."""
    digest = hashlib.sha256(f"{profile} {version[0]}.{version[1]}".encode())
    for content in contents:
        digest.update(b"\0" + content.replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def count_packages(contents: Iterable[bytes]) -> int:
    """Count the pinned packages of requirement files."""
    return sum(len(re.findall(rb"(?m)^[A-Za-z0-9][^ \n]*==", content)) for content in contents)


def supported_pythons() -> list[str]:
    """Return the Python versions that every package has a wheel for, such as "3.11", oldest first."""
    text = (REPO / "pyproject.toml").read_text(encoding="utf-8")
    return re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text)


def explain_failure(words: str, requirements: str, system: str) -> str:
    """Return the sentence for what pip printed when it failed; `system` names this Python and machine."""
    missing = re.search(r"No matching distribution found for (\S+)", words)
    if missing and not re.search(r"Retrying \(|Could not fetch URL", words):
        return (
            f"There is no package of {missing[1]} that is ready for {system}, and the desk compiles none. Use Python "
            f"{' or '.join(supported_pythons())}, on a system of docs/operate/install.md."
        )
    return (
        f"{words}\npip could not install {requirements}; its words are above. Most often the network is away: with it "
        "back, run the same command again. Nothing else is lost."
    )


def venv_python(venv: Path, platform: str) -> Path:
    """Return where a virtual environment keeps its interpreter."""
    return venv / "Scripts" / "python.exe" if platform == "win32" else venv / "bin" / "python"


def wants_of(
    profile: str,
    *,
    loads: Callable[[str], bool],
    finds: Callable[[Iterable[str]], object],
    weasyprint: bool,
    platform: str,
) -> list[Want]:
    """List what is missing on this machine for a profile.

    `loads` tells whether a shared library can be opened, `finds` whether one of some programs is here, and
    `weasyprint` whether that package could be imported, which says the same of Pango on every system.
    """
    packages = tuple(package for library, package in PANGO.items() if not loads(library))
    wants = []
    if not weasyprint:
        wants.append(Want("Pango", "PDF sheets cannot be made", apt=packages, brew=("pango",)))
    elif platform == "linux" and packages:
        wants.append(Want("HarfBuzz's subsetter", "PDF files come out larger than need be", apt=packages))
    if profile == "dev" and not finds(BROWSERS):
        wants.append(Want("Chromium", "tests in a browser are skipped", apt=("chromium",), snap_on_ubuntu=True))
    if profile == "dev" and platform == "linux" and not finds(HEADLESS):
        lost = "tests in a browser take twice the time"
        wants.append(Want("Chromium's headless shell", lost, apt=("chromium-headless-shell",), snap_on_ubuntu=True))
    if profile == "dev" and platform == "linux" and not loads("libatomic.so.1"):
        wants.append(Want("libatomic (for Playwright)", "tests in a browser fail", apt=("libatomic1",)))
    if profile == "dev" and not finds(POSTGRESQL):
        wants.append(Want("PostgreSQL", "tests on PostgreSQL are skipped", apt=("postgresql",)))
    return wants


def debian_packages(want: Want, machine: Machine) -> tuple[str, ...]:
    """Return the packages that bring a thing on this machine; none where it is not of Debian's family."""
    snap = want.snap_on_ubuntu and "ubuntu" in machine.distribution
    return () if snap or not machine.distribution & {"debian", "ubuntu"} else want.apt


def command_for(want: Want, machine: Machine) -> list[str] | None:
    """Return the command that installs a thing without asking, or None where a person has to."""
    packages = debian_packages(want, machine)
    if machine.apt and packages:
        return [*machine.apt, "install", "-y", "-q", "--no-install-recommends", *packages]
    if machine.platform == "darwin" and machine.brew and want.brew:
        return ["brew", "install", "--quiet", *want.brew]
    return None


def advice(want: Want, machine: Machine) -> str:
    """Say in one line what is missing, what is lost, and what to do."""
    packages = debian_packages(want, machine)
    if packages:
        how = f"sudo apt-get install {' '.join(packages)}"
    elif want.name == "Pango":
        how = PANGO_ELSEWHERE.get(machine.platform, PANGO_ELSEWHERE["linux"])
    else:
        how = f"install {want.name} and put its programs on the PATH"
    return f"{want.name} is not here, so {want.without}; to change that: {how}"


# ---------------------------------------------------------------- looking at this machine


def distribution() -> frozenset[str]:
    """Return ID and ID_LIKE of this Linux; empty elsewhere."""
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset()
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    return frozenset(f"{fields.get('ID', '')} {fields.get('ID_LIKE', '')}".replace('"', "").split())


def this_machine() -> Machine:
    """Look at the machine; runs `sudo -n true`, which never asks."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    sudo = not root and shutil.which("sudo") is not None and _quiet(["sudo", "-n", "true"]).returncode == 0
    here = {name: shutil.which(name) is not None for name in ("brew", "apt-get")}
    return Machine(sys.platform, distribution(), root, sudo, brew=here["brew"], apt_get=here["apt-get"])


def loads(library: str) -> bool:
    """Tell whether a shared library can be opened."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def find(programs: Iterable[str]) -> str | None:
    """Return the path of the first of these programs that is here: a name on the PATH, or a pattern on the disk."""
    for name in programs:
        found = max(glob.glob(name), default=None) if "/" in name else shutil.which(name)  # noqa: PTH207 - any drive
        if found:
            return found
    return None


def _quiet(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a program without a terminal, its words kept for the case that it fails."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin", "/sbin"])
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "PATH": path}
    return subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


# ---------------------------------------------------------------- doing it


def ensure(arguments: list[str]) -> None:
    """Return with everything in place and this process under .venv's Python; else go on as that process.

    `arguments` are those of manage.py. HANCHAN_NO_BOOTSTRAP=1 leaves everything as it is.
    """
    started = os.environ.pop(GUARD, None)
    if os.environ.get("HANCHAN_NO_BOOTSTRAP") == "1":
        return
    inside = Path(sys.prefix).resolve() == VENV.resolve()
    if not inside and started:
        sys.exit(f"The Python in {VENV} does not start properly. Remove that folder, then run the same command again.")
    if not inside or _is_outgrown():
        if inside or not venv_python(VENV, sys.platform).exists():
            make_venv()
        restart_inside()
    profile = profile_of(arguments, os.environ.get("DATABASE_URL", ""))
    keys = current_keys()
    if read_stamp().get(profile) != keys[profile]:
        try:
            install(profile, keys)
        except OSError as error:
            if error.errno not in UNWRITABLE:
                raise
            sys.exit(refusal_to_write(VENV, error))


def _is_outgrown() -> bool:
    """Tell whether the system's Python was replaced under a .venv made with an older one."""
    config = (VENV / "pyvenv.cfg").read_text(encoding="utf-8")
    made = next((line.split("=")[1].strip() for line in config.splitlines() if line.startswith("version")), "")
    return made.split(".")[:2] != [str(part) for part in sys.version_info[:2]]


def refusal_to_write(folder: Path, error: OSError) -> str:
    """Return the sentence for a folder that this user cannot write to."""
    return (
        f"{folder} cannot be written to ({error.strerror or error}). Start this command once as the user that the "
        "folder belongs to, or move the program into a folder of your own."
    )


def make_venv() -> None:
    """Make the virtual environment again; on Debian fetch its missing half first, if it may."""
    try:
        VENV.mkdir(exist_ok=True)
        (VENV / "pyvenv.cfg").unlink(missing_ok=True)  # venv's own error for this would be taken for a missing module
    except OSError as error:
        sys.exit(refusal_to_write(VENV, error))
    say(f"First use: making {VENV}")
    python = getattr(sys, "_base_executable", None) or sys.executable
    command = [python, "-m", "venv", "--clear", str(VENV)]
    done = _quiet(command)
    if done.returncode:
        machine = this_machine()
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        want = Want("Python's venv module", "nothing runs", apt=(package,))
        install_system(want, machine)
        done = _quiet(command)
        if done.returncode:
            shutil.rmtree(VENV, ignore_errors=True)
            sys.exit(f"{done.stdout}{done.stderr}\nThe virtual environment could not be made. {advice(want, machine)}")


def restart_inside() -> NoReturn:
    """Become the same command under .venv's Python; on Windows, which cannot, wait for it."""
    python = str(venv_python(VENV, sys.platform))
    os.environ[GUARD] = "1"
    os.environ.pop("__PYVENV_LAUNCHER__", None)  # macOS: else the new Python believes to be the old one
    if sys.platform == "darwin":  # where Homebrew puts Pango, which only its own Python would search
        os.environ.setdefault("DYLD_FALLBACK_LIBRARY_PATH", "/opt/homebrew/lib:/usr/local/lib:/usr/lib")
    command = [python, *sys.orig_argv[1:]]
    if os.name == "posix":
        os.execv(python, command)  # noqa: S606 - no shell is what is wanted
    child = subprocess.Popen(command)
    while True:
        try:
            sys.exit(child.wait())
        except KeyboardInterrupt:  # Ctrl-C reaches the child, too; it knows how to stop
            continue


def current_keys() -> dict[str, str]:
    """Return the stamp's key for each profile as the requirement files now stand."""
    return {
        profile: stamp_key(profile, [(REPO / name).read_bytes() for name in names], sys.version_info[:2])
        for profile, names in REQUIREMENTS.items()
    }


def read_stamp() -> dict[str, str]:
    """Return what was installed, or nothing."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def install(profile: str, keys: dict[str, str]) -> None:
    """Install the pinned packages and see to the system's part, then stamp."""
    STAMP.unlink(missing_ok=True)
    if profile == "postgresql":
        say("DATABASE_URL names a PostgreSQL database, which needs a driver.")
    install_packages(REQUIREMENTS[profile])
    machine = this_machine()
    for want in missing(profile):
        install_system(want, machine)
    for want in missing(profile):
        say(advice(want, machine))
    draft = STAMP.with_suffix(f".{os.getpid()}")
    there = [name for name, files in REQUIREMENTS.items() if set(files) <= set(REQUIREMENTS[profile])]
    draft.write_text(json.dumps({name: keys[name] for name in there}) + "\n", encoding="utf-8")
    draft.replace(STAMP)


def install_packages(files: tuple[str, ...]) -> None:
    """Install the last of these requirements files, which names the others, into .venv; end with a sentence if not.

    The lock is complete, so pip looks for nothing else: before 23.3 it takes `fonttools[woff]` for another package than
    the pinned `fonttools[woff]==4.68.0` as soon as a newer one is out, and refuses it.
    """
    requirements = files[-1]
    total = count_packages((REPO / name).read_bytes() for name in files)
    say(f"Installing the {total} packages of {requirements} into .venv (a minute or so, only this once) ...")
    if not importlib.util.find_spec("pip"):  # the last installation took it away
        _quiet([sys.executable, "-m", "ensurepip"])
    pip = [sys.executable, "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    code, words = _run_pip([*pip, "--no-deps", "--only-binary", ":all:", "-r", str(REPO / requirements)], total)
    if code:
        system = f"Python {sys.version_info[0]}.{sys.version_info[1]} on {platform.system()} {platform.machine()}"
        sys.exit(explain_failure(words, requirements, system))
    # venv brings both in whatever version this Python has; nothing that runs needs them, and tests pin their pip
    unpinned = ["setuptools"] if importlib.util.find_spec("pytest") else ["setuptools", "pip"]
    _quiet([sys.executable, "-m", "pip", "uninstall", "--quiet", "--yes", *unpinned])


def _run_pip(command: list[str], total: int) -> tuple[int, str]:
    """Run pip, print how far it is, and return its exit code and words.

    A terminal has one line that changes; elsewhere a line comes for every tenth package.
    """
    terminal = sys.stderr.isatty()
    words, count = [], 0
    with subprocess.Popen(
        command,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as pip:
        for line in pip.stdout or ():
            words.append(line)
            step = PIP_STEP.match(line)
            if step and step["name"]:
                count += 1
            elif not step:
                continue
            text = f"  {count} of {total}: {step['name']}" if step["name"] else "  unpacking them ..."
            if terminal:
                sys.stderr.write(f"\r\033[K{text}")
                sys.stderr.flush()
            elif not step["name"] or count % 10 == 0:
                say(text)
    if terminal:
        sys.stderr.write("\r\033[K")
    return pip.returncode, "".join(words)


def missing(profile: str) -> list[Want]:
    """List what this machine lacks for a profile, tried with the freshly installed packages."""
    weasyprint = _quiet([sys.executable, "-W", "ignore", "-c", "import weasyprint"]).returncode == 0
    return wants_of(profile, loads=loads, finds=find, weasyprint=weasyprint, platform=sys.platform)


def install_system(want: Want, machine: Machine) -> None:
    """Install a thing from outside Python, where that needs nobody; whether it helped is for the caller to look at."""
    command = command_for(want, machine)
    if command is None:
        return
    say(f"Installing {want.name}: {' '.join(command)}")
    if _quiet(command).returncode == 0 or not machine.apt:
        return
    _quiet([*machine.apt, "update", "-q"])  # a fresh machine knows no package yet, an older one knows not all of them
    for package in want.apt:
        done = _quiet([*command[: -len(want.apt)], package])
        if done.returncode:
            say(f"{package}: {(done.stderr.strip().splitlines() or ['not installed'])[-1]}")
