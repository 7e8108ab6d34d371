"""What the wizard asks over HTTP; whoever serves it checks first who is asking."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from robotix.errors import RobotixError
from robotix.server.wire.protocol import WizardRobot
from robotix.server.wire.request_body import read_body
from robotix.server.wizard.files import MAX_MESH, read_mesh, save_robot

__all__ = ["WizardDesk"]

MAX_BODY = 3 * MAX_MESH  # of a robot with its meshes, which grow by a third in JSON
_PATH = re.compile(r" - at `\$\.?(.*)`$")


class WizardDesk:
    """Answers what the wizard asks, one at a time: reading meshes takes a core."""

    def __init__(self) -> None:
        self._busy = asyncio.Lock()

    async def save(self, request: Request, folder: Path) -> Response:
        """Save a robot into a folder."""
        body = await read_body(request, MAX_BODY)
        if body is None:
            return _refuse(f"more than {MAX_BODY >> 20} MB; reduce the meshes", status=413)
        replace = request.query_params.get("replace") == "1"

        def work() -> Response:
            robot = msgspec.json.decode(body, type=WizardRobot)
            saved = save_robot(robot, folder, replace=replace)
            return Response(msgspec.json.encode(saved), media_type="application/json")

        return await self._answer(work)

    async def read_mesh(self, request: Request) -> Response:
        """Return the triangles of a mesh that was sent."""
        body = await read_body(request, MAX_MESH)
        if body is None:
            return _refuse(f"more than {MAX_MESH >> 20} MB; reduce the mesh", status=413)
        name = request.query_params.get("name", "")

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
        return _refuse(_PATH.sub(r" (\1)", str(error)))
    except msgspec.DecodeError:
        return _refuse("this is no JSON", status=400)
    except FileExistsError as error:
        return _refuse(str(error), status=409)
    except (RobotixError, ValueError) as error:
        return _refuse(str(error))


def _refuse(error: str, *, status: int = 422) -> Response:
    return JSONResponse({"error": error}, status_code=status)
