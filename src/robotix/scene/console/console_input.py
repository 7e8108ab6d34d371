"""Lines typed while a scene runs, as inputs."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace

from robotix.inputs.device_kinds import KEYBOARD
from robotix.inputs.readings import MAX_COMMANDS_PER_TICK, Inputs, Reading
from robotix.scene.events.events import Button

__all__ = ["ConsoleInput"]

_KEY = re.compile(r"\s*(press|release)\s+(\S{1,40})\s*", re.IGNORECASE)


class ConsoleInput:
    """Converts typed lines to inputs: keys of the logical keyboard, and console commands.

    Keys are merged with those of devices, so that rules, recordings and replays see no difference.
    A key that changes twice does so in two ticks.
    """

    def __init__(self, *, can_reset: bool = False) -> None:
        """Start without lines; with `can_reset`, the program loads the room again when asked."""
        self.lines: deque[str] = deque()  # pending; may be appended by another thread
        self.has_quit = False
        self.can_reset = can_reset
        self.has_reset = False  # the room is to be loaded again
        self._keys: frozenset[str] | None = None  # that are down; None before the first one

    def has_command(self) -> bool:
        """Return whether a command is next, which can run while the scene is paused."""
        return bool(self.lines) and _KEY.fullmatch(self.lines[0]) is None and not self.has_quit

    def add_to(self, inputs: Inputs) -> Inputs:
        """Return the inputs of a tick, including typed lines."""
        commands, changed = list[str](), set[str]()
        while self.lines and len(commands) < MAX_COMMANDS_PER_TICK and not self.has_quit:
            line = self.lines[0]
            if (match := _KEY.fullmatch(line)) is not None:
                key = Button(KEYBOARD, match[2][0].upper() + match[2][1:]).button
                if key in changed:
                    break
                changed.add(key)
                down = self._keys or frozenset()
                self._keys = down | {key} if match[1].lower() == "press" else down - {key}
            elif line.strip().lower() == "quit":
                self.has_quit = True
            elif line.strip().lower() == "reset_room" and self.can_reset:
                self.has_quit = self.has_reset = True
            elif line.strip():
                commands.append(line.strip())
            self.lines.popleft()
        return self._merged(inputs, tuple(commands))

    def _merged(self, inputs: Inputs, commands: tuple[str, ...]) -> Inputs:
        if self._keys is not None:
            given = inputs.devices.get(KEYBOARD)
            known = given if given is not None and given.live else Reading()
            held = replace(known, buttons=known.buttons | self._keys)
            inputs = replace(inputs, devices={**inputs.devices, KEYBOARD: held})
        return replace(inputs, commands=inputs.commands + commands) if commands else inputs
