"""The addresses for other machines, and their QR codes."""

from __future__ import annotations

import re
from urllib.parse import unquote

import segno

from robotix.server import RoomService
from robotix.server.wire.qr_code import qr_image

ADDRESS = "https://192.168.0.17:8443"
QUIET_ZONE = 4  # modules around the code


def test_without_an_address_there_is_no_code() -> None:
    assert qr_image("") == ""


def test_the_image_shows_the_modules_of_the_code() -> None:
    kind, _, svg = qr_image(ADDRESS).partition(",")
    assert kind.startswith("data:image/svg+xml")
    rows = [bytes(row) for row in segno.make_qr(ADDRESS, error="l", boost_error=False).matrix]
    assert _dark_modules(unquote(svg)) == {
        (x + QUIET_ZONE, y + QUIET_ZONE)
        for y, row in enumerate(rows)
        for x, is_dark in enumerate(row)
        if is_dark
    }


def test_pages_are_sent_the_code_of_the_address() -> None:
    service = RoomService(lan=ADDRESS)
    welcome = service.welcome(service.add_client(""))
    assert (welcome.lan, welcome.lan_qr) == (ADDRESS, qr_image(ADDRESS))


def _dark_modules(svg: str) -> set[tuple[int, int]]:
    """Return the places of all dark modules: the path is made of horizontal strokes, row by row."""
    path = re.search(r" d='([^']+)'", svg)
    assert path is not None
    found, x, y = set[tuple[int, int]](), 0.0, 0.0
    for command, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", path[1]):
        if command == "h":
            found |= {(int(x) + step, int(y)) for step in range(int(first))}
            x += float(first)
        elif command == "M":
            x, y = float(first), float(second)
        else:
            x, y = x + float(first), y + float(second)
    return found
