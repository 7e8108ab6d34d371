"""The compiled side of kinematics: one call per tick, on one block of memory (see README.md)."""

__all__: list[str] = []
