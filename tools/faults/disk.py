"""A disk that fails when told to: a layer between Python's own SQLite and the files, made without a compiler.

SQLite reaches files through a table of functions, its VFS. `Disk` registers a copy of the system's, in which opened
files read, write, truncate and sync through Python: it counts these operations, fails the one that is asked for, and
can write down what would be on the disk after a power cut (tools/faults/power.py). It works where Python's sqlite3 is
linked with a SQLite library of the system, else `NotReachableError` says so. Close all connections before the process
ends: without Python there is nobody to call.
"""

import _sqlite3
import ctypes
import os
import struct
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

OK, FULL, IOERR = 0, 13, 10
IOERR_READ, IOERR_WRITE, IOERR_FSYNC, IOERR_TRUNCATE = (IOERR | detail << 8 for detail in (1, 3, 4, 6))
SECTOR = 512
RECORD = struct.Struct("<cHqi")  # what was done, length of the name, offset or size, length of the data
CUT = 70  # exit status of a process that ended as by a power cut

_file, _data, _name = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p
_int, _int64 = ctypes.c_int, ctypes.c_int64
XOpen = ctypes.CFUNCTYPE(_int, _file, _data, _file, _int, ctypes.POINTER(_int))
XDelete = ctypes.CFUNCTYPE(_int, _file, _name, _int)
XClose = ctypes.CFUNCTYPE(_int, _file)
XMove = ctypes.CFUNCTYPE(_int, _file, _data, _int, _int64)  # xRead and xWrite
XTruncate = ctypes.CFUNCTYPE(_int, _file, _int64)
XSync = ctypes.CFUNCTYPE(_int, _file, _int)


class Methods(ctypes.Structure):
    """`sqlite3_io_methods`; what is not named here stays as it is."""

    _fields_: ClassVar = [
        ("version", _int), ("close", XClose), ("read", XMove), ("write", XMove), ("truncate", XTruncate),
        ("sync", XSync), ("others", ctypes.c_void_p * 13),
    ]  # fmt: skip


class Vfs(ctypes.Structure):
    """`sqlite3_vfs`."""

    _fields_: ClassVar = [
        ("version", _int), ("file_size", _int), ("longest", _int), ("next", ctypes.c_void_p), ("name", _name),
        ("data", ctypes.c_void_p), ("open", XOpen), ("delete", XDelete), ("others", ctypes.c_void_p * 14),
    ]  # fmt: skip


_registered: list["Disk"] = []


class NotReachableError(Exception):
    """Python's SQLite keeps its functions to itself."""


class Kind(StrEnum):
    """What happens at the operation that fails."""

    ERROR = "error"
    FULL = "full"  # no room, of a write
    TORN = "torn"  # half of what was to be written is written
    CUT = "cut"  # the process ends, and what is not synced may be lost


