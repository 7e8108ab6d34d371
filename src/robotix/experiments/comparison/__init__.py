"""Arms and mountings compared without trials, over the points that the tasks ask for."""

__all__: list[str] = []
