"""Contact and separation between people and robots, and faults that are caused on purpose."""

__all__: list[str] = []
