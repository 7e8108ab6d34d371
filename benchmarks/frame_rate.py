"""How many pictures a second the page draws of the furnished flat, in a real browser.

First the view is turned all the time, as somebody does who looks around; then the arm moves from
posture to posture before a view that stands still; pictures drawn while it stood do not count.
Quality is left to the page, as people have it: how coarse the pictures were is told besides.
Without a graphics card this measures the processor.
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
# Notes every picture that was drawn while something happens again and again: how long after the one
# before, and its resolution. Keys are pressed as a person does: the page takes no `press`.
WATCH_FRAMES = """([what, seconds]) => new Promise((resolve) => {
  const app = window.robotix
  const begun = performance.now()
  const gaps = []
  const ratios = []
  let last = app.stage.frames
  let drawnAt = begun
  let wasMoving = false
  let pressed = 0
  const moves = () => what === 'turn' || app.room.states.get('arm').is_moving
  const key = (type) => {
    const digit = 1 + (pressed % 3)
    const init = { code: `Digit${digit}`, key: `${digit}`, bubbles: true }
    document.body.dispatchEvent(new KeyboardEvent(type, init))
  }
  let isDown = false
  let changed = begun
  const act = (now) => {
    if (what === 'turn') return app.stage.turn(0.01, 0)
    if (now - changed < (isDown ? 200 : 1000) || (!isDown && moves())) return
    isDown = !isDown
    changed = now
    key(isDown ? 'keydown' : 'keyup')
    if (!isDown) pressed += 1
  }
  const look = () => {
    const now = performance.now()
    if (app.stage.frames > last) {
      last = app.stage.frames
      if (moves() && wasMoving) {
        gaps.push(now - drawnAt)
        ratios.push(app.stage.stats.pixelRatio)
      }
      drawnAt = now
      wasMoving = moves()
    }
    if (now - begun > 1000 * seconds) {
      if (isDown) key('keyup')
      const { calls, triangles, gpu } = app.stage.stats
      resolve({ gaps, ratios, calls, triangles, gpu })
      return
    }
    act(now)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})"""


@dataclass(frozen=True)
class Pace:
    """Pictures of some seconds."""

    rate: float  # a second
    slow: float  # s, the 95th percentile of the time from one picture to the next
    pixel_ratio: float  # median: 1 is full resolution
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
    gaps = np.array(seen["gaps"]) / 1e3
    if not len(gaps):
        raise RuntimeError(f"no picture was drawn while something should {what}: is it too slow?")
    how = seen["calls"], seen["triangles"], seen["gpu"]
    ratio = float(np.median(seen["ratios"]))
    return Pace(len(gaps) / float(gaps.sum()), float(np.quantile(gaps, 0.95)), ratio, *how)


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
