"""Compiled distribution of moments over the trunk muscles."""

from __future__ import annotations

from robotix.ergonomics.methods.back.trunk_sharing import share_moments, spread_on_facet, vertex
from robotix.kernels import kernel, part

__all__ = ["share_many_moments"]

part(vertex)
part(spread_on_facet)
share_many_moments = kernel(share_moments)
