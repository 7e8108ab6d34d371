"""A session with people: which step is next, what its page may show, and what came of it.

Participant and experimenter act on one `LabSession`; it is the only one that writes to the store.
Whatever a participant sends names the step that it is about, and is refused when that is not the
present one: two windows, or a reloaded page, cannot do anything twice.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from robotix.errors import RobotixError, UnknownName
from robotix.experiments.participant_words import how_to_drive, task_title
from robotix.experiments.store.records import Participant, StoredTrial
from robotix.experiments.store.store import StudyStore
from robotix.experiments.study.plan import TRAINING_PHASES, SessionStep
from robotix.experiments.study.study import TrainingPhase
from robotix.experiments.study_check import TASK_NAMES, level_problems, room_menu
from robotix.experiments.trial import TrialOutcome, TrialPlan

__all__ = ["LabSession", "LiveRooms", "LiveStatus", "NotNow", "is_training_passed"]

TRIED, NOBODY = 0, "nobody"  # in place of the number of a trial, and of a participant


class NotNow(RobotixError):
    """An action that does not fit the present step."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)


@dataclass(frozen=True)
class LiveStatus:
    """What a page shows of a running trial."""

    instruction: str = ""
    problem: str = ""  # what was wrong last
    left: int = 0  # goals
    duration: float = 0.0  # s
    errors: int = 0
    is_stopped: bool = False  # by the experimenter
    total: int = 0  # goals of the task


class LiveRooms(Protocol):
    """Runs trials with people in a room that a page shows; one at a time."""

    def start(self, plan: TrialPlan, on_done: Callable[[TrialOutcome], None]) -> None:
        """Open the room of a trial; `on_done` is called once, from any thread, when it ends."""

    def status(self) -> LiveStatus:
        """Return the state of the running trial."""

    def drive_address(self) -> str:
        """Return an address that lets one page drive, once; empty while there is no room."""

    def watch_address(self) -> str:
        """Return an address that lets pages watch; empty while there is no room."""

    def abort(self) -> None:
        """End the trial."""

    def stop(self) -> None:
        """Stop all robots and hold."""

    def resume(self) -> None:
        """Go on after a stop."""


def is_training_passed(phase: TrainingPhase, runs: list[StoredTrial]) -> bool:
    """Return whether the last runs of a phase meet its criterion."""
    last = [run for run in runs if run.status in ("finished", "timeout")][-phase.passes :]
    return len(last) == phase.passes and all(
        run.status == "finished" and (run.errors or 0) <= phase.max_errors for run in last
    )


