"""How a body moves: the performer and its actions, balance, contacts."""

__all__: list[str] = []
