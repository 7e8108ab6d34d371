"""The picture and the page around it: what is drawn where, cameras, stereo, coming back."""

from __future__ import annotations

import base64
import io
import urllib.request

import numpy as np
import pytest
from browser.conftest import Opened, Served
from browser.picture.conftest import EYE, FIELD_OF_VIEW, RED
from numpy.typing import NDArray
from PIL import Image

Picture = NDArray[np.float64]  # (height, width, 3), 0..1

SIZE = (320, 180)  # pixels of pictures taken


def _take(page: Opened, viewpoint: str = "eye", size: tuple[int, int] = SIZE) -> Picture:
    """Return a snapshot."""
    wish = {"width": size[0], "height": size[1], "viewpoint": viewpoint}
    data: str = page.page.evaluate(
        """async (wish) => {
          const blob = await window.robotix.stage.snapshot(wish)
          const bytes = new Uint8Array(await blob.arrayBuffer())
          return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
        }""",
        wish,
    )
    image = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    return np.asarray(image, float) / 255


def _reds(picture: Picture) -> NDArray[np.bool_]:
    red, green, blue = np.moveaxis(picture, -1, 0)
    is_red: NDArray[np.bool_] = (red > 0.25) & (green < 0.4 * red) & (blue < 0.4 * red)
    return is_red


def _extent(mask: NDArray[np.bool_]) -> tuple[float, float, float, float]:
    """Return left, right, top, bottom of what is set, in pixels."""
    rows, columns = np.nonzero(mask)
    assert len(rows), "nothing is there"
    return columns.min(), columns.max() + 1, rows.min(), rows.max() + 1


def _screen(page: Opened, node: str) -> tuple[float, float]:
    """Return where the middle of a node is on the page, in pixels."""
    x, y = page.ask(
        """(() => {
          const { camera, canvas } = app.stage
          const at = app.room.node(arg).object.position.clone()
          const seen = app.room.root.localToWorld(at).project(camera)
          const box = canvas.getBoundingClientRect()
          return [box.left + (1 + seen.x) / 2 * box.width, box.top + (1 - seen.y) / 2 * box.height]
        })()""",
        node,
    )
    return x, y


def _focal(size: tuple[int, int]) -> float:
    """Return the focal length in pixels."""
    return size[1] / 2 / float(np.tan(np.deg2rad(FIELD_OF_VIEW) / 2))


# -- what is drawn ------------------------------------------------------------------------------


def test_a_box_is_drawn_where_it_is(page: Opened) -> None:
    reds = _reds(_take(page))
    depth = RED[0] - 0.2 - EYE[0]  # of its face
    half = 0.2 / depth * _focal(SIZE)
    middle = SIZE[0] / 2, SIZE[1] / 2
    expected = (middle[0] - half, middle[0] + half, middle[1] - half, middle[1] + half)
    np.testing.assert_allclose(_extent(reds), expected, atol=2)


def test_what_is_hidden_is_not_drawn_and_comes_back(page: Opened) -> None:
    page.page.evaluate("() => window.robotix.connection.command('hide red')")
    page.until("!app.room.node('red').object.visible")
    assert not _reds(_take(page)).any()
    page.page.evaluate("() => window.robotix.connection.command('show red')")
    page.until("app.room.node('red').object.visible")
    assert _reds(_take(page)).any()


def test_a_wireframe_lets_one_see_through(page: Opened) -> None:
    whole = _reds(_take(page)).sum()
    page.page.evaluate("() => window.robotix.connection.command('wireframe red; on')")
    page.until("app.room.node('red').object.children[0].material.wireframe")
    assert 0 < _reds(_take(page)).sum() < 0.5 * whole
    page.page.evaluate("() => window.robotix.connection.command('wireframe red; off')")
    page.until("!app.room.node('red').object.children[0].material.wireframe")


def test_the_whole_room_can_be_seen_as_wires_and_its_things_by_name(page: Opened) -> None:
    whole = _reds(_take(page)).sum()
    page.ask("app.shell.open('view', true)")
    page.page.locator("[data-id=all-wireframe]").check()
    assert 0 < _reds(_take(page)).sum() < 0.5 * whole
    assert not page.ask("app.room.node('red').info.wireframe")  # it is but how this page looks
    page.page.locator("[data-id=all-wireframe]").uncheck()
    assert _reds(_take(page)).sum() == whole
    page.page.locator("[data-id=overlay-names]").check()
    shown = "[...document.querySelectorAll('.label:not([hidden])')].map((l) => l.textContent)"
    page.until(f"['arm', 'red'].every((name) => {shown}.includes(name))")
    assert not {"wall", "floor"} & set(page.ask(shown))
    page.page.locator("[data-id=overlay-names]").uncheck()
    page.until(f"!{shown}.includes('red')")


