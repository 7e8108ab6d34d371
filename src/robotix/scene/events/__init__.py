"""Events, inputs, rules and actions: how things happen in a scene."""

__all__: list[str] = []
