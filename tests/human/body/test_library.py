"""The human in the robot library."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

import numpy as np
import pytest

from robotix.human.body.library import HUMAN, load_human
from robotix.kinematics import Posture
from robotix.model.robots import LibraryRobot

ROOT = Path(__file__).parents[3]


def test_the_package_offers_the_human_to_the_library() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    module, _, name = project["entry-points"]["robotix.robots"]["human"].partition(":")
    assert getattr(importlib.import_module(module), name) is HUMAN
    assert isinstance(HUMAN, LibraryRobot)


def test_the_human_is_described_like_any_robot() -> None:
    model, info = load_human(), HUMAN.describe()
    assert info.name == model.name == "human"
    assert info.n_dof == 39
    assert info.mass == pytest.approx(model.mass) == pytest.approx(84.6)
    told = {item.parameter for item in info.provenance}
    assert {"kinematics", "limits", "velocity", "acceleration", "mass", "inertia", "shape"} <= told
    for item in info.provenance:
        assert item.sources or item.confidence == "assumed"
    arm = Posture(model)
    reach = arm.position("right_shoulder") - arm.position("right_hand")
    assert info.reach == pytest.approx(float(np.linalg.norm(reach)))


def test_options_make_the_person() -> None:
    model = load_human(sex="f", stature=1.62)
    assert Posture(model).position("crown")[2] == pytest.approx(1.62)
    assert model.source.startswith("female, 1.620 m")
    assert load_human(sex="m", percentile=95).mass == pytest.approx(110.69)
    assert load_human(mass=70.0).mass == pytest.approx(70.0)
