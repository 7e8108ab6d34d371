"""A haptic device of many joints in a sampled loop: operator, environment, servo, safety."""

__all__: list[str] = []
