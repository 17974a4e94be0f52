"""The file of a backup: open or sealed, and what a damaged one is answered."""

import datetime as dt
import hashlib
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.backups.container import check_container, extract_database, read_manifest, write_container
from tournament.backups.restore import Source, check_backup, restore_sqlite
from tournament.core.errors import DomainError

pytestmark = pytest.mark.whole_run


def code_of(refused: pytest.ExceptionInfo[DomainError]) -> str:
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
    with pytest.raises(DomainError) as refused:
        check_container(cut)
    assert code_of(refused) == "backup.cut_short"


@pytest.mark.parametrize("name", ["open", "sealed"])
@given(data=st.data())
def test_one_changed_at_any_byte_is_refused(made: dict[str, Path], name: str, data: st.DataObject):
    changed = bytearray(made[name].read_bytes())
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= data.draw(st.integers(1, 255))
    file = made["folder"] / f"changed-{name}"
    file.write_bytes(changed)
    with pytest.raises(DomainError):
        check_container(file)


@pytest.mark.parametrize(
    ("name", "key", "code"),
    [("sealed", "", "backup.key_needed"), ("sealed", "wrong", "backup.wrong_key")],
)
def test_a_sealed_one_wants_its_key(made: dict[str, Path], name: str, key: str, code: str):
    with pytest.raises(DomainError) as refused:
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
    with pytest.raises(DomainError) as refused:
        check_container(tmp_path / "file")
    assert code_of(refused) == code


WHOLE: dict[str, Any] = {
    "format": 1, "sha256": hashlib.sha256(b"rows").hexdigest(), "made_at": "2026-09-12T10:00:00.000000Z",
    "database": "sqlite", "migrations": [], "number": 1, "keep_until": None,
    "events": [{"slug": "cup", "name": "Cup", "version": 1, "hands": 1, "last_hand_at": "2026-09-12T09:00:00.000000Z"}],
    "playing": [
        {"event": "cup", "round": 1, "table": 1, "hands": 0, "last_hand_at": None, "last": None},
    ],
}  # fmt: skip


def made_by_hand(tmp_path: Path, manifest: bytes) -> Path:
    """Write a backup whose manifest is any bytes, by the form of docs/decisions/0021-backup-format.md."""
    text = b'HANCHAN BACKUP\n{"cipher":"none","format":1}\n'
    for frame in (zlib.compress(manifest), zlib.compress(b"rows")):
        text += struct.pack(">I", len(frame)) + frame
    text += struct.pack(">I", 0)
    (tmp_path / "file").write_bytes(text + hashlib.sha256(text).digest())
    return tmp_path / "file"


@pytest.mark.parametrize(
    "manifest",
    [
        b"[]",
        b"7",
        b"",
        b"\xff\xfe",
        b"{",
        b"[" * 5_000 + b"]" * 5_000,
        b'{"format":1,"a":' * 5_000 + b"1" + b"}" * 5_000,
        b'{"format":1}',
        *(
            json.dumps({key: each for key, each in WHOLE.items() if key != name}).encode()
            for name in WHOLE
            if name not in ("number", "keep_until")
        ),
        *(
            json.dumps({**WHOLE, **wrong}).encode()
            for wrong in (
                {"migrations": 7},
                {"migrations": [7]},
                {"database": ["sqlite"]},
                {"events": {"slug": "cup"}},
                {"events": [7]},
                {"events": [{**WHOLE["events"][0], "hands": "many"}]},
                {"events": [{**WHOLE["events"][0], "last_hand_at": "then"}]},
                {"events": [{**WHOLE["events"][0], "last_hand_at": "2026-09-12"}]},
                {"playing": [{**WHOLE["playing"][0], "last": "[" * 5_000}]},
                {"playing": [{**WHOLE["playing"][0], "last": 7}]},
                {"playing": [{**WHOLE["playing"][0], "table": None}]},
                {"playing": None},
                {"made_at": 7},
                {"keep_until": "soon"},
                {"keep_until": 7},
                {"number": "one"},
                {"sha256": None},
            )
        ),
    ],
)
def test_a_manifest_of_any_shape_is_refused_in_words(tmp_path: Path, manifest: bytes):
    source = Source(made_by_hand(tmp_path, manifest))
    with pytest.raises(DomainError) as refused:
        restore_sqlite(source, tmp_path / "desk", dt.datetime(2026, 9, 12, tzinfo=dt.UTC), lambda _stage: None)
    assert code_of(refused) in ("backup.damaged", "backup.newer")
    assert [path.name for path in tmp_path.glob("desk/*")] == []


def test_a_backup_without_a_seal_is_refused_where_there_is_a_key(tmp_path: Path):
    file = made_by_hand(tmp_path, json.dumps(WHOLE).encode())
    with pytest.raises(DomainError) as refused:
        check_backup(Source(file, "a key"), database="sqlite")
    assert code_of(refused) == "backup.unsealed"
    assert check_backup(Source(file, "a key", unsealed=True), database="sqlite") == WHOLE
    assert check_backup(Source(file), database="sqlite") == WHOLE


def test_no_file_at_all(tmp_path: Path):
    with pytest.raises(DomainError) as refused:
        check_container(tmp_path / "none")
    assert code_of(refused) == "backup.unreadable"
