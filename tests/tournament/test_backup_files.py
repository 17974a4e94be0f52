"""The file of a backup: open or sealed, and what a damaged one is answered."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.backups.container import check_container, extract_database, read_manifest, write_container
from tournament.refusal import Refused


def code_of(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.problems[-1].code


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return two backups of the same bytes, an open and a sealed one."""
    folder = tmp_path_factory.mktemp("made")
    database = folder / "database"
    content = bytes(range(256)) * 40
    database.write_bytes(content)
    manifest = {"format": 1, "sha256": hashlib.sha256(content).hexdigest(), "migrations": []}
    for name, key in (("open", ""), ("sealed", "correct horse")):
        write_container(folder / name, manifest, database, key)
    return {"folder": folder, "open": folder / "open", "sealed": folder / "sealed", "database": database}


@pytest.mark.parametrize(("name", "key"), [("open", ""), ("open", "not needed"), ("sealed", "correct horse")])
def test_what_goes_in_comes_out(made: dict[str, Path], tmp_path: Path, name: str, key: str):
    check_container(made[name])
    extract_database(made[name], key, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == made["database"].read_bytes()


@pytest.mark.parametrize("size", [0, 1, 1024 * 1024, 1024 * 1024 + 1, 3 * 1024 * 1024])
def test_a_database_of_any_size(tmp_path: Path, size: int):
    (tmp_path / "database").write_bytes(b"\x07" * size)
    manifest = {"format": 1, "sha256": hashlib.sha256(b"\x07" * size).hexdigest()}
    write_container(tmp_path / "file", manifest, tmp_path / "database", "a key")
    extract_database(tmp_path / "file", "a key", tmp_path / "out")
    assert (tmp_path / "out").stat().st_size == size


@pytest.mark.parametrize("name", ["open", "sealed"])
@given(data=st.data())
def test_one_cut_short_at_any_byte_is_refused(made: dict[str, Path], name: str, data: st.DataObject):
    whole = made[name].read_bytes()
    cut = made["folder"] / f"cut-{name}"
    cut.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(Refused) as refused:
        check_container(cut)
    assert code_of(refused) == "backup.cut_short"


@pytest.mark.parametrize("name", ["open", "sealed"])
@given(data=st.data())
def test_one_changed_at_any_byte_is_refused(made: dict[str, Path], name: str, data: st.DataObject):
    changed = bytearray(made[name].read_bytes())
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= data.draw(st.integers(1, 255))
    file = made["folder"] / f"changed-{name}"
    file.write_bytes(changed)
    with pytest.raises(Refused):
        check_container(file)


@pytest.mark.parametrize(
    ("name", "key", "code"),
    [("sealed", "", "backup.key_needed"), ("sealed", "wrong", "backup.wrong_key")],
)
def test_a_sealed_one_wants_its_key(made: dict[str, Path], name: str, key: str, code: str):
    with pytest.raises(Refused) as refused:
        read_manifest(made[name], key)
    assert code_of(refused) == code


def test_a_sealed_one_tells_no_name_without_its_key(tmp_path: Path):
    (tmp_path / "database").write_bytes(b"Akelei" * 100)
    write_container(tmp_path / "file", {"format": 1, "events": ["Akelei"]}, tmp_path / "database", "a key")
    assert b"Akelei" not in (tmp_path / "file").read_bytes()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"PK\x03\x04", "backup.no_backup"),
        (b"", "backup.cut_short"),
        (b'HANCHAN BACKUP\n{"cipher":"none","format":2}\n', "backup.newer"),
        (b'HANCHAN BACKUP\n{"cipher":"rot13","format":1}\n', "backup.damaged"),
        (b"HANCHAN BACKUP\n[]\n", "backup.damaged"),
        (b'HANCHAN BACKUP\n{"cipher":"none","format":1}\n\xff\xff\xff\xff', "backup.damaged"),
    ],
)
def test_what_is_no_backup_of_ours(tmp_path: Path, content: bytes, code: str):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(Refused) as refused:
        check_container(tmp_path / "file")
    assert code_of(refused) == code


def test_no_file_at_all(tmp_path: Path):
    with pytest.raises(Refused) as refused:
        check_container(tmp_path / "none")
    assert code_of(refused) == "backup.unreadable"
