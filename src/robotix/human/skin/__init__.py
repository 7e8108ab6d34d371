"""The surface of a body: template, fit to measurements, skinning, clothes."""

__all__: list[str] = []
