"""The wizard's routes; whoever serves them checks first who is asking."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from robotix.errors import RobotixError
from robotix.server.protocol import WizardRobot
from robotix.server.wizard_files import MAX_MESH, read_mesh, save_robot

__all__ = ["wizard_routes"]

MAX_BODY = 3 * MAX_MESH  # of a robot with its meshes, which grow by a third in JSON
_PATH = re.compile(r" - at `\$\.?(.*)`$")


def wizard_routes(folder: Path) -> list[Route]:
    """Return routes that save robots into a folder."""
    busy = asyncio.Lock()  # one at a time: reading meshes takes a core

    async def save(request: Request) -> Response:
        body = await _body(request, MAX_BODY)
        if body is None:
            return _refuse(f"more than {MAX_BODY >> 20} MB; reduce the meshes", status=413)
        replace = request.query_params.get("replace") == "1"

        def work() -> Response:
            robot = msgspec.json.decode(body, type=WizardRobot)
            saved = save_robot(robot, folder, replace=replace)
            return Response(msgspec.json.encode(saved), media_type="application/json")

        async with busy:
            return await asyncio.to_thread(_answered, work)

    async def mesh(request: Request) -> Response:
        body = await _body(request, MAX_MESH)
        if body is None:
            return _refuse(f"more than {MAX_MESH >> 20} MB; reduce the mesh", status=413)
        name = request.query_params.get("name", "")

        def work() -> Response:
            found = read_mesh(name, body)
            return Response(found.triangles, media_type="application/octet-stream")

        async with busy:
            return await asyncio.to_thread(_answered, work)

    return [
        Route("/api/wizard", save, methods=["POST"]),
        Route("/api/wizard/mesh", mesh, methods=["POST"]),
    ]


async def _body(request: Request, limit: int) -> bytes | None:
    """Return what was sent; None when it is more than the limit, without taking it all in."""
    parts, size = list[bytes](), 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            return None
        parts.append(part)
    return b"".join(parts)


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
