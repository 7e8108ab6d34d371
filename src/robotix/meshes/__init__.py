"""Meshes from files, and how their surfaces look."""

from robotix.meshes.asset import MeshAsset, MeshPart, load_mesh
from robotix.meshes.material import Material, Rgb

__all__ = ["Material", "MeshAsset", "MeshPart", "Rgb", "load_mesh"]
