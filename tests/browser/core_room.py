"""A red box before an eye: the room that tests of the picture and of the page share."""

from __future__ import annotations

from browser.conftest import Opened

EYE = (-2.0, 0.0, 0.6)  # m; looks along x
FIELD_OF_VIEW = 50.0  # degrees, vertical
RED = (0.5, 0.0, 0.6)  # m, the middle of the red box
SCENE = f"""\
robotix: 1
name: Core
robots:
  arm: {{model: planar_3r, at: [0, 3, 0]}}
objects:
  floor: {{plane: true}}
  red: {{box: [0.4, 0.4, 0.4], at: {list(RED)}, material: {{colour: "#e01010"}}}}
  wall: {{box: [3, 0.1, 2.4], at: [0, -0.7, 1.2], material: {{colour: "#d0d0d0"}}}}
  eye: {{viewpoint: {{field_of_view_deg: {FIELD_OF_VIEW}}}, at: {list(EYE)}}}
rules:
  - {{when: {{key: W}}, do: {{say: Hello.}}}}
"""
LEASE = "app.control.isMine"
CLEAR_VIEW = """() => {
  const open = '.rail [aria-expanded=true], [class*=greeting] button'
  for (const button of document.querySelectorAll(open)) button.click()
}"""


def calm(opened: Opened) -> Opened:
    """Give a page the looks of a slow machine, which are the same everywhere."""
    opened.ask("void (app.stage.quality = 'low')")
    opened.page.evaluate(CLEAR_VIEW)
    opened.frames()
    return opened
