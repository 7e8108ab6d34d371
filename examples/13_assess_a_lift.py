"""Assess a lift, change the workplace, and compare; then try it on a family of bodies.

Somebody lifts a box from the floor onto a table. All methods look at the whole motion; the reports
are pages of HTML with pictures, curves, verdicts and sources.

Run it with `python examples/13_assess_a_lift.py`; it writes to the folder `ergo_reports`.
"""

from pathlib import Path

from robotix.ergonomics import (
    Job,
    assess,
    assess_family,
    compare,
    percentile_bodies,
    save_report,
)
from robotix.human import make_anthropometry, make_manikin
from robotix.human.tasks.tasks import perform

FOLDER = Path("ergo_reports")
JOB = Job(per_minute=1.0, hours=2.0, coupling="fair")  # what no motion shows


def main() -> dict[str, float]:
    """Return the highest compression of L5/S1 of every design, in N."""
    woman = make_manikin(make_anthropometry(sex="f", percentile=50))
    heavy = assess(perform("lift", woman, parameters={"load": 15.0}), job=JOB)
    for found in heavy.findings:
        print(f"{found.what:<22} {found.figure:>8}  {found.verdict}")
    save_report(FOLDER / "heavy", heavy)

    light = assess(perform("lift", woman, parameters={"load": 6.0}), job=JOB)
    designs = {"15 kg": heavy, "6 kg": light}
    changed = compare(heavy, light, names=("15 kg", "6 kg"))
    save_report(FOLDER / "lighter", changed)

    bodies = (*percentile_bodies((5,), sexes="f"), *percentile_bodies((95,), sexes="m"))
    family = assess_family("lift", bodies, parameters={"load": 6.0}, job=JOB)
    save_report(FOLDER / "family", family)
    able = sum(member.is_able for member in family.members)
    print(f"{able} of {len(family.members)} can lift 6 kg; reports are in {FOLDER}")
    return {name: float(each.back.compression.max()) for name, each in designs.items()}


if __name__ == "__main__":
    main()
