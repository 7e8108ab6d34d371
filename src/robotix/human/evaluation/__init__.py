"""What a performance amounts to: balance, slip, penetration, joint loads."""

__all__: list[str] = []
