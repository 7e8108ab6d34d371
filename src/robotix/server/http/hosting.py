"""Runs the web server in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from robotix.errors import RobotixError
from robotix.server.http.access import Access
from robotix.server.http.app import EMBED_PARAMETER, make_app
from robotix.server.http.connections import (
    RESERVED_DESCRIPTORS,
    ConnectionLimit,
    Listener,
    raise_descriptor_limit,
)
from robotix.server.live.service import RoomService

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette
    from websockets.http11 import Request as Handshake

    from robotix.server.http.certificate import CertificateFiles

__all__ = [
    "Hosting",
    "PortTaken",
    "Secure",
    "free_port",
    "lan_addresses",
    "machine_names",
    "open_socket",
]

LOOPBACK_ADDRESS = "127.0.0.1"
MAX_MESSAGE_BYTES = 1 << 20  # from a page
READ_BYTES = 16 << 10  # from a page at a time: all messages in it are decoded before others' turn
SEND_BUFFER_BYTES = 256 << 10  # socket buffer for a page that does not read
PING_INTERVAL, PONG_TIMEOUT = 2.0, 3.0  # s; a page that answers no ping is lost
SWITCH_INTERVAL = 5e-4  # s, of the interpreter: the loop's thread must not wait long
START_TIMEOUT = 30.0  # s to start
SWEEP_INTERVAL = 1.0  # s between searches for connections that say nothing
MAX_LOGGED_KINDS = 20  # of errors of the event loop
SHUTDOWN_TIMEOUT = 2  # s for requests in progress
SIOCGIFADDR = 0x8915  # Linux ioctl: get the address of a network interface
UNROUTED_ADDRESS = ("192.0.2.1", 9)  # TEST-NET-1 (RFC 5737); nothing is sent there


class PortTaken(RobotixError, OSError):
    """Another program listens on the port."""

    def __init__(self, port: int) -> None:
        super().__init__(port)

    def __str__(self) -> str:
        (port,) = self.args
        return (
            f"port {port} is in use, perhaps by another scene; choose another one, such as "
            f"--port {port + 1}, or --port 0 for any free port"
        )


@dataclass(frozen=True)
class Secure:
    """Addresses that are served by HTTPS, and the certificate."""

    addresses: Sequence[str]
    files: CertificateFiles


class Hosting:
    """A web server for one scene, as a context manager: HTTP on loopback, HTTPS on `secure`."""

    def __init__(
        self,
        service: RoomService,
        access: Access,
        *,
        port: int = 0,
        secure: Secure | None = None,
        app: Callable[[Access], Starlette] | None = None,
    ) -> None:
        """Bind the port; raise PortTaken if it is in use.

        `app` makes another application in place of that of the room.
        """
        self.service = service
        self._make_app = app
        self._plain = [open_socket(LOOPBACK_ADDRESS, port)]
        self.port: int = self._plain[0].getsockname()[1]
        self.access = replace(access, port=self.port)
        self._secure = secure
        self._others: list[Listener] = []
        try:
            for address in secure.addresses if secure is not None else ():
                self._others.append(open_socket(address, self.port))
        except OSError:
            self._close_sockets()
            raise
        self.limit = ConnectionLimit(
            max_connections=max(16, raise_descriptor_limit() - RESERVED_DESCRIPTORS)
        )
        for each in (*self._plain, *self._others):
            each.limit = self.limit
        self._servers: list[uvicorn.Server] = []
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="server", daemon=True)

    @property
    def address(self) -> str:
        """Address on this machine, including the token."""
        return f"http://{LOOPBACK_ADDRESS}:{self.port}/login?t={self.access.token}"

    @property
    def watch_addresses(self) -> list[str]:
        """Addresses for those who may only watch and stop: on this machine, then on others."""
        token = self.access.sessions.watch_token
        login = f":{self.port}/login?t={token}"
        hosts = self._secure.addresses if self._secure is not None else ()
        return [f"http://{LOOPBACK_ADDRESS}{login}", *(f"https://{host}{login}" for host in hosts)]

    def open_browser(self) -> None:
        """Open the page in the browser of this machine, without a secret on a command line."""
        from robotix.server.http.login_file import open_browser

        open_browser(self.one_time_address(), port=self.port)

    def one_time_address(self) -> str:
        """Return an address on this machine that logs in once, within some minutes."""
        return f"http://{LOOPBACK_ADDRESS}:{self.port}/login?c={self.access.codes.make()}"

    @property
    def embedded_address(self) -> str:
        """Address for embedding in another page, if `access` allows it."""
        return f"{self.address}&{EMBED_PARAMETER}=1"

    @property
    def other_addresses(self) -> list[str]:
        """Addresses for other machines."""
        hosts = self._secure.addresses if self._secure is not None else ()
        return [f"https://{host}:{self.port}/login?t={self.access.token}" for host in hosts]

    def __enter__(self) -> Hosting:
        self._switch_before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._thread.start()
        if not self._ready.wait(START_TIMEOUT):
            raise TimeoutError(f"the server did not start within {START_TIMEOUT:g} s")
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

    # -- server thread -------------------------------------------------------------

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # raised again in the thread that waits
            self._error = error
            logging.getLogger(__name__).warning("the server failed", exc_info=error)
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        asyncio.get_running_loop().set_exception_handler(_LoggedOnce())
        if self._make_app is not None:
            app = self._make_app(self.access)
        else:
            app = make_app(self.service, self.access, limit=self.limit)
        plan: list[tuple[dict[str, Any], list[Listener]]] = [({}, self._plain)]
        if self._secure is not None and self._others:
            files = self._secure.files
            plan.append(
                ({"ssl_certfile": files.certificate, "ssl_keyfile": files.key}, self._others)
            )
        async with app.router.lifespan_context(app):
            self._servers = [_make_server(app, **options) for options, _ in plan]
            async with asyncio.TaskGroup() as tasks:
                serving = [
                    tasks.create_task(server.serve(list(sockets)))
                    for server, (_, sockets) in zip(self._servers, plan, strict=True)
                ]
                while not all(server.started for server in self._servers):
                    await asyncio.sleep(0.005)
                self._ready.set()
                while not all(task.done() for task in serving):
                    self.limit.sweep()
                    await asyncio.wait(serving, timeout=SWEEP_INTERVAL)


class _LoggedOnce:
    """Logs errors of the event loop, those of one kind once: strangers must not fill the log."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        kind = f"{context.get('message', 'error')} ({type(error).__name__})"
        if kind not in self._known and len(self._known) < MAX_LOGGED_KINDS:
            self._known.add(kind)
            logging.getLogger(__name__).warning("%s", kind, exc_info=error)


