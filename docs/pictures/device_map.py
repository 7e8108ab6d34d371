"""Draw `device_map.svg` and `device_map_delay.svg`: where ViSHARD10 is stable before a wall."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from robotix.haptics.capability.device_map import default_trial, make_device_map
from robotix.haptics.capability.map_figure import device_map_svg
from robotix.haptics.walls.parameter_map import MapAxis

PICTURE = Path(__file__).with_suffix(".svg")
STIFFNESS = np.geomspace(1e3, 1e6, 31)

if __name__ == "__main__":
    trial = default_trial()
    slow = replace(trial, device=replace(trial.device, rate=300.0))
    found = make_device_map(slow, STIFFNESS, MapAxis("damping", np.linspace(0.0, 200.0, 11)))
    PICTURE.write_text(device_map_svg(found), encoding="utf-8")
    found = make_device_map(trial, STIFFNESS, MapAxis("delay", np.linspace(0.0, 0.01, 11)))
    PICTURE.with_stem("device_map_delay").write_text(device_map_svg(found), encoding="utf-8")
