"""Physics of a room: free things fall, collide and are pushed by all that moves."""

__all__: list[str] = []
