"""Acting without a keyboard: what rules do by keys, as buttons; and Stop."""

from __future__ import annotations

from browser.driving.conftest import PHONE, Drive, check_rest, command

JOINT = "app.room.states.get('arm').q[0]"


def test_a_rule_is_a_button_that_acts_as_long_as_it_is_held(drive: Drive) -> None:
    page = drive(drives=False, size=PHONE, has_touch=True)
    if page.page.locator(".action-bar").is_hidden():
        page.page.click(".action-toggle")
    start = page.ask(JOINT)
    box = page.page.locator(".action[data-key=J]").bounding_box()
    assert box is not None
    page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.page.mouse.down()
    page.until(f"{JOINT} - arg > 0.05", start)
    page.page.mouse.up()
    check_rest(page)


def test_stop_is_always_in_sight_and_escape_stops_too(drive: Drive) -> None:
    page = drive(drives=False)
    for way in ("button", "key"):
        command(page, "move @2000;(40, 30, 0, -70, 0, 50, 0)")
        page.until("app.room.states.get('arm').is_moving")
        if way == "button":
            page.page.click("#stop-all")
        else:
            page.page.keyboard.press("Escape")
        check_rest(page)
        assert page.ask(JOINT) < 0.6  # 40 degrees are 0.7 rad


def test_help_shows_the_keys_of_devices_and_no_key_twice(drive: Drive) -> None:
    page = drive(drives=False)
    page.page.keyboard.press("?")
    marked = page.page.locator(".p-key.room")
    names = {marked.nth(i).inner_text() for i in range(marked.count())}
    page.page.keyboard.press("?")
    assert {"J", "Q", "E"} <= names
