"""Person and robot in one task: rooms, runs, and what is measured."""

__all__: list[str] = []
