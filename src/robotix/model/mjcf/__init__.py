"""MJCF files: read through the compiler of MuJoCo in a process of its own, and written."""

__all__: list[str] = []
