"""Trials with people: every trial has a room and a server of its own.

The server of a room has its own port and a token that lives as long as the trial. A participant
who drives in it holds nothing that opens the laboratory's pages, or any other server.
"""

from __future__ import annotations

import logging
import math
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from robotix.experiments.session import LiveStatus
from robotix.experiments.study.plan import TRAINING_PHASES
from robotix.experiments.trial import TrialOutcome, TrialPlan

if TYPE_CHECKING:
    from robotix.experiments.measures.driving import DrivingLog
    from robotix.motion.recorder import MotionRecorder
    from robotix.scene.loop import Loop
    from robotix.scene.scene import Scene
    from robotix.server import Hosting, Secure

__all__ = ["HostedRooms", "LiveRoom", "open_live_room"]

LOG = logging.getLogger(__name__)
START_TIMEOUT = 120.0  # s until a room must be there
ARM = "arm"  # the robot that a participant drives
SHOWN_TIMEOUT = 10.0  # s
MAX_SAMPLES = 2_000_000  # of a recording


class LiveWatcher(Protocol):
    """Follows a task; its `status` has state, instruction, left, errors, duration, last_error."""

    @property
    def status(self) -> Any:
        """What to do now, what was wrong, what is left."""


class LiveRoom(Protocol):
    """A scene with a task in it."""

    scene: Scene

    @property
    def watcher(self) -> LiveWatcher:
        """What follows the task."""


OpenRoom = Callable[[TrialPlan], LiveRoom]


def open_live_room(plan: TrialPlan) -> LiveRoom:
    """Open the room of a trial: of training, of shared work, or of a task in the flat."""
    arm = plan.levels.get("arm", "kuka_lwr")
    if plan.task in TRAINING_PHASES:
        from robotix.experiments.training import open_training_room

        look = plan.levels.get("appearance", "own")
        return open_training_room(plan.task, arm, appearance=look, seed=plan.seed)
    from robotix.experiments.sharing.live import open_shared_live
    from robotix.experiments.sharing.trial import is_shared

    return open_shared_live(plan) if is_shared(plan.task) else _open_task(plan)


def _open_task(plan: TrialPlan) -> LiveRoom:
    """Open the room of a task in the flat, with the fault that the study asks for."""
    from robotix.experiments.runner import make_setup
    from robotix.experiments.sharing.operator_faults import cause_faults
    from robotix.experiments.tasks.library import load_task
    from robotix.experiments.tasks.room import open_task_room

    room = open_task_room(load_task(plan.task), make_setup(plan.levels), seed=plan.seed)
    cause_faults(room.scene, ARM, plan.levels)
    return room


@dataclass(eq=False)
class _Trial:
    """A trial under way; shared by its thread and those who ask."""

    plan: TrialPlan
    on_done: Callable[[TrialOutcome], None]
    is_open: threading.Event
    hosting: Hosting | None = None
    loop: Loop | None = None
    room: LiveRoom | None = None
    is_aborted: bool = False
    is_stopped: bool = False


