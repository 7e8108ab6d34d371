"""What commands refer to by name: materials, recorded clips, tasks of people, guides of nodes."""

from __future__ import annotations

from dataclasses import dataclass, field

from robotix.scene.graph.clip import Clip
from robotix.scene.graph.content import Material
from robotix.scene.people.task_stage import TaskStep

__all__ = ["SceneAssets"]


@dataclass
class SceneAssets:
    """The named values of a scene, each kind by name."""

    materials: dict[str, Material] = field(default_factory=dict)
    clips: dict[str, Clip] = field(default_factory=dict)
    tasks: dict[str, tuple[TaskStep, ...]] = field(default_factory=dict)  # besides the library's
    guides: dict[str, object] = field(default_factory=dict)  # hinges and slides of nodes, by name
