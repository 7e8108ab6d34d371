"""The other commands of the console: what people change by hand, signals, and who types."""

from __future__ import annotations

from dataclasses import replace

from robotix.scene.commands import edits as editing
from robotix.scene.commands.basic import Emit
from robotix.scene.console.line_parts import ConsoleCommand, no_argument, plain, vector, word
from robotix.scene.scene import Command

__all__ = ["OTHERS"]


def _place(text: str) -> Command:
    node, at, *rest = text.split(";")
    if not rest:
        return editing.PlaceNode(word(node.strip()), vector(at))
    (turn,) = rest
    w, x, y, z = plain(turn)
    return editing.PlaceNode(word(node.strip()), vector(at), (w, x, y, z))


def _wireframe(text: str) -> Command:
    node, _, state = text.partition(";")
    is_on = {"": True, "on": True, "off": False}[state.strip().lower()]
    return editing.SetVisibility(word(node.strip()), wireframe=is_on)


def _grab(text: str) -> Command:
    node, hand = text.split(";")
    return editing.GrabNode(word(node.strip()), word(hand.strip()))


def _emit(text: str) -> Command:
    name, _, state = text.rpartition(" ")
    if state.lower() != "off" or not name:
        return Emit(word(text))
    return lambda scene, event: Emit(word(name.strip()))(scene, replace(event, state=False))


def _not_here(text: str) -> Command:
    raise ValueError(text)  # what `Typist` understands is no command of the room


_NODE = "the name of a node"
_KEYS = "the name of a key, such as Left or Enter"
OTHERS = {
    command.name: command
    for command in (
        ConsoleCommand(
            "place",
            "a node, a place in the world in m and perhaps a turn (w, x, y, z), such as "
            "cup; (1, 0, 0.8); (1, 0, 0, 0)",
            _place,
        ),
        ConsoleCommand("show", _NODE, lambda text: editing.SetVisibility(word(text), visible=True)),
        ConsoleCommand(
            "hide", _NODE, lambda text: editing.SetVisibility(word(text), visible=False)
        ),
        ConsoleCommand("wireframe", f"{_NODE}; on or off, such as table; off", _wireframe),
        ConsoleCommand("undo", "", no_argument(editing.Undo)),
        ConsoleCommand("redo", "", no_argument(editing.Redo)),
        ConsoleCommand("grab", "a node and a tracked hand, such as cup; glove", _grab),
        ConsoleCommand("let_go", "a hand", lambda text: editing.LetGo(word(text))),
        ConsoleCommand("emit", "the name of a signal; with off behind it, that it is over", _emit),
        ConsoleCommand("press", f"{_KEYS}; it stays down", _not_here),
        ConsoleCommand("release", _KEYS, _not_here),
        ConsoleCommand("quit", "", _not_here),
    )
}
