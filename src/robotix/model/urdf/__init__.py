"""URDF files: read by a hardened parser, and written."""

__all__: list[str] = []
