"""Reports of studies: one HTML page, and figures as SVG and PDF."""

__all__: list[str] = []
