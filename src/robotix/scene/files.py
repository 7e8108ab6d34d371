"""The files of a scene: where it was read from, and where it reads and writes its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from robotix.motion.motion_cache import MotionCache

__all__ = ["SceneFiles"]


@dataclass
class SceneFiles:
    """The paths of a scene; relative to the working directory when it has no file."""

    source: Path | None = None  # the scene file
    folder: Path | None = None  # for motions and pictures; None: that of the scene file
    motions: MotionCache = field(default_factory=MotionCache, repr=False, compare=False)

    @property
    def assets(self) -> Path:
        """The folder of meshes, sounds and plug-ins: that of the scene file."""
        return Path() if self.source is None else self.source.parent

    @property
    def outputs(self) -> Path:
        """The folder of motions and pictures."""
        return self.folder or self.assets
