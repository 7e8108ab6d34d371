"""Reads an uploaded mesh in a separate process: a path comes in, triangles go out.

So a large or malicious file cannot slow down the scene or exhaust its memory. The answer is a line
of JSON, followed by u32 vertices, u32 triangles, f32 positions, u32 indices, little endian.
"""

from __future__ import annotations

import json
import sys

import numpy as np

from robotix.errors import RobotixError
from robotix.meshes import load_mesh

MAX_MEMORY_BYTES = 4 * 2**30  # address space
MAX_CPU_SECONDS = 30  # processor time


def main() -> None:
    """Answer one request."""
    _bound()
    try:
        mesh = load_mesh(sys.argv[1])
    except (RobotixError, MemoryError) as error:
        _send({"error": str(error) or "needs too much memory"}, b"")
        return
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    head = np.array([len(mesh.vertices), len(mesh.faces)], dtype="<u4").tobytes()
    body = mesh.vertices.astype("<f4").tobytes() + mesh.faces.astype("<u4").tobytes()
    _send({"low": low.tolist(), "high": high.tolist()}, head + body)


def _send(answer: dict[str, object], body: bytes) -> None:
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n" + body)


def _bound() -> None:
    import resource

    for what, limit in (
        (resource.RLIMIT_AS, MAX_MEMORY_BYTES),
        (resource.RLIMIT_CPU, MAX_CPU_SECONDS),
    ):
        try:
            resource.setrlimit(what, (limit, limit))
        except (OSError, ValueError):  # not supported by the system
            continue


if __name__ == "__main__":
    main()
