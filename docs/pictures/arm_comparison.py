"""Draw `arm_comparison.svg`: arms and mountings over the points of the four tasks."""

from pathlib import Path

from robotix.experiments.comparison.targets import compare_targets
from robotix.experiments.report.comparison import comparison_figure
from robotix.experiments.tasks.library import TASKS

PICTURE = Path(__file__).with_suffix(".svg")
ARMS = ("kuka_lwr", "amtec_ulwr", "mitsubishi_pa10")

if __name__ == "__main__":
    found = compare_targets(list(TASKS), ARMS, ["fixed", "rail", "rail_tilt"])
    PICTURE.write_text(comparison_figure(found).svg(), encoding="utf-8")
    for each in found:
        print(each)
