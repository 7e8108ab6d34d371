"""Draw `wheelchair_stability.svg`: how far the wheelchair is from falling, by place of the hand."""

from pathlib import Path

import numpy as np

from robotix.experiments.wheelchair.chair import load_with_rail
from robotix.experiments.wheelchair.stability import (
    ChairLoad,
    find_worst_posture,
    sample_stability,
)
from robotix.experiments.wheelchair.stability_figure import make_stability_grid, stability_svg
from robotix.model.rail import load_wheelchair_rail

PICTURE = Path(__file__).with_suffix(".svg")

if __name__ == "__main__":
    load = ChairLoad.typical(person=False, payload=7.0)
    model, rng = load_with_rail("kuka_lwr"), np.random.default_rng(0)
    sample = sample_stability(model, 400_000, load=load, rng=rng)
    worst = find_worst_posture(model, sample, load=load, rng=rng)
    rail = load_wheelchair_rail().rail
    title = "KUKA LWR on the rail, 7 kg in the hand, nobody in the chair, anti-tip wheels"
    text = stability_svg(make_stability_grid(sample), worst, load=load, rail=rail, title=title)
    PICTURE.write_text(text, encoding="utf-8")
