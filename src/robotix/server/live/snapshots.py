"""Pictures of the room: pages draw them, whoever asked gets them."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

from robotix.server.live.hub import Client, Hub, encode
from robotix.server.wire.protocol import SnapshotWanted

__all__ = ["NoPage", "NoPicture", "Snapshots", "save_picture"]

PATIENCE = 20.0  # s for a page to draw
MOST_WAITING = 16
LARGEST = 32 * 2**20  # bytes
PNG = b"\x89PNG\r\n\x1a\n"
SMALLEST_SIDE, LARGEST_SIDE = 16, 4096  # pixels


class NoPage(Exception):
    """There is nobody who could draw."""


class NoPicture(Exception):
    """A page was asked, and no picture came."""


class Snapshots:
    """Asks pages for pictures, and hands them to those who wait."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._waiting: dict[str, asyncio.Future[bytes]] = {}

    async def take(self, *, viewpoint: str = "", width: int = 1280, height: int = 720) -> bytes:
        """Return a picture (PNG), drawn by the page in control, or the one that came last."""
        for side in (width, height):
            if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
                raise ValueError(
                    f"a side of a picture has {SMALLEST_SIDE} to {LARGEST_SIDE} pixels, got {side}"
                )
        client = self._drawer()
        if client is None:
            raise NoPage("no page is open that could draw; open one and ask again")
        if len(self._waiting) >= MOST_WAITING:
            raise NoPicture("too many pictures are being drawn; ask again later")
        name = secrets.token_hex(8)
        picture = self._waiting[name] = asyncio.get_running_loop().create_future()
        client.tell(encode(SnapshotWanted(name, viewpoint, width, height)))
        try:
            return await asyncio.wait_for(picture, PATIENCE)
        except TimeoutError:
            raise NoPicture(
                f"{client.name} drew nothing in {PATIENCE:g} s; is it in view?"
            ) from None
        finally:
            del self._waiting[name]

    def is_wanted(self, name: str) -> bool:
        """Tell whether somebody waits for a picture."""
        return name in self._waiting

    def deliver(self, name: str, picture: bytes) -> None:
        """Take in a picture; ValueError when it is none."""
        if not picture.startswith(PNG):
            raise ValueError("a picture must be a PNG file")
        waiting = self._waiting.get(name)
        if waiting is not None and not waiting.done():
            waiting.set_result(picture)

    def _drawer(self) -> Client | None:
        clients = self._hub.clients
        return clients.get(self._hub.lease.holder) or next(reversed(clients.values()), None)


def save_picture(folder: Path, name: str, picture: bytes) -> Path:
    """Write a picture below a folder; return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(picture)
    return path
