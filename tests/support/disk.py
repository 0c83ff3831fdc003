"""What SQLite asks of the disk, written down in order: the very library that `sqlite3` uses.

A file system of SQLite's own interface (https://sqlite.org/vfs.html) stands before the real one
and lets everything through. It is built with ctypes, so it needs no compiler and no package. The
shared memory beside a file is left out: it does not outlive a loss of power, and SQLite makes it
anew from the log.
"""

import _sqlite3
import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes were put into a file; they may still lie in memory alone."""

    file: str
    offset: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    """A file was cut off; that may still be true in memory alone."""

    file: str
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    """All that was done to a file before is on disk."""

    file: str


@dataclass(frozen=True, slots=True)
class Delete:
    """A file was deleted."""

    file: str


@dataclass(frozen=True, slots=True)
class Ack:
    """Somebody was told that a click is stored."""

    number: int


Step = Write | Truncate | Sync | Delete | Ack


@dataclass(slots=True)
class Record:
    """All that happened to the files of one folder, oldest first."""

    folder: Path
    steps: list[Step] = field(default_factory=list)

    def covers(self, file: str) -> bool:
        return Path(file).parent == self.folder


# Names are bare pointers: SQLite keeps the one that it gave, and a copy would be gone too soon.
_OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))
_DELETE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
_WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNC = CFUNCTYPE(c_int, c_void_p, c_int)


class _Methods(Structure):
    """The beginning of ``sqlite3_io_methods``; what follows is copied as it is."""

    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", _WRITE),
        ("truncate", _TRUNCATE),
        ("sync", _SYNC),
        ("rest", c_void_p * 13),
    )


class _File(Structure):
    _fields_ = (("methods", POINTER(_Methods)),)


class _System(Structure):
    """The beginning of ``sqlite3_vfs``; what follows is copied as it is."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("own", c_void_p),
        ("open", _OPEN),
        ("delete", _DELETE),
        ("rest", c_void_p * 14),
    )


_NAME = b"hearts-recorded"
_LENGTHS = {1: 13, 2: 17, 3: 19}
"""Version of ``sqlite3_io_methods`` to the number of pointers in it, the version among them."""
_FOR_EVER: list[Any] = []
"""Connections may outlive a record, so what they point to is never given back."""


def _library() -> Any:
    """The SQLite that the `sqlite3` module has loaded, be it a library of its own or not."""
    for place in (_sqlite3.__file__, None):
        library: Any = ctypes.CDLL(place)
        if hasattr(library, "sqlite3_vfs_find"):
            library.sqlite3_vfs_find.restype = POINTER(_System)
            library.sqlite3_vfs_find.argtypes = [c_char_p]
            return library
    raise RuntimeError("this Python hides the SQLite that it was built with")


@contextmanager
def recorded(folder: Path) -> Iterator[Record]:
    """Write down what all connections that are opened in the block do to the files of *folder*."""
    record, library = Record(folder), _library()
    real = library.sqlite3_vfs_find(None)
    between = _standing_before(real.contents, record)
    library.sqlite3_vfs_register(ctypes.byref(between), 1)
    try:
        yield record
    finally:
        library.sqlite3_vfs_unregister(ctypes.byref(between))
        library.sqlite3_vfs_register(real, 1)


def _standing_before(real: _System, record: Record) -> _System:
    between = _System.from_buffer_copy(real)
    methods: dict[int, _Methods] = {}
    files: dict[int, str] = {}

    def opening(system: int, name: int | None, file: int, flags: int, said: Any) -> int:
        answer: int = real.open(system, name, file, flags, said)
        path = _text(name)
        if answer == 0 and record.covers(path):
            files[file] = path
            opened = _File.from_address(file)
            address = ctypes.addressof(opened.methods.contents)
            if address not in methods:
                methods[address] = _telling(opened.methods.contents, files, record)
            opened.methods = ctypes.pointer(methods[address])
        return answer

    def deleting(system: int, name: int, directory: int) -> int:
        if record.covers(_text(name)):
            record.steps.append(Delete(_text(name)))
        answer: int = real.delete(system, name, directory)
        return answer

    between.name, between.open, between.delete = _NAME, _OPEN(opening), _DELETE(deleting)
    _FOR_EVER.append((between, methods, between.open, between.delete))
    return between


def _text(name: int | None) -> str:
    """A path; that of a nameless file, which SQLite makes for itself, is empty."""
    return "" if name is None else ctypes.string_at(name).decode()


def _telling(real: _Methods, files: dict[int, str], record: Record) -> _Methods:
    """The same methods, but those that change something are written down once they are done."""
    telling = _Methods()
    ctypes.memmove(ctypes.byref(telling), ctypes.byref(real), _LENGTHS[real.version] * 8)
    write, truncate, sync = real.write, real.truncate, real.sync

    def writing(file: int, content: int, length: int, offset: int) -> int:
        answer: int = write(file, content, length, offset)
        record.steps.append(Write(files[file], offset, ctypes.string_at(content, length)))
        return answer

    def truncating(file: int, size: int) -> int:
        answer: int = truncate(file, size)
        record.steps.append(Truncate(files[file], size))
        return answer

    def syncing(file: int, flags: int) -> int:
        # What is written while the disk works on it is not part of it.
        marked = len(record.steps)
        answer: int = sync(file, flags)
        record.steps.insert(marked, Sync(files[file]))
        return answer

    telling.write, telling.truncate = _WRITE(writing), _TRUNCATE(truncating)
    telling.sync = _SYNC(syncing)
    _FOR_EVER.append((telling, telling.write, telling.truncate, telling.sync))
    return telling
