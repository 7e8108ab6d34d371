"""A door that a hand opens: it turns about its hinge only, and a lamp tells when it is open.

Run it with `python examples/08_door.py`.
"""

import math

import numpy as np

from robotix.geometry import Box, Pose
from robotix.scene import Announcement, Attributes, Button, Inputs, Light, Reading, Scene, Signal
from robotix.scene.commands import Hinge, Say, Show

WIDTH = 0.8  # m
HINGE = np.array([0.6, 0.0, 1.0])


def make_room() -> Scene:
    """Return a room with a door, a lamp, and rules for both."""
    scene = Scene()
    slab = Box(np.array([WIDTH, 0.04, 2.0]))
    scene.graph.add("door", pose=Pose.at(0.6 + WIDTH / 2, 0, 1), solids=[slab])
    scene.graph.add("lamp", content=Light(), attributes=Attributes(visible=False))
    door = Hinge("door", "hand", origin=(-WIDTH / 2, 0, 0), reach=0.1, at_upper="open")
    scene.on(Button("hand", "grip"), door, mode="reflect")
    scene.on(Signal("open"), Show("lamp"), mode="reflect")
    scene.on(Signal("open"), Say("the door is open"))
    return scene


def hand_at(angle: float) -> Inputs:
    """Return what a closed hand on the edge of the door sends when it is led round by an angle."""
    radius = WIDTH + 0.05 * math.sin(9 * angle)  # no hand moves on a perfect circle
    x, y, z = HINGE + radius * np.array([math.cos(angle), math.sin(angle), 0.0])
    reading = Reading(position=(float(x), float(y), float(z)), buttons=frozenset({"grip"}))
    return Inputs(devices={"hand": reading})


def main() -> float:
    """Open the door farther than it goes; return the angle at which it stops, in degrees."""
    scene = make_room()
    for angle in np.linspace(0.0, 2.0, 240):
        scene.step(hand_at(angle))
        for message in scene.messages:
            if isinstance(message, Announcement):
                print(f"{scene.time:.2f} s: {message.text}")
    scene.step()  # the hand is gone, the door stays
    assert scene.graph["lamp"].attributes.visible
    return math.degrees(scene.control.guides["door"].value)


if __name__ == "__main__":
    print(f"it opens by {main():.1f} degrees")
