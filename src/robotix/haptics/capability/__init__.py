"""What a device can do over its workspace: force, speed, felt inertia, singularities."""

__all__: list[str] = []
