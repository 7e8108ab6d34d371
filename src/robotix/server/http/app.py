"""The web application: routes and endpoints."""

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
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from robotix.server.http.access import Access
from robotix.server.http.connections import ConnectionLimit
from robotix.server.http.sessions import SESSION_TIME
from robotix.server.http.workspace_api import WorkspaceClouds
from robotix.server.live.connection import handle_connection
from robotix.server.live.heartbeat import handle_heartbeats
from robotix.server.live.pictures import MAX_PICTURE_BYTES, NoPage, NoPicture
from robotix.server.live.service import RoomService
from robotix.server.wire.messages import WirePart

if TYPE_CHECKING:
    from robotix.server.wizard.api import WizardApi

__all__ = ["make_app", "page_folder"]

Endpoint = Callable[[Request], Awaitable[Response]]

CACHE_IMMUTABLE = {"cache-control": "private, max-age=31536000, immutable"}
NO_CACHE = {"cache-control": "no-cache"}
NO_STORE = {"cache-control": "no-store"}
MAX_REQUEST_BYTES = 10_000  # of requests in JSON
BINARY_TYPE = "application/octet-stream"
SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
        "style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; connect-src 'self' {socket}; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors {ancestors}"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "xr-spatial-tracking=(self), hid=(self), gamepad=(self), camera=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
