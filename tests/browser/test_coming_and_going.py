"""Pages come, go and come back; several at once; light and dark, large and small."""

from __future__ import annotations

import pytest
from browser.conftest import Opened, OpenPage, Served, ServeRoom
from browser.core_room import LEASE, SCENE, calm


@pytest.fixture(scope="module")
def room(serve_module: ServeRoom) -> Served:
    """A red box before an eye."""
    return serve_module(SCENE)


@pytest.fixture
def page(room: Served, open_page: OpenPage) -> Opened:
    """A page in control, with the looks of a slow machine, which are the same everywhere."""
    return calm(open_page(room))


# -- coming and going ---------------------------------------------------------------------------

KEEP_SOCKETS = """
window.sockets = []
window.WebSocket = class extends WebSocket {
  constructor(...args) { super(...args); window.sockets.push(this) }
}
"""


def test_a_lost_connection_comes_back_without_a_reload(room: Served, open_page: OpenPage) -> None:
    page = open_page(room, init=KEEP_SOCKETS)
    page.ask("void (window.mark = 1)")
    page.ask("void window.sockets.at(-1).close()")
    page.until("window.sockets.length > 1 && app.connection.state === 'open'")
    page.ticks(5)
    assert page.ask("window.mark") == 1
    page.until("!document.querySelector('#banner-connection')")


def test_a_server_that_starts_anew_is_found_again(serve: ServeRoom, open_page: OpenPage) -> None:
    first = serve(SCENE)
    page = open_page(first, allow_errors=True)  # the browser complains of refused connections
    page.ask("void (window.mark = 1)")
    first.stop()
    page.page.locator("#banner-connection").wait_for()
    answer = page.page.evaluate("() => window.robotix.connection.command('stop')")
    assert not answer["ok"] and answer["text"]
    port = first.origin.rsplit(":", 1)[1]
    serve(SCENE, "--port", port)
    page.until("app.connection.state === 'open' && app.room.tick > 0")
    page.ticks(3)
    assert page.ask("window.mark") == 1


def test_two_pages_show_one_room_and_one_of_them_drives(
    page: Opened, room: Served, open_page: OpenPage
) -> None:
    page.until(LEASE)
    other = open_page(room)
    other.until("app.control.holder !== '' && !app.control.isMine")
    assert "Take control" in (other.page.locator("#lease").text_content() or "")
    refused = other.page.evaluate(
        "() => window.robotix.connection.command('place red; (0.5, 0.3, 0.6)')"
    )
    assert not refused["ok"]
    done = page.page.evaluate(
        "() => window.robotix.connection.command('place red; (0.5, 0.4, 0.6)')"
    )
    assert done["ok"], done
    for each in (page, other):
        each.until("Math.abs(app.room.node('red').object.position.y - 0.4) < 1e-5")
    other.page.locator("#lease").click()
    other.until(LEASE)
    page.until("!app.control.isMine")
    back = other.page.evaluate("() => window.robotix.connection.command('undo')")
    assert back["ok"], back
    for each in (page, other):
        each.until("Math.abs(app.room.node('red').object.position.y) < 1e-5")


# -- the page itself ----------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_page_is_dark_or_light_as_the_system_and_can_be_changed(
    room: Served, open_page: OpenPage, scheme: str
) -> None:
    page = open_page(room, scheme=scheme)
    assert page.ask("document.documentElement.dataset.theme") == scheme
    page.page.locator("#tool-theme").click()
    other = "light" if scheme == "dark" else "dark"
    page.until("document.documentElement.dataset.theme === arg", other)


def test_panels_are_sheets_from_below_on_a_phone(room: Served, open_page: OpenPage) -> None:
    page = open_page(room, size=(390, 700), has_touch=True)
    button = page.page.locator(".rail button").first
    button.click()
    panel = page.page.locator(".panel:not([hidden])")
    box, bar = panel.bounding_box(), page.page.locator(".rails").bounding_box()
    assert box and bar
    assert box["width"] == 390 and box["y"] > 200
    assert bar["y"] + bar["height"] == pytest.approx(700, abs=1)
    page.page.locator(".rail button").last.click()
    assert page.page.locator(".panel:not([hidden])").count() == 1


def test_overlays_can_be_switched_on_and_off(page: Opened) -> None:
    names: list[str] = page.ask("app.overlays.all.map((overlay) => overlay.name)")
    assert {"ellipsoid", "workspace", "frames", "trail", "obstacles", "contacts", "stops"} == set(
        names
    )
    count = "app.room.root.children.length"
    page.ask("app.overlays.all.forEach((overlay) => overlay.toggle(false))")
    before = page.ask(count)
    page.ask("app.overlays.all.forEach((overlay) => overlay.toggle(true))")
    assert page.ask("app.overlays.all.every((overlay) => overlay.isOn)")
    page.until("app.room.root.children.some((child) => child.isPoints)")  # the workspace has come
    page.frames(2)
    page.ask("app.overlays.all.forEach((overlay) => overlay.toggle(false))")
    assert page.ask(count) == before


def test_sound_waits_for_a_gesture(page: Opened) -> None:
    page.page.mouse.click(320, 340)
    page.until("app.sound.isAwake")
    page.page.locator("#tool-sound").click()
    assert page.ask("app.sound.isMuted") is True
