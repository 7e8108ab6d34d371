"""A running scene for the pages that watch and drive it."""

__all__: list[str] = []