class Disk:
    """Counts the operations on files whose names begin with `prefix`, and fails one."""

    def __init__(self, prefix: str, log: int | None = None) -> None:
        """Become the disk of each connection opened from now on; `log` is a file for what was written and synced."""
        self.prefix, self.log = prefix, log
        self.count, self.fail_at, self.kind, self.lasting, self.reads = 0, 0, Kind.ERROR, False, True
        self.hit: list[str] = []
        self._names: dict[int, str] = {}
        self._tables: dict[int, tuple[Methods, Methods]] = {}
        self._kept: list[Any] = []  # what SQLite points at
        try:
            library = ctypes.CDLL(_sqlite3.__file__)
            find, register = library.sqlite3_vfs_find, library.sqlite3_vfs_register
        except (AttributeError, OSError) as wrong:
            raise NotReachableError from wrong
        find.restype = ctypes.POINTER(Vfs)
        self._system = find(None).contents
        self._own = Vfs.from_buffer_copy(self._system)
        self._own.name = b"failing"
        self._own.open, self._own.delete = self._callback(XOpen, self._open), self._callback(XDelete, self._delete)
        _registered.append(self)  # SQLite keeps its address for as long as the process lives
        self._register = register
        self._register(ctypes.byref(self._own), 1)

    def arm(self, number: int, kind: Kind, *, lasting: bool = False, reads: bool = True) -> None:
        """Fail the operation of this number, counted from now on, and all after it where that is `lasting`.

        Without `reads` only what changes the disk is counted.
        """
        self.count, self.fail_at, self.kind, self.lasting, self.reads, self.hit = 0, number, kind, lasting, reads, []

    def close(self) -> None:
        """Let connections opened from now on go to the system's files."""
        self.disarm()
        self._register(ctypes.byref(self._system), 1)

    def disarm(self) -> None:
        """Fail nothing any more."""
        self.fail_at = 0

    def _callback(self, shape: Any, function: Callable[..., int], *first: Methods) -> Any:
        made = shape(partial(function, *first))
        self._kept.append(made)
        return made

    def _open(self, _vfs: int, name: int | None, file: int, flags: int, out: Any) -> int:
        status: int = self._system.open(ctypes.addressof(self._system), name, file, flags, out)
        path = os.fsdecode(ctypes.string_at(name)) if name else ""
        if status == OK and path.startswith(self.prefix) and not path.endswith("-shm"):
            slot = ctypes.c_void_p.from_address(file)
            self._names[file] = path
            slot.value = self._table_for(slot.value or 0)
        return status

    def _delete(self, _vfs: int, name: bytes, sync: int) -> int:
        self._note(b"D", os.fsdecode(name))
        return int(self._system.delete(ctypes.addressof(self._system), name, sync))

    def _table_for(self, original: int) -> int:
        """Return the address of a table of functions like the original, with ours in it."""
        if original not in self._tables:
            system = Methods.from_address(original)
            own = Methods.from_buffer_copy(system)
            own.close, own.sync = self._callback(XClose, self._close, system), self._callback(XSync, self._sync, system)
            own.read, own.write = self._callback(XMove, self._read, system), self._callback(XMove, self._write, system)
            own.truncate = self._callback(XTruncate, self._truncate, system)
            self._tables[original] = system, own
        return ctypes.addressof(self._tables[original][1])

    def _close(self, system: Methods, file: int) -> int:
        self._names.pop(file, None)
        return int(system.close(file))

    def _read(self, system: Methods, file: int, data: int, size: int, offset: int) -> int:
        return IOERR_READ if self._fails("read", file) else int(system.read(file, data, size, offset))

    def _write(self, system: Methods, file: int, data: int, size: int, offset: int) -> int:
        failing = self._fails("write", file)
        if failing and self.kind is not Kind.TORN:
            return FULL if self.kind is Kind.FULL else IOERR_WRITE
        done = size // 2 if failing else size
        status = int(system.write(file, data, done, offset)) if done else OK
        if status == OK and self.log is not None:
            self._note(b"W", self._names[file], offset, ctypes.string_at(data, done))
        return IOERR_WRITE if failing else status

    def _truncate(self, system: Methods, file: int, size: int) -> int:
        if self._fails("truncate", file):
            return IOERR_TRUNCATE
        self._note(b"T", self._names[file], size)
        return int(system.truncate(file, size))

    def _sync(self, system: Methods, file: int, flags: int) -> int:
        if self._fails("sync", file):
            return IOERR_FSYNC
        status = int(system.sync(file, flags))
        self._note(b"S", self._names[file])
        return status

    def _fails(self, what: str, file: int) -> bool:
        counts = self.reads or what != "read"
        self.count += counts
        due = (counts and self.count == self.fail_at) or (self.lasting and 0 < self.fail_at <= self.count)
        if due and self.kind is Kind.CUT:
            os._exit(CUT)
        if due:
            suffix = self._names[file].rpartition("-")[2]
            self.hit.append(f"{what} {suffix if suffix in ('wal', 'journal') else 'database'}")
        return due

    def _note(self, what: bytes, path: str, number: int = 0, data: bytes = b"") -> None:
        if self.log is not None and path.startswith(self.prefix):
            name = Path(path).name.encode()
            os.write(self.log, RECORD.pack(what, len(name), number, len(data)) + name + data)
