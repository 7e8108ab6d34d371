"""The body: anthropometry, segments, joints, and the manikin made of them."""

__all__: list[str] = []
