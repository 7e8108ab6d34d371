"""A clock that goes only when somebody waits or works."""

import math


class SlowClock:
    """Time passes by sleeping, and by what `work` is told that things take."""

    def __init__(self) -> None:
        self.time = 100.0
        self.slept = 0.0

    def now(self) -> float:
        return self.time

    def sleep_until(self, moment: float) -> None:
        assert math.isfinite(moment)
        self.slept += max(0.0, moment - self.time)
        self.time = max(self.time, moment)

    def work(self, seconds: float) -> None:
        self.time += seconds
