"""Serves a room in a thread of its own, until told to stop."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robotix.errors import RobotixError
from robotix.server.http.access import Access
from robotix.server.http.app import EMBED, make_app
from robotix.server.live.service import RoomService

if TYPE_CHECKING:
    import uvicorn
    from websockets.http11 import Request as Handshake

    from robotix.server.http.certificate import CertificateFiles

__all__ = ["Hosting", "PortTaken", "Secure", "listening"]

LOOPBACK = "127.0.0.1"
LARGEST_MESSAGE = 1 << 20  # bytes, from a page
SEND_BUFFER = 256 << 10  # bytes that the system may keep for a page that does not read
PING = 5.0  # s between signs of life, and s to answer
SWITCH = 5e-4  # s after which the server's thread gives way to the loop's
PATIENCE = 30.0  # s to start
GRACE = 2  # s for requests under way when all ends


class PortTaken(RobotixError, OSError):
    """Another program listens there already."""

    def __init__(self, port: int) -> None:
        super().__init__(port)

    def __str__(self) -> str:
        (port,) = self.args
        return (
            f"port {port} is taken, perhaps by another room that runs; choose another one, such as "
            f"--port {port + 1}, or --port 0 for any"
        )


@dataclass(frozen=True)
class Secure:
    """HTTPS on these addresses of this machine."""

    addresses: Sequence[str]
    files: CertificateFiles


class Hosting:
    """A server for one room, as a context manager: plain on the loopback, `secure` for others."""

    def __init__(
        self,
        service: RoomService,
        access: Access,
        *,
        port: int = 0,
        secure: Secure | None = None,
    ) -> None:
        """Take the port at once, so that a port that is taken is known before anything starts."""
        self.service = service
        self.access = access
        self._plain = [listening(LOOPBACK, port)]
        self.port: int = self._plain[0].getsockname()[1]
        self._secure = secure
        self._others: list[socket.socket] = []
        try:
            for address in secure.addresses if secure is not None else ():
                self._others.append(listening(address, self.port))
        except OSError:
            self._close_sockets()
            raise
        self._servers: list[uvicorn.Server] = []
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="server", daemon=True)

    @property
    def address(self) -> str:
        """Where this machine finds the room, with the token that lets it in."""
        return f"http://{LOOPBACK}:{self.port}/login?t={self.access.token}"

    @property
    def embedded_address(self) -> str:
        """The same for a page that embeds ours, if `access` lets one."""
        return f"{self.address}&{EMBED}=1"

    @property
    def other_addresses(self) -> list[str]:
        """Where other machines find it."""
        hosts = self._secure.addresses if self._secure is not None else ()
        return [f"https://{host}:{self.port}/login?t={self.access.token}" for host in hosts]

    def __enter__(self) -> Hosting:
        self._switch_before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        self._thread.start()
        if not self._ready.wait(PATIENCE):
            raise TimeoutError(f"the server did not start within {PATIENCE:g} s")
        if self._error is not None:
            self._thread.join()
            raise self._error
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers:
            server.should_exit = True
        self._thread.join()
        self._close_sockets()
        sys.setswitchinterval(self._switch_before)

    def _close_sockets(self) -> None:
        for each in (*self._plain, *self._others):
            each.close()

    # -- in the server's thread -------------------------------------------------------------

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # whatever it is, the other thread must hear of it
            self._error = error
            logging.getLogger(__name__).warning("the server ended", exc_info=error)
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        app = make_app(self.service, self.access)
        plan: list[tuple[dict[str, Any], list[socket.socket]]] = [({}, self._plain)]
        if self._secure is not None and self._others:
            files = self._secure.files
            plan.append(
                ({"ssl_certfile": files.certificate, "ssl_keyfile": files.key}, self._others)
            )
        async with app.router.lifespan_context(app):
            self._servers = [_make_server(app, **options) for options, _ in plan]
            async with asyncio.TaskGroup() as tasks:
                for server, (_, sockets) in zip(self._servers, plan, strict=True):
                    tasks.create_task(server.serve(sockets))
                while not all(server.started for server in self._servers):
                    await asyncio.sleep(0.005)
                self._ready.set()


def _make_server(app: Any, **options: Any) -> uvicorn.Server:
    import uvicorn

    config = uvicorn.Config(
        app,
        ws=_socket_class(),
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        lifespan="off",  # two servers share one application
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        **options,
    )
    return uvicorn.Server(config)


def _socket_class() -> type[asyncio.Protocol]:
    """Return uvicorn's own sockets, with a way to cut one off that does not read."""
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    class Socket(WebSocketsSansIOProtocol):
        def handle_connect(self, event: Handshake) -> None:
            super().handle_connect(event)
            if hasattr(self, "scope"):
                self.scope["state"]["abort"] = self.transport.abort

        def keepalive_timeout(self) -> None:
            super().keepalive_timeout()
            self.transport.abort()  # nobody is there to say goodbye to

    return Socket


def listening(address: str, port: int) -> socket.socket:
    """Return a socket that listens there."""
    # With its protocol named, asyncio sends at once; else small messages wait up to 40 ms for more.
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        found.bind((address, port))
        found.listen(256)
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(port) from None
        raise
    return found
