"""A participant does one trial of a study with an emulated headset on, by its controllers."""

from __future__ import annotations

import numpy as np
import pytest
from browser.conftest import Opened
from browser.driving.worn import REST, SET_BUTTON, buttons, words
from browser.lab.conftest import LabRun, button, room_of
from playwright.sync_api import Page

from robotix.experiments.store.reading import StudyReader
from robotix.experiments.tasks.library import load_task

# The room's frame gets a headset: its address asks for one.
EMULATE = """
if (location.search.includes('role=participant')) {
  history.replaceState(null, '', `/${location.search}&emulate=quest3${location.hash}`)
}
"""
# Where a node is in the frame of the headset; an offset (m) is in the axes of the room.
SEE = """([name, dx, dy, dz]) => {
  const { room, stage } = window.robotix
  const at = room.node(name).object.getWorldPosition(stage.camera.position.clone())
  room.root.worldToLocal(at)
  at.set(at.x + dx, at.y + dy, at.z + dz)
  return stage.rig.worldToLocal(room.root.localToWorld(at)).toArray()
}"""
MOVE = "([x, y, z]) => window.xrDevice.controllers.right.position.set(x, y, z)"
BOARD = "app.stage.rig.getObjectByName('task').userData.text"
ARM_HAND = "grip_point"
STEP = 0.02  # m that the controller moves at a time
NEAR = 0.006  # m


@pytest.fixture
def study() -> str:
    return """robotix: 1
study: Chess with a headset
factors: {arm: {levels: [kuka_lwr, mitsubishi_pa10], order: fixed}}
settings: {device: headset}
tasks: [chess]
time_limit: 600
consent: I take part voluntarily.
"""


class Wearer:
    """Who wears the headset, and leads the arm by the right controller."""

    def __init__(self, room: Opened) -> None:
        self.room = room
        self.hand = np.array([0.25, 1.3, -0.4])  # m, of the controller in the frame of the headset

    def see(self, node: str, *offset: float) -> np.ndarray:
        """Return where a node is."""
        return np.array(self.room.page.evaluate(SEE, [node, *(offset or (0, 0, 0))]))

    def squeeze(self, value: int) -> None:
        """Close the hand around the controller, or open it."""
        self.room.page.evaluate(SET_BUTTON, ["right", "squeeze", value])
        self.room.frames(6)

    def pull(self) -> None:
        """Pull the trigger, and let it go."""
        for value in (1, 0):
            self.room.page.evaluate(SET_BUTTON, ["right", "trigger", value])
            self.room.ticks(8)

    def lead(self, target: np.ndarray) -> None:
        """Move the controller until the hand of the arm is at a place."""
        for _ in range(400):
            error = target - self.see(ARM_HAND)
            away = float(np.linalg.norm(error))
            if away < NEAR:
                return
            self.hand = self.hand + error * min(1.0, STEP / away)
            self.room.page.evaluate(MOVE, self.hand.tolist())
            self.room.ticks(6)
        raise AssertionError(f"the hand of the arm stays {away:.3f} m away")

    def carry(self, thing: str, square: str, height: float) -> None:
        """Bring a thing that is held to a height (m) above a square."""
        self.lead(self.see(square, 0.0, 0.0, height) + self.see(ARM_HAND) - self.see(thing))

    def wait_for(self, text: str) -> None:
        """Wait until the board says something."""
        self.room.until(f"{BOARD}.includes(arg)", text)


def put_on(page: Page, lab: LabRun) -> Wearer:
    """Go to the trial, and put the headset on."""
    button(page, "I agree")
    page.get_by_text("Hold the grip of the right controller").first.wait_for()
    button(page, "Start")
    room = Opened(room_of(page), [])  # type: ignore[arg-type]
    room.until("document.querySelector('#tool-immersive-vr')?.checkVisibility()")
    room.page.evaluate(REST)
    room.page.evaluate("() => document.querySelector('#tool-immersive-vr').click()")
    room.until("app.stage.renderer.xr.isPresenting")
    room.until("app.control.isMine")
    room.frames(5)
    return Wearer(room)


def test_one_trial_in_a_headset(lab: LabRun) -> None:
    page = lab.participant(EMULATE)
    wearer = put_on(page, lab)
    task = load_task("chess")
    knight = task.things[0]
    wearer.wait_for(task.phases[0].instruction)  # what to do now
    assert "the arm follows" in words(wearer.room)
    assert buttons(wearer.room) == ["Stop", "Actions", "Help", "Reset view", "Settings"]

    room = wearer.room
    room.page.evaluate(MOVE, wearer.hand.tolist())
    room.frames(10)
    start = wearer.see(ARM_HAND)
    wearer.squeeze(1)
    room.until("app.room.states.get('arm').tracked_by === 'stick'")  # as the study says
    wearer.lead(np.add(start, (0.0, -0.05, 0.0)))
    wearer.pull()
    wearer.wait_for("There was nothing between the fingers")  # what was wrong
    wearer.lead(wearer.see(knight, 0.0, 0.0, 0.12))
    wearer.lead(wearer.see(knight, *task.grip_offset.tolist()))
    wearer.pull()
    room.until("app.room.node(arg).info.parent === app.room.node('gripper').info.row", knight)
    for square, height in (("square_start", 0.14), ("square_goal", 0.14), ("square_goal", 0.0)):
        wearer.carry(knight, square, height + task.objects[knight]["cylinder"][1] / 2 + 0.004)
    wearer.pull()
    page.locator("body:not([data-kind='running'])").wait_for()
    with StudyReader(lab.folder) as reader:
        (trial,) = reader.trials()
    assert trial.status == "finished" and trial.errors == 1
    assert trial.levels["device"] == "headset"
