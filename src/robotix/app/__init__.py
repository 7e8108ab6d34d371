"""Runs scenes with devices, page and recorder, for Python and the command line."""

from robotix.app.pictures import animation, picture
from robotix.app.robot_scene import load_scene_or_robot, robot_scene
from robotix.app.session import open_session
from robotix.app.viewer import Viewer, serve, show

__all__ = [
    "Viewer",
    "animation",
    "load_scene_or_robot",
    "open_session",
    "picture",
    "robot_scene",
    "serve",
    "show",
]
