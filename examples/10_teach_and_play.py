"""Teach a robot postures in a room, save them, and let it play them; all by commands.

The same commands work in scene files, at the console and from Python.

Run it with `python examples/10_teach_and_play.py`.
"""

from pathlib import Path

import robotix as rx
from robotix.scene import Announcement, Inputs, RobotMoves, Scene, Signal
from robotix.scene.commands import Play
from robotix.scene.console import install_console, run_command


def main(folder: Path = Path("out")) -> list[str]:
    """Return what was said on the way."""
    folder.mkdir(exist_ok=True)
    (folder / "taught.csv").unlink(missing_ok=True)
    scene = Scene()
    scene.files.source = folder / "room.yaml"  # files are beside the scene's own
    robot = scene.add_robot("arm", rx.load("scara"))
    install_console(scene)
    run_command(scene, "set_step 60")

    for posture in ("(20, -40, 0.02, 0)", "(45, 30, 0.05, *)", "(-10, 60, 0.01, 90)"):
        run_command(scene, f"move {posture}")  # degrees, and m for the quill
        while robot.drive is not None:
            scene.step()
        run_command(scene, "save taught.csv")

    def note(scene: Scene, event: object) -> None:
        scene.say(f"at {scene.time:.1f} s, {robot.describe()}")

    scene.on(Signal("play"), Play("taught.csv", speed=2.0))  # a rule, such as files have them
    scene.on(RobotMoves("arm"), note, mode="change")
    scene.emit("play")
    said: list[str] = []
    for tick in range(300):
        scene.step(Inputs(commands=("printvar",)) if tick == 150 else None)
        said += [message.text for message in scene.messages if isinstance(message, Announcement)]
    return said


if __name__ == "__main__":
    print("\n".join(main()))
