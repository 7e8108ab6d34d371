"""Pages come, go and come back; several at once; light and dark, large and small."""

from __future__ import annotations

from typing import Literal

import pytest
from browser.conftest import READY, Opened, OpenPage, Served, ServeRoom
from browser.picture.conftest import HUM, LEASE, SCENE, SOUNDS

# -- coming and going ---------------------------------------------------------------------------


def test_a_lost_connection_comes_back_without_a_reload(page: Opened) -> None:
    page.ask("void (window.mark = 1)")
    before = page.ask("window.sockets.length")
    page.ask("void window.sockets.at(-1).close()")
    page.until("window.sockets.length > arg && app.connection.state === 'open'", before)
    page.ticks(5)
    assert page.ask("window.mark") == 1
    page.until("!document.querySelector('#banner-connection')")


def test_a_server_that_starts_anew_is_found_again(serve: ServeRoom, open_page: OpenPage) -> None:
    first = serve(SCENE, beside=SOUNDS)
    page = open_page(
        first, is_drawn=False, allow_errors=True
    )  # the browser complains of refused connections
    page.ask("void (window.mark = 1)")
    first.stop()
    page.page.locator("#banner-connection").wait_for()
    answer = page.page.evaluate("() => window.robotix.connection.command('stop')")
    assert not answer["ok"] and answer["text"]
    port = first.origin.rsplit(":", 1)[1]
    serve(SCENE, "--port", port, beside=SOUNDS)
    page.until("app.connection.state === 'open' && app.room.tick > 0")
    page.ticks(3)
    assert page.ask("window.mark") == 1


def test_a_page_of_another_version_is_asked_to_reload(page: Opened) -> None:
    page.ask("void (window.mark = 1)")
    page.page.evaluate(
        """() => {
          const { send } = WebSocket.prototype
          WebSocket.prototype.send = function (data) {
            send.call(this, data.replace(/"version": *\\d+/, '"version":999'))
          }
          window.sockets.at(-1).close()
        }"""
    )
    page.page.locator("#banner-version").wait_for()
    page.page.locator("#banner-version").get_by_role("button", name="Reload").click()
    page.page.wait_for_function(f"() => window.mark === undefined && ({READY})()")
    assert page.page.locator("#banner-version").count() == 0


def test_two_pages_show_one_room_and_one_of_them_drives(
    page: Opened, room: Served, open_page: OpenPage
) -> None:
    other = open_page(room, is_drawn=False)
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
    page: Opened, scheme: Literal["dark", "light"]
) -> None:
    page.page.emulate_media(color_scheme=scheme)
    page.until("document.documentElement.dataset.theme === arg", scheme)
    page.page.locator("#tool-theme").click()
    other = "light" if scheme == "dark" else "dark"
    page.until("document.documentElement.dataset.theme === arg", other)


def test_panels_are_sheets_from_below_on_a_phone(page: Opened) -> None:
    page.resize((390, 700))
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
    assert {"ellipsoid", "workspace", "frames", "trail", "obstacles", "contacts", "stops"} <= set(
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


def test_sound_waits_for_a_gesture_and_comes_from_where_it_is_made(page: Opened) -> None:
    page.page.reload()
    page.page.wait_for_function(READY)
    assert not page.ask("app.sound.isAwake || window.panners.length")
    page.page.mouse.click(320, 340)
    page.until("app.sound.isAwake")
    at = """window.panners.some(({positionX: x, positionY: y, positionZ: z}) =>
      Math.hypot(x.value - arg[0], y.value - arg[1], z.value - arg[2]) < 0.02)"""
    page.until(at, HUM)  # it hummed before anybody could hear it
    page.until(at, page.tip())  # the motors of the arm
    assert page.ask("window.panners[0].context.state") == "running"
    page.page.locator("#tool-sound").click()
    assert page.ask("app.sound.isMuted") is True
