"""Which plug-ins of a scene may run.

A plug-in runs with all rights of the user, so one from elsewhere runs only after a yes. No question
is asked about entry points of installed packages, plug-ins of the rooms that come with `robotix`,
and code that was accepted before; the last two are recognised by their SHA-256.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import TypeAlias

import msgspec

from robotix.authoring.rooms import room_plugins
from robotix.errors import BadFile
from robotix.files.user_state import state_folder, write_private
from robotix.scene.plugins import PluginRequest
from robotix.scene.scene import Scene

__all__ = [
    "HOW_TO_TRUST",
    "ONLY_KNOWN",
    "PluginPolicy",
    "Trust",
    "describe",
    "is_known",
    "may_run",
    "remember",
    "remembered",
]

LOG = logging.getLogger(__name__)
FILE_NAME = "trusted_plugins.json"
HOW_TO_TRUST = (
    "read it, then start `robotix run` in a terminal and answer yes, or add --trust (in Python: "
    "trust=True)"
)

# True: all may run. False: only known ones. Otherwise a function that is asked about unknown ones.
Trust: TypeAlias = bool | Callable[[PluginRequest], bool]


@dataclass(frozen=True)
class PluginPolicy:
    """Decides which plug-ins of a scene may run."""

    trust: Trust = False
    without: frozenset[str] = frozenset()  # names of plug-ins that do not run in any case

    def add(self, scene: Scene, request: PluginRequest, *, module: str, args: str = "") -> None:
        """Add a plug-in to a scene: started if it may run, otherwise disabled with a message."""
        why = self._refusal(request)
        if not why:
            scene.plugins.add(request.name, module, args=args, source=request.source)
            return
        LOG.warning("plug-in %r: %s", request.name, why)
        scene.plugins.add_disabled(request.name, module, args=args, why=why)

    def _refusal(self, request: PluginRequest) -> str:
        """Return why a plug-in may not run; empty if it may."""
        if request.name in self.without:
            return "not run, as was asked for"
        if may_run(request, self.trust):
            return ""
        return f"not run, since it is not trusted here: {describe(request)}; {HOW_TO_TRUST}"


ONLY_KNOWN = PluginPolicy()


def may_run(request: PluginRequest, trust: Trust) -> bool:
    """Return whether a plug-in may run; ask only about unknown ones."""
    if trust is True or is_known(request):
        return True
    return trust is not False and trust(request)


def describe(request: PluginRequest) -> str:
    """Return file, hash and needs of a plug-in in one line."""
    needs = ", ".join(request.needs) or "nothing"
    return f"{request.file}, SHA-256 {request.digest or 'unknown'}, uses {needs}"


def is_known(request: PluginRequest) -> bool:
    """Return whether a plug-in is installed, belongs to `robotix`, or was accepted before."""
    if request.source.is_installed:
        return True
    return bool(request.digest) and (
        request.digest in _own_digests() or request.digest in remembered()
    )


def remember(request: PluginRequest) -> None:
    """Store that this code may run, here and in every other scene."""
    known = remembered() | {request.digest: request.file}
    write_private(state_folder() / FILE_NAME, msgspec.json.format(msgspec.json.encode(known)))


def remembered() -> dict[str, str]:
    """Return the accepted plug-ins: SHA-256 to file name; empty if they cannot be read."""
    try:
        path = state_folder() / FILE_NAME
        status = path.stat()
        if status.st_uid != os.getuid() or status.st_mode & 0o077:
            return {}
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except (OSError, RuntimeError, BadFile, msgspec.MsgspecError, UnicodeDecodeError):
        return {}


@cache
def _own_digests() -> frozenset[str]:
    return frozenset(sha256(path.read_bytes()).hexdigest() for path in room_plugins())
