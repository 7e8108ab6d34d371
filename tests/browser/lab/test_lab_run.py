"""A scripted person takes part in a study while the experimenter's page follows."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

from browser.lab.conftest import LabRun, button, launch, room_of
from playwright.sync_api import Frame, Page

from robotix.experiments.store.reading import StudyReader

WHERE = """() => {
  const app = window.robotix
  const state = app.room.states.get('arm')
  const target = app.room.node('target')
  return { hand: state.tip, target: target.object.position.toArray(), driver: state.tracked_by }
}"""
KEYS = (("ArrowUp", "ArrowDown"), ("ArrowLeft", "ArrowRight"), ("PageUp", "PageDown"))


def drive(page: Page, frame: Frame) -> None:
    """Steer the hand to the ball by the keyboard, axis by axis, until the room closes.

    As a person does, it lets go and presses again: a page that was silent for a moment has its keys
    released, and after a longer silence the hand is to be taken again.
    """
    frame.locator("canvas").first.click()
    where: Any = None
    for _ in range(400):
        if not page.locator("body[data-kind='running']").count():
            return
        try:
            where = frame.evaluate(WHERE)
        except Exception:  # the frame is gone: the trial is over
            return
        if not where["driver"]:
            page.keyboard.press("t")
            page.wait_for_timeout(100)
            continue
        errors = [b - a for a, b in zip(where["hand"], where["target"], strict=True)]
        axis = max(range(3), key=lambda k: abs(errors[k]))
        key = KEYS[axis][0 if errors[axis] > 0 else 1]
        page.keyboard.down(key)
        page.wait_for_timeout(min(1000 * abs(errors[axis]) / 0.25, 500) + 30)
        page.keyboard.up(key)
    raise AssertionError(f"the hand does not arrive: {where}")


def statuses(folder: Path) -> list[str]:
    with StudyReader(folder) as reader:
        return [trial.status for trial in reader.trials()]


def test_a_person_completes_a_study(lab: LabRun) -> None:
    page = lab.participant()
    button(page, "I have read this")
    button(page, "I agree")
    for _ in range(2):
        button(page, "Start")
        frame = room_of(page)
        lab.experimenter.locator("#trial", has_text="training_axes").wait_for()
        assert frame.locator(".panel:visible").count() == 0  # only what a participant may see
        drive(page, frame)
        page.locator("body:not([data-kind='running'])").wait_for()
    page.locator("body[data-kind='form']").wait_for()
    for box in page.locator("fieldset").all():
        box.locator("input").nth(2).check()
    button(page, "Send")
    button(page, "Finish")
    page.get_by_text("The session is over.").wait_for()
    lab.experimenter.locator("tr[data-participant='P001']", has_text="complete").wait_for()
    assert statuses(lab.folder) == ["finished", "finished"]
    with StudyReader(lab.folder) as reader:
        assert len(reader.answers("P001")) == 10 and reader.has_consent("P001")
        assert all((lab.folder / str(t.recording)).is_file() for t in reader.trials())


def test_reload_and_kill_lose_nothing_that_is_finished(lab: LabRun) -> None:
    page = lab.participant()
    button(page, "I have read this")
    page.reload()
    button(page, "I agree")
    button(page, "Start")
    drive(page, room_of(page))
    page.locator("body[data-kind='trial']").wait_for()
    button(page, "Start")
    room_of(page)
    page.reload()
    room_of(page)  # the same trial goes on
    assert statuses(lab.folder) == ["finished", "running"]
    lab.served.process.send_signal(signal.SIGKILL)
    lab.served.process.wait()
    port = int(lab.served.origin.rsplit(":", 1)[1])
    launch(lab.serving, lab.folder, port)
    page.reload()
    page.get_by_role("button", name="Start").wait_for()  # still logged in; the trial is repeated
    assert statuses(lab.folder) == ["finished", "interrupted"]
    lab.experimenter.reload()
    lab.experimenter.locator("tr[data-participant='P001']").wait_for()


def test_the_experimenter_stops_and_aborts(lab: LabRun) -> None:
    page = lab.participant()
    button(page, "I have read this")
    button(page, "I agree")
    button(page, "Start")
    room_of(page)
    button(lab.experimenter, "Emergency stop")
    page.get_by_text("Stopped by the experimenter.").wait_for()
    button(lab.experimenter, "Resume")
    lab.experimenter.locator("#trial:not(:has-text('STOPPED'))").wait_for()
    lab.experimenter.fill("#text", "was startled")
    button(lab.experimenter, "Keep the note")
    lab.experimenter.locator("#notes", has_text="was startled").wait_for()
    button(lab.experimenter, "Abort the trial")
    lab.experimenter.locator("#trial", has_text="No trial is running").wait_for()
    page.locator("body[data-kind='trial'][data-step='4']").wait_for()
    assert statuses(lab.folder) == ["aborted"]
