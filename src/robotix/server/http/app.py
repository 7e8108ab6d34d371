"""The web application: which address does what, and who may ask."""

from __future__ import annotations

import contextlib
import html
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from robotix.server.http.access import COOKIE, MONTH, Access
from robotix.server.http.workspace_api import WorkspaceClouds
from robotix.server.live.connection import serve_page
from robotix.server.live.service import RoomService
from robotix.server.live.snapshots import LARGEST, NoPage, NoPicture
from robotix.server.wire.messages import WirePart
from robotix.server.wire.request_body import read_body

if TYPE_CHECKING:
    from robotix.server.wizard.desk import WizardDesk

__all__ = ["make_app", "page_folder"]

Endpoint = Callable[[Request], Awaitable[Response]]

FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}
EVERY_TIME = {"cache-control": "no-cache"}
BINARY = "application/octet-stream"
SAFE_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
        "style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; connect-src 'self' ws: wss:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors {}"
    ),
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "xr-spatial-tracking=(self), hid=(self), gamepad=(self), camera=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
EMBEDDERS = "http://localhost:* http://127.0.0.1:* vscode-webview:"  # notebooks of this machine
EMBED = "embed"  # parameter of /login: the cookie is for a page inside another one
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>robotix</title>
<style>body{{font:18px system-ui;margin:20vh auto;max-width:32em;padding:0 1em}}</style>
<h1>robotix</h1><p>{}</p></html>"""


class SnapshotRequest(WirePart, frozen=True):
    """What a picture should be like."""

    viewpoint: str = ""
    width: int = 1280
    height: int = 720


def page_folder() -> Path:
    """Return where the built page lies; `ROBOTIX_STATIC` names another folder."""
    chosen = os.environ.get("ROBOTIX_STATIC")
    return Path(chosen) if chosen else Path(__file__).parent.with_name("static")


def safe_headers(access: Access) -> dict[str, str]:
    """Return the headers of every answer; only pages of this machine may embed ours, if any."""
    ancestors = EMBEDDERS if access.can_embed else "'none'"
    policy = SAFE_HEADERS["content-security-policy"].format(ancestors)
    return SAFE_HEADERS | {"content-security-policy": policy}


def make_app(service: RoomService, access: Access, *, folder: Path | None = None) -> Starlette:
    """Return the application; `folder` holds the built page."""
    pages = _Pages(service, access, (folder or page_folder()).resolve())
    return Starlette(routes=pages.routes(), lifespan=pages.lifespan)


class _Pages:
    """The endpoints."""

    def __init__(self, service: RoomService, access: Access, folder: Path) -> None:
        self._service = service
        self._access = access
        self._folder = folder
        self._clouds = WorkspaceClouds()
        self._headers = safe_headers(access)

    def routes(self) -> list[BaseRoute]:
        routes: list[BaseRoute] = [
            Route("/login", self.login),
            WebSocketRoute("/live", self.live),
            Route("/mesh/{key}", self._guarded(self.data)),
            Route("/skin/{key}", self._guarded(self.data)),
            Route("/sound/{uri:path}", self._guarded(self.sound)),
            Route("/api/health", self._guarded(self.health)),
            Route("/api/snapshots", self._guarded(self.snapshot), methods=["POST"]),
            Route("/api/snapshots/{id}", self._guarded(self.picture), methods=["POST"]),
            Route("/api/workspace/{robot:path}", self._guarded(self.workspace)),
            Route("/api/wizard", self._guarded(self.wizard), methods=["POST"]),
            Route("/api/wizard/mesh", self._guarded(self.wizard_mesh), methods=["POST"]),
            Route("/{path:path}", self._guarded(self.page)),
        ]
        return routes

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await self._service.begin()
        try:
            yield
        finally:
            await self._service.end()
            self._clouds.close()

    def _guarded(self, endpoint: Endpoint) -> Endpoint:
        """Return an endpoint that only those reach who may."""

        async def guarded(request: Request) -> Response:
            refusal = self._access.refusal(request)
            response = await endpoint(request) if refusal is None else _refused(request, *refusal)
            response.headers.update(self._headers)
            return response

        return guarded

    # -- coming in --------------------------------------------------------------------------

    async def login(self, request: Request) -> Response:
        """Let a browser in that shows the token, and hide the token from its address line."""
        if not self._access.is_known_host(request.headers):
            return self._refused_login(request, 421, "this name is not known here")
        if not self._access.is_token(request.query_params.get("t", "")):
            words = "this address is not right any more; open the one that robotix printed last"
            return self._refused_login(request, 401, words)
        response = RedirectResponse("/", status_code=303, headers=self._headers)
        if self._access.can_embed and EMBED in request.query_params:
            # Inside a page of another site a browser keeps no strict cookie. This one is kept
            # apart for each site around it, and whatever changes something must be of our origin.
            value = f"{COOKIE}={self._access.cookie}; Path=/; HttpOnly; Secure; SameSite=None"
            response.headers.append("set-cookie", f"{value}; Partitioned")
            return response
        response.set_cookie(
            COOKIE,
            self._access.cookie,
            max_age=MONTH,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response

    def _refused_login(self, request: Request, status: int, words: str) -> Response:
        response = _refused(request, status, words)
        response.headers.update(self._headers)
        return response

    async def live(self, socket: WebSocket) -> None:
        """Connect a page to the room."""
        access = self._access
        if not access.has_cookie(socket) or not access.is_own_origin(socket.headers):
            await socket.close()  # before it is accepted: the page sees a 403
            return
        await serve_page(socket, self._service)

    # -- files ------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """Return a file of the built page."""
        name = request.path_params["path"] or "index.html"
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder) or not path.is_file():
            if name == "index.html":
                words = (
                    "The page is not built yet; run <code>make setup</code>, then load it again."
                )
                return Response(PAGE.format(words), 503, media_type="text/html")
            return _refused(request, 404, "there is nothing here")
        lasting = "assets" in path.parts
        return FileResponse(path, headers=FOR_EVER if lasting else EVERY_TIME)

    async def data(self, request: Request) -> Response:
        """Return a mesh or a skin."""
        found = self._service.store.get(request.path_params["key"])
        if found is None:
            return _refused(request, 404, "there is no such mesh; it may be of an earlier room")
        return Response(found, media_type=BINARY, headers=FOR_EVER)

    async def sound(self, request: Request) -> Response:
        """Return a sound that the room has named."""
        found = self._service.sounds.find(request.path_params["uri"])
        if found is None:
            return _refused(request, 404, "the room has no such sound")
        path, kind = found
        return FileResponse(path, media_type=kind, headers=EVERY_TIME)

    # -- for programs -----------------------------------------------------------------------

    async def health(self, request: Request) -> Response:
        """Say how it is."""
        service = self._service
        known = {
            "run": service.run,
            "room": service.scene.name if service.scene is not None else "",
            "is_loading": service.scene is None,
            "tick": service.room.frames.tick,
            "pages": sorted(service.hub.names),
            "in_control": service.lease.holder,
        }
        return JSONResponse(known, headers=EVERY_TIME)

    async def snapshot(self, request: Request) -> Response:
        """Let a page draw a picture."""
        body = await read_body(request, 10_000)
        try:
            wish = msgspec.json.decode(body or b"{}", type=SnapshotRequest)
            picture = await self._service.snapshots.take(
                viewpoint=wish.viewpoint, width=wish.width, height=wish.height
            )
        except (msgspec.MsgspecError, ValueError) as error:
            return _refused(request, 422, str(error))
        except NoPage as error:
            return _refused(request, 503, str(error))
        except NoPicture as error:
            return _refused(request, 504, str(error))
        return Response(picture, media_type="image/png", headers=EVERY_TIME)

    async def picture(self, request: Request) -> Response:
        """Take in a picture that a page drew."""
        name = request.path_params["id"]
        if not self._service.snapshots.is_wanted(name):
            return _refused(request, 404, "nobody waits for this picture")
        body = await read_body(request, LARGEST)
        if body is None:
            return _refused(request, 413, f"a picture has at most {LARGEST >> 20} MB")
        try:
            self._service.snapshots.deliver(name, body)
        except ValueError as error:
            return _refused(request, 422, str(error))
        return Response(status_code=204)

    async def workspace(self, request: Request) -> Response:
        """Return where a robot's end-effector can get to."""
        scene = self._service.scene
        name = request.path_params["robot"]
        if scene is None or name not in scene.robots:
            return _refused(request, 404, f"there is no robot {name!r}")
        robot = scene.robots[name]
        try:
            samples = int(request.query_params.get("samples", "100000"))
            cloud = await self._clouds.get(robot.model, robot.chain.point, samples)
        except ValueError as error:
            return _refused(request, 422, str(error))
        return Response(cloud, media_type=BINARY, headers=EVERY_TIME)

    async def wizard(self, request: Request) -> Response:
        """Save a robot that was built."""
        from robotix.server.wizard.files import wizard_folder

        scene = self._service.scene
        return await self._desk.save(
            request, wizard_folder(scene.files.source if scene is not None else None)
        )

    async def wizard_mesh(self, request: Request) -> Response:
        """Read a mesh for a robot that is being built."""
        return await self._desk.read_mesh(request)

    @cached_property
    def _desk(self) -> WizardDesk:
        """Who builds robots; loaded when first asked for."""
        from robotix.server.wizard.desk import WizardDesk

        return WizardDesk()


def _refused(request: Request, status: int, words: str) -> Response:
    """Say why not: to people as a page, to programs as JSON."""
    if "text/html" in request.headers.get("accept", ""):
        text = PAGE.format(html.escape(words[:1].upper() + words[1:] + "."))
        return Response(text, status, media_type="text/html")
    return JSONResponse({"error": words}, status_code=status)
