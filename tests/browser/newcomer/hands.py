"""What a newcomer acts with at a flat screen: keys, mouse, fingers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from browser.conftest import Opened

__all__ = ["Finger", "Keys", "Mouse", "Pointer", "Screen"]

HAND_KEYS = (("ArrowUp", "ArrowDown"), ("ArrowLeft", "ArrowRight"), ("PageUp", "PageDown"))
STEP = 0.012  # m that the ball is drawn at a time
METRES_PER_WHEEL = 0.0006  # as the page has it: how much deeper a pixel of the wheel goes
# The ball on the screen, drawn so far along an axis of the chair, and how much deeper that is.
DRAWN = """(() => {
  const { room, stage } = app
  const tip = room.node(room.robots.get(room.active).tip).object.position
  window.drawnFrom ??= tip.clone()
  const axis = tip.clone().set(0, 0, 0).setComponent(arg[0], arg[1])
  axis.applyQuaternion(room.node('wheelchair').object.quaternion)
  const start = room.root.localToWorld(window.drawnFrom.clone())
  const there = room.root.localToWorld(window.drawnFrom.clone().add(axis))
  const ahead = stage.camera.getWorldDirection(start.clone())
  const depth = there.clone().sub(start).dot(ahead)
  there.project(stage.camera)
  const box = stage.canvas.getBoundingClientRect()
  return [box.left + (there.x + 1) / 2 * box.width, box.top + (1 - there.y) / 2 * box.height, depth]
})()"""


@dataclass
class Keys:
    """The keys that the welcome of the room names."""

    page: Opened
    name: str = "keys"

    def move_hand(self, axis: int, sign: int, seen: str) -> None:
        """Hold an arrow key or a page key."""
        self._hold(HAND_KEYS[axis][0 if sign > 0 else 1], seen)

    def drive(self, forwards: int, left: int, seen: str) -> None:
        """Hold W, S, A or D."""
        key = ("w" if forwards > 0 else "s") if forwards else ("a" if left > 0 else "d")
        self._hold(key, seen)

    def grip(self) -> None:
        """Press G."""
        self.page.page.keyboard.down("g")
        self.page.ticks(3)
        self.page.page.keyboard.up("g")

    def _hold(self, key: str, seen: str) -> None:
        self.page.page.keyboard.down(key)
        self.page.until(seen)
        self.page.page.keyboard.up(key)


class Pointer(Protocol):
    """A mouse, or a finger."""

    def down(self, x: float, y: float) -> None:
        """Press at a point of the page."""

    def move(self, x: float, y: float) -> None:
        """Move while pressed."""

    def up(self) -> None:
        """Release."""


@dataclass
class _MousePointer:
    page: Opened

    def down(self, x: float, y: float) -> None:
        self.page.page.mouse.move(x, y)
        self.page.page.mouse.down()

    def move(self, x: float, y: float) -> None:
        self.page.page.mouse.move(x, y)

    def up(self) -> None:
        self.page.page.mouse.up()


class Finger:
    """One finger on the screen."""

    def __init__(self, page: Opened) -> None:
        self._session = page.page.context.new_cdp_session(page.page)

    def down(self, x: float, y: float) -> None:
        """Touch."""
        self._put("touchStart", [{"x": x, "y": y, "id": 0}])

    def move(self, x: float, y: float) -> None:
        """Move."""
        self._put("touchMove", [{"x": x, "y": y, "id": 0}])

    def up(self) -> None:
        """Lift."""
        self._put("touchEnd", [])

    def _put(self, kind: str, points: list[dict[str, float]]) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@dataclass
class Screen:
    """The stick on the screen, its switch between arm and chair, and the action bar."""

    page: Opened
    pointer: Pointer
    name: str = "touch"

    def __post_init__(self) -> None:
        """Bring out the stick and the actions, if they are not there yet."""
        page = self.page.page
        if page.locator(".touch-stick").is_hidden():
            self.tap(".stick-button")
        if page.locator(".action-bar").is_hidden():
            self.tap(".action-toggle")

    def move_hand(self, axis: int, sign: int, seen: str) -> None:
        """Push the stick, or one of the buttons beside it."""
        self._choose("Arm")
        if axis == 2:
            self.tap(f".touch-stick-lift [aria-label={'Up' if sign > 0 else 'Down'}]", seen)
        else:
            self._push((0, -sign) if axis == 0 else (-sign, 0), seen)

    def drive(self, forwards: int, left: int, seen: str) -> None:
        """Push the stick, which drives once its switch says so."""
        self._choose("Chair")
        self._push((-left, -forwards), seen)

    def grip(self) -> None:
        """Press the button of the action bar."""
        start = self.page.ask("app.room.tick")
        self.tap(".action[data-key=G]", f"app.room.tick > {start + 3}")

    def tap(self, selector: str, seen: str = "true") -> None:
        """Press something until an expression is true."""
        where = self.page.page.locator(selector)
        where.scroll_into_view_if_needed()
        box = where.bounding_box()
        assert box is not None, f"{selector} is not to be seen"
        self.pointer.down(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.until(seen)
        self.pointer.up()

    def _choose(self, what: str) -> None:
        chosen = f".touch-stick-chooser [data-drives={what.lower()}][aria-checked=true]"
        if self.page.page.locator(chosen).count() == 0:
            self.tap(f".touch-stick-chooser [data-drives={what.lower()}]")
            self.page.page.locator(chosen).wait_for()

    def _push(self, way: tuple[int, int], seen: str) -> None:
        box = self.page.page.locator(".touch-stick-pad").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.pointer.down(x, y)
        self.pointer.move(x + 60 * way[0], y + 60 * way[1])
        self.page.until(seen)
        self.pointer.up()


@dataclass
class Mouse:
    """Draws the ball of the hand, with the wheel for depth; the rest as with a finger."""

    page: Opened
    name: str = "mouse"
    screen: Screen = field(init=False)
    wheel_scale: float = field(init=False)  # what the page hears of 1 that is rolled

    def __post_init__(self) -> None:
        """Take the mouse."""
        self.screen = Screen(self.page, _MousePointer(self.page), "mouse")
        self.drive, self.grip = self.screen.drive, self.screen.grip
        self.wheel_scale = self._try_wheel()

    def _try_wheel(self) -> float:
        """Roll the wheel over a button: pages with a coarse picture hear more in some browsers."""
        self.page.ask("void addEventListener('wheel', (e) => { window.rolled = e.deltaY })")
        self.page.page.locator("#stop-all").hover()
        self.page.page.mouse.wheel(0, 100)
        self.page.until("window.rolled")
        return float(self.page.ask("window.rolled")) / 100

    def move_hand(self, axis: int, sign: int, seen: str) -> None:
        """Draw the ball along an axis, a little at a time, until something is seen."""
        mouse = self.page.page.mouse
        self.page.ask("void (window.drawnFrom = undefined)")
        x, y, _ = self._drawn(axis, 0.0)
        mouse.move(x, y)
        mouse.down()
        deep = 0.0
        for step in range(1, 120):
            x, y, depth = self._drawn(axis, sign * STEP * step)
            mouse.move(x, y)
            mouse.wheel(0, -(depth - deep) / METRES_PER_WHEEL / self.wheel_scale)
            mouse.move(x, y)
            deep = depth
            self.page.ticks(4)
            if self.page.ask(seen):
                break
        mouse.up()

    def _drawn(self, axis: int, way: float) -> Any:
        return self.page.ask(DRAWN, [axis, way])
