"""Somebody who has never seen the room: sees where things are, and uses only what the page says.

Every press, drag, click and tap is one action. What is held is held until something is seen, not
for a time, so a slow machine takes longer but does the same.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from browser.conftest import Opened

__all__ = ["GLASS", "MARK", "TOLERANCE", "Hands", "Newcomer", "bring_a_glass"]

GLASS = "glass_1"
HAND = "grip_point"
CHAIR = "wheelchair"
GOAL = "side_table"
MARK = (0.8, 1.74)  # m in the room: the nearest blue mark of the side table
TOLERANCE = 0.02  # m within which the hand is above something
MAX_TRIES = 12  # presses for one axis, before a newcomer gives up
AHEAD, LEFT, UP = 0, 1, 2  # axes of the hand, as the page names them
# Where things are in the frame of the chair, along whose axes the hand moves.
IN_CHAIR = """(() => {
  const chair = app.room.node('wheelchair').object
  const at = app.room.node(arg).object.position.clone().sub(chair.position)
  return at.applyQuaternion(chair.quaternion.clone().invert()).toArray()
})()"""
PLACE = "app.room.node(arg).object.position.toArray()"
HEADING = "2 * Math.atan2(app.room.node('wheelchair').object.quaternion.z, \
app.room.node('wheelchair').object.quaternion.w)"


# Whether the hand or the chair has not moved for a while, though something is pressed.
STUCK = """(() => {
  const places = ['grip_point', 'wheelchair'].flatMap((name) => {
    const { position, quaternion } = app.room.node(name).object
    return [...position.toArray(), ...quaternion.toArray()]
  })
  const last = window.lastPlaces
  const has_moved = !last || places.some((v, k) => Math.abs(v - last.places[k]) > 0.003)
  if (has_moved) window.lastPlaces = { places, tick: app.room.tick }
  return app.room.tick - window.lastPlaces.tick > 150
})()"""


class Hands(Protocol):
    """A way to act: keys, mouse, touch or a headset."""

    name: str

    def move_hand(self, axis: int, sign: int, seen: str) -> None:
        """Move the hand along an axis until a JavaScript expression is true."""

    def drive(self, forwards: int, left: int, seen: str) -> None:
        """Drive or turn the chair until a JavaScript expression is true."""

    def grip(self) -> None:
        """Grip, or let go."""


@dataclass
class Newcomer:
    """Somebody at a page, with hands of some kind."""

    page: Opened
    hands: Hands
    actions: int = 0
    start: tuple[float, float] = (0.0, 0.0)  # s of the clock and of the room
    heard: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """Look at the clock, and listen to what the page says."""
        self.start = time.monotonic(), float(self.page.ask("app.room.time"))
        self.page.ask(
            "void (window.heard = [], app.connection.on('said', (m) => {"
            " if (m.text !== 'slower than real time') window.heard.push(m.text) }))"
        )

    def report(self) -> str:
        """Return how long it took, and how many actions."""
        clock, room = self.start
        took, in_room = time.monotonic() - clock, float(self.page.ask("app.room.time")) - room
        return (
            f"{self.hands.name}: {self.actions} actions, {in_room:.0f} s of the room, {took:.0f} s"
        )

    def see(self, node: str) -> np.ndarray:
        """Return where a node is in the room, m."""
        return np.array(self.page.ask(PLACE, node))

    def see_from_chair(self, node: str) -> np.ndarray:
        """Return where a node is in the frame of the chair, m."""
        return np.array(self.page.ask(IN_CHAIR, node))

    def hears(self, text: str) -> None:
        """Wait until the page says something."""
        self.page.until("window.heard.some((each) => each.includes(arg))", text)

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Count one action."""
        self.actions += 1
        yield

    def bring_hand(self, axis: int, goal: float) -> None:
        """Bring the hand to a place along an axis of the chair, m."""
        for _ in range(MAX_TRIES):
            here = self.see_from_chair(HAND)[axis]
            if abs(goal - here) < TOLERANCE:
                return
            sign = 1 if goal > here else -1
            before = goal - sign * min(TOLERANCE / 2, abs(goal - here) / 2)
            value = IN_CHAIR.replace("arg", repr(HAND))
            with self.acting():
                self._forget()
                seen = f"({value}[{axis}] - {before}) * {sign} > 0"
                self.hands.move_hand(axis, sign, f"({seen}) || {STUCK}")
            self.page.ticks(20)  # it comes to rest
        raise AssertionError(
            f"the hand did not come to {goal:.3f} m along axis {axis}, but to "
            f"{self.see_from_chair(HAND)}; heard {self.page.ask('window.heard.slice(-9)')}"
        )

    def _forget(self) -> None:
        self.page.ask("void (window.lastPlaces = undefined)")

    def turn_chair(self, heading: float) -> None:
        """Turn the chair to a heading, rad."""
        for _ in range(MAX_TRIES):
            off = math.remainder(heading - float(self.page.ask(HEADING)), math.tau)
            if abs(off) < 0.06:
                return
            sign = 1 if off > 0 else -1
            # It brakes with 3 rad/s².
            enough = max(abs(off) * 0.4, abs(off) - 0.17)
            seen = f"Math.abs({HEADING} - {self.page.ask(HEADING)}) > {enough}"
            with self.acting():
                self._forget()
                self.hands.drive(0, sign, f"({seen}) || {STUCK}")
            self.page.ticks(60)
        raise AssertionError("the chair did not turn")

    def drive_chair(self, way: float) -> None:
        """Drive the chair straight, by a way in m."""
        start = self.see(CHAIR)
        for _ in range(MAX_TRIES):
            heading = float(self.page.ask(HEADING))
            ahead = (math.cos(heading), math.sin(heading))
            gone = float(np.dot((self.see(CHAIR) - start)[:2], ahead))
            left = way - gone
            if abs(left) < 0.03:
                return
            sign = 1 if left > 0 else -1
            here = self.see(CHAIR).tolist()
            enough = max(abs(left) * 0.4, abs(left) - 0.1)
            place = PLACE.replace("arg", repr(CHAIR))
            seen = f"Math.hypot(...{place}.map((v, k) => v - {here}[k])) > {enough}"
            with self.acting():
                self._forget()
                self.hands.drive(sign, 0, f"({seen}) || {STUCK}")
            self.page.ticks(60)
        raise AssertionError("the chair did not come there")


