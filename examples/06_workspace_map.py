"""Map where an arm reaches and how dexterous it is there; compare two mountings.

Run it with `python examples/06_workspace_map.py`.
"""

import numpy as np

import robotix as rx
from robotix.kinematics.workspace import reachability_map

SHELF = np.array([0.3, 0.9, 1.1])  # m, to the left of the wheelchair, in its frame


def main(samples: int = 30_000) -> dict[str, float]:
    """Return the volume that each arm on the wheelchair's rail reaches, in m³."""
    volumes = {}
    for name in ("kuka_lwr_rail", "mitsubishi_pa10_rail"):
        rng = np.random.default_rng(1)
        reached = reachability_map(rx.load(name), voxel=0.1, samples=samples, rng=rng)
        volumes[name] = reached.volume
        shelf = float(reached.best_at(SHELF))
        print(f"{name}: {reached.volume:.2f} m³, isotropy at the shelf {shelf:.2f}")
    return volumes


if __name__ == "__main__":
    main()
