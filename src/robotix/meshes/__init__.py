"""Meshes from files, and how their surfaces look."""

from robotix.meshes.asset import MeshAsset, MeshPart, load_mesh
from robotix.meshes.material import Colour, Material

__all__ = ["Colour", "Material", "MeshAsset", "MeshPart", "load_mesh"]
