"""Update the table of `dynamics_validation.md`: `python docs/make_validation.py`."""

import re
from pathlib import Path

from robotix.dynamics.validation import Check, run_checks

PAGE = Path(__file__).parent / "dynamics_validation.md"
TABLE = re.compile(r"(\| check \|.*\n\|---.*\n)((?:\|.*\n)*)")


def row(check: Check) -> str:
    """Return one line of the table; what is smaller than 1e-12 is rounding."""
    value = "0" if check.value == 0 else "rounding" if check.value < 1e-12 else f"{check.value:.1e}"
    limit = f"{check.limit:.0e}" if check.limit else "0"
    return f"| {check.name} | {value} | {limit} {check.unit}".rstrip() + " |\n"


if __name__ == "__main__":
    rows = "".join(map(row, run_checks()))
    PAGE.write_text(TABLE.sub(lambda found: found[1] + rows, PAGE.read_text()))
    print(f"wrote {PAGE.name}")
