"""Legacy scripts of a few lines, run tick by tick."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from robotix.authoring import check_scene, load_scene
from robotix.scene import Inputs, Reading, Scene
from robotix.scene.robots.robot import Robot

INIT = 'appl init robotix.so:init "robot.cfg"'


class Trial:
    """A scene with a script of one line, and what happens when the key k is pressed."""

    def __init__(self, folder: Path, *lines: str) -> None:
        first = () if lines[0].startswith("appl init robotix.so:init ") else (INIT,)
        (folder / "room.vd2").write_text("\n".join((*first, *lines)))
        assert check_scene(folder / "room.vd2") == []
        self.folder = folder
        self.scene: Scene = load_scene(folder / "room.vd2", trust=True)
        self.said: list[str] = []

    @property
    def robot(self) -> Robot:
        return self.scene.robot()

    @property
    def degrees(self) -> list[float]:
        return np.round(np.degrees(self.robot.q), 6).tolist()  # type: ignore[no-any-return]

    def run(self, ticks: int = 1, *keys: str, **devices: Reading) -> Trial:
        """Hold keys for some ticks."""
        given = {"keyboard": Reading(buttons=frozenset(keys)), **devices}
        for _ in range(ticks):
            self.scene.step(Inputs(devices=given))
            self.said += [str(message) for message in self.scene.messages]
        return self

    def press(self, key: str = "k", *, then: int = 1) -> Trial:
        """Press a key for one tick, then wait."""
        return self.run(1, key).run(then)

    def sees(self, node: str) -> bool:
        return self.scene.graph[node].attributes.visible
