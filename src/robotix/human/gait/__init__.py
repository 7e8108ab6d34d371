"""Walking: footprints, plans of feet and mass centre, strides from heel to toe."""

__all__: list[str] = []
