"""Draw `workspace.png`: where a KUKA LWR 4+ gets, and how dexterous it is there."""

from pathlib import Path

import numpy as np

import robotix as rx
from robotix.kinematics.workspace import reachability_map
from robotix.view.reachability_files import save_map

PICTURE = Path(__file__).with_suffix(".png")

if __name__ == "__main__":
    model = rx.load("kuka_lwr")
    reached = reachability_map(
        model, voxel=0.04, samples=1_000_000, rng=np.random.default_rng(0), threads=2
    )
    save_map(PICTURE, reached, model=model, point=model.tip)
