"""The virtual labyrinth: stiff walls, a damping zone and a spring zone, felt through a device."""

__all__: list[str] = []
