"""Touching solids and meshes: proxies that stay on the surface, and forces towards them."""

__all__: list[str] = []
