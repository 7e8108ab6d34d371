"""Performances for other programs: BVH and glTF."""

__all__: list[str] = []
