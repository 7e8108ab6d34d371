"""The command that lets people perform tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from robotix.errors import BadField, UnknownName
from robotix.files.yaml.scalars import nearest
from robotix.human.tasks.tasks import TASKS, check_parameters
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import PersonName
from robotix.scene.people.act import Act
from robotix.scene.people.person import Person
from robotix.scene.people.play import play_act
from robotix.scene.people.prepare import make_act, perform_cached, show_props
from robotix.scene.people.task_stage import make_act_of_steps
from robotix.scene.scene import Scene

__all__ = ["PEOPLE_COMMANDS", "Perform"]


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


PEOPLE_COMMANDS = {"perform": Perform}