def _make_server(app: Any, **options: Any) -> uvicorn.Server:
    import uvicorn

    config = uvicorn.Config(
        app,
        ws=_socket_class(),
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_INTERVAL,
        ws_ping_timeout=PONG_TIMEOUT,
        lifespan="off",  # two servers share one application
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        **options,
    )
    return uvicorn.Server(config)


def _socket_class() -> type[asyncio.Protocol]:
    """Return uvicorn's WebSocket protocol, extended by a way to abort a stalled connection."""
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    class Socket(WebSocketsSansIOProtocol):
        def handle_connect(self, event: Handshake) -> None:
            super().handle_connect(event)
            if hasattr(self, "scope"):
                self.scope["state"]["abort"] = self.transport.abort
                if hasattr(self.transport, "max_size"):
                    self.transport.max_size = READ_BYTES

        def keepalive_timeout(self) -> None:
            super().keepalive_timeout()
            self.transport.abort()  # the peer is gone: no close handshake

    return Socket


def open_socket(address: str, port: int) -> Listener:
    """Return a listening socket."""
    # With an explicit protocol asyncio sets TCP_NODELAY; otherwise messages may wait 40 ms.
    found = Listener(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        found.bind((address, port))
        found.listen(256)
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(port) from None
        raise
    return found


def free_port() -> int:
    """Return a port that is free now, for a server that starts more than once.

    Some browsers ask for trust in a certificate once for every port.
    """
    with open_socket(LOOPBACK_ADDRESS, 0) as found:
        return int(found.getsockname()[1])


# -- addresses of this machine ------------------------------------------------------------------


def lan_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine except loopback, default route first."""
    found = dict.fromkeys([*_default_route_address(), *_interface_addresses()])
    return [address for address in found if not address.startswith(("127.", "169.254."))]


def machine_names() -> list[str]:
    """Return the host names of this machine, including `.local` (mDNS)."""
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    return list(dict.fromkeys([name, short, f"{short}.local"])) if short else []


def _default_route_address() -> Iterator[str]:
    """Yield the source address of the default route."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(UNROUTED_ADDRESS)
        yield str(probe.getsockname()[0])


def _interface_addresses() -> Iterator[str]:
    if sys.platform != "linux":
        with contextlib.suppress(OSError):
            infos = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
            yield from (str(info[4][0]) for info in infos)
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with contextlib.suppress(OSError):  # an interface without an address
                answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)
                yield socket.inet_ntoa(answer[20:24])
