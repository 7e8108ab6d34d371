"""The sandboxed process that reads an uploaded mesh.

The answer's body is u32 vertices, u32 triangles, f32 positions, u32 corners, little endian.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from robotix.files.sandbox import serve_requests


def load() -> Callable[[dict[str, Any]], tuple[dict[str, Any], bytes]]:
    """Import the readers of meshes and return the function that reads the file of a request."""
    import numpy as np

    from robotix.errors import RobotixError
    from robotix.meshes import load_mesh

    def answer(request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        try:
            mesh = load_mesh(request["path"])
        except (RobotixError, MemoryError) as error:
            return {"error": str(error) or "needs too much memory"}, b""
        low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
        counts = np.array([len(mesh.vertices), len(mesh.faces)], dtype="<u4").tobytes()
        body = mesh.vertices.astype("<f4").tobytes() + mesh.faces.astype("<u4").tobytes()
        return {"low": low.tolist(), "high": high.tolist()}, counts + body

    return answer


if __name__ == "__main__":
    serve_requests(load)
