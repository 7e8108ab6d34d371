"""The usability laboratory: studies with people or simulated operators, from protocol to report."""

__all__: list[str] = []