class HostedRooms:
    """Runs one trial at a time, each in a thread, with a server for its room."""

    def __init__(
        self,
        open_room: OpenRoom = open_live_room,
        *,
        port: int = 0,
        prepare: Callable[[Scene], object] = lambda scene: None,
        secure: Secure | None = None,
        names: Sequence[str] = (),
    ) -> None:
        """Run nothing yet; `prepare` loads what a scene needs, before it runs in real time.

        With `secure`, rooms are served to other machines too, which call this one by `names`.
        """
        self._open_room, self._port, self._prepare = open_room, port, prepare
        self._secure, self._names = secure, tuple(names)
        self._trial: _Trial | None = None
        self._thread: threading.Thread | None = None

    def start(self, plan: TrialPlan, on_done: Callable[[TrialOutcome], None]) -> None:
        """Open the room of a trial and run it."""
        if self._thread is not None:
            self._thread.join(START_TIMEOUT)  # the room before is closing
        trial = _Trial(plan, on_done, threading.Event())
        self._trial = trial
        self._thread = threading.Thread(target=self._run, args=(trial,), name="trial", daemon=True)
        self._thread.start()

    def status(self) -> LiveStatus:
        """Return the state of the running trial."""
        trial = self._trial
        if trial is None or trial.room is None:
            return LiveStatus("The room opens.")
        found, shown = trial.room.watcher.status, trial.room.scene.task_display
        return LiveStatus(
            found.instruction, "" if shown is None else shown.wrong, found.left, found.duration,
            len(found.errors), trial.is_stopped, found.total,
        )  # fmt: skip

    def drive_address(self) -> str:
        """Return an address that lets one page drive, once."""
        hosting = self._hosting()
        if hosting is None:
            return ""
        return f"{hosting.one_time_address()}&embed=1&role=participant"

    def watch_address(self) -> str:
        """Return an address that lets pages watch."""
        trial = self._trial
        if trial is None or trial.hosting is None:
            return ""
        return f"{trial.hosting.watch_addresses[0]}&embed=1&role=spectator"

    def _hosting(self) -> Hosting | None:
        trial = self._trial
        if trial is None or not trial.is_open.wait(START_TIMEOUT):
            return None
        return trial.hosting

    def abort(self) -> None:
        """End the trial."""
        if self._trial is not None:
            self._trial.is_aborted = True
            if self._trial.loop is not None:
                self._trial.loop.stop()

    def stop(self) -> None:
        """Stop all robots and hold: the scene pauses, and no input reaches it."""
        trial = self._trial
        if trial is not None and trial.loop is not None:
            trial.is_stopped = True
            _show_stopped(trial)
            trial.loop.pause()

    def resume(self) -> None:
        """Go on after a stop."""
        if self._trial is not None and self._trial.loop is not None:
            self._trial.is_stopped = False
            _show_stopped(self._trial)
            self._trial.loop.resume()

    def close(self) -> None:
        """End the trial, if one runs, as interrupted."""
        trial, thread = self._trial, self._thread
        if trial is not None and trial.loop is not None:
            trial.loop.stop()
        if thread is not None:
            thread.join(START_TIMEOUT)

    # -- thread of a trial ------------------------------------------------------------------

    def _run(self, trial: _Trial) -> None:
        outcome = TrialOutcome("interrupted", 0.0)
        try:
            outcome = self._run_room(trial)
        except Exception:
            LOG.exception("the trial %s of %s failed", trial.plan.task, trial.plan.participant)
        finally:
            trial.is_open.set()
            self._trial = None
            trial.on_done(outcome)

    def _run_room(self, trial: _Trial) -> TrialOutcome:
        from robotix.app.session import open_session
        from robotix.experiments.measures.driving import DrivingLog
        from robotix.experiments.tasks.room import GRIP_NODE
        from robotix.experiments.trial_console import engage_when_used, guard_console
        from robotix.experiments.trial_devices import is_dragged, limit_devices, limit_keys
        from robotix.motion.recorder import MotionRecorder
        from robotix.server import Access, Hosting, RoomService

        room = self._open_room(trial.plan)
        scene = room.scene
        robot, device = scene.robots[ARM], trial.plan.levels.get("device", "")
        limit_keys(scene, device)
        guard_console(scene, may_drag=is_dragged(device))
        engage_when_used(scene, robot)
        recorder = MotionRecorder(robot.model, capacity=MAX_SAMPLES)
        grip = scene.graph[GRIP_NODE] if GRIP_NODE in scene.graph else None  # none in training
        log = DrivingLog()
        access = Access.of(secrets.token_urlsafe(24), self._names, can_embed=True)
        service = RoomService()
        service.pages_set_pace = False  # a stop of the experimenter lasts; time is not slowed

        def follow(scene: Scene) -> None:
            recorder.add(scene.time, robot.q)
            status = room.watcher.status
            if status.duration > 0:
                log.add(robot.tip_position() if grip is None else grip.world_position, robot.q)
            if status.state == "finished" or status.duration >= trial.plan.time_limit:
                loop.stop()

        with (
            Hosting(service, access, port=self._port, secure=self._secure) as hosting,
            open_session(
                scene,
                service=service,
                on_tick=[follow],
                limit=lambda mapping: limit_devices(mapping, device),
            ) as loop,
        ):
            service.wait_until_shown(SHOWN_TIMEOUT)
            self._prepare(scene)
            trial.room, trial.loop, trial.hosting = room, loop, hosting
            trial.is_open.set()
            loop.set_speed(1.0)
            if not trial.is_aborted:
                loop.run()
        return _outcome(trial, recorder, log)


def _show_stopped(trial: _Trial) -> None:
    """Let page and headset say that the experimenter has stopped everything, or no longer."""
    scene = None if trial.room is None else trial.room.scene
    if scene is not None and scene.task_display is not None:
        scene.task_display = replace(scene.task_display, is_stopped=trial.is_stopped)


def _outcome(trial: _Trial, recorder: MotionRecorder, log: DrivingLog) -> TrialOutcome:
    from robotix.experiments.measures.driving import measure_driving
    from robotix.experiments.sharing.live import SharedRoom
    from robotix.experiments.sharing.operator_faults import fault_figures
    from robotix.motion.files import save_motion

    assert trial.room is not None
    found, plan, scene = trial.room.watcher.status, trial.plan, trial.room.scene
    saved = None
    if len(recorder) and plan.recording is not None:
        save_motion(plan.recording, recorder.motion())
        saved = plan.recording
    if isinstance(trial.room, SharedRoom):  # nobody drives in it
        measures = trial.room.measures()
    else:
        measures = measure_driving(log, scene.robots[ARM].model, dt=scene.dt) | fault_figures(scene)
    if trial.is_aborted:
        status = "aborted"
    elif found.state == "finished":
        status = "finished"
    else:
        status = "timeout" if found.duration >= plan.time_limit else "interrupted"
    duration = min(found.duration, plan.time_limit if math.isfinite(plan.time_limit) else math.inf)
    return TrialOutcome(status, duration, len(found.errors), measures, saved)  # type: ignore[arg-type]
