"""Build a robot, twice: from bodies and joints, and from a Denavit-Hartenberg table.

Then give it a tool, put two of them into one model, and write it as URDF.

Run it with `python examples/04_build_a_robot.py`.
"""

import math
from pathlib import Path

import numpy as np

import robotix as rx
from robotix.geometry import Capsule
from robotix.model import merge_models
from robotix.model.dh import DhRow, make_dh_model
from robotix.model.urdf.writer import save_urdf

UPPER, LOWER = 0.4, 0.3  # m


def from_bodies() -> rx.Model:
    """Two links that turn about z, each with its mass and the solid that collides."""
    bone = Capsule(0.03, UPPER, rx.Pose.at(UPPER / 2, 0, 0, rpy=(0, math.pi / 2, 0)))
    shoulder = rx.Joint("shoulder", "revolute", lower=-2.5, upper=2.5, velocity=2.0)
    elbow = rx.Joint("elbow", "revolute", lower=-2.5, upper=2.5, velocity=2.0)
    return rx.Model(
        "two_links",
        (
            rx.Body("upper", shoulder, mass=2.0, com=np.array([0.2, 0, 0]), collision=(bone,)),
            rx.Body("lower", elbow, "upper", rx.Pose.at(UPPER, 0, 0), mass=1.0),
        ),
        points={"hand": rx.ControlPoint("lower", rx.Pose.at(LOWER, 0, 0))},
        tip="hand",
    )


def from_dh() -> rx.Model:
    """Build the same arm from a table; a file with this table is read by `load`."""
    rows = [
        DhRow(a=UPPER, name="shoulder", lower=-2.5, upper=2.5, velocity=2.0),
        DhRow(a=LOWER, name="elbow", lower=-2.5, upper=2.5, velocity=2.0),
    ]
    return make_dh_model("two_links_dh", rows)


def main(folder: Path = Path("out")) -> float:
    """Return how far the hands of the two arms are apart at the same posture, in m."""
    q = [0.4, -0.9]
    hands = [rx.Posture(model, q).position() for model in (from_bodies(), from_dh())]

    arm = from_bodies().with_payload("cup", 0.3)
    arm = arm.with_point("tcp", rx.ControlPoint("lower", rx.Pose.at(LOWER + 0.1, 0, 0)), tip=True)
    pair = merge_models("pair", {"left": (arm, rx.Pose.at(0, 0.3, 0)), "right": (arm, rx.Pose())})
    print(f"{pair.name}: {pair.n_dof} joints ({', '.join(pair.dof_names)}), {pair.mass} kg")

    folder.mkdir(exist_ok=True)
    save_urdf(arm, folder / "two_links.urdf")
    again = rx.load(folder / "two_links.urdf")
    np.testing.assert_allclose(rx.Posture(again, q).position("hand"), hands[0], atol=1e-12)
    return float(np.linalg.norm(hands[0] - hands[1]))


if __name__ == "__main__":
    print(f"the two arms differ by {main():.1e} m")
