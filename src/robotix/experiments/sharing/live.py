"""Shared work as a trial with a person: in a headset one does the person's part oneself.

With the device `headset` the participant is the person at the bench, and takes things by hand. With
any other device the manikin does that part, and the participant watches. Work begins when somebody
is there; the arm is protected, and measured, as in trials without people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from robotix.experiments.sharing.rooms import DONE
from robotix.experiments.sharing.run import SharedLog, open_shared, shared_figures
from robotix.experiments.sharing.tracked import BEGIN, HERE, PERSON
from robotix.experiments.sharing.trial import shared_conditions
from robotix.experiments.trial import TrialPlan
from robotix.experiments.trial_devices import trial_device
from robotix.safety.faults import Fault
from robotix.scene.commands.safety import inject
from robotix.scene.events.events import Event, Signal
from robotix.scene.scene import Scene
from robotix.scene.task_display import TaskDisplay

__all__ = ["SharedRoom", "SharedStatus", "open_shared_live"]

SETTLE = 2.0  # s from when somebody is there until the arm begins
HEAD = "head"  # the logical device
WAIT_FOR_ARM = "Wait until the arm has finished."
# What a participant does, in turn: the signal that ends a part, and what to do until then.
PARTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "one_bench": (
        ("placed", "Take the orange part on your right and put it onto the round mark."),
        (DONE, WAIT_FOR_ARM),
    ),
    "walk_past": (("passed", "Walk past the arm, to the round mark on the floor."),),
    "handover_to_person": (
        ("offered", "Wait until the arm holds the cup out to you."),
        ("taken", "Take the cup out of the hand of the arm."),
        (DONE, WAIT_FOR_ARM),
    ),
    "handover_to_robot": (
        ("given", "Put the orange cup onto the post in the middle, and let go of it."),
        (DONE, "Take your hand away: the arm fetches the cup."),
    ),
    "carry_together": (
        ("held", "Wait until the arm is at the board."),
        ("lifted", "Take the board and lift it up to your chest; the arm carries along."),
        (DONE, "Bring the board down again."),
    ),
}
WATCHING = ((DONE, "Watch how a person and the arm share this work."),)
PUT_ON = "Put the headset on, and stand where the person stands."


@dataclass(frozen=True)
class SharedStatus:
    """What a page shows: what to do now, what was wrong, what is left."""

    state: str  # waiting, running or finished
    instruction: str
    left: int
    total: int
    errors: Sequence[str] = ()
    duration: float = 0.0  # s since the arm began

    @property
    def last_error(self) -> str:
        """What was wrong last."""
        return self.errors[-1] if self.errors else ""


@dataclass(eq=False)
class SharedWatcher:
    """Follows shared work; `step` is called in every tick."""

    scene: Scene
    parts: tuple[tuple[str, str], ...]
    is_tracked: bool
    fault: Fault | None
    log: SharedLog = field(default_factory=SharedLog)
    started_at: float | None = None
    finished_at: float | None = None
    errors: list[str] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _since: float | None = None  # when somebody came

    def __post_init__(self) -> None:
        def note(name: str) -> Callable[[Scene, Event], None]:
            return lambda scene, event: self._seen.add(name)

        for name in (HERE, *(signal for signal, _ in self.parts)):
            self.scene.on(Signal(name), note(name))

    def step(self, dt: float) -> None:
        """Follow what happens."""
        if self.started_at is None:
            self._wait()
        elif self.finished_at is None:
            self.log.note_tick(self.scene, is_tracked=self.is_tracked)
            self._count_contacts()
            if all(signal in self._seen for signal, _ in self.parts):
                self.finished_at = self.scene.time
        found = self.status
        self.scene.task_display = TaskDisplay(
            found.instruction, found.last_error, found.left, found.total
        )

    def _wait(self) -> None:
        """Let the work begin once somebody has been there for a while."""
        reading = self.scene.inputs.devices.get(HEAD)
        is_here = reading is not None and reading.live if self.is_tracked else HERE in self._seen
        if not is_here:
            self._since = None
            return
        self._since = self.scene.time if self._since is None else self._since
        if self.scene.time - self._since >= SETTLE:
            self.started_at = self.scene.time
            self.scene.emit(BEGIN)
            if self.fault is not None:
                arm = self.scene.robot()
                self.scene.start(inject(self.scene, self.fault, robot=arm), name="fault")

    def _count_contacts(self) -> None:
        touched = self.log.moving_contacts(self.scene)
        while len(self.errors) < touched:
            self.errors.append("The arm touched you." if self.is_tracked else "They touched.")

    @property
    def status(self) -> SharedStatus:
        """What to do now, what was wrong, what is left."""
        left = [words for signal, words in self.parts if signal not in self._seen]
        words = left[0] if left else "Done."
        if self.started_at is None:
            words = PUT_ON if self.is_tracked else "The work begins in a moment."
        end = self.scene.time if self.finished_at is None else self.finished_at
        return SharedStatus(
            "waiting" if self.started_at is None
            else "running" if self.finished_at is None else "finished",
            words, len(left), len(self.parts), tuple(self.errors),
            0.0 if self.started_at is None else end - self.started_at,
        )  # fmt: skip


@dataclass(eq=False)
class SharedRoom:
    """A room with shared work, ready to run with a person."""

    scene: Scene
    watcher: SharedWatcher

    def measures(self) -> dict[str, float]:
        """Return distance, speeds, waiting and contacts; the load of who was tracked."""
        watcher = self.watcher
        log = watcher.log
        if watcher.is_tracked and log.postures:
            log.note_tracked(self.scene.people[PERSON], self.scene.dt)
        has_load = bool(log.rows)
        return dict(shared_figures(self.scene, log, with_load=has_load and watcher.is_tracked)[0])


def open_shared_live(plan: TrialPlan) -> SharedRoom:
    """Return the room of a shared task for a participant."""
    setup, protection, fault = shared_conditions(plan)
    is_tracked = trial_device(plan.levels.get("device", "")) == "headset"
    setup = replace(setup, is_tracked=is_tracked, begins_later=True)
    scene = open_shared(plan.task, setup, protection)
    parts = PARTS[plan.task] if is_tracked else WATCHING
    watcher = SharedWatcher(scene, parts, is_tracked, fault)
    scene.add_hook(f"shared {plan.task}", watcher.step)
    return SharedRoom(scene, watcher)
