"""The process that reads a mesh somebody sent: a path comes in, triangles go out.

Kept apart so that a large or wicked file costs the room neither time nor memory. The answer is a
line of JSON and, after it, u32 vertices, u32 triangles, f32 positions, u32 corners, little endian.
"""

from __future__ import annotations

import json
import sys

import numpy as np

from robotix.errors import RobotixError
from robotix.meshes import load_mesh

MEMORY = 4 * 2**30  # bytes of address space
SECONDS = 30  # of processor time


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

    for what, limit in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS)):
        try:
            resource.setrlimit(what, (limit, limit))
        except (OSError, ValueError):  # a system that does not bound this
            continue


if __name__ == "__main__":
    main()
