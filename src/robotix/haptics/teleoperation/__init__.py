"""Teleoperation with force reflection: channels between two devices, and their transparency."""

__all__: list[str] = []
