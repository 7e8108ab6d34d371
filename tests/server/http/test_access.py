"""Only those come in who know the token, by our names, from our own pages."""

from __future__ import annotations

import http.client
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.datastructures import Headers
from support.served_room import TOKEN, Page, ServedRoom, served
from websockets.exceptions import InvalidStatus

from robotix.files.user_state import state_folder, write_private
from robotix.scene.scene import Scene
from robotix.server import Access, Hosting, PortTaken, RoomService, machine_token
from robotix.server.http.sessions import SESSION_TIME, LoginCodes, Sessions
from robotix.server.live.connection import NOT_LOGGED_IN
from robotix.server.wire.protocol import VERSION


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


def inside(room: ServedRoom) -> dict[str, str]:
    return {"Cookie": room.cookie, "X_Robotix_Key": room.key}


GUARDED = ["/", "/index.html", "/api/health", "/mesh/0", "/skin/0", "/sound/a.wav",
           "/api/workspace/arm"]  # fmt: skip


@pytest.mark.parametrize("path", GUARDED)
def test_nothing_is_shown_without_a_cookie(room: ServedRoom, path: str) -> None:
    for headers in (
        {},
        {"Cookie": f"robotix_{room.hosting.port}=wrong"},
        {"Cookie": f"robotix={TOKEN}"},
    ):
        status, _, body = ask(room, path, **headers)
        assert status == 401 and b"address that robotix printed" in body


def test_the_token_lets_a_browser_in_and_leaves_the_address(room: ServedRoom) -> None:
    status, headers, _ = ask(room, f"/login?t={TOKEN}")
    assert status == 303 and headers["location"].startswith("/#key=drive.")
    assert headers["cache-control"] == "no-store"
    key = headers["location"].removeprefix("/#key=")
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and TOKEN not in cookie
    status, _, body = ask(room, "/api/health", Cookie=cookie.split(";")[0], X_Robotix_Key=key)
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
        assert ask(room, "/api/health", Host=host, Cookie=room.cookie, X_Robotix_Key=room.key)[
            0
        ] in (400, 421)
        assert ask(room, f"/login?t={TOKEN}", Host=host)[0] in (400, 421)
    own = f"localhost:{room.hosting.port}"
    assert ask(room, "/api/health", Host=own, **inside(room))[0] == 200


def test_programs_show_the_token_itself(room: ServedRoom) -> None:
    assert ask(room, "/api/health", Authorization=f"Bearer {TOKEN}")[0] == 200
    assert ask(room, "/api/health", Authorization=f"Bearer {TOKEN}x")[0] == 401
    assert ask(room, "/api/health", Authorization=f"Basic {TOKEN}")[0] == 401


def test_other_sites_cannot_post(room: ServedRoom) -> None:
    post = "/api/snapshots"
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{room.hosting.port}0"):
        status, _, body = ask(room, post, method="POST", **inside(room), Origin=origin)
        assert status == 403 and b"another site" in body
    assert ask(room, post, method="POST", **inside(room))[0] == 403
    assert ask(room, post, method="POST", **inside(room), Origin=room.origin)[0] == 503


def test_headers_keep_strangers_out(room: ServedRoom) -> None:
    _, headers, _ = ask(room, "/api/health", **inside(room))
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    own = f"ws://127.0.0.1:{room.hosting.port}"
    assert f"connect-src 'self' {own};" in headers["content-security-policy"]
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
    sessions = Sessions(TOKEN, clock=lambda: 0.0)
    for secret in (sessions.cookie(), sessions.key(), sessions.watch_token):
        assert TOKEN not in secret and len(secret) >= 32
    assert Sessions(TOKEN + "x", clock=lambda: 0.0).cookie() != sessions.cookie()


def test_other_names_are_known_when_they_are_told() -> None:
    access = Access.of(TOKEN, ["192.168.1.5", "Robot.local"])
    for host, known in (("192.168.1.5:8642", True), ("robot.local", True), ("robot", False)):
        assert access.is_known_host(Headers({"host": host})) is known


# -- ports ----------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_told(room: ServedRoom) -> None:
    with pytest.raises(PortTaken, match=r"is in use.*--port 0"):
        Hosting(RoomService(), Access.of(TOKEN), port=room.hosting.port)


# -- sessions -------------------------------------------------------------------------------


def test_the_cookie_alone_which_browsers_send_to_every_port_opens_nothing_of_the_room(
    room: ServedRoom,
) -> None:
    assert ask(room, "/", Cookie=room.cookie)[0] in (200, 503)  # the page itself is no secret
    for path in GUARDED[2:]:
        assert ask(room, path, Cookie=room.cookie)[0] == 401
    for post in ("/api/snapshots", "/api/wizard", "/api/wizard/mesh"):
        status, _, _ = ask(room, post, method="POST", Cookie=room.cookie, Origin=room.origin)
        assert status == 401
    with room.socket() as socket:
        page = Page(socket)
        page.send("hello", version=VERSION)
        assert page.closed()[0] == NOT_LOGGED_IN


