"""What reaches a room from outside: readings of logical devices, their kinds, names of keys."""

__all__: list[str] = []
