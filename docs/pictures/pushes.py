"""Draw `pushes.svg`: the largest push that the humanoid survives, over gains and directions.

It takes some minutes; the trials run on all cores, and give the same figures every time.
"""

import math
from pathlib import Path

import numpy as np
from rich.progress import Progress

from robotix.dynamics.balance import AnkleLaw
from robotix.dynamics.balance.robustness import PushCase, largest_push
from robotix.dynamics.simulation.rollouts import run_cases
from robotix.view.charts import Chart, Curve, Limit

PICTURE = Path(__file__).with_suffix(".svg")
GAINS = (1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 6.0)  # of M·g
FORWARD, LEFT, BACK = 0.0, math.pi / 2, math.pi
STYLE = """<style>
text{font:12px sans-serif;fill:#333}.grid{stroke:#ccc;fill:none}.curve{fill:none;stroke-width:2.2}
.limit{stroke-dasharray:3 4;fill:none}svg{background:#fff}
</style>"""


def limits() -> tuple[list[list[float]], list[float]]:
    """Return the largest impulses of four laws and directions, and those with held ankles."""
    cases = [PushCase(AnkleLaw(gain), angle) for angle in (FORWARD, LEFT, BACK) for gain in GAINS]
    cases += [PushCase(AnkleLaw(gain, sign="printed"), LEFT) for gain in GAINS]
    cases += [PushCase(None, angle) for angle in (FORWARD, LEFT, BACK)]
    with Progress() as bar:
        task = bar.add_task("pushes", total=len(cases))
        found = run_cases(largest_push, cases, advance=lambda _: bar.advance(task))
    n = len(GAINS)
    return [found[k * n : k * n + n] for k in range(4)], found[4 * n :]


def draw(rows: list[list[float]], held: list[float]) -> str:
    """Return the picture as SVG."""
    labels = ("forward", "to the left", "backward", "left, printed")
    colours = ("#1b62c4", "#1a8754", "#a86200", "#1a8754")
    curves = [
        Curve(label, row, colour, "6 4" if "printed" in label else "")
        for label, row, colour in zip(labels, rows, colours, strict=True)
    ]
    words = ("held, forward", "held, left", "held, back")
    levels = [Limit(w, v, c) for w, v, c in zip(words, held, colours, strict=False)]
    chart = Chart(
        "largest push", "N s", np.array(GAINS), curves, limits=levels, height=320.0,
        time_unit="M·g", span=(0.0, max(3.2, *held) + 0.2),
    )  # fmt: skip
    head = '<svg xmlns="http://www.w3.org/2000/svg" '
    return chart.svg().replace("<svg ", head, 1).replace(">", ">" + STYLE, 1)


if __name__ == "__main__":
    rows, held = limits()
    for row in (*rows, held):
        print(" ".join(f"{value:.2f}" for value in row))
    PICTURE.write_text(draw(rows, held))
