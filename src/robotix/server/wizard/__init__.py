"""The wizard that builds a robot from parts in the page."""

__all__: list[str] = []
