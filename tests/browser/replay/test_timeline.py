"""A recording in the page: played, scrubbed, plotted, compared and saved, in a real browser."""

from __future__ import annotations

import base64
import csv
from pathlib import Path

import pytest
from browser.conftest import Opened
from browser.replay.conftest import BIG, GOALS, PHONE, SAID_AT, TICKS, OpenTakes

END = TICKS / 120  # s
WEBM = b"\x1a\x45\xdf\xa3"
PNG = b"\x89PNG"
NEAR = "Math.abs(app.room.time - arg) < 0.009"  # a tick
PEAK = """[...document.querySelectorAll('.replay-curve')].map((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return data.some((value) => value > 0)
})"""
# Plays a video, and returns its size and how many colours its last picture has.
WATCH = """async (text) => {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
  const video = document.createElement('video')
  video.muted = true
  video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }))
  await new Promise((resolve, reject) => {
    video.onended = resolve
    video.onerror = () => reject(new Error(video.error.message))
    video.play()
  })
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  const context = canvas.getContext('2d')
  context.drawImage(video, 0, 0)
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  const colours = new Set()
  for (let k = 0; k < data.length; k += 4)
    colours.add(data[k] << 16 | data[k + 1] << 8 | data[k + 2])
  return [video.videoWidth, video.videoHeight, colours.size]
}"""


def seek(one: Opened, share: float) -> None:
    """Click into the line of time."""
    box = one.page.locator(".replay-track").bounding_box()
    assert box is not None
    one.page.mouse.click(box["x"] + share * box["width"], box["y"] + 20)


def plot(one: Opened, words: str) -> None:
    """Choose the first channel that is found by words."""
    one.page.click("[data-id=replay-plot]")
    one.page.fill("[data-id=channel-search]", words)
    one.page.click(".replay-channels button >> nth=0")
    one.until("!document.querySelector('.replay-plots').textContent.includes('Reading')")


@pytest.fixture
def one(open_takes: OpenTakes) -> Opened:
    return open_takes(size=BIG, is_drawn=False)


def test_it_is_scrubbed_by_mouse_and_keys(one: Opened) -> None:
    assert one.ask("app.room.states.get('arm').q.length") == 7
    seek(one, 0.75)
    one.until(NEAR, 0.75 * END)
    one.page.keyboard.press("ArrowLeft")
    one.until(NEAR, 0.75 * END - 1)
    one.page.keyboard.press("Home")
    one.until(NEAR, 0.0)
    for _ in range(2):
        one.page.keyboard.press(".")
    one.until("Math.abs(app.room.time - arg) < 0.004", 2 / 120)
    one.page.keyboard.press("PageDown")  # to the next thing that happened
    one.until(NEAR, SAID_AT / 120)
    words = one.page.locator(".replay-words")
    assert words.inner_text() == "0:01.0 halfway"
    one.page.keyboard.press("End")
    one.until(NEAR, END)
    q = one.ask("app.room.states.get('arm').q")
    assert q == pytest.approx(GOALS["first"], abs=1e-6)
    second = one.ask("app.room.states.get('2nd: arm').q")
    assert second == pytest.approx(GOALS["second"], abs=1e-6)


def test_it_plays_at_a_chosen_speed_and_stops(one: Opened) -> None:
    one.page.keyboard.press("Home")
    one.until(NEAR, 0.0)
    one.page.select_option("[data-id=replay-speed]", "0.5")
    one.page.click("[data-id=replay-play]")
    one.until("app.room.time > 0.3")
    one.page.keyboard.press(" ")
    one.until("document.querySelector('[data-id=replay-play]').ariaPressed === 'false'")
    assert one.ask("app.room.time") < END
    one.page.select_option("[data-id=replay-speed]", "4")
    one.page.click("[data-id=replay-play]")
    one.until("Math.abs(app.room.time - arg) < 0.009", END)
    one.until("document.querySelector('[data-id=replay-play]').ariaPressed === 'false'")
    one.page.select_option("[data-id=replay-speed]", "1")


