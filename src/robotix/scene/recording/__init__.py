"""Recording a scene, and replaying it to the last bit."""

__all__: list[str] = []
