"""Draw the felt mass of both displays: `python docs/pictures/display_contrast.py`."""

from pathlib import Path

from robotix.haptics.loop.figures import contrast_svg
from robotix.haptics.loop.reference import compare_displays


def main() -> None:
    """Write display_contrast.svg next to this file."""
    out = Path(__file__).with_name("display_contrast.svg")
    out.write_text(contrast_svg(compare_displays()), encoding="utf-8")


if __name__ == "__main__":
    main()
