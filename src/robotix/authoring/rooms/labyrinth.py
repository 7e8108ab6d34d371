"""Plug-in: the labyrinth, felt through the simulated ViSHARD10.

Its args name the robot that shows the device, the ball, the device of kind `translate3` that pushes
it, and the devices of kind `hand` that pull it while a button of theirs is pressed:

    args: device, ball, stick, cursor, right_glove

Every tick the device's loop runs its samples at 1 kHz; walls that are touched are reported as
collisions, which gamepads and controllers let the player feel.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from robotix.geometry import Array, Box, Pose
from robotix.haptics.labyrinth.game import FULL_FORCE, LabyrinthGame, LabyrinthPhase
from robotix.haptics.labyrinth.plan import LABYRINTH, PlanRectangle
from robotix.model import Visual
from robotix.scene import Event, Scene
from robotix.scene.events.events import Collision
from robotix.scene.graph.content import Attributes, Material

PULL = 150.0  # N/m, of a hand that pulls
HELP = (
    "Lead the orange ball to the green field: stick of a gamepad, arrow keys, or pull it with "
    "the mouse. Walls cost 20 points, seconds 10. Grey slows the ball, violet pulls it. R starts "
    "again."
)
WALL = Material((0.80, 0.74, 0.62))
DEVICE = Material((0.55, 0.60, 0.68), opacity=0.3)
ZONES = {
    "damping_zone": Material((0.45, 0.47, 0.50)),
    "spring_zone": Material((0.55, 0.40, 0.72)),
    "goal": Material((0.30, 0.68, 0.38)),
}


@dataclass
class Labyrinth:
    """The game in one room."""

    scene: Scene
    names: list[str] = field(default_factory=list)  # as in the args
    game: LabyrinthGame = field(default_factory=LabyrinthGame)
    grips: dict[str, Array] = field(default_factory=dict)  # from hands to the ball
    touched: str = ""

    @property
    def origin(self) -> Array:
        """Position of the device's base, m."""
        return np.asarray(self.scene.graph[self.names[0]].pose.translation)

    def build(self) -> None:
        """Add walls and zones to the scene, and put the ball to the start."""
        for wall in LABYRINTH.walls:
            self._add(wall, LABYRINTH.wall_height, WALL, lift=0.0)
        for name, material in ZONES.items():
            zone: PlanRectangle = getattr(LABYRINTH, name)
            self._add(zone, 0.002, material, lift=-0.019)
        for node in self.scene.graph:
            if node.robot == self.names[0]:
                node.set(material=DEVICE)  # the ball must be seen behind it
        self.show()

    def _add(self, plan: PlanRectangle, height: float, material: Material, *, lift: float) -> None:
        box = Box(np.array([*plan.size, height]))
        place = np.array([*plan.centre, LABYRINTH.height + lift]) + self.origin
        self.scene.graph.add(
            plan.name, pose=Pose(translation=place), visuals=[Visual(box)],
            attributes=Attributes(material, pickable=False, collidable=False),
        )  # fmt: skip

    def show(self) -> None:
        """Move ball and device to where the loop has them."""
        graph = self.scene.graph
        place = self.game.position + self.origin
        graph[self.names[1]].pose = Pose(translation=place)
        self.scene.robots[self.names[0]].set_q(self.game.loop.q)

    def push(self) -> Array:
        """Return the force of the player, (2,), N."""
        readings = self.scene.inputs.devices
        force = np.zeros(2)
        stick = readings.get(self.names[2])
        if stick is not None and stick.live and len(stick.axes) >= 2:
            force += FULL_FORCE * np.array(stick.axes[:2])
        ball = self.game.position
        for name in self.names[3:]:
            hand = readings.get(name)
            if hand is None or not hand.live or not hand.buttons or hand.position is None:
                self.grips.pop(name, None)
                continue
            grip = self.grips.setdefault(name, ball - np.array(hand.position))
            force += PULL * (np.array(hand.position) + grip - ball)[:2]
        return force

    def play(self, dt: float) -> None:
        """Let the device's loop run for `dt` seconds."""
        before = self.game.phase
        self.game.step(dt, self.push())
        self.show()
        self._report(self.game.touching)
        if before is LabyrinthPhase.running and self.game.phase is LabyrinthPhase.done:
            game = self.game
            words = f"{game.seconds:.1f} s, {game.touches} touches of walls"
            self.scene.say(f"Goal! {game.score} points: {words}.")
            self.scene.emit("labyrinth_goal")
        if self.game.is_stopped:
            self.scene.say("The safety circuit has stopped the device; the game starts again.")
            self.game.restart()

    def _report(self, wall: str) -> None:
        """Tell of the wall that is touched, and of its end."""
        if wall == self.touched:
            return
        ball = self.names[1]
        if self.touched:
            self.scene.emit(Event(Collision(ball, self.touched), state=False))
        if wall:
            self.scene.emit(Event(Collision(ball, wall), state=True))
        self.touched = wall


_room: Labyrinth | None = None


def _labyrinth() -> Labyrinth:
    assert _room is not None
    return _room


def setup(scene: Scene) -> None:
    """Take part in a scene."""
    global _room
    _room = Labyrinth(scene)


def init(args: str) -> None:
    """Read the names, and build the labyrinth."""
    room = _labyrinth()
    room.names = [name.strip() for name in args.split(",")]
    if len(room.names) < 3:
        raise ValueError("args: device, ball, stick, and hands that pull")
    room.build()


def loop(dt: float) -> None:
    """Play on."""
    _labyrinth().play(dt)


def restart(state: bool, args: str) -> None:
    """Put the ball back to the start."""
    if state:
        room = _labyrinth()
        room.game.restart()
        room.show()


def help(state: bool, args: str) -> None:
    """Say how to play."""
    if state:
        _labyrinth().scene.say(HELP)