def test_every_quality_draws_the_same_thing(page: Opened) -> None:
    small = (96, 54)
    extents = []
    for quality in ("low", "medium", "high"):
        page.ask("void (app.stage.quality = arg)", quality)
        extents.append(_extent(_reds(_take(page, size=small))))
    np.testing.assert_allclose(extents, extents[:1] * 3, atol=2)


def test_a_program_gets_a_picture(page: Opened, room: Served) -> None:
    request = urllib.request.Request(
        f"{room.origin}/api/snapshots",
        data=b'{"viewpoint": "eye", "width": 160, "height": 90}',
        headers={"Authorization": f"Bearer {room.token}"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        image = Image.open(io.BytesIO(answer.read())).convert("RGB")
    assert image.size == (160, 90)
    assert _reds(np.asarray(image, float) / 255).any()
    assert page.ask("app.connection.state") == "open"


# -- choosing -----------------------------------------------------------------------------------


def test_a_click_chooses_and_a_click_beside_does_not(page: Opened) -> None:
    page.ask("app.stage.focus('red')")
    page.still()
    x, y = _screen(page, "red")
    page.page.mouse.move(x, y)
    page.until("app.selection.hovered?.info.name === 'red'")
    page.page.mouse.click(x, y)
    page.until("app.selection.node?.info.name === 'red'")
    page.until("[...document.querySelectorAll('.label.strong')].some(l => l.textContent === 'red')")
    page.page.keyboard.press("Escape")
    page.until("!app.selection.node")


def test_a_drag_turns_the_view_and_chooses_nothing(page: Opened) -> None:
    page.ask("app.stage.focus('red')")
    page.still()
    before = page.ask("app.stage.camera.position.toArray()")
    x, y = _screen(page, "red")
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x + 60, y + 10, steps=4)
    page.page.mouse.up()
    page.until(
        "app.stage.camera.position.toArray().some((v, k) => Math.abs(v - arg[k]) > 0.1)", before
    )
    assert page.ask("app.selection.node") is None


def test_something_else_that_is_dragged_keeps_the_view(page: Opened) -> None:
    page.frames(3)
    before = page.ask("app.stage.camera.position.toArray()")
    page.ask("void (app.stage.cameraIsFree = false)")
    page.page.mouse.move(320, 200)
    page.page.mouse.down()
    page.page.mouse.move(400, 220, steps=3)
    page.page.mouse.up()
    page.frames(2)
    np.testing.assert_allclose(page.ask("app.stage.camera.position.toArray()"), before, atol=1e-3)
    page.ask("void (app.stage.cameraIsFree = true)")


# -- cameras ------------------------------------------------------------------------------------


def test_one_sits_where_the_viewpoint_is(page: Opened) -> None:
    page.ask("app.stage.goTo('eye')")
    page.still()
    assert page.ask("[app.stage.mode, app.stage.viewpoint]") == ["seated", "eye"]
    x, y, z = EYE
    np.testing.assert_allclose(
        page.ask("app.stage.camera.position.toArray()"), [x, z, -y], atol=1e-4
    )
    page.ask("app.stage.goTo('')")
    assert page.ask("app.stage.mode") == "orbit"


def test_the_wheel_comes_nearer_to_what_is_under_the_mouse(page: Opened) -> None:
    page.ask("app.stage.focus('red')")
    page.still()
    x, y = _screen(page, "red")
    away = """(() => {
      const eye = app.stage.camera.position
      return eye.distanceTo(app.room.node('red').object.getWorldPosition(eye.clone()))
    })()"""
    before = page.ask(away)
    page.page.mouse.move(x, y)
    page.page.mouse.wheel(0, -400)
    page.until(f"{away} < 0.9 * arg", before)
    page.still()
    np.testing.assert_allclose(_screen(page, "red"), (x, y), atol=6)


def test_flying_leaves_the_rooms_keys_alone(page: Opened) -> None:
    page.ask("void (app.stage.mode = 'fly')")
    before = page.ask("app.stage.camera.position.toArray()")
    page.page.keyboard.down("w")  # a key of this room
    page.frames(3)
    page.page.keyboard.up("w")
    np.testing.assert_allclose(page.ask("app.stage.camera.position.toArray()"), before, atol=1e-6)
    page.page.keyboard.down("ArrowUp")
    page.until(
        "app.stage.camera.position.toArray().some((v, k) => Math.abs(v - arg[k]) > 0.05)", before
    )
    page.page.keyboard.up("ArrowUp")


def test_a_wall_in_the_way_is_taken_away(page: Opened) -> None:
    seen = "app.room.node('wall').object.children[0].visible"
    page.ask("app.stage.focus('red')")
    page.still()
    middle = page.page.viewport_size or {"width": 640, "height": 360}
    page.page.mouse.move(middle["width"] / 2, middle["height"] / 2)
    for _ in range(8):  # turn about the box until the wall comes between
        if not page.ask(seen):
            break
        page.page.mouse.down()
        page.page.mouse.move(middle["width"] / 2 + 80, middle["height"] / 2, steps=2)
        page.page.mouse.up()
        page.page.mouse.move(middle["width"] / 2, middle["height"] / 2)
        page.still()  # it has faded
    from_inside = _take(page)  # there the wall stands
    assert not page.ask(seen)
    page.ask("app.stage.goTo('eye')")
    page.until(seen)
    page.still()
    assert np.abs(from_inside - _take(page)).mean() < 0.01


def test_a_double_click_brings_a_thing_to_the_middle(page: Opened) -> None:
    page.ask("app.stage.goTo('eye')")
    page.still()
    page.page.mouse.dblclick(*_screen(page, "red"))
    page.until("app.stage.mode === 'orbit'")
    page.still()
    box = page.page.viewport_size or {"width": 640, "height": 360}
    np.testing.assert_allclose(_screen(page, "red"), (box["width"] / 2, box["height"] / 2), atol=3)


def test_two_clicks_measure(page: Opened) -> None:
    page.ask("app.stage.goTo('eye')")
    page.ask("void (app.measure.isOn = true)")
    page.still()
    x, y = _screen(page, "red")
    focal = _focal((640, 360)) / (RED[0] - 0.2 - EYE[0])  # pixels a metre on the face
    page.page.mouse.click(x - 0.1 * focal, y)
    page.page.mouse.click(x + 0.1 * focal, y)
    page.until("app.measure.distance !== undefined")
    assert page.ask("app.measure.distance") == pytest.approx(0.2, abs=0.01)
    assert page.ask("app.selection.node") is None
    page.page.keyboard.press("Escape")
    assert page.ask("app.measure.isOn") is False


# -- two eyes -----------------------------------------------------------------------------------


def _middle(mask: NDArray[np.bool_]) -> float:
    left, right, _, _ = _extent(mask)
    return (left + right) / 2


@pytest.mark.parametrize("convergence", [1.2, 10.0])
def test_eyes_see_a_thing_apart_by_its_distance(page: Opened, convergence: float) -> None:
    eyes = 0.3  # m; wide, so that pixels tell
    page.ask(
        "void Object.assign(app.stage, {eyeDistance: arg[0], convergence: arg[1]})",
        [eyes, convergence],
    )
    page.ask("void (app.stage.stereo = 'side_by_side')")
    size = (480, 180)
    picture = _take(page, size=size)
    half = size[0] // 2
    left, right = (_middle(_reds(part)) for part in (picture[:, :half], picture[:, half:]))
    depth = RED[0] - 0.2 - EYE[0]
    expected = _focal(size) * eyes * (1 / depth - 1 / convergence)
    # Nearer than the point where the eyes meet: the left eye sees it further right.
    assert left - right == pytest.approx(expected, abs=2.5)


def test_red_is_what_the_left_eye_sees_and_cyan_the_right(page: Opened) -> None:
    page.ask("void Object.assign(app.stage, {eyeDistance: 0.2, convergence: 4})")
    page.ask("void (app.stage.stereo = 'interlaced')")
    rows = _take(page)
    page.ask("void (app.stage.stereo = 'anaglyph')")
    mixed = _take(page)
    left, right = rows[0::2], rows[1::2]  # the first row is the left eye's
    bright = _encoded(_linear(left) @ [0.2126, 0.7152, 0.0722])
    np.testing.assert_allclose(mixed[0::2, :, 0], bright, atol=0.03)
    np.testing.assert_allclose(mixed[1::2, :, 1:], right[:, :, 1:], atol=0.01)
    assert _middle(_reds(left)) > _middle(_reds(right)) + 3


def _linear(shown: Picture) -> Picture:
    return np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)


def _encoded(linear: Picture) -> Picture:
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
