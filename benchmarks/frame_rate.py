"""How many pictures a second the page draws of the furnished flat, in a real browser.

First the view is turned all the time, as somebody does who looks around; then the arm moves from
posture to posture before a view that stands still. Quality is left to the page, as people have it:
how coarse the picture was is told besides. Without a graphics card this measures the processor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from start_up import PATIENCE, browser_page, served_flat

__all__ = ["Pace", "tell_frame_rates", "time_frames"]

READY = (
    "() => window.robotix?.room.skins.length > 0 && window.robotix.room.tick > 0"
    " && !document.querySelector('.loading')"
)
# Notes the time of every picture that was drawn, while something happens again and again.
WATCH_FRAMES = """([what, seconds]) => new Promise((resolve) => {
  const app = window.robotix
  const postures = ['1', '2', '3']
  const begun = performance.now()
  const times = []
  let last = app.stage.frames
  let step = 0
  const move = () => {
    if (what === 'turn') app.stage.turn(0.01, 0)
    else if (!app.room.states.get('arm').is_moving && app.room.tick > step) {
      step = app.room.tick + 60
      const key = postures[Math.floor(performance.now() / 1000) % postures.length]
      app.connection.command(`press ${key}`).then(() => app.connection.command(`release ${key}`))
    }
  }
  const look = () => {
    const now = performance.now()
    if (app.stage.frames > last) {
      last = app.stage.frames
      times.push(now)
    }
    if (now - begun > 1000 * seconds) {
      const { pixelRatio, calls, triangles, gpu } = app.stage.stats
      resolve({ times, pixelRatio, calls, triangles, gpu })
      return
    }
    move()
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})"""


@dataclass(frozen=True)
class Pace:
    """Pictures of some seconds."""

    rate: float  # a second
    slow: float  # s, the 95th percentile of the time from one picture to the next
    pixel_ratio: float  # of the last one: 1 is full resolution
    calls: int  # draw calls
    triangles: int
    graphics: str  # what drew


def time_frames(seconds: float) -> dict[str, Pace]:
    """Count pictures while the view turns, and while the arm moves."""
    with browser_page() as page, served_flat() as address:
        page.goto(address)
        page.wait_for_function(READY, timeout=PATIENCE)
        page.wait_for_timeout(3_000)  # walls fade, panels settle
        return {what: _pace(page, what, seconds) for what in ("turn", "move")}


def _pace(page: Any, what: str, seconds: float) -> Pace:
    seen: dict[str, Any] = page.evaluate(WATCH_FRAMES, [what, seconds])
    gaps = np.diff(seen["times"]) / 1e3
    how = seen["pixelRatio"], seen["calls"], seen["triangles"], seen["gpu"]
    if not len(gaps):
        return Pace(0.0, seconds, *how)
    return Pace(len(gaps) / float(gaps.sum()), float(np.quantile(gaps, 0.95)), *how)


def tell_frame_rates(seconds: float) -> None:
    """Measure and print; the browser must be there."""
    words = {"turn": "while the view turns", "move": "while the arm moves"}
    paces = time_frames(seconds)
    print(f"the flat at 1280 × 720, drawn by {paces['turn'].graphics}:")
    for what, pace in paces.items():
        print(
            f"  {words[what]}: {pace.rate:.1f} pictures/s, "
            f"19 of 20 within {1e3 * pace.slow:.0f} ms, resolution {pace.pixel_ratio:.2f}, "
            f"{pace.calls} draw calls, {pace.triangles:,} triangles"
        )


if __name__ == "__main__":
    tell_frame_rates(10.0)
