"""Plots of motions: joints and manipulability, as SVG that any program can show."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import robotix as rx
from robotix.kinematics.dexterity import manipulability
from robotix.model.robots import load
from robotix.view.plots import plot_joints, plot_manipulability

MODEL = load("panda")
TIMES = np.linspace(0.0, 2.0, 50)
BENT = np.clip([0.4, 0.5, 0.3, -1.5, 0.2, 1.2, 0.6], MODEL.lower, MODEL.upper)
MOTION = rx.Motion.of(MODEL, TIMES, q=np.linspace(0.3, 1.0, 50)[:, None] * BENT)


def labels(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter() if "text" in each.tag]


def test_every_joint_is_a_curve_with_its_name(tmp_path: Path) -> None:
    plot = plot_joints(MOTION, tmp_path / "joints.svg")
    assert (tmp_path / "joints.svg").read_text() == plot.svg == plot._repr_svg_()
    assert plot.svg.count('class="curve"') == 7
    assert set(MODEL.dof_names) <= set(labels(plot.svg))
    assert "°" in labels(plot.svg)


def test_angles_and_lengths_have_charts_of_their_own() -> None:
    model = load("scara")
    motion = rx.Motion.of(model, [0.0, 1.0], q=[model.neutral, model.neutral + 0.05])
    words = labels(plot_joints(motion).svg)
    assert {"°", "m"} <= set(words)
    assert {"°/s", "m/s"} <= set(labels(plot_joints(motion, rates=True).svg))


def test_curves_show_the_values() -> None:
    """The highest point of the curve is where manipulability is largest."""
    plot = plot_manipulability(MODEL, MOTION)
    values = [manipulability(rx.Posture(MODEL, q)) for q in MOTION.q]
    path = re.search(r'class="curve"[^>]*d="([^"]*)"', plot.svg)
    assert path is not None
    points = [tuple(map(float, pair.split())) for pair in re.split("[ML]", path[1])[1:]]
    heights = np.array([-y for _, y in points])
    assert int(np.argmax(heights)) == int(np.argmax(values))
    assert np.corrcoef(heights, values)[0, 1] > 0.999


def test_what_cannot_be_plotted_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a plot is an \.svg file"):
        plot_joints(MOTION, tmp_path / "joints.png")
    with pytest.raises(ValueError, match="no joint"):
        plot_manipulability(load("ur5"), MOTION)
    with pytest.raises(ValueError, match="no velocities"):
        plot_joints(rx.Motion.of(MODEL, [0.0], q=[BENT]), rates=True)
