"""Simulated operators: models of people who drive an arm through the same logical devices."""

__all__: list[str] = []
