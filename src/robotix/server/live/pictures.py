"""Pictures of the scene, rendered by a connected page."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

from robotix.scene.files import check_inside
from robotix.server.live.hub import Client, Hub, encode
from robotix.server.wire.protocol import SnapshotWanted

__all__ = ["NoPage", "NoPicture", "Snapshots", "save_picture"]

DRAW_TIMEOUT = 20.0  # s, for a page to render
MAX_PENDING_PICTURES = 16
MAX_PICTURE_BYTES = 32 * 2**20  # bytes
PNG = b"\x89PNG\r\n\x1a\n"
MIN_SIDE, MAX_SIDE = 16, 4096  # pixels


class NoPage(Exception):
    """No page is connected."""


class NoPicture(Exception):
    """A page did not send the requested picture."""


class Snapshots:
    """Requests pictures from pages."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._waiting: dict[str, asyncio.Future[bytes]] = {}

    async def request(self, *, viewpoint: str = "", width: int = 1280, height: int = 720) -> bytes:
        """Return a picture (PNG), rendered by the client in control or the latest one."""
        for side in (width, height):
            if not MIN_SIDE <= side <= MAX_SIDE:
                raise ValueError(
                    f"width and height must be {MIN_SIDE} to {MAX_SIDE} pixels, got {side}"
                )
        client = self._drawing_client()
        if client is None:
            raise NoPage("no page is open to render the picture; open one and retry")
        if len(self._waiting) >= MAX_PENDING_PICTURES:
            raise NoPicture("too many pictures are being rendered; retry later")
        name = secrets.token_hex(8)
        picture = self._waiting[name] = asyncio.get_running_loop().create_future()
        client.send(encode(SnapshotWanted(name, viewpoint, width, height)))
        try:
            return await asyncio.wait_for(picture, DRAW_TIMEOUT)
        except TimeoutError:
            raise NoPicture(
                f"{client.name} sent no picture within {DRAW_TIMEOUT:g} s; is its tab visible?"
            ) from None
        finally:
            del self._waiting[name]

    def is_wanted(self, name: str) -> bool:
        """Return whether a picture was requested and is pending."""
        return name in self._waiting

    def receive(self, name: str, picture: bytes) -> None:
        """Receive a requested picture; raise ValueError if it is not a PNG file."""
        if not picture.startswith(PNG):
            raise ValueError("a picture must be a PNG file")
        waiting = self._waiting.get(name)
        if waiting is not None and not waiting.done():
            waiting.set_result(picture)

    def _drawing_client(self) -> Client | None:
        clients = self._hub.clients
        return clients.get(self._hub.lease.holder) or next(reversed(clients.values()), None)


def save_picture(folder: Path, name: str, picture: bytes) -> Path:
    """Write a picture below a folder, not through a link that leads out; return its path."""
    path = check_inside(folder / name, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(picture)
    return path
