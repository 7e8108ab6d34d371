"""Export of studies: tidy tables, and motions after the Brain Imaging Data Structure."""

__all__: list[str] = []
