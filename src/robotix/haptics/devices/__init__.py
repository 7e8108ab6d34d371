"""Haptic devices: their kinematics in closed form."""

__all__: list[str] = []
