"""One tick of a person, ours and the peers': `python benchmarks/human_tick.py`.

The body of a median man (39 coordinates) follows his own lift: both feet and both hands in 6-D, the
centre of mass, and the posture, 60 rows, within joint and velocity limits. All contestants read
the same URDF file and the same targets, as in `run.py`. Then a whole lift is timed as users make
it, `perform("lift", manikin)`: seconds of motion in a second of one core.

Run it on an idle machine: everything else that runs is measured, too.
"""

import argparse
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
from peers import OURS
from report import table
from run import ROOT, _machine, compete, prepare
from workloads import TickWork, save_work
from yardstick import Array, base_poses, load_ruler, select

from robotix.geometry import exp_rotation, quaternion_from_rotation
from robotix.human import Manikin, make_anthropometry, make_manikin
from robotix.human.tasks.tasks import perform
from robotix.model.urdf.writer import to_urdf

WORKLOAD = "tick_human"
CONTESTANTS = (OURS, "placo", "pink", "mink")
FRAMES = ("left_foot", "right_foot", "left_hand", "right_hand")
GOAL = 100.0  # seconds of motion in a second
LIFTS = 10
TINY = {"mass": "1e-6", "inertia": "1e-9"}  # kg, kg m²: some readers refuse moving links of none


def main() -> None:
    """Compare, then lift."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default=",".join(CONTESTANTS), help="contestants, with commas")
    options = parser.parse_args()
    machine = _machine()  # before we load it ourselves
    ROOT.mkdir(exist_ok=True)
    manikin = make_manikin(make_anthropometry(sex="m", percentile=50))
    environments, absent = prepare(options.only.split(","))
    path = write_work(ROOT / "data_human", manikin)
    rows = compete(environments, {WORKLOAD: path}, options.rounds)[WORKLOAD]
    rows |= {peer: {"failure": why} for peer, why in absent.items()}
    print(f"\n{table(WORKLOAD, rows)}\n")
    print(lift_figures(manikin), machine, sep="\n")


def write_work(folder: Path, manikin: Manikin) -> Path:
    """Write the body and the targets of its lift; return where the work is."""
    folder.mkdir(parents=True, exist_ok=True)
    urdf = folder / "human.urdf"
    urdf.write_text(plain_urdf(manikin), encoding="utf-8")
    motion = perform("lift", manikin).motion
    ruler = load_ruler(urdf)
    q = yardstick_rows(manikin, motion.q, tuple(edge.name for edge in ruler.moving))
    poses = ruler.link_poses(q[:, 7:], world_from_base=base_poses(q))
    work = TickWork(
        urdf=str(urdf),
        joints=tuple(edge.name for edge in ruler.moving),
        frames=FRAMES,
        frame_weights=np.array([100.0, 100.0, 1.0, 1.0]),
        com_weight=100.0,
        damping=1e-6,
        dt=float(motion.times[1] - motion.times[0]),
        home=q[0],
        poses=select(poses, FRAMES)[1:],
        com=ruler.centre_of_mass(poses)[1:],
        posture_weight=1e-4,
        angles=q[1:, 7:],
    )
    path = folder / f"{WORKLOAD}.npz"
    save_work(work, path)
    return path


def plain_urdf(manikin: Manikin) -> str:
    """Return the body as all contestants can read it: the pelvis floats, four frames, no shapes."""
    robot = ET.fromstring(to_urdf(manikin.model))
    unused = {*manikin.model.points} - {*FRAMES} | {"world"}
    for element in list(robot):
        child, parent = element.find("child"), element.find("parent")
        name = element.get("name") if element.tag == "link" else child.get("link")  # type: ignore[union-attr]
        if name in unused or (parent is not None and parent.get("link") == "world"):
            robot.remove(element)
            continue
        for tag in ("visual", "collision"):
            for shape in element.findall(tag):
                element.remove(shape)
        for limit in element.findall("limit"):
            limit.attrib.pop("acceleration", None)
        if element.tag == "link" and element.find("inertial") is None and name not in FRAMES:
            inertial = ET.SubElement(element, "inertial")
            ET.SubElement(inertial, "mass", value=TINY["mass"])
            axes = {key: TINY["inertia"] for key in ("ixx", "iyy", "izz")}
            ET.SubElement(inertial, "inertia", axes | {"ixy": "0", "ixz": "0", "iyz": "0"})
    return ET.tostring(robot, encoding="unicode")


def yardstick_rows(manikin: Manikin, q: Array, joints: tuple[str, ...]) -> Array:
    """Return postures as the yardstick counts them: place, quaternion, angles."""
    model = manikin.model
    place = q[:, :3] + model.bodies[0].placement.translation
    turns = np.array([quaternion_from_rotation(exp_rotation(row[3:6])) for row in q])
    return np.hstack([place, turns, q[:, [model.dof_index(name) for name in joints]]])


def lift_figures(manikin: Manikin) -> str:
    """Time whole lifts, with all that they set up, and say how they compare with real time."""
    perform("lift", manikin)  # compiled by now
    times = []
    for _ in range(LIFTS):
        start = time.process_time()  # of this core, whoever else wants it
        motion = perform("lift", manikin).motion
        times.append(time.process_time() - start)
    best, usual = (motion.duration / t for t in (min(times), float(np.median(times))))
    word = "met   " if best >= GOAL else "MISSED"
    return (
        f"{word}  lift: {motion.duration:.1f} s of motion, {best:.0f} × real time at best, "
        f"{usual:.0f} × usually, set-up included (goal {GOAL:.0f} ×)"
    )


if __name__ == "__main__":
    main()
