"""Haptic interfaces: redundancy resolution, walls in a sampled loop, stability and passivity."""

__all__: list[str] = []
