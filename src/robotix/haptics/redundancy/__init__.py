"""Redundancy resolution of haptic devices, and the experiments on ViSHARD10 that were published."""

__all__: list[str] = []
