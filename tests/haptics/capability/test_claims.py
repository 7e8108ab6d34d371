"""Capability over the cylinder, the published targets, and other designs."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.geometry.rotation import exp_rotation
from robotix.haptics.capability.claims import check_claims, map_capability, wrist_dexterity
from robotix.haptics.capability.designs import arm_dexterity, planar_dexterity
from robotix.haptics.capability.output import output_capability, torques_for
from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.loop.drives import vishard10_drives
from robotix.haptics.loop.reference import reference_posture
from robotix.kinematics import Posture
from robotix.model.robots import load


def test_the_force_that_is_said_to_be_possible_is_just_possible() -> None:
    q, drives = reference_posture(), vishard10_drives()
    found = output_capability(vishard10(), q, drives)
    needed = torques_for(vishard10(), q, found.force)
    limits = np.array([each.max_torque for each in drives])
    assert (needed <= limits * (1 + 1e-9)).all()
    assert (needed / limits).max() == pytest.approx(1.0)
    J = np.array(Posture(vishard10(), q).jacobian())[:3]
    for direction in np.random.default_rng(0).normal(size=(50, 3)):
        unit = direction / np.linalg.norm(direction)
        load_ = abs(J.T @ unit * found.force + Posture(vishard10(), q).gravity_torques)
        assert (load_ <= limits * (1 + 1e-9)).all()
    assert found.felt_mass[0] < found.felt_mass[1]
    assert not found.is_singular


def test_the_published_targets_are_judged() -> None:
    found = map_capability(radii=4, heights=2)
    claims = {each.name: each for each in check_claims(found, orientations=12)}
    assert claims["workspace without singularity of translation"].is_met
    assert claims["every orientation, without singularity"].is_met
    assert claims["no collision of its parts"].is_met is False  # with the shapes that are assumed
    assert claims["peak force"].is_met is None
    for row in found.postures.reshape(-1, 10):
        place = Posture(vishard10(), row).position()
        assert np.hypot(place[0], place[1]) <= 0.85 + 1e-9
        assert abs(place[2]) <= 0.3 + 1e-9


def test_four_axes_of_the_wrist_are_never_all_in_a_plane() -> None:
    for vector in ((0, 0, 0), (np.pi, 0, 0), (0, 0, np.pi / 2), (0, np.pi / 2, 0)):
        assert wrist_dexterity(exp_rotation(np.array(vector, dtype=float))) > 0.5


def test_links_close_the_hole_about_the_first_axis() -> None:
    two, three, four = (planar_dexterity(n) for n in (2, 3, 4))
    assert two.best[0] < 0.5 * three.best[0]
    assert four.best[0] > three.best[0]
    assert two.best[0] < 0.5 * np.nanmax(two.best)
    with pytest.raises(BadField, match="2 to 10"):
        planar_dexterity(1)


def test_arms_of_six_and_seven_joints_are_more_often_singular_near_their_axis() -> None:
    device = arm_dexterity(vishard10())
    for name in ("ur5", "kuka_lwr"):
        assert arm_dexterity(load(name)).near_singular[0] > 3 * device.near_singular[0]
