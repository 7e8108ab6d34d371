"""Update the table of likeness in `human.md`: `python docs/make_likeness.py`."""

import re
from math import degrees
from pathlib import Path

from robotix.capture.likeness import AngleDifference, Likeness, compare_with_recording

DOCS = Path(__file__).parent
PAGE = DOCS / "human.md"
RECORDING = DOCS.parent / "examples" / "data" / "pick_up.bvh"
STYLES = ("natural", "squat", "stoop")
LOAD = 1.0  # kg: the recorded thing is small
TABLE = re.compile(r"(\| angle, degrees \|.*\n.*\n)((?:\|.*\n)*)")


def compared() -> dict[str, Likeness]:
    """Compare the lift in every style."""
    return {
        style: compare_with_recording(RECORDING, unit="cmu", style=style, load=LOAD)
        for style in STYLES
    }


def filled(page: str, found: dict[str, Likeness]) -> str:
    """Return the page with an updated table."""
    columns = [{angle.angle: angle for angle in each.angles} for each in found.values()]
    lines = []
    for name, first in columns[0].items():
        cells = [_span(first.recorded)]
        for column in columns:
            angle: AngleDifference = column[name]
            cells.append(
                f"{_span(angle.ours)}; {degrees(angle.rms):.0f}, {degrees(angle.peak):.0f}"
            )
        lines.append(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |\n")
    means = " | ".join(f"{degrees(each.rms):.0f}" for each in found.values())
    lines.append(f"| all, rms | | {means} |\n")
    return TABLE.sub(lambda table: table[1] + "".join(lines), page)


def _span(span: tuple[float, float]) -> str:
    low, high = (round(degrees(angle)) + 0 for angle in span)
    return f"{low} to {high}"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(), compared()))
    print(f"wrote {PAGE.name}")
