"""A red box before an eye: the room that tests of the picture and of the page share."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterator

import pytest
from browser.conftest import SIZE, Keeper, Opened, Served

EYE = (-2.0, 0.0, 0.6)  # m; looks along x
FIELD_OF_VIEW = 50.0  # degrees, vertical
RED = (0.5, 0.0, 0.6)  # m, the middle of the red box
HUM = (1.0, 2.0, 0.5)  # m, where it hums
SCENE = f"""\
robotix: 1
name: Picture
robots:
  arm: {{model: planar_3r, at: [0, 3, 0]}}
objects:
  floor: {{plane: true}}
  red: {{box: [0.4, 0.4, 0.4], at: {list(RED)}, material: {{colour: "#e01010"}}}}
  wall:                       # two parts at an angle: a room with an inside
    parts:
      - {{box: [3, 0.1, 2.4], at: [0, -0.7, 1.2]}}
      - {{box: [0.1, 3, 2.4], at: [-4, 0, 1.2]}}
    material: {{colour: "#d0d0d0"}}
  hum: {{sound: {{file: hum.wav, loop: true, volume: 0.1}}, at: {list(HUM)}}}
  eye: {{viewpoint: {{field_of_view_deg: {FIELD_OF_VIEW}}}, at: {list(EYE)}}}
rules:
  - {{when: {{key: W}}, do: {{say: Hello.}}}}
"""


def _silence() -> bytes:
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(16000))  # a second
    return data.getvalue()


SOUNDS = {"hum.wav": _silence()}
LEASE = "app.control.isMine"
# Low quality is the same everywhere.
AS_AT_FIRST = """async () => {
  const { stage, shell, room, selection, measure, control, sound, overlays } = window.robotix
  const open = '.rail [aria-expanded=true], [class*=greeting] button'
  for (const button of document.querySelectorAll(open)) button.click()
  Object.assign(stage, { quality: 'low', stereo: 'off', eyeDistance: 0.063, convergence: 2.5 })
  Object.assign(stage, { cameraIsFree: true })
  overlays.get('names').toggle(false)
  room.isWireframe = sound.isMuted = measure.isOn = false
  shell.theme = 'system'
  selection.choose('')
  stage.goTo('')
  if (!control.isMine) await control.ask(true)
}"""


@pytest.fixture(scope="module")
def room(keeper: Keeper) -> Served:
    """A red box before an eye."""
    return keeper.room(SCENE, beside=SOUNDS)


@pytest.fixture
def page(room: Served, keeper: Keeper) -> Iterator[Opened]:
    """A page in control, as it is when it opens."""
    one = keeper.page(room)
    one.resize(SIZE)
    one.page.mouse.move(1, 1)
    one.page.evaluate(AS_AT_FIRST)
    one.until(LEASE)
    one.still()
    yield one
    assert one.errors == []
