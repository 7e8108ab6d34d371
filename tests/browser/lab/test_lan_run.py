"""A participant takes part from another machine, by its address in the network."""

from __future__ import annotations

import pytest
from browser.lab.conftest import LabRun, button, room_of
from browser.lab.test_lab_run import drive, statuses

from robotix.server.http.hosting import lan_addresses


@pytest.fixture
def options() -> tuple[str, ...]:
    return ("--lan",)


@pytest.mark.skipif(not lan_addresses(), reason="this machine has no address in a network")
def test_a_trial_from_another_machine(lab: LabRun) -> None:
    lab.experimenter.click("#add")
    address = lab.experimenter.locator(".elsewhere code").text_content() or ""
    assert address.startswith(f"https://{lan_addresses()[0]}:")
    assert lab.experimenter.locator("canvas.squares").is_visible()  # the same, as a QR code
    page = lab.page(address)
    button(page, "I have read this")
    button(page, "I agree")
    button(page, "Start")
    frame = room_of(page)
    assert frame.url.startswith(f"https://{lan_addresses()[0]}:")
    assert frame.evaluate("() => window.isSecureContext")  # so a headset can be entered
    drive(page, frame)
    page.locator("body[data-kind='trial']").wait_for()
    assert statuses(lab.folder) == ["finished"]
