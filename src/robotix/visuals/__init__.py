"""Procedural surfaces for the links of robots that come without meshes."""

__all__: list[str] = []