def bring_a_glass(someone: Newcomer) -> None:
    """Take a glass from the table, and put it on a mark of the side table."""
    take_the_glass(someone)
    someone.drive_chair(-0.45)
    someone.turn_chair(math.pi / 2)
    chair, glass = someone.see(CHAIR), someone.see_from_chair(GLASS)
    someone.drive_chair(MARK[1] - float(glass[1]) - float(chair[1]))  # where it is beside the mark
    someone.turn_chair(0.0)
    someone.drive_chair(MARK[0] - float(someone.see(GLASS)[0]) - 0.02)
    put_down(someone)


def take_the_glass(someone: Newcomer) -> None:
    """Take the glass, and lift it."""
    glass = someone.see_from_chair(GLASS)
    someone.bring_hand(LEFT, float(glass[LEFT]))
    someone.bring_hand(AHEAD, float(glass[AHEAD]))
    someone.bring_hand(UP, float(glass[UP]) + 0.02)
    with someone.acting():
        someone.hands.grip()
    someone.hears("Held: glass 1.")
    someone.bring_hand(UP, float(glass[UP]) + 0.15)


def put_down(someone: Newcomer) -> None:
    """Put the glass on the table that is below it, and let go."""
    table = someone.see_from_chair(GOAL)
    someone.bring_hand(UP, float(table[UP]) + 0.02 + 0.06 + 0.045)
    with someone.acting():
        someone.hands.grip()
    someone.hears("Glass 1 is on the side table.")
