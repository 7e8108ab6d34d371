"""The commands that let people perform tasks, or follow tracked devices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from robotix.errors import BadField, UnknownName
from robotix.files.yaml.scalars import nearest
from robotix.human.body.skeleton import Side
from robotix.human.tasks.tasks import TASKS, check_parameters
from robotix.inputs.device_kinds import has_pose
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import DeviceName, PersonName
from robotix.scene.people.act import Act
from robotix.scene.people.person import Person
from robotix.scene.people.play import play_act
from robotix.scene.people.prepare import make_act, perform_cached, show_props
from robotix.scene.people.task_stage import make_act_of_steps
from robotix.scene.people.tracked_body import TrackedBody, TrackedDevices
from robotix.scene.robots.drives import run_drive
from robotix.scene.scene import Scene

__all__ = ["PEOPLE_COMMANDS", "Perform", "TrackBody"]


@dataclass(frozen=True)
class Perform:
    """Let a person perform a task of the library or of the scene file, to its end or until off.

    The motion is computed when the scene is loaded; `with` gives parameters of the task, in SI
    units. The props of a library task are placed in front of the person.
    """

    person: PersonName
    task: str
    load: float | None = None  # kg, in the hands
    style: Literal["natural", "stoop", "squat"] = "natural"
    with_: Mapping[str, float] = field(default_factory=dict, hash=False)

    def check(self, scene: Scene) -> None:
        """Prepare the task; raise an error for an unknown task or parameter."""
        self.prepare(scene)

    def prepare(self, scene: Scene) -> Act:
        """Return the act, computed on first use; the props of a person's first act are shown."""
        person = scene.person(self.person)
        key = (self.task, self.style, self.load, tuple(sorted(self.with_.items())))
        if key not in person.acts:
            person.acts[key] = act = self._make(scene, person)
            if person.act is None and len(person.acts) == 1 and scene.tick == 0:
                person.assume_first_posture(act)
                show_props(scene.graph, person, act)
        return person.acts[key]

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Start when the event triggers."""
        if not event.is_trigger:
            return None
        return play_act(scene, scene.person(self.person), self.prepare(scene))

    def _make(self, scene: Scene, person: Person) -> Act:
        if self.task in scene.assets.tasks:
            self._check_bare()
            steps = scene.assets.tasks[self.task]
            return make_act_of_steps(
                scene.graph, person, task=self.task, steps=steps, style=self.style
            )
        if self.task not in TASKS:
            raise UnknownName("task", self.task, (*TASKS, *scene.assets.tasks))
        given = dict(self.with_) | ({} if self.load is None else {"load": self.load})
        try:
            check_parameters(self.task, given)
        except UnknownName as error:
            wrong = error.args[1]
            field_ = "load" if wrong == "load" and self.load is not None else "with_"
            kind, name, known = error.args
            expected = nearest(name, known, what=f"a {kind}")
            raise BadField(field_, expected, f"no {kind} {name!r}") from None
        except BadField as error:
            is_load = error.field == "load" and self.load is not None
            found = f"{error.found} for {error.field!r}"
            raise BadField("load" if is_load else "with_", error.expected, found) from None
        chosen = tuple(sorted(given.items()))
        performance = perform_cached(self.task, person.manikin, self.style, chosen)
        return make_act(scene.graph, person, performance)

    def _check_bare(self) -> None:
        """Raise ValueError if parameters are given for a task of the scene file, which has none."""
        for field_ in ("load", "with_"):
            if getattr(self, field_):
                expected = "nothing here, as the steps of the task say it all"
                raise BadField(field_, expected, repr(field_.rstrip("_")))


@dataclass(frozen=True)
class TrackBody:
    """Let a person follow a headset and what is in the hands, until off.

    Eyes and hands are where the devices are; give the person the stature of the one who wears them.
    Feet come along below the body. When the head is not tracked, the person stands still.
    """

    person: PersonName
    head: DeviceName = "head"
    right_hand: DeviceName = "right_glove"
    left_hand: DeviceName = "left_glove"

    def check(self, scene: Scene) -> None:
        """Raise an error for an unknown person, and for devices without a pose."""
        scene.person(self.person)
        for field_ in ("head", "right_hand", "left_hand"):
            if not has_pose(getattr(self, field_), scene.devices):
                raise BadField(field_, "a device with a pose", repr(getattr(self, field_)))

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Start when the event is on; stop when it is off."""
        return self._follow(scene) if event.state else None

    def _follow(self, scene: Scene) -> Action:
        person = scene.person(self.person)
        hands: dict[Side, str] = {"right": self.right_hand, "left": self.left_hand}
        devices = TrackedDevices(self.head, hands)
        drive = TrackedBody(person, devices, dt=scene.dt)
        person.robot.drive = drive
        yield from run_drive(person.robot, drive)


PEOPLE_COMMANDS = {"perform": Perform, "track_body": TrackBody}
