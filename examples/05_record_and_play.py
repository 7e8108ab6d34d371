"""Record a motion, save it, append to it, load it, and play it twice as fast.

Run it with `python examples/05_record_and_play.py`.
"""

from pathlib import Path

import numpy as np

import robotix as rx
from robotix.motion import MotionRecorder, Passed, Player, append_motion, joint_events, make_move

DT = 1 / 60  # s


def main(folder: Path = Path("out")) -> list[str]:
    """Return the markers that went by while the file was played."""
    model = rx.load("scara")
    home, there = model.neutral, [0.8, -1.2, 0.05, 0.5]

    recorder = MotionRecorder(model)
    for row, q in enumerate(make_move(home, there, model=model, dt=DT).q):
        recorder.add(row * DT, q)
    recorder.mark("picked")
    motion = recorder.motion()

    folder.mkdir(exist_ok=True)
    file = folder / "pick.csv"  # or .mcap
    rx.save_motion(file, motion)
    append_motion(file, make_move(there, [None, 0.4, None, None], model=model), gap=0.5)

    loaded = rx.load_motion(file, model=model)
    print(f"{file}: {len(loaded.times)} postures, {loaded.duration:.2f} s")

    player, passed = Player(loaded, speed=2.0), list[str]()
    player.play()
    before = np.array(home)
    while (q := player.advance(DT)) is not None:
        passed += [event.label for event in player.events if isinstance(event, Passed)]
        for event in joint_events(model, before=before, after=q):
            if not isinstance(event, rx.motion.JointMoved):
                print(f"{player.time:.2f} s: {event}")
        before = q
    return passed


if __name__ == "__main__":
    print(f"went by: {', '.join(main())}")
