"""Scene files to scenes: read, check, build."""

__all__: list[str] = []
