"""A plug-in of a few lines: what it is given by name becomes visible and invisible in turn."""

from robotix.scene.scene import Scene

rooms: list[Scene] = []
nodes: list[str] = []


def setup(scene: Scene) -> None:
    """Remember the room."""
    rooms.append(scene)


def init(args: str) -> None:
    """Remember what to blink."""
    nodes.append(args)


def toggle(state: bool, args: str) -> None:
    """Show or hide it, each time a rule calls."""
    node = rooms[0].graph[nodes[0]]
    node.set(visible=not node.attributes.visible)
