"""How a body moves: the performer and its actions, balance, contacts, gait."""

__all__: list[str] = []
