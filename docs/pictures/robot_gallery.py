"""Draw `robot_gallery.png`: ten well-known robots from public files, as a room shows them.

    python docs/pictures/robot_gallery.py [FOLDER ...]

Most come with the package example-robot-data. Files of the others are looked for in the folders,
which are copies of public repositories (`mujoco_menagerie`, `sawyer_robot`).
"""

import sys
from collections.abc import Mapping
from importlib.metadata import files
from pathlib import Path
from typing import NamedTuple

import numpy as np

import robotix as rx
from robotix.view import Image, contact_sheet, save_png

PICTURE = Path(__file__).with_suffix(".png")
SIZE = (300, 300)


class Shown(NamedTuple):
    """A robot: its file, and the posture of joints whose names contain a word, in degrees."""

    name: str
    file: str
    posture: Mapping[str, float]
    azimuth: float = -50.0  # degrees


ROBOTS = (
    Shown("UR5", "ur_description/urdf/ur5_robot.urdf",
          {"shoulder_lift": -70, "elbow": 90, "wrist_1": -110, "wrist_2": -90}),
    Shown("Panda", "panda_description/urdf/panda.urdf",
          {"joint1": 20, "joint2": -20, "joint4": -120, "joint6": 110, "joint7": 45}),
    Shown("LBR iiwa 14", "kuka_iiwa_14/iiwa14.xml", {"joint2": 30, "joint4": -80, "joint6": 60}),
    Shown("Jaco", "kinova_description/robots/kinova.urdf",
          {"joint_2": 160, "joint_3": 75, "joint_4": 60, "joint_5": 80, "finger": 30}),
    Shown("Sawyer", "sawyer_description/urdf/sawyer_base.urdf.xacro",
          {"j1": -40, "j3": 80, "j5": 50}),
    Shown("Baxter", "baxter_description/urdf/baxter.urdf",
          {"s0": 0, "s1": -30, "e1": 80, "w1": 40}, -20.0),
    Shown("TALOS", "talos_data/robots/talos_reduced.urdf",
          {"arm_left_2": 20, "arm_right_2": -20, "arm_left_4": -60, "arm_right_4": -60}, -40.0),
    Shown("G1", "g1_description/urdf/g1_29dof_rev_1_0.urdf",
          {"left_shoulder_roll": 15, "right_shoulder_roll": -15, "elbow": 40}, -40.0),
    Shown("Go2", "go2_description/urdf/go2.urdf", {"thigh": 45, "calf": -85}),
    Shown("ANYmal C", "anymal_c_simple_description/urdf/anymal.urdf",
          {"F_HFE": 35, "F_KFE": -65, "H_HFE": -35, "H_KFE": 65}),
)  # fmt: skip


def find(file: str, folders: list[Path]) -> Path:
    """Return the path of a file, in one of the folders or in example-robot-data."""
    found = [folder / file for folder in folders]
    listed = files("example-robot-data") or []
    found += [Path(str(each.locate())) for each in listed if str(each).endswith(file)]
    for path in found:
        if path.is_file():
            return path
    raise FileNotFoundError(f"{file} is neither in example-robot-data nor in {folders}")


def draw(shown: Shown, folders: list[Path]) -> Image:
    """Return the picture of a robot."""
    model = rx.load(find(shown.file, folders))
    q = model.neutral.copy()
    for i, name in enumerate(model.dof_names):
        for word, degrees in shown.posture.items():
            if word in name:
                q[i] = np.radians(degrees)
    posture = np.clip(q, model.lower, model.upper)
    azimuth = np.radians(shown.azimuth)
    return rx.picture(model, q=posture, size=SIZE, azimuth=azimuth, elevation=np.radians(14.0))


if __name__ == "__main__":
    places = [Path(each) for each in sys.argv[1:]]
    save_png(
        PICTURE, contact_sheet([draw(each, places) for each in ROBOTS], columns=5), colours=256
    )
    print(f"wrote {PICTURE.name}")
