"""Only those come in who know the token, by our names, from our own pages."""

from __future__ import annotations

import http.client
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.datastructures import Headers
from support.served_room import TOKEN, ServedRoom, served
from websockets.exceptions import InvalidStatus

from robotix.scene.scene import Scene
from robotix.server import Access, Hosting, PortTaken, RoomService, machine_token


@pytest.fixture(scope="module")
def room() -> Iterator[ServedRoom]:
    with served(Scene(name="empty")) as room:
        yield room


def ask(
    room: ServedRoom, path: str, *, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", room.hosting.port, timeout=30)
    try:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=names)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


GUARDED = ["/", "/index.html", "/api/health", "/mesh/0", "/skin/0", "/sound/a.wav",
           "/api/workspace/arm"]  # fmt: skip


@pytest.mark.parametrize("path", GUARDED)
def test_nothing_is_shown_without_a_cookie(room: ServedRoom, path: str) -> None:
    for headers in ({}, {"Cookie": "robotix=wrong"}, {"Cookie": f"robotix={TOKEN}"}):
        status, _, body = ask(room, path, **headers)
        assert status == 401 and b"address that robotix printed" in body


def test_the_token_lets_a_browser_in_and_leaves_the_address(room: ServedRoom) -> None:
    status, headers, _ = ask(room, f"/login?t={TOKEN}")
    assert status == 303 and headers["location"] == "/"
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and TOKEN not in cookie
    status, _, body = ask(room, "/api/health", Cookie=cookie.split(";")[0])
    assert status == 200 and b'"room":"empty"' in body


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "x", "%00", "ä"])
def test_a_wrong_token_lets_nobody_in(room: ServedRoom, token: str) -> None:
    status, headers, body = ask(room, f"/login?t={token.encode().hex() if token == 'ä' else token}")
    assert status == 401 and "set-cookie" not in headers
    assert b"printed last" in body


def test_people_get_a_page_that_explains(room: ServedRoom) -> None:
    status, headers, body = ask(room, "/", Accept="text/html")
    assert status == 401 and headers["content-type"].startswith("text/html")
    assert b"open the address that robotix printed" in body


def test_names_that_are_not_ours_are_refused(room: ServedRoom) -> None:
    """A stranger's name that points to this machine must not do."""
    for host in ("evil.example", "evil.example:80", "", "[::1", "127.0.0.1.evil.example"):
        assert ask(room, "/api/health", Host=host, Cookie=room.cookie)[0] in (400, 421)
        assert ask(room, f"/login?t={TOKEN}", Host=host)[0] in (400, 421)
    own = f"localhost:{room.hosting.port}"
    assert ask(room, "/api/health", Host=own, Cookie=room.cookie)[0] == 200


def test_programs_show_the_token_itself(room: ServedRoom) -> None:
    assert ask(room, "/api/health", Authorization=f"Bearer {TOKEN}")[0] == 200
    assert ask(room, "/api/health", Authorization=f"Bearer {TOKEN}x")[0] == 401
    assert ask(room, "/api/health", Authorization=f"Basic {TOKEN}")[0] == 401


def test_other_sites_cannot_post(room: ServedRoom) -> None:
    post = "/api/snapshots"
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{room.hosting.port}0"):
        status, _, body = ask(room, post, method="POST", Cookie=room.cookie, Origin=origin)
        assert status == 403 and b"another site" in body
    assert ask(room, post, method="POST", Cookie=room.cookie)[0] == 403
    assert ask(room, post, method="POST", Cookie=room.cookie, Origin=room.origin)[0] == 503


def test_headers_keep_strangers_out(room: ServedRoom) -> None:
    _, headers, _ = ask(room, "/api/health", Cookie=room.cookie)
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


@pytest.mark.parametrize(
    "cookie, origin",
    [
        ("", None),
        ("robotix=wrong", None),
        (None, "http://evil.example"),
        (None, "null"),
        (None, "https://127.0.0.1:1"),
    ],
)
def test_the_socket_opens_only_for_our_pages(
    room: ServedRoom, cookie: str | None, origin: str | None
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        room.socket(cookie=cookie, origin=origin)
    assert refused.value.response.status_code == 403


def test_files_out_of_the_page_are_not_served(room: ServedRoom) -> None:
    for path in (
        "/../app.py",
        "/%2e%2e/app.py",
        "/..%2fapp.py",
        "//etc/passwd",
        "/assets/../../app.py",
    ):
        status, _, body = ask(room, path, Cookie=room.cookie)
        assert status in (400, 404) and b"import" not in body


# -- tokens ---------------------------------------------------------------------------------


def test_the_token_of_a_machine_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROBOTIX_TOKEN", raising=False)
    monkeypatch.setenv("ROBOTIX_STATE", str(tmp_path / "state"))
    token = machine_token()
    assert len(token) >= 24 and machine_token() == token
    file = tmp_path / "state" / "token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert machine_token(renew=True) != token


def test_a_token_that_others_could_have_read_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROBOTIX_TOKEN", raising=False)
    monkeypatch.setenv("ROBOTIX_STATE", str(tmp_path))
    token = machine_token()
    os.chmod(tmp_path / "token", 0o644)
    assert machine_token() != token
    (tmp_path / "token").write_bytes(b"\xff broken")
    assert len(machine_token()) >= 24


def test_a_token_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOTIX_TOKEN", "chosen-by-hand-12345")
    assert machine_token() == "chosen-by-hand-12345"
    monkeypatch.setenv("ROBOTIX_TOKEN", "short")
    with pytest.raises(ValueError, match="16 or more"):
        machine_token()


def test_the_token_cannot_be_told_from_the_cookie() -> None:
    access = Access.of(TOKEN)
    assert TOKEN not in access.cookie and len(access.cookie) == 64
    assert Access.of(TOKEN + "x").cookie != access.cookie


def test_other_names_are_known_when_they_are_told() -> None:
    access = Access.of(TOKEN, ["192.168.1.5", "Robot.local"])
    for host, known in (("192.168.1.5:8642", True), ("robot.local", True), ("robot", False)):
        assert access.is_known_host(Headers({"host": host})) is known


# -- ports ----------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_told(room: ServedRoom) -> None:
    with pytest.raises(PortTaken, match=r"is in use.*--port 0"):
        Hosting(RoomService(), Access.of(TOKEN), port=room.hosting.port)
