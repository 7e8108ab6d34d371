"""A screen that stands somewhere: what is drawn where, for heads at known places."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from browser.conftest import Keeper, Opened, OpenPage, Served, ServeRoom
from browser.driving.patience import patient_devices
from numpy.typing import NDArray
from PIL import Image

SIZE = (400, 200)  # pixels of the page: as wide as the screen is
SCREEN = (2.0, 1.0)  # m
AT = (1.0, 0.0, 1.0)  # m, the middle of the screen; who looks along x stands before it
BALL = (2.0, 0.3, 1.2)  # m, the middle of the ball, behind the screen
RADIUS = 0.08  # m
SCENE = f"""\
robotix: 1
name: Screen
objects:
  ball: {{sphere: {RADIUS}, at: {list(BALL)}, material: {{colour: "#e01010"}}}}
  far_wall: {{box: [0.1, 8, 6], at: [4, 0, 2], material: {{colour: "#c8c8c8"}}}}
  landmark_a: {{sphere: 0.01, at: [0, 0, 0.5]}}
  landmark_b: {{sphere: 0.01, at: [0.4, 0, 0.5]}}
  landmark_c: {{sphere: 0.01, at: [0, 0.5, 0.9]}}
"""
QUERY = f"screen={SCREEN[0]}x{SCREEN[1]}&at={AT[0]},{AT[1]},{AT[2]}"


@pytest.fixture(scope="module")
def room(keeper: Keeper) -> Served:
    """A red ball behind a window."""
    return keeper.room(SCENE)


def expected(eye: tuple[float, float, float]) -> tuple[float, float]:
    """Return where the line from an eye to the ball goes through the screen, in pixels."""
    share = (AT[0] - eye[0]) / (BALL[0] - eye[0])
    y, z = (eye[k] + share * (BALL[k] - eye[k]) for k in (1, 2))
    across = 0.5 - (y - AT[1]) / SCREEN[0]  # y is to the left
    down = 0.5 - (z - AT[2]) / SCREEN[1]
    return across * SIZE[0], down * SIZE[1]


def shot(page: Opened) -> NDArray[np.float64]:
    """Return what the page shows, 0..1."""
    page.page.add_style_tag(content=".toasts, .input-foot { display: none !important }")
    page.frames(3)
    image = Image.open(io.BytesIO(page.page.screenshot())).convert("RGB")
    return np.asarray(image, float) / 255


def middle(mask: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the mean column and row of what is set."""
    rows, columns = np.nonzero(mask)
    assert len(rows), "nothing is there"
    return float(columns.mean() + 0.5), float(rows.mean() + 0.5)


def reds(picture: NDArray[np.float64]) -> NDArray[np.bool_]:
    red, green, blue = np.moveaxis(picture, -1, 0)
    is_red: NDArray[np.bool_] = (red > 0.25) & (green < 0.4 * red) & (blue < 0.4 * red)
    return is_red


@pytest.mark.parametrize("eye", [(0.0, 0.0, 1.0), (-0.4, 0.5, 1.3), (0.3, -0.6, 0.8)])
def test_the_ball_is_seen_where_the_line_to_it_goes_through_the_screen(
    room: Served, open_page: OpenPage, eye: tuple[float, float, float]
) -> None:
    query = f"role=participant&{QUERY}&eye={eye[0]},{eye[1]},{eye[2]}"
    page = open_page(room, size=SIZE, query=query, sharpness=1)
    page.ask("void (app.stage.quality = 'low')")
    page.until("app.stage.fixedScreen !== undefined && app.stage.stats.pixelRatio === 1")
    np.testing.assert_allclose(middle(reds(shot(page))), expected(eye), atol=1.5)
    assert page.page.locator(".bar").is_hidden()  # the participant sees the room alone


