"""People in a scene and the tasks that they perform."""

__all__: list[str] = []
