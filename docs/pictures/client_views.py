"""Draw `client_headset.png` and `client_replay.png`: an emulated headset, and two recordings.

Run with `python docs/pictures/client_views.py`; it needs the browser of the tests.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from browser.conftest import Served, _serving, open_room  # noqa: E402
from browser.page_states import _launch, plot_joints_and_distance, wear  # noqa: E402
from browser.replay.conftest import BIG, GOALS, READY, record  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402

HEADSET_SIZE = (1280, 800)  # pixels of the picture in the docs


def draw_headset(browser: Browser, folder: Path) -> None:
    """Draw what somebody sees who has just put the headset on in the flat."""
    with _serving(folder) as serve:
        wear(browser, serve(""), "headset", ["first"], folder)
    with Image.open(folder / "headset_first.png") as picture:
        left = (picture.width - HEADSET_SIZE[0]) // 2
        seen = picture.convert("RGB").crop((left, 0, left + HEADSET_SIZE[0], HEADSET_SIZE[1]))
        seen.save(ROOT / "docs" / "pictures" / "client_headset.png", optimize=True)


def draw_replay(browser: Browser, folder: Path) -> None:
    """Draw two recordings over each other, with the curves of a joint and of a distance."""
    first, second = (record(folder, name) for name in GOALS)
    command = [sys.executable, "-u", "-m", "robotix", "replay", str(first), "--show"]
    with _serving(folder) as serve:
        server = serve.__self__  # type: ignore[attr-defined]
        served: Served = server.launch(
            [*command, "--compare", str(second), "--port", "0", "--no-open"], first
        )
        page = open_room(browser, served, until=READY, size=BIG, sharpness=1, scheme="light")
        plot_joints_and_distance(page)
        page.until("app.stage.stats.pixelRatio === 1")
        page.page.screenshot(path=ROOT / "docs" / "pictures" / "client_replay.png")
        page.page.context.close()


def main() -> None:
    """Draw both."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = _launch(playwright.chromium)
        draw_headset(browser, Path(folder))
        draw_replay(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