def test_each_eye_has_its_own_picture(room: Served, open_page: OpenPage) -> None:
    apart = 0.2  # m: so far that the pixels tell
    query = f"role=spectator&{QUERY}&eye=0,0,1&stereo=side_by_side&eye_distance={apart}"
    page = open_page(room, size=SIZE, query=query, sharpness=1)
    page.ask("void (app.stage.quality = 'low')")
    page.until("app.stage.fixedScreen !== undefined && app.stage.stats.pixelRatio === 1")
    mask = reds(shot(page))
    half = SIZE[0] // 2
    for start, side in ((0, apart / 2), (half, -apart / 2)):  # the left eye is to the left: +y
        across, down = expected((0.0, side, 1.0))
        column, row = middle(mask[:, start : start + half])
        assert column == pytest.approx(across / 2, abs=1.5)  # each half shows the whole screen
        assert row == pytest.approx(down, abs=1.5)
    page.ask("void (app.stage.stereo = 'sequential')")
    signs = set()
    for _ in range(12):
        picture = shot(page)
        signs.add(round(float(picture[-10:, :10].mean())))
        column, _ = middle(reds(picture))
        side = apart / 2 if round(float(picture[-10:, :10].mean())) else -apart / 2
        assert column == pytest.approx(expected((0.0, side, 1.0))[0], abs=1.5)
    assert signs <= {0, 1}


# Sends what a headset sends, 0.2 m to the right and 0.3 m ahead at the height of the screen, and
# keeps for every tick on the screen where the eye was.
WEAR = """() => {
  const { connection, stage, room } = window.robotix
  let step = 0
  window.wearing = setInterval(() => {
    step += 1 // it is never at rest: nothing could be driven by it, but it is looked from
    const position = [0.2 + 0.1 * Math.sin(step / 10), 1.0, -0.3]
    const data = { position, orientation: [0, 0, 0, 1] }
    connection.send({ kind: 'device', device: 'headset', data })
  }, 20)
}"""
MIN_COMMON, MAX_LOOKS = 3, 30
KEEP_EYES = """() => {
  window.eyes = new Map()
  const { stage, room } = window.robotix
  stage.onFrame(() => {
    const head = stage.fixedScreen?.head.elements
    if (head) window.eyes.set(room.time.toFixed(6), [...head.slice(12, 15)])
  })
}"""


def test_the_head_is_tracked_and_two_windows_show_the_same_moment(
    serve: ServeRoom, open_page: OpenPage, tmp_path: Path
) -> None:
    served = serve(SCENE, "--devices", str(patient_devices(tmp_path)))
    left, right = (
        open_page(
            served, size=SIZE, query=f"{QUERY}&eye=0.2,0,1&delay=0.1&yaw_deg={yaw}", is_drawn=False
        )
        for yaw in (0, 20)
    )
    left.ask("app.control.ask(true)")
    left.until("app.control.isMine")
    left.page.evaluate(WEAR)
    for page in (left, right):
        page.until("Math.abs(app.stage.fixedScreen?.head.elements[12] - 0.3) < 0.01")
        page.page.evaluate(KEEP_EYES)
    for _ in range(MAX_LOOKS):  # slow pages rarely draw the same tick
        for page in (left, right):
            page.until("window.eyes.size > arg", page.ask("window.eyes.size") + 15)
        eyes = [dict(page.ask("[...window.eyes]")) for page in (left, right)]
        common = sorted(set(eyes[0]) & set(eyes[1]))
        if len(common) >= MIN_COMMON:
            break
    assert len(common) >= MIN_COMMON
    for time in common:
        assert eyes[0][time] == eyes[1][time]
    assert {round(eye[1], 9) for eye in eyes[0].values()} == {1.0}  # three's y is up
    head = np.array([eye for eye in eyes[0].values()])
    assert np.ptp(head[:, 2]) > 0.02  # it goes to and fro
    left.page.evaluate("() => clearInterval(window.wearing)")


