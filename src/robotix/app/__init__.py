"""Runs scenes with devices, page and recorder, for Python and the command line."""

from robotix.app.robot_scene import load_scene_or_robot, robot_scene
from robotix.app.session import open_session
from robotix.app.viewer import Viewer, serve, show

__all__ = ["Viewer", "load_scene_or_robot", "open_session", "robot_scene", "serve", "show"]
