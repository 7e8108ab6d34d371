"""Export of motions to other programs: BVH and glTF."""

__all__: list[str] = []
