"""Scene files: read, checked, written."""

from robotix.authoring.load import check_scene, load_scene
from robotix.authoring.save import save_scene
from robotix.authoring.schema import scene_schema

__all__ = ["check_scene", "load_scene", "save_scene", "scene_schema"]
