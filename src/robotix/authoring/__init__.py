"""Scene files: read, checked, written."""

from robotix.authoring.load.load import check_scene, examine_scene, load_scene
from robotix.authoring.save.save import save_scene
from robotix.authoring.schema.schema import scene_schema

__all__ = ["check_scene", "examine_scene", "load_scene", "save_scene", "scene_schema"]
