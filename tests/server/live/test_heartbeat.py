"""A page that is busy drawing is not a page that is gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from robotix.devices import Controls, default_device_map, fit_to_scene
from robotix.server.live.page_inputs import MAX_STALL, PageInputs

PERIOD = 0.033  # s between heartbeats


@dataclass
class Clock:
    """A clock that is set by hand."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Driver:
    """A page that holds the key for forwards, and then says nothing more."""

    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        device_map = fit_to_scene(default_device_map(), {"stick": "translate3"})
        self.inputs = PageInputs(Controls(device_map), clock=self.clock)
        self.inputs.read(0.0)
        self.inputs.receive_device_data("keyboard", {"type": "state", "down": []})
        self.forwards()
        self.clock.now += 0.02
        self.inputs.receive_device_data(
            "keyboard", {"type": "down", "code": "ArrowUp", "key": "ArrowUp"}
        )

    def forwards(self) -> float:
        """Return how far the stick is pushed forwards, 0 if it is silent."""
        reading = self.inputs.read(self.clock.now).devices["stick"]
        return reading.axes[0] if reading.live else 0.0

    def wait(self, seconds: float, each: Callable[[], None]) -> None:
        """Let time pass in ticks of 10 ms, and call something now and then."""
        due = 0.0
        for _ in range(round(seconds / 0.01)):
            self.clock.now += 0.01
            due += 0.01
            if due >= PERIOD:
                due = 0.0
                each()
            self.forwards()


@pytest.fixture
def driver() -> Driver:
    return Driver()


def test_a_key_is_held_while_the_page_is_busy_but_lives(driver: Driver) -> None:
    assert driver.forwards() == 1.0
    driver.wait(1.0, driver.inputs.receive_heartbeat)
    assert driver.forwards() == 1.0


def test_without_heartbeats_the_same_silence_releases_it(driver: Driver) -> None:
    driver.wait(1.0, lambda: None)
    assert driver.forwards() == 0.0


def test_a_page_that_hangs_releases_it_though_its_heart_beats(driver: Driver) -> None:
    driver.wait(MAX_STALL + 0.7, driver.inputs.receive_heartbeat)
    assert driver.forwards() == 0.0


def test_a_key_that_came_up_stays_up(driver: Driver) -> None:
    driver.inputs.receive_device_data("keyboard", {"type": "up", "code": "ArrowUp"})
    driver.wait(0.3, driver.inputs.receive_heartbeat)
    assert driver.forwards() == 0.0


def test_nothing_is_repeated_after_control_has_changed_hands(driver: Driver) -> None:
    driver.inputs.release_devices()
    driver.wait(0.3, driver.inputs.receive_heartbeat)
    assert driver.forwards() == 0.0
