"""Robots in a scene: drives, tracking, obstacle avoidance."""

__all__: list[str] = []
