"""`robotix haptics`: walls in a sampled loop, stability maps, the experiments on ViSHARD10."""

__all__: list[str] = []
