"""Sounds: which files pages may fetch, and what is to be heard by somebody who comes late."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from robotix.server.wire.protocol import SoundChanged

__all__ = ["Sounds"]

TYPES = {
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".oga": "audio/ogg",
    ".opus": "audio/ogg",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".flac": "audio/flac",
}
LARGEST = 32 * 2**20  # bytes
MOST = 256  # that sound on at a time


class Sounds:
    """The sounds that the room has named so far."""

    def __init__(self, folder: Path | None = None) -> None:
        """Serve sounds of a folder, that of the scene."""
        self.folder = folder
        self._named: set[str] = set()
        self._going_on: dict[tuple[str, str], SoundChanged] = {}

    def name(self, uri: str) -> None:
        """Let a file be fetched."""
        self._named.add(uri)

    def take(self, sound: SoundChanged) -> None:
        """Note what the room says of a sound."""
        key = sound.uri, sound.node
        if sound.is_on:
            self.name(sound.uri)
        if sound.is_on and sound.loop and len(self._going_on) < MOST:
            self._going_on[key] = sound
        else:
            self._going_on.pop(key, None)

    @property
    def going_on(self) -> tuple[SoundChanged, ...]:
        """What sounds on and on."""
        return tuple(self._going_on.values())

    def find(self, uri: str) -> tuple[Path, str] | None:
        """Return the file of a sound that the room has named, and its type; None for any other."""
        kind = TYPES.get(PurePosixPath(uri).suffix.lower())
        if kind is None or uri not in self._named or self.folder is None:
            return None
        home = self.folder.resolve()
        path = (home / uri).resolve()
        if not path.is_relative_to(home) or not path.is_file() or path.stat().st_size > LARGEST:
            return None
        return path, kind
