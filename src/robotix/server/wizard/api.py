"""HTTP responses of the robot wizard; access is checked by the caller."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import msgspec
from starlette.responses import JSONResponse, Response

from robotix.errors import RobotixError
from robotix.server.wire.protocol import WizardRobot
from robotix.server.wizard.files import MAX_MESH_BYTES, read_mesh, save_robot

__all__ = ["WizardApi"]

_PATH = re.compile(r" - at `\$\.?(.*)`$")


class WizardApi:
    """Handles requests of the wizard, one at a time: reading meshes uses a whole core."""

    max_mesh_bytes: ClassVar = MAX_MESH_BYTES
    max_robot_bytes: ClassVar = 3 * MAX_MESH_BYTES  # with meshes, which grow by a third in JSON

    def __init__(self) -> None:
        self._busy = asyncio.Lock()

    async def save(self, body: bytes | None, folder: Path, *, replace: bool) -> Response:
        """Save a robot (JSON) into a folder; `body` is None if it was too large."""
        if body is None:
            limit = self.max_robot_bytes >> 20
            return _error(f"more than {limit} MB; reduce the meshes", status=413)

        def work() -> Response:
            robot = msgspec.json.decode(body, type=WizardRobot)
            saved = save_robot(robot, folder, replace=replace)
            return Response(msgspec.json.encode(saved), media_type="application/json")

        return await self._answer(work)

    async def read_mesh(self, name: str, body: bytes | None) -> Response:
        """Return the triangles of a mesh file; `body` is None if it was too large."""
        if body is None:
            return _error(f"more than {self.max_mesh_bytes >> 20} MB; reduce the mesh", status=413)

        def work() -> Response:
            found = read_mesh(name, body)
            return Response(found.triangles, media_type="application/octet-stream")

        return await self._answer(work)

    async def _answer(self, work: Callable[[], Response]) -> Response:
        async with self._busy:
            return await asyncio.to_thread(_answered, work)


def _answered(work: Callable[[], Response]) -> Response:
    try:
        return work()
    except msgspec.ValidationError as error:
        return _error(_PATH.sub(r" (\1)", str(error)))
    except msgspec.DecodeError:
        return _error("invalid JSON", status=400)
    except FileExistsError as error:
        return _error(str(error), status=409)
    except (RobotixError, ValueError) as error:
        return _error(str(error))


def _error(error: str, *, status: int = 422) -> Response:
    return JSONResponse({"error": error}, status_code=status)
