"""All methods applied to a performance, to a family of bodies, or to two variants."""

__all__: list[str] = []
