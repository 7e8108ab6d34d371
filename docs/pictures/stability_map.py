"""Draw `stability_map.svg`: where a sampled wall is stable, and where it is passive."""

from pathlib import Path

import numpy as np

from robotix.haptics.walls.figure import map_svg
from robotix.haptics.walls.stability_map import make_stability_map
from robotix.haptics.walls.wall import SampledDevice, VirtualWall, WallTrial

PICTURE = Path(__file__).with_suffix(".svg")
TRIAL = WallTrial(VirtualWall(0.0), SampledDevice(mass=2.0, damping=15.0))

if __name__ == "__main__":
    found = make_stability_map(TRIAL, np.linspace(0, 80_000, 51)[1:], np.linspace(0, 40, 41))
    PICTURE.write_text(map_svg(found), encoding="utf-8")
