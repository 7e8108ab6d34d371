"""The map of stability."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

from robotix.experiments.wheelchair.chair import load_with_rail
from robotix.experiments.wheelchair.stability import ChairLoad, StabilityResult, sample_stability
from robotix.experiments.wheelchair.stability_figure import make_stability_grid, stability_svg
from robotix.model.rail import load_wheelchair_rail


def test_the_map_keeps_the_worst_of_each_square_and_is_drawn() -> None:
    model, load = load_with_rail("kuka_lwr"), ChairLoad.typical(person=False, anti_tip=False)
    sample = sample_stability(model, 2000, load=load, rng=np.random.default_rng(0))
    grid = make_stability_grid(sample)
    worst = StabilityResult.worst_of(sample)
    assert grid.tip_angle.min() == worst.tip_angle
    i = int(np.argmin(grid.tip_angle))
    assert (abs(worst.hand[:2] - grid.cells[i] - 0.05) <= 0.05 + 1e-9).all()
    rail = load_wheelchair_rail().rail
    svg = ElementTree.fromstring(stability_svg(grid, worst, load=load, rail=rail, title="<arm>"))
    squares = [each for each in svg if each.tag.endswith("rect")]
    assert len(squares) >= len(grid.cells)
    assert any("&lt;" in (each.text or "") or "<arm>" in (each.text or "") for each in svg)
