"""Reading untrusted files: bounded in size, and never a device or a pipe."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from robotix.errors import BadFile

__all__ = ["MAX_BYTES", "decode_text", "read_source", "read_text"]

MAX_BYTES = 16 * 2**20  # the largest public robot description is about a hundredth of this


def read_source(
    path: str | os.PathLike[str], *, what: str = "a robot description", limit: int = MAX_BYTES
) -> bytes:
    """Return the bytes of a file; raise BadFile if it cannot be read."""
    name = os.fspath(path)
    try:
        status = os.stat(name)
        if stat.S_ISDIR(status.st_mode):
            raise BadFile(name, "this is a folder", f"{what} (a file)")
        if not stat.S_ISREG(status.st_mode):  # reading a pipe or a device may never end
            raise BadFile(name, "this is not an ordinary file", f"{what} (a file)")
        with Path(name).open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise BadFile(name, "there is no such file", f"{what}; check the spelling") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadFile(name, f"cannot be read ({reason})", "a readable file") from None
    except ValueError as error:
        if isinstance(error, BadFile):
            raise
        raise BadFile(name, f"is not a file name ({error})", "the path of a file") from None
    if len(data) > limit:
        raise BadFile(name, f"more than {limit} bytes", f"{what} of at most {limit} bytes")
    if not data.strip():
        raise BadFile(name, "the file is empty", what, line=1, column=1)
    return data


def read_text(
    path: str | os.PathLike[str], *, what: str = "a robot description", limit: int = MAX_BYTES
) -> str:
    """Return the text of a file; raise BadFile if it cannot be read or is not UTF-8."""
    return decode_text(read_source(path, what=what, limit=limit), path=os.fspath(path))


def decode_text(data: bytes, *, path: str) -> str:
    """Return bytes as text; raise BadFile at the first byte that is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        found = f"byte 0x{data[error.start]:02x}, which is not UTF-8"
        raise BadFile(path, found, "a text file", line=line, column=column) from None
