"""The scene graph: nodes, their attributes, and world poses."""

__all__: list[str] = []
