"""The compiled side of kinematics: one call per tick, on one block of memory (`arena`)."""

__all__: list[str] = []
