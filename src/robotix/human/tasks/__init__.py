"""Whole-body tasks, such as lifting, sitting down, walking and climbing."""

__all__: list[str] = []
