"""Stability maps agree with the closed forms, and are drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.haptics.walls.figure import map_svg
from robotix.haptics.walls.stability_map import make_stability_map
from robotix.haptics.walls.wall import SampledDevice, VirtualWall, WallTrial

TRIAL = WallTrial(VirtualWall(0.0), SampledDevice(2.0, 5.0))


def test_the_map_ends_where_theory_says() -> None:
    done: list[int] = []
    stiffness = np.linspace(1000, 24_000, 24)
    found = make_stability_map(TRIAL, stiffness, [0.0, 4.0], advance=done.append, threads=2)
    assert done == [24, 24]
    # a wall that damps only on the way in has half of its damping over a whole cycle
    for j, damping in enumerate((5.0, 7.0)):
        expected = 2 * damping * 1000
        assert found.measured_limits[j] == pytest.approx(expected, abs=1500)
    is_passive = found.energy_leak[0] < 1e-9
    assert is_passive[stiffness < found.passivity_limits[0]].all()
    assert not is_passive[stiffness > 1.3 * found.passivity_limits[0]].any()


def test_the_map_is_drawn_as_svg() -> None:
    found = make_stability_map(TRIAL, [2000.0, 5000.0, 30_000.0], [0.0, 2.0])
    assert found.is_stable.tolist() == [[True, True, False]] * 2
    root = ET.fromstring(map_svg(found))
    shapes = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert shapes.count("rect") >= 1 + 2 * 2  # equal neighbours are one strip
    assert shapes.count("polyline") == 2
    width = float(root.attrib["viewBox"].split()[2])
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        if "text-anchor" not in text.attrib:  # legends: 7 for a character of 13 px
            assert float(text.attrib["x"]) + 7 * len(text.text or "") < width, text.text


def test_axes_of_a_map_ascend() -> None:
    with pytest.raises(BadField, match="stiffness must be ascending numbers"):
        make_stability_map(TRIAL, [2.0, 1.0], [0.0])
