"""Show a robot in the browser and move its joints from Python.

Run it with `python examples/15_show_and_move.py`. In a notebook, `rx.show("kuka_lwr")` as the last
line of a cell embeds the page.
"""

import math
import time

import robotix as rx


def main(seconds: float = 0.5, *, open_browser: bool = False) -> float:
    """Wave with the arm; return the position of the second joint at the end, in rad."""
    with rx.show("kuka_lwr", open_browser=open_browser) as view:
        start = time.monotonic()
        while (elapsed := time.monotonic() - start) < seconds:
            view.q = [0.0, 0.5 * math.sin(elapsed), 0.0, 1.2, 0.0, 0.6, 0.0]
            time.sleep(1 / 60)
        view.q = [0.0, 0.4, 0.0, 1.2, 0.0, 0.6, 0.0]
        return view.call(lambda: float(view.robot.q[1]))


if __name__ == "__main__":
    print(f"second joint at {main(20.0, open_browser=True):.2f} rad")
