"""Draw `capability.svg` and `designs.svg`: what ViSHARD10 can do over its cylinder, and why."""

from pathlib import Path

from robotix.haptics.capability.claims import map_capability
from robotix.haptics.capability.designs import arm_dexterity, planar_dexterity
from robotix.haptics.capability.figures import capability_svg, designs_svg
from robotix.model.robots import load

FOLDER = Path(__file__).parent

if __name__ == "__main__":
    found = map_capability(radii=18, heights=9)
    (FOLDER / "capability.svg").write_text(capability_svg(found), encoding="utf-8")
    arms = [planar_dexterity(n) for n in (2, 3, 4)]
    arms += [arm_dexterity(load(name)) for name in ("ur5", "kuka_lwr", "vishard10")]
    (FOLDER / "designs.svg").write_text(designs_svg(arms), encoding="utf-8")
