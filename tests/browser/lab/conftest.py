"""A running laboratory: the experimenter's page, and pages of participants."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from browser.conftest import HIDE_ROOM, PATIENCE, Served, _serving
from playwright.sync_api import Browser, Frame, Page

STUDY = """robotix: 1
study: Two arms
factors: {arm: {levels: [kuka_lwr, mitsubishi_pa10], order: fixed}}
tasks: [training_axes]
time_limit: 600
questionnaires: [{form: sus, after: study}]
briefing: Welcome to the study.
consent: I take part voluntarily.
"""


@pytest.fixture
def study() -> str:
    """The file of the study; a module can have its own."""
    return STUDY


@dataclass
class LabRun:
    """A running `robotix lab run`, with the page of the experimenter."""

    folder: Path
    serving: _serving
    served: Served
    browser: Browser
    experimenter: Page

    def participant(self, init: str = "") -> Page:
        """Add a participant, and open the page in a browser of their own, after a script."""
        self.experimenter.click("#add")
        link = self.experimenter.locator("#invitation a").get_attribute("href")
        return self.page(f"{self.served.origin}{link}", init)

    def page(self, address: str, init: str = "") -> Page:
        """Open an address in a browser of its own."""
        context = self.browser.new_context(
            viewport={"width": 640, "height": 420}, reduced_motion="reduce",
            device_scale_factor=0.5, ignore_https_errors=True,
        )  # fmt: skip
        context.set_default_timeout(PATIENCE)
        context.add_init_script(HIDE_ROOM)  # nothing is drawn: pictures are what takes longest
        context.add_init_script(init)
        page = context.new_page()
        page.goto(address)
        return page


def launch(serving: _serving, folder: Path, port: int, *options: str) -> Served:
    """Start `robotix lab run`."""
    command = [sys.executable, "-u", "-m", "robotix", "lab", "run", str(folder), "--no-open"]
    return serving.launch([*command, "--port", str(port), *options], folder)


@pytest.fixture
def options() -> tuple[str, ...]:
    """Options of `robotix lab run`; a module can have its own."""
    return ()


@pytest.fixture
def lab(tmp_path: Path, browser: Browser, study: str, options: tuple[str, ...]) -> Iterator[LabRun]:
    """A running study."""
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.yaml").write_text(study)
    serving = _serving(tmp_path)
    try:
        served = launch(serving, folder, 0, *options)
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(served.address)
        yield LabRun(folder, serving, served, browser, page)
    finally:
        for each in browser.contexts:
            each.close()
        serving.__exit__()


def button(page: Page, words: str) -> None:
    """Press a button."""
    page.get_by_role("button", name=words).click()


def room_of(page: Page) -> Frame:
    """Return the frame of the room, once it is connected."""
    page.locator("#room[src*='login']").wait_for()
    handle = page.locator("#room").element_handle()
    assert handle is not None
    frame = handle.content_frame()
    assert frame is not None
    frame.wait_for_function(
        "() => window.robotix && window.robotix.connection.state === 'open'"
        " && window.robotix.room.tick > 0 && window.robotix.room.states.get('arm')"
    )
    return frame