class LabSession:
    """The sessions of a study; thread-safe."""

    def __init__(self, store: StudyStore, rooms: LiveRooms) -> None:
        self.store, self._rooms = store, rooms
        self._lock = threading.RLock()
        self._running: tuple[int, SessionStep, Participant] | None = None  # the trial under way

    # -- for both ---------------------------------------------------------------------------

    def _step(self, name: str) -> tuple[Participant, SessionStep | None]:
        person = self.store.participant(name)
        return person, self.store.next_step(person)

    def _check(self, name: str, number: int, *kinds: str) -> tuple[Participant, SessionStep]:
        person, step = self._step(name)
        if step is None or step.number != number or step.kind not in kinds:
            raise NotNow("this step is over, or not the present one; reload the page")
        return person, step

    def _runs(self, name: str, step: SessionStep) -> list[StoredTrial]:
        return [
            each
            for each in self.store.trials(name)
            if each.step == step.number and not each.is_discarded
        ]

    # -- for a participant ------------------------------------------------------------------

    def view(self, name: str) -> dict[str, Any]:
        """Return what the page of a participant shows: the present step, and nothing else."""
        with self._lock:
            person, step = self._step(name)
            study = self.store.study
            shown: dict[str, Any] = {"participant": name, "study": study.study}
            if step is None:
                return shown | {"step": 0, "kind": "end", "left": 0}
            total = len(self.store.plan(person))
            shown |= {"step": step.number, "steps": total, "kind": step.kind}
            if step.kind == "briefing":
                shown["text"] = study.briefing
            elif step.kind == "consent":
                shown["text"] = study.consent
            elif step.kind == "break":
                shown["seconds"] = step.seconds
            elif step.kind == "form":
                shown["form"] = self._form(step)
            elif step.trial is not None:
                shown |= self._trial_view(person, step)
            return shown

    def _form(self, step: SessionStep) -> dict[str, Any]:
        form = self.store.study.form(step.form)
        return {
            "title": form.title,
            "instruction": form.instruction,
            "items": [
                {
                    "name": item.name, "text": item.text, "low": item.low, "high": item.high,
                    "step": item.step, "low_label": item.low_label, "high_label": item.high_label,
                }
                for item in form.items
            ],
            "pairs": [list(pair) for pair in form.pairs],
        }  # fmt: skip

    def _trial_view(self, person: Participant, step: SessionStep) -> dict[str, Any]:
        assert step.trial is not None
        is_running = self._running is not None and self._running[2].name == person.name
        plan = step.trial
        shown: dict[str, Any] = {
            "task": plan.task, "is_running": is_running, "title": task_title(plan.task),
            "how": how_to_drive(plan.task, plan.levels.get("device", "")),
            "time_limit": plan.time_limit if math.isfinite(plan.time_limit) else 0,
            "other_runs": self._running is not None and not is_running,
        }  # fmt: skip
        if is_running:
            status = self._rooms.status()
            shown |= {
                "instruction": status.instruction, "problem": status.problem,
                "left": status.left, "total": status.total, "is_stopped": status.is_stopped,
            }  # fmt: skip
        elif step.kind == "training" and self._is_waiting(person, step):
            shown["is_waiting"] = True
        return shown

    def _is_waiting(self, person: Participant, step: SessionStep) -> bool:
        """Return whether a training step has used up its attempts."""
        return len(self._runs(person.name, step)) >= self._phase(step).attempts

    def _phase(self, step: SessionStep) -> TrainingPhase:
        plan = self.store.study.training
        assert plan is not None and step.trial is not None
        return plan.axes if step.trial.task == TRAINING_PHASES[0] else plan.path

    def consent(self, name: str, number: int) -> None:
        """Record that a participant agrees."""
        with self._lock:
            _, step = self._check(name, number, "consent")
            self.store.give_consent(step, name, self.store.study.consent)

    def go_on(self, name: str, number: int) -> None:
        """Record that a participant has read the briefing, or ends a break or the session."""
        with self._lock:
            _, step = self._check(name, number, "briefing", "break", "end")
            self.store.complete_step(step, name)

    def answer(self, name: str, number: int, answers: Mapping[str, int]) -> None:
        """Store the answers to a questionnaire."""
        with self._lock:
            person, step = self._check(name, number, "form")
            task = ""
            if step.after == "trial":
                before = [s for s in self.store.plan(person) if s.number < number and s.trial]
                task = before[-1].trial.task if before and before[-1].trial else ""
            self.store.store_answers(step, name, answers, task=task)

    def begin(self, name: str, number: int) -> None:
        """Begin the trial or training run of the present step."""
        with self._lock:
            person, step = self._check(name, number, "trial", "training")
            if self._running is not None:
                raise NotNow("a trial is running already")
            if not self.store.has_consent(name):
                raise NotNow("there is no consent yet")
            if step.kind == "training" and self._is_waiting(person, step):
                raise NotNow("the experimenter decides how the training goes on")
            trial, plan = self.store.begin_trial(step)
            self._running = trial, step, person
            try:
                self._rooms.start(plan, self._finished)
            except Exception:
                self._finished(TrialOutcome("interrupted", 0.0))
                raise

    def drive_address(self, name: str) -> str:
        """Return the address of the room for the participant whose trial runs."""
        with self._lock:
            if self._running is None or self._running[2].name != name:
                raise NotNow("no trial of this participant is running")
        return self._rooms.drive_address()  # waits for the room, which must not hold up others

    def _finished(self, outcome: TrialOutcome) -> None:
        with self._lock:
            if self._running is None:
                return
            (number, step, person), self._running = self._running, None
            if number == TRIED:
                return
            self.store.finish_trial(number, outcome, step=step)
            if step.kind == "training" and is_training_passed(
                self._phase(step), self._runs(person.name, step)
            ):
                self.store.complete_step(step, person.name)

    # -- for the experimenter ---------------------------------------------------------------

    def try_room(self, task: str, levels: Mapping[str, str]) -> None:
        """Open a room to try it, outside of the study: nothing of it is stored."""
        with self._lock:
            if self._running is not None:
                raise NotNow("a trial is running; abort it first")
            if task not in TASK_NAMES:
                raise UnknownName("task", task, TASK_NAMES)
            for problem in level_problems(task, levels):
                raise ValueError(problem)
            plan = TrialPlan(NOBODY, task, levels=dict(levels))
            step = SessionStep(0, "trial", trial=plan, levels=dict(levels))
            self._running = TRIED, step, Participant(NOBODY, 0, False, 0.0)
            try:
                self._rooms.start(plan, self._finished)
            except Exception:
                self._running = None
                raise

    def tried_address(self) -> str:
        """Return the address of the room that is tried."""
        with self._lock:
            if self._running is None or self._running[0] != TRIED:
                raise NotNow("no room is being tried")
        return self._rooms.drive_address()

    def overview(self) -> dict[str, Any]:
        """Return the progress of all participants, the running trial, and the notes."""
        with self._lock:
            running = None
            if self._running is not None:
                number, step, person = self._running
                status = self._rooms.status()
                assert step.trial is not None
                running = {
                    "trial": number, "participant": person.name, "task": step.trial.task,
                    "levels": dict(step.trial.levels), "watch": self._rooms.watch_address(),
                    "duration": status.duration, "errors": status.errors, "left": status.left,
                    "total": status.total, "title": task_title(step.trial.task),
                    "problem": status.problem,
                    "instruction": status.instruction, "is_stopped": status.is_stopped,
                }  # fmt: skip
            return {
                "study": self.store.study.study,
                "menu": room_menu(),
                "planned": self.store.study.participants,
                "running": running,
                "participants": [self._progress(each) for each in self.store.participants()],
                "notes": [
                    {"participant": note.participant, "text": note.text, "written": note.written}
                    for note in self.store.notes()
                ],
            }

    def _progress(self, person: Participant) -> dict[str, Any]:
        steps = self.store.plan(person)
        done = self.store.steps_done(person.name)
        step = self.store.next_step(person)
        trials = self.store.trials(person.name)
        return {
            "participant": person.name, "simulated": person.is_simulated, "steps": len(steps),
            "done": len(done), "trials": sum(t.status == "finished" for t in trials),
            "interrupted": sum(t.status == "interrupted" for t in trials),
            "next": None if step is None else step.kind,
            "number": 0 if step is None else step.number,
            "task": "" if step is None or step.trial is None else step.trial.task,
            "title": "" if step is None or step.trial is None else task_title(step.trial.task),
            "can_repeat": self._last_trial(person.name) is not None,
            "levels": {} if step is None else dict(step.levels),
            "is_waiting": step is not None and step.kind == "training"
            and self._is_waiting(person, step),
        }  # fmt: skip

    def add_participant(self) -> str:
        """Add a participant; return the pseudonym."""
        with self._lock:
            return self.store.add_participant().name

    def add_note(self, text: str, participant: str | None) -> None:
        """Store a note."""
        with self._lock:
            if participant is not None:
                self.store.participant(participant)
            self.store.add_note(text, participant=participant)

    def next(self, name: str, number: int) -> None:
        """End a break, a briefing or a training for a participant, whatever came of it."""
        with self._lock:
            _, step = self._check(name, number, "briefing", "break", "training", "end")
            if self._running is not None and self._running[2].name == name:
                raise NotNow("a trial is running; abort it first")
            self.store.complete_step(step, name)

    def repeat(self, name: str) -> None:
        """Have the last trial of a participant repeated."""
        with self._lock:
            last = self._last_trial(name)
            if last is None:
                raise NotNow(f"{name} has no trial that could be repeated")
            if self._running is not None:
                raise NotNow("a trial is running; abort it first")
            self.store.repeat_trial(last)

    def _last_trial(self, name: str) -> StoredTrial | None:
        """Return the last trial of a participant that counts, or was aborted."""
        counted = [
            each for each in self.store.trials(name)
            if each.kind == "trial" and not each.is_discarded and each.status != "interrupted"
            and each.status != "running"
        ]  # fmt: skip
        return counted[-1] if counted else None

    def abort(self) -> None:
        """End the running trial; it is stored as aborted."""
        self._need_trial()
        self._rooms.abort()

    def stop(self) -> None:
        """Emergency stop: all robots stop and hold."""
        self._need_trial()
        self._rooms.stop()

    def resume(self) -> None:
        """Go on after an emergency stop."""
        self._need_trial()
        self._rooms.resume()

    def _need_trial(self) -> None:
        if self._running is None:
            raise NotNow("no trial is running")