def test_joints_and_distances_are_plotted_for_both_takes_and_saved(one: Opened) -> None:
    plot(one, "arm joints")
    one.page.click("[data-id=replay-plot]")
    one.page.select_option("[data-id=distance-from]", "arm")
    one.page.select_option("[data-id=distance-to]", "table")
    one.page.click("[data-id=add-distance]")
    one.until("document.querySelectorAll('.replay-plot').length === 2")
    one.until("!document.querySelector('.replay-plots').textContent.includes('Reading')")
    one.page.keyboard.press("End")
    one.until("document.querySelector('.replay-value').textContent.includes('1st 45.8°')")
    assert "2nd −34.4°" in one.page.locator(".replay-value").first.inner_text()
    assert one.ask(PEAK) == [True, True]
    with one.page.expect_download() as saved:
        one.page.click("[data-id=replay-table]")
    rows = list(csv.reader(Path(saved.value.path()).read_text().splitlines()))
    assert [name.split(" ")[0] for name in rows[0]] == ["time", "joint", "2nd", "distance", "2nd"]
    assert len(rows) == 1 + 1 + TICKS
    assert [float(value) for value in rows[-1][1:3]] == pytest.approx([0.8, -0.6], abs=1e-6)
    one.page.click(".replay-plot >> nth=0 >> button")
    one.until("document.querySelectorAll('.replay-plot').length === 1")


def test_the_second_take_is_seen_through_and_moved_in_time(one: Opened) -> None:
    one.page.keyboard.press("End")
    one.until(NEAR, END)
    look = """(() => {
      let found
      for (const child of app.room.root.children)
        if (String(child.userData.node).startsWith('2nd: arm/') && child.visible)
          child.traverse((part) => { if (part.isMesh) found = part.material })
      return found && [found.transparent, found.opacity]
    })()"""
    one.until(f"{look} !== undefined")
    is_clear, opacity = one.ask(look)
    assert is_clear and 0.2 < opacity < 0.8
    one.page.fill("[data-id=replay-offset]", "1")
    one.page.keyboard.press("Enter")
    goal = GOALS["second"]
    one.until("Math.abs(app.room.states.get('2nd: arm').q[1] - arg) > 0.05", goal[1])
    one.page.fill("[data-id=replay-offset]", "0")
    one.page.keyboard.press("Enter")
    one.until("Math.abs(app.room.states.get('2nd: arm').q[1] - arg) < 1e-6", goal[1])


def test_the_arm_is_in_sight_above_the_timeline(open_takes: OpenTakes) -> None:
    one = open_takes(size=BIG, is_drawn=False)
    spot = """(() => {
      const { camera, canvas } = app.stage
      const at = app.room.node('arm').object.getWorldPosition(camera.position.clone())
      const { x, y } = at.project(camera)
      const top = document.querySelector('#replay').getBoundingClientRect().top
      return [(x + 1) / 2 * canvas.clientWidth, (1 - y) / 2 * canvas.clientHeight, top]
    })()"""
    one.until(
        f"(app.stage.redraw(), (([x, y, top]) => x > 320 && x < 960 && y > 60 && y < top)({spot}))"
    )


def test_nothing_in_a_recording_can_be_driven(one: Opened) -> None:
    answer = one.ask("app.connection.command('move (0,0,0,0,0,0,0)')")
    assert answer["ok"] is False
    assert answer["text"] == "this is a recording: nothing in it can be changed"
    assert not one.page.locator("#panel-teach").is_visible()
    assert one.ask("app.room.keys") == []


def test_a_picture_and_a_video_are_saved(open_takes: OpenTakes) -> None:
    one = open_takes(size=(480, 300), is_drawn=True)
    with one.page.expect_download() as picture:
        one.page.click("[data-id=replay-picture]")
    assert Path(picture.value.path()).read_bytes().startswith(PNG)
    one.page.select_option("[data-id=replay-speed]", "2")
    with one.page.expect_download() as video:
        one.page.click("[data-id=replay-video]")
    data = Path(video.value.path()).read_bytes()
    assert video.value.suggested_filename == "Takes.webm"
    assert data.startswith(WEBM)
    width, height, colours = one.page.evaluate(WATCH, base64.b64encode(data).decode())
    assert width / height == pytest.approx(480 / 300, rel=0.05)  # coarser without a graphics card
    assert colours > 10, "the video shows something"
    one.page.select_option("[data-id=replay-speed]", "1")


def test_a_finger_scrubs_on_a_phone(open_takes: OpenTakes) -> None:
    one = open_takes(size=PHONE, is_drawn=False, has_touch=True)
    box = one.page.locator(".replay-track").bounding_box()
    assert box is not None
    assert box["height"] >= 44 and box["width"] > 300
    one.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 20)
    one.until(NEAR, END / 2)
    size = one.ask("[document.documentElement.scrollWidth, innerWidth]")
    assert size[0] <= size[1], "nothing sticks out"
    for name in ("play", "next", "plot", "picture", "video"):
        each = one.page.locator(f"[data-id=replay-{name}]").bounding_box()
        assert each is not None and min(each["width"], each["height"]) >= 44, name
