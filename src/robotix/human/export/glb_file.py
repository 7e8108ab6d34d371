"""Writing binary glTF files: buffers, and the JSON document that describes them."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["GlbFile"]

TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
CODES = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
VERTICES, INDICES = 34962, 34963  # targets of buffer views


@dataclass
class GlbFile:
    """A glTF file while it is being written."""

    document: dict[str, Any]
    _bytes: bytearray = field(default_factory=bytearray)

    def add(self, values: NDArray[Any], *, use: int | None = None, bounds: bool = False) -> int:
        """Add rows of numbers (n, width); return the number of their accessor."""
        rows = np.ascontiguousarray(values)
        rows = rows.reshape(len(rows), -1)
        view: dict[str, Any] = {
            "buffer": 0,
            "byteOffset": len(self._bytes),
            "byteLength": rows.nbytes,
        }
        if use is not None:
            view["target"] = use
        self._bytes += rows.tobytes()
        self._bytes += b"\0" * (-len(self._bytes) % 4)
        views = self.document.setdefault("bufferViews", [])
        views.append(view)
        accessor: dict[str, Any] = {
            "bufferView": len(views) - 1,
            "componentType": CODES[rows.dtype.str[1:]],
            "count": len(rows),
            "type": TYPES[rows.shape[1]],
        }
        if bounds:
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        accessors = self.document.setdefault("accessors", [])
        accessors.append(accessor)
        return len(accessors) - 1

    def save(self, path: str | Path) -> None:
        """Write the file."""
        document = self.document | {"buffers": [{"byteLength": len(self._bytes)}]}
        text = json.dumps(document, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        total = 12 + 8 + len(text) + 8 + len(self._bytes)
        with Path(path).open("wb") as file:
            file.write(struct.pack("<4sII", b"glTF", 2, total))
            file.write(struct.pack("<I4s", len(text), b"JSON") + text)
            file.write(struct.pack("<I4s", len(self._bytes), b"BIN\0") + self._bytes)
