"""The low back: load on L5/S1, models of the trunk muscles, limits."""

__all__: list[str] = []