# Sends what a headset sends that is held at a place, as WebXR has it.
HOLD = """(position) => {
  window.held = position
  window.holding ??= setInterval(() => {
    const data = { position: window.held, orientation: [0, 0, 0, 1] }
    window.robotix.connection.send({ kind: 'device', device: 'headset', data })
  }, 20)
}"""
HEAD = "app.stage.fixedScreen.head.elements.slice(12, 15)"
TRACKER_YAW, TRACKER_AT = 0.5, (0.3, -0.2, 0.1)  # where the frame of the tracker lies in the room
LANDMARKS = {"landmark_a": (0, 0, 0.5), "landmark_b": (0.4, 0, 0.5), "landmark_c": (0, 0.5, 0.9)}


def seen_by_tracker(place: tuple[float, float, float]) -> list[float]:
    """Return where a tracker sees a point of the room, in WebXR's axes."""
    cos, sin = np.cos(TRACKER_YAW), np.sin(TRACKER_YAW)
    x, y, z = np.subtract(place, TRACKER_AT)
    ahead, left = cos * x + sin * y, cos * y - sin * x
    return [float(-left), float(z), float(-ahead)]


def test_a_tracker_is_matched_with_real_points(
    serve: ServeRoom, open_page: OpenPage, tmp_path: Path
) -> None:
    served = serve(SCENE, "--devices", str(patient_devices(tmp_path)))
    page = open_page(served, size=(800, 500), query=QUERY, is_drawn=False)
    page.ask("app.control.ask(true)")
    page.until("app.control.isMine")
    page.ask("app.shell.open('screen', true)")
    page.ask("void (document.querySelector('[data-id=match-measure]').closest('details').open = 1)")
    result = page.page.locator("[data-id=match-result]")
    for name, place in LANDMARKS.items():
        there = seen_by_tracker(place)
        page.page.evaluate(HOLD, there)
        heard = [-there[2], there[1], there[0]]  # in three's axes, not matched yet
        page.until(f"arg.every((value, k) => Math.abs({HEAD}[k] - value) < 1e-4)", heard)
        page.page.select_option("[data-id=match-device]", "head")
        page.page.select_option("[data-id=match-point]", name)
        page.page.click("[data-id=match-measure]")
    page.until("document.querySelector('[data-id=match-result]').textContent.includes('tracker=')")
    said = result.inner_text()
    assert said.startswith("3 points, 0.0 mm off (root mean square), at most 0.0 mm.")
    x, y, z = LANDMARKS["landmark_c"]  # where the device still is
    page.until(f"arg.every((value, k) => Math.abs({HEAD}[k] - value) < 1e-4)", [x, z, -y])
    tomorrow = open_page(
        served, size=SIZE, query=f"{QUERY}&tracker={said.split('tracker=')[1]}", is_drawn=False
    )
    tomorrow.until(f"arg.every((value, k) => Math.abs({HEAD}[k] - value) < 1e-4)", [x, z, -y])
    page.page.evaluate("() => clearInterval(window.holding)")


def test_what_the_participant_sees_is_seen_by_a_spectator(
    room: Served, open_page: OpenPage
) -> None:
    participant = open_page(room, size=SIZE, query="role=participant", is_drawn=False)
    spectator = open_page(room, size=SIZE, query="role=spectator", is_drawn=False)
    spectator.until("app.stage.followed !== undefined")
    assert not spectator.ask("app.control.isMine")
    place = "[...app.stage.camera.matrixWorld.elements]"
    before = participant.ask(place)
    participant.ask("app.stage.turn(0.4, 0.1)")
    participant.still()
    assert np.abs(np.subtract(participant.ask(place), before)).max() > 0.05
    for _ in range(MAX_LOOKS):  # the picture glides to where the participant looks from
        spectator.frames(3)
        seen, shown = (np.array(page.ask(place)) for page in (participant, spectator))
        if np.abs(seen - shown).max() < 2e-3:
            break
    np.testing.assert_allclose(shown, seen, atol=2e-3)
    participant.page.context.close()
    spectator.until("app.stage.followed === undefined")
