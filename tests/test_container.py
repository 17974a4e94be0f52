"""The container file, as far as it can be tried without a program for containers: what it installs goes into .venv.

An image whose packages lie elsewhere is built without complaint, and the desk in it then installs all again at its
first start, or, without the Internet, does not start.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from ipaddress import IPv4Network, ip_address
from pathlib import Path

import pytest
import yaml

from bootstrap import REPO

CONTAINERFILE = (REPO / "Containerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((REPO / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
INSTALLS = re.search(r"^RUN (python3 (?:.*\\\n)*.*)$", CONTAINERFILE, re.MULTILINE)
WHEEL = {
    "witness.py": "",
    "witness-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: witness\nVersion: 1\n",
    "witness-1.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "witness-1.dist-info/RECORD": "witness.py,,\n",
}


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="not on Windows: an image is Linux")
def test_the_image_has_its_packages_where_the_desk_looks_for_them(tmp_path: Path) -> None:
    shutil.copy(REPO / "bootstrap.py", tmp_path)
    wheel = tmp_path / "witness-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        for name, text in WHEEL.items():
            packed.writestr(name, text)
    (tmp_path / "requirements.txt").write_text(f"{wheel}\n")
    (tmp_path / "requirements-postgresql.txt").write_text("-r requirements.txt\n")
    (tmp_path / "requirements-dev.txt").write_text("")
    (tmp_path / "manage.py").write_text("import bootstrap, sys\nbootstrap.ensure(sys.argv[1:])\nimport witness\n")
    base = Path(getattr(sys, "_base_executable", sys.executable))
    (tmp_path / "python3").symlink_to(base)
    environment = {**os.environ, "PATH": f"{tmp_path}:/usr/bin:/bin"}
    for name in ("HANCHAN_NO_BOOTSTRAP", "PYTHONPATH"):
        environment.pop(name, None)

    assert INSTALLS is not None, "the image installs no packages"
    subprocess.run(["sh", "-c", INSTALLS[1]], cwd=tmp_path, env=environment, check=True, capture_output=True)

    environment["DATABASE_URL"] = "postgres://here/desk"
    started = subprocess.run(
        [base, "manage.py", "desk"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (started.stderr, started.returncode) == ("", 0)


def test_the_builder_gets_what_the_image_copies_and_no_data() -> None:
    listed = (REPO / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = {
        name
        for line in re.findall(r"^COPY --chown=hanchan (.+) \S+$", CONTAINERFILE, re.MULTILINE)
        for name in line.split()
    }
    assert [name for name in copied if not (REPO / name).exists()] == []
    assert "*" in listed
    assert {line[1:] for line in listed if line.startswith("!")} == copied


def test_the_desk_believes_the_proxy_of_its_compose_file_and_no_other_container() -> None:
    services, front = COMPOSE["services"], COMPOSE["networks"]["front"]
    address = services["proxy"]["networks"]["front"]["ipv4_address"]
    assert services["desk"]["environment"]["HANCHAN_PROXIES"] == address
    (addresses,) = front["ipam"]["config"]
    assert ip_address(address) in IPv4Network(addresses["subnet"])
    # the desk starts first, and would be given the first free address: the proxy's
    assert ip_address(address) not in IPv4Network(addresses["ip_range"])
    assert IPv4Network(addresses["ip_range"]).subnet_of(IPv4Network(addresses["subnet"]))
    assert set(services["database"]["networks"]) == {"back"}
    assert COMPOSE["networks"]["back"] == {"internal": True}
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]


def test_compose_asks_for_each_value_that_the_page_says() -> None:
    page = (REPO / "docs" / "operate" / "compose.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^([A-Z_]+)=", page, re.MULTILINE))
    asked = set(re.findall(r"\$\{([A-Z_]+)", (REPO / "deploy" / "compose.yaml").read_text(encoding="utf-8")))
    assert told == asked


def test_the_database_is_one_that_the_image_can_back_up() -> None:
    debian = re.search(r"^FROM .*-(\w+)$", CONTAINERFILE, re.MULTILINE)
    image = COMPOSE["services"]["database"]["image"]
    assert debian is not None
    assert re.fullmatch(rf".*postgres:\d+-{debian[1]}", image), "pg_dump refuses a newer server"
