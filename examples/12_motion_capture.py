"""Drive a manikin from a few recorded points, and see how far off the points not used are.

Two recordings: somebody walks up to a thing and picks it up from the floor (BVH), and somebody puts
a box onto a shelf (C3D, which needs `pip install "robotix[mocap]"`).

Run it with `python examples/12_motion_capture.py`.
"""

from pathlib import Path

from robotix.capture.follow_run import report_lines, run_follow

DATA = Path(__file__).parent / "data"


def main() -> dict[str, float]:
    """Return the error at the points that were not used, of every recording, in m."""
    reports = {
        "pick-up": run_follow(DATA / "pick_up.bvh", markers="cmu"),
        "box lift": run_follow(DATA / "box_lift.c3d", markers=DATA / "box_lift.toml", sex="f"),
    }
    for name, report in reports.items():
        print(name, *report_lines(report), sep="\n  ")
    return {name: report.rms(driven=False) for name, report in reports.items()}


if __name__ == "__main__":
    main()
