"""Sounds: which files pages may fetch, and which ones are playing."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from robotix.server.wire.protocol import SoundChanged

__all__ = ["Sounds"]

MEDIA_TYPES = {
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".oga": "audio/ogg",
    ".opus": "audio/ogg",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".flac": "audio/flac",
}
MAX_SOUND_BYTES = 32 * 2**20  # bytes
MAX_LOOPING_SOUNDS = 256  # at a time


class Sounds:
    """The sounds that the scene has used so far."""

    def __init__(self, folder: Path | None = None) -> None:
        """Serve the sounds in the folder of the scene."""
        self.folder = folder
        self._named: set[str] = set()
        self._going_on: dict[tuple[str, str], SoundChanged] = {}

    def allow(self, uri: str) -> None:
        """Allow pages to fetch a file."""
        self._named.add(uri)

    def record(self, sound: SoundChanged) -> None:
        """Record that a sound starts or stops."""
        key = sound.uri, sound.node
        if sound.is_on:
            self.allow(sound.uri)
        if sound.is_on and sound.loop and len(self._going_on) < MAX_LOOPING_SOUNDS:
            self._going_on[key] = sound
        else:
            self._going_on.pop(key, None)

    @property
    def looping(self) -> tuple[SoundChanged, ...]:
        """Looping sounds that are playing."""
        return tuple(self._going_on.values())

    def find(self, uri: str) -> tuple[Path, str] | None:
        """Return path and media type of a sound that the scene has used; None for any other."""
        kind = MEDIA_TYPES.get(PurePosixPath(uri).suffix.lower())
        if kind is None or uri not in self._named or self.folder is None:
            return None
        home = self.folder.resolve()
        path = (home / uri).resolve()
        if (
            not path.is_relative_to(home)
            or not path.is_file()
            or path.stat().st_size > MAX_SOUND_BYTES
        ):
            return None
        return path, kind
