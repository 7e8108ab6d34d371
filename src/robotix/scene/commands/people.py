"""What people do, as commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from robotix.errors import BadField, UnknownName
from robotix.files.yaml.scalars import nearest
from robotix.human.tasks.tasks import TASKS, check_parameters
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import PersonName
from robotix.scene.people.acting import play_act
from robotix.scene.people.acts import Act, act_of, perform_once, show_things
from robotix.scene.people.person import Person
from robotix.scene.people.task_stage import act_of_steps

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["PEOPLE_COMMANDS", "Perform"]


@dataclass(frozen=True)
class Perform:
    """Let a person carry out a task, one of the library or of this file, to its end or until off.

    The motion is worked out when the scene is loaded; `with` gives parameters of the task, in SI
    units. The things of a library task stand where the person needs them.
    """

    person: PersonName
    task: str
    load: float | None = None  # kg, in the hands
    style: Literal["natural", "stoop", "squat"] = "natural"
    with_: Mapping[str, float] = field(default_factory=dict, hash=False)

    def check(self, scene: Scene) -> None:
        """Get it ready; refuse a task or a parameter that there is not."""
        self.prepare(scene)

    def prepare(self, scene: Scene) -> Act:
        """Return the act, worked out now unless it is ready; a person's first one can be seen."""
        person = scene.person(self.person)
        key = (self.task, self.style, self.load, tuple(sorted(self.with_.items())))
        if key not in person.acts:
            person.acts[key] = act = self._make(scene, person)
            if person.act is None and len(person.acts) == 1 and scene.tick == 0:
                person.begin_ready(act)
                show_things(scene, person, act)
        return person.acts[key]

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Begin when on."""
        if not event.is_trigger:
            return None
        return play_act(scene, scene.person(self.person), self.prepare(scene))

    def _make(self, scene: Scene, person: Person) -> Act:
        if self.task in scene.tasks:
            self._check_bare()
            steps = scene.tasks[self.task]
            return act_of_steps(scene, person, task=self.task, steps=steps, style=self.style)
        if self.task not in TASKS:
            raise UnknownName("task", self.task, (*TASKS, *scene.tasks))
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
        return act_of(scene, person, perform_once(self.task, person.manikin, self.style, chosen))

    def _check_bare(self) -> None:
        """Refuse parameters of a task that has none."""
        for field_ in ("load", "with_"):
            if getattr(self, field_):
                expected = "nothing here, as the steps of the task say it all"
                raise BadField(field_, expected, repr(field_.rstrip("_")))


PEOPLE_COMMANDS = {"perform": Perform}