def test_a_session_is_bound_to_its_port_and_ends() -> None:
    now = 1e9
    sessions = Sessions(TOKEN, 8642, clock=lambda: now)
    cookie, key = sessions.cookie(), sessions.key()
    assert sessions.is_cookie(cookie) and sessions.role_of(key) == "drive"
    assert not sessions.is_cookie(key) and sessions.role_of(cookie) is None
    other = Sessions(TOKEN, 8643, clock=lambda: now)
    assert not other.is_cookie(cookie) and other.role_of(key) is None
    now += SESSION_TIME + 1
    assert not sessions.is_cookie(cookie) and sessions.role_of(key) is None
    later = key.replace(".1", ".2", 1)
    for text in ("", ".", "..", "drive", "drive.", "drive.x.y", "drive.²." + "0" * 64, later):
        assert sessions.role_of(text) is None


def test_a_login_code_works_once_and_not_for_long() -> None:
    now = 0.0
    codes = LoginCodes(clock=lambda: now)
    code, late = codes.make(), codes.make()
    assert codes.use(code) and not codes.use(code) and not codes.use("")
    now = 1000.0
    assert not codes.use(late)
    for _ in range(1000):
        code = codes.make()
    assert len(codes._ends) <= 16 and codes.use(code)


def test_a_one_time_address_lets_in_once(room: ServedRoom) -> None:
    path = room.hosting.one_time_address().split(str(room.hosting.port))[1]
    assert TOKEN not in path
    assert ask(room, path)[0] == 303
    status, headers, _ = ask(room, path)
    assert status == 401 and "set-cookie" not in headers


def test_those_who_may_watch_can_stop_but_not_drive(room: ServedRoom) -> None:
    path = room.hosting.watch_addresses[0].split(str(room.hosting.port))[1]
    status, headers, _ = ask(room, path)
    assert status == 303 and TOKEN not in path
    key = headers["location"].removeprefix("/#key=")
    given = {"Cookie": room.cookie, "X_Robotix_Key": key, "Origin": room.origin}
    assert ask(room, "/api/health", **given)[0] == 200
    assert ask(room, "/api/snapshots", method="POST", **given)[0] == 403
    with room.page(key=key) as page:
        page.send("ask_control", take=True)
        assert "may only watch" in page.until("said")["text"]
        assert room.service.lease.holder == ""
        assert not page.command("hide world")["ok"]


# -- odd requests ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/%00", "/" + "x" * 300, "/" + "x" * 6000, "/assets/%00", "/%ff"])
def test_a_name_that_no_file_can_have_is_not_found(room: ServedRoom, path: str) -> None:
    assert ask(room, path, **inside(room))[0] in (400, 404)


@pytest.mark.parametrize(
    "origin", ["http://[", "http://[::1", "http://a]b", "://", "http://\u00ff"]
)
def test_a_malformed_origin_is_another_site(room: ServedRoom, origin: str) -> None:
    assert ask(room, "/api/health", Origin=origin, **inside(room))[0] == 403
    with pytest.raises(InvalidStatus) as refused:
        room.socket(origin=origin)
    assert refused.value.response.status_code == 403


def test_an_origin_by_another_scheme_and_a_host_with_a_user_are_refused(room: ServedRoom) -> None:
    origin = room.origin.replace("http:", "https:")
    assert ask(room, "/api/health", Origin=origin, **inside(room))[0] == 403
    host = f"evil@127.0.0.1:{room.hosting.port}"
    assert ask(room, "/api/health", Host=host, **inside(room))[0] == 421


def test_too_large_a_body_is_refused_and_not_taken_for_an_empty_one(room: ServedRoom) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", room.hosting.port, timeout=30)
    headers = {"Cookie": room.cookie, "X-Robotix-Key": room.key, "Origin": room.origin}
    connection.request("POST", "/api/snapshots", body=b"x" * 20_000, headers=headers)
    assert connection.getresponse().status == 413
    connection.close()


# -- state ----------------------------------------------------------------------------------


def test_a_private_file_follows_no_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "token").symlink_to(victim)
    write_private(tmp_path / "token", b"secret")
    assert victim.read_text() == "mine" and not (tmp_path / "token").is_symlink()
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_a_state_folder_that_others_can_enter_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOTIX_STATE", str(tmp_path / "state"))
    (tmp_path / "state").mkdir(mode=0o777)
    os.chmod(tmp_path / "state", 0o777)
    assert stat.S_IMODE(state_folder().stat().st_mode) == 0o700


def test_without_a_folder_for_it_the_token_is_for_this_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("ROBOTIX_TOKEN", raising=False)
    monkeypatch.setenv("ROBOTIX_STATE", str(tmp_path / "file" / "state"))  # cannot be made
    token = machine_token()
    assert len(token) >= 24 and machine_token() == token
    assert stat.S_IMODE(state_folder().stat().st_mode) == 0o700
