"""What hands in an emulated headset do."""

from __future__ import annotations

from browser.conftest import Opened

# Hands as they are when one puts the headset on.
REST = """() => {
  const { xrDevice } = window
  xrDevice.primaryInputMode = 'controller'
  delete window.pinch
  for (const [side, x] of [['left', -0.25], ['right', 0.25]]) {
    const controller = xrDevice.controllers[side]
    controller.position.set(x, 1.5, -0.4)
    controller.quaternion.set(0, 0, 0, 1)
    for (const button of ['squeeze', 'trigger']) controller.updateButtonValue(button, 0)
    controller.updateAxes('thumbstick', 0, 0)
    xrDevice.hands[side].updatePinchValue(0)
  }
}"""
# Points a controller at a place of a board or plane in the headset, given in its own frame.
POINT_AT = """([name, x, y, side]) => {
  const { stage } = window.robotix
  const board = stage.scene.getObjectByName(name)
  board.updateWorldMatrix(true, false)
  const at = board.position.clone().set(x, y, 0).applyMatrix4(board.matrixWorld)
  stage.rig.worldToLocal(at)
  const from = at.clone().set(at.x + (side === 'left' ? -0.1 : 0.1), at.y, at.z + 0.3)
  const ahead = at.clone().set(0, 0, -1)
  const turn = stage.camera.quaternion.clone()
  turn.setFromUnitVectors(ahead, at.clone().sub(from).normalize())
  const { position, quaternion } = window.xrDevice.controllers[side]
  position.set(from.x, from.y, from.z)
  quaternion.set(turn.x, turn.y, turn.z, turn.w)
}"""
MENU = "app.stage.rig.getObjectByName('menu').userData"
SET_BUTTON = (
    "([side, name, value]) => window.xrDevice.controllers[side].updateButtonValue(name, value)"
)


def buttons(page: Opened) -> list[str]:
    """Return what stands on the buttons of the menu."""
    words: list[str] = page.ask(f"{MENU}.content.buttons.map((button) => button.words)")
    return words


def words(page: Opened) -> str:
    """Return what the menu says."""
    said: str = page.ask(f"{MENU}.content.words")
    return said


def point_at_button(page: Opened, text: str, side: str = "right") -> None:
    """Point a controller at a button of the menu."""
    page.until(f"{MENU}.placeOf(arg)", text)
    place = page.ask(f"{MENU}.placeOf(arg)", text)
    page.page.evaluate(POINT_AT, ["menu", place["x"], place["y"], side])
    page.frames(3)


def press_button(page: Opened, text: str, side: str = "right") -> None:
    """Press a button of the menu, and let it go."""
    point_at_button(page, text, side)
    pull(page, side)


def pull(page: Opened, side: str = "right") -> None:
    """Pull the trigger of a controller, and let it go."""
    for value in (1, 0):
        page.page.evaluate(SET_BUTTON, [side, "trigger", value])
        page.frames(3)
