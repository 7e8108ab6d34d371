"""Plug-ins: Python code that extends a scene; found and read here, run only when trusted."""

from robotix.scene.plugins.plugin import Plugin, PluginHost, Plugins
from robotix.scene.plugins.request import PluginRequest
from robotix.scene.plugins.source import PluginSource, find_plugin, plugin_names

__all__ = [
    "Plugin",
    "PluginHost",
    "PluginRequest",
    "PluginSource",
    "Plugins",
    "find_plugin",
    "plugin_names",
]
