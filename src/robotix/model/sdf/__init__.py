"""Robots from SDF, the format of Gazebo and Drake."""

__all__: list[str] = []