EMBEDDING_ORIGINS = (
    "http://localhost:* http://127.0.0.1:* vscode-webview:"  # notebooks of this machine
)
PAGE_ROLES = ("participant", "spectator")  # parameter `role` of /login: what the page shows
EMBED_PARAMETER = "embed"  # parameter of /login: the cookie is for a page inside another one
MESSAGE_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>robotix</title>
<style>body{{font:18px system-ui;margin:20vh auto;max-width:32em;padding:0 1em}}</style>
<h1>robotix</h1><p>{}</p></html>"""


class SnapshotRequest(WirePart, frozen=True):
    """Viewpoint and size of a picture, px."""

    viewpoint: str = ""
    width: int = 1280
    height: int = 720


def page_folder() -> Path:
    """Return the folder of the built page; `ROBOTIX_STATIC` overrides it."""
    chosen = os.environ.get("ROBOTIX_STATIC")
    return Path(chosen) if chosen else Path(__file__).parent.with_name("static")


def security_headers(access: Access, request: Request) -> dict[str, str]:
    """Return the headers of every response; at most pages of this machine may embed it."""
    ancestors, socket = EMBEDDING_ORIGINS if access.can_embed else "'none'", ""
    if access.is_known_host(request.headers):  # not every browser takes 'self' for sockets, too
        scheme = "wss" if request.url.scheme == "https" else "ws"
        socket = f"{scheme}://{request.headers['host']}"
        if access.can_embed and scheme == "wss":  # pages of this machine, seen from another one
            ancestors = f"https://{request.url.hostname}:*"
    policy = SECURITY_HEADERS["content-security-policy"].format(ancestors=ancestors, socket=socket)
    return SECURITY_HEADERS | {"content-security-policy": policy}


def make_app(
    service: RoomService,
    access: Access,
    *,
    folder: Path | None = None,
    limit: ConnectionLimit | None = None,
) -> Starlette:
    """Return the application; `folder` holds the built page, `limit` learns who has a secret."""
    pages = _Pages(service, access, (folder or page_folder()).resolve(), limit or ConnectionLimit())
    return Starlette(routes=pages.routes(), lifespan=pages.lifespan)


class _Pages:
    """The endpoints."""

    def __init__(
        self, service: RoomService, access: Access, folder: Path, limit: ConnectionLimit
    ) -> None:
        self._limit = limit
        self._service = service
        self._access = access
        self._folder = folder
        self._clouds = WorkspaceClouds()

    def routes(self) -> list[BaseRoute]:
        routes: list[BaseRoute] = [
            Route("/login", self.login),
            WebSocketRoute("/live", self.live),
            WebSocketRoute("/heartbeat", self.heartbeat),
            Route("/mesh/{key}", self._guarded(self.data)),
            Route("/skin/{key}", self._guarded(self.data)),
            Route("/sound/{uri:path}", self._guarded(self.sound)),
            Route("/api/health", self._guarded(self.health)),
            Route("/api/snapshots", self._guarded(self.snapshot), methods=["POST"]),
            Route("/api/snapshots/{id}", self._guarded(self.picture), methods=["POST"]),
            Route("/api/workspace/{robot:path}", self._guarded(self.workspace)),
            Route("/api/replay", self._guarded(self.replay)),
            Route("/api/replay/{path:path}", self._guarded(self.replay)),
            Route("/api/wizard", self._guarded(self.wizard), methods=["POST"]),
            Route("/api/wizard/mesh", self._guarded(self.wizard_mesh), methods=["POST"]),
            Route("/{path:path}", self._guarded(self.page, needs_key=False)),
        ]
        return routes

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await self._service.start()
        try:
            yield
        finally:
            await self._service.stop()
            self._clouds.close()

    def _guarded(self, endpoint: Endpoint, *, needs_key: bool = True) -> Endpoint:
        """Return an endpoint that checks access first."""

        async def guarded(request: Request) -> Response:
            refusal = self._access.refusal(request, needs_key=needs_key)
            if refusal is None:
                self._limit.admit(_peer(request))
                response = await endpoint(request)
            else:
                response = _refused(request, *refusal)
            response.headers.update(security_headers(self._access, request))
            return response

        return guarded

    # -- login ----------------------------------------------------------------------------

    async def login(self, request: Request) -> Response:
        """Exchange a token or code in the address for a session, and redirect to the page.

        The key of the session follows the `#` of the new address, which browsers send nowhere.
        """
        response = self._logged_in(request)
        response.headers.update(security_headers(self._access, request))
        response.headers.update(NO_STORE)
        return response

    def _logged_in(self, request: Request) -> Response:
        access, given = self._access, request.query_params
        if not access.is_known_host(request.headers):
            return _refused(request, 421, "unknown host name")
        role = access.role_of_login(token=given.get("t", ""), code=given.get("c", ""))
        if role is None:
            words = "this address has expired; open the one that robotix printed last"
            return _refused(request, 401, words)
        self._limit.admit(_peer(request))
        sessions = access.sessions
        shown = given.get("role", "")
        query = f"?role={shown}" if shown in PAGE_ROLES else ""
        response = RedirectResponse(f"/{query}#key={sessions.key(role)}", status_code=303)
        name, value = sessions.cookie_name, sessions.cookie()
        if access.can_embed and EMBED_PARAMETER in given:
            # Browsers drop strict cookies in embedded pages. A partitioned one is stored per
            # embedding site, and requests that change something must have our origin.
            cookie = f"{name}={value}; Path=/; HttpOnly; Secure; SameSite=None; Partitioned"
            response.headers.append("set-cookie", cookie)
            return response
        response.set_cookie(
            name,
            value,
            max_age=SESSION_TIME,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response

    async def live(self, socket: WebSocket) -> None:
        """Connect a page to the scene."""
        access = self._access
        if not access.has_cookie(socket) or not access.is_own_origin(socket):
            await socket.close()  # before accept: the page receives a 403
            return
        self._limit.admit(_peer(socket))
        await handle_connection(socket, self._service, role_of=access.sessions.role_of)

    async def heartbeat(self, socket: WebSocket) -> None:
        """Hear that a page lives, from a thread that drawing does not hold up."""
        if not self._access.has_cookie(socket) or not self._access.is_own_origin(socket):
            await socket.close()
            return
        self._limit.admit(_peer(socket))
        await handle_heartbeats(socket, self._service)

    # -- files ------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """Return a file of the built page."""
        name = request.path_params["path"] or "index.html"
        path = self._find_file(name)
        if path is None:
            if name == "index.html":
                words = "The page is not built yet; run <code>make setup</code>, then reload."
                return Response(MESSAGE_PAGE.format(words), 503, media_type="text/html")
            return _refused(request, 404, "not found")
        lasting = "assets" in path.parts
        return FileResponse(path, headers=CACHE_IMMUTABLE if lasting else NO_CACHE)

    def _find_file(self, name: str) -> Path | None:
        """Return a file of the built page; None if there is no such file."""
        try:
            path = (self._folder / name).resolve()
            return path if path.is_relative_to(self._folder) and path.is_file() else None
        except (OSError, ValueError):  # a name that no file can have
            return None

    async def data(self, request: Request) -> Response:
        """Return a mesh or skin."""
        found = self._service.store.get(request.path_params["key"])
        if found is None:
            return _refused(request, 404, "no such mesh; it may belong to an earlier scene")
        return Response(found, media_type=BINARY_TYPE, headers=CACHE_IMMUTABLE)

    async def sound(self, request: Request) -> Response:
        """Return a sound file of the scene."""
        found = self._service.sounds.find(request.path_params["uri"])
        if found is None:
            return _refused(request, 404, "the scene has no such sound")
        path, kind = found
        return FileResponse(path, media_type=kind, headers=NO_CACHE)

    # -- for programs -----------------------------------------------------------------------

    async def health(self, request: Request) -> Response:
        """Return the state of the server."""
        service = self._service
        known = {
            "run": service.run,
            "room": service.scene.name if service.scene is not None else "",
            "is_loading": service.scene is None,
            "tick": service.room.frames.tick,
            "pages": sorted(service.hub.names),
            "in_control": service.lease.holder,
        }
        return JSONResponse(known, headers=NO_CACHE)

    async def snapshot(self, request: Request) -> Response:
        """Return a picture rendered by a page."""
        body = await _read_body(request, MAX_REQUEST_BYTES)
        if body is None:
            return _refused(request, 413, f"requests are limited to {MAX_REQUEST_BYTES} bytes")
        try:
            wanted = msgspec.json.decode(body or b"{}", type=SnapshotRequest)
            picture = await self._service.snapshots.request(
                viewpoint=wanted.viewpoint, width=wanted.width, height=wanted.height
            )
        except (msgspec.MsgspecError, ValueError) as error:
            return _refused(request, 422, str(error))
        except NoPage as error:
            return _refused(request, 503, str(error))
        except NoPicture as error:
            return _refused(request, 504, str(error))
        return Response(picture, media_type="image/png", headers=NO_CACHE)

    async def picture(self, request: Request) -> Response:
        """Receive a picture that a page rendered."""
        name = request.path_params["id"]
        if not self._service.snapshots.is_wanted(name):
            return _refused(request, 404, "this picture was not requested")
        body = await _read_body(request, MAX_PICTURE_BYTES)
        if body is None:
            return _refused(request, 413, f"pictures are limited to {MAX_PICTURE_BYTES >> 20} MB")
        try:
            self._service.snapshots.receive(name, body)
        except ValueError as error:
            return _refused(request, 422, str(error))
        return Response(status_code=204)

    async def workspace(self, request: Request) -> Response:
        """Return the reachable workspace of a robot."""
        scene = self._service.scene
        name = request.path_params["robot"]
        if scene is None or name not in scene.robots:
            return _refused(request, 404, f"no robot {name!r}")
        robot = scene.robots[name]
        try:
            samples = int(request.query_params.get("samples", "100000"))
            cloud = await self._clouds.get(robot.model, robot.chain.point, samples)
        except ValueError as error:
            return _refused(request, 422, str(error))
        return Response(cloud, media_type=BINARY_TYPE, headers=NO_CACHE)

    async def replay(self, request: Request) -> Response:
        """Return contents, curves or tables of the recording that is shown."""
        handler = self._service.replay
        if handler is None:
            return _refused(request, 404, "no recording is shown here")
        query = {name: request.query_params.getlist(name) for name in request.query_params}
        path = request.path_params.get("path", "")
        status, kind, body = await handler.respond(path, query)
        return Response(body, status, media_type=kind, headers=NO_STORE)

    async def wizard(self, request: Request) -> Response:
        """Save a robot that was built in the wizard."""
        from robotix.server.wizard.files import wizard_folder

        if not self._may_write(request):
            words = "only the page in control may save files; take control, then save again"
            return _refused(request, 403, words)
        scene = self._service.scene
        folder = wizard_folder(scene.files.source if scene is not None else None)
        body = await _read_body(request, self._wizard_api.max_robot_bytes)
        replace = request.query_params.get("replace") == "1"
        return await self._wizard_api.save(body, folder, replace=replace)

    def _may_write(self, request: Request) -> bool:
        """Return whether the page in control, or a program with the token, sends a request."""
        if self._access.has_bearer(request.headers):
            return True
        return self._service.hub.is_in_control(request.headers.get("x-robotix-page", ""))

    async def wizard_mesh(self, request: Request) -> Response:
        """Return the triangles of a mesh file for the wizard."""
        body = await _read_body(request, self._wizard_api.max_mesh_bytes)
        return await self._wizard_api.read_mesh(request.query_params.get("name", ""), body)

    @cached_property
    def _wizard_api(self) -> WizardApi:
        """The API of the robot wizard, imported on first use."""
        from robotix.server.wizard.api import WizardApi

        return WizardApi()


def _peer(connection: HTTPConnection) -> tuple[str, int] | None:
    client = connection.client
    return None if client is None else (client.host, client.port)


def _refused(request: Request, status: int, words: str) -> Response:
    """Return an error, as a page for browsers and as JSON for programs."""
    if "text/html" in request.headers.get("accept", ""):
        text = MESSAGE_PAGE.format(html.escape(words[:1].upper() + words[1:] + "."))
        return Response(text, status, media_type="text/html")
    return JSONResponse({"error": words}, status_code=status)


async def _read_body(request: Request, limit: int) -> bytes | None:
    """Return the body of a request; None, without reading all of it, above `limit` bytes."""
    parts, size = list[bytes](), 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            return None
        parts.append(part)
    return b"".join(parts)
