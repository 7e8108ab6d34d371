"""The default tip is what the users of public robots take for the hand."""

from __future__ import annotations

import pytest
from support.public_robots import public_urdfs

import robotix as rx
from robotix.model import Body, Joint
from robotix.model.tip import choose_tip, explain_tip

# What somebody who moves this robot means by its hand, by the file's own names.
HANDS = {
    "baxter_description/urdf/baxter.urdf": "left_gripper",
    "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf": "left_hand_palm_link",
    "kinova_description/robots/kinova.urdf": "j2s6s200_end_effector",
    "panda_description/urdf/panda.urdf": "panda_hand_tcp",
    "pr2_description/urdf/pr2.urdf": "r_gripper_tool_frame",
    "romeo_description/urdf/romeo.urdf": "l_gripper",
    "so_arm_description/urdf/so100.urdf": "gripper",
    "so_arm_description/urdf/so101.urdf": "gripper_frame_link",
    "talos_data/robots/talos_full_v2.urdf": "wrist_right_ft_tool_link",
    "tiago_description/robots/tiago.urdf": "hand_tool_link",
    "ur_description/urdf/ur5_robot.urdf": "tool0",
    "xarm_description/urdf/xarm7.urdf": "link_eef",
    "z1_description/urdf/z1.urdf": "gripperStator",
}


@pytest.mark.parametrize("file", HANDS)
def test_the_tip_of_a_public_robot_is_its_hand(file: str) -> None:
    model = rx.load(public_urdfs()[file])
    assert model.tip == HANDS[file]
    assert explain_tip(model).startswith(("by its name, ", "the outermost body"))


def chain(*names: str, moving: int = 2) -> list[Body]:
    """Return bodies on one another; the first joints move."""
    bodies, parent = [Body("base", Joint("root", "fixed"))], "base"
    for k, name in enumerate(names):
        kind = "revolute" if k < moving else "fixed"
        bodies.append(Body(name, parent=parent, joint=Joint(f"to_{name}", kind)))  # type: ignore[arg-type]
        parent = name
    return bodies


def with_leaves(bodies: list[Body], parent: str, *names: str, moving: bool = False) -> list[Body]:
    kind = "revolute" if moving else "fixed"
    more = [Body(name, parent=parent, joint=Joint(f"to_{name}", kind)) for name in names]  # type: ignore[arg-type]
    return [*bodies, *more]


@pytest.mark.parametrize(
    "bodies, tip",
    [
        (with_leaves(chain("link6", "link7"), "link7", "link7_sc", "link8"), "link8"),  # franka_ros
        (with_leaves(chain("arm", "palm"), "palm", "left_finger", "right_finger"), "palm"),
        (chain("upper", "lower", "fingertip"), "fingertip"),  # one finger alone is the hand
        (chain("finger_upper", "finger_lower", "finger_tip"), "finger_tip"),
        (with_leaves(chain("arm", "gripper_base"), "gripper_base", "gripper_crank", moving=True),
         "gripper_base"),
        (chain("arm", "wrist", "camera_link", "camera_optical_frame"), "wrist"),
        (chain("l_forearm", "l_hand", "l_hand_force_torque"), "l_hand"),  # Atlas
        (chain("arm", "end_effector_link", "dummy", moving=2), "end_effector_link"),
        (chain("arm", "tool_frame", "flange"), "flange"),
    ],
)  # fmt: skip
def test_what_hangs_on_a_hand_is_not_the_hand(bodies: list[Body], tip: str) -> None:
    assert choose_tip(bodies, {}).name == tip


def test_the_reason_is_told() -> None:
    assert choose_tip(chain("arm", "tool0"), {}).reason == "by its name, tool0"
    assert choose_tip(chain("arm", "hand"), {}).reason == "the outermost body"
    assert "fingers" in choose_tip(chain("arm", "hand", "camera"), {}).reason
    assert explain_tip(rx.load("kuka_lwr")) == "by its name, flange"
    assert explain_tip(rx.load("vhrp26")) == "named by the robot's file"
    assert choose_tip([Body("camera", Joint("root", "fixed"))], {}).name == "camera"
