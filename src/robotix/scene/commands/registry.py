"""All commands by the name that scene files use."""

from __future__ import annotations

from collections.abc import Mapping

from robotix.scene.commands import basic
from robotix.scene.commands.animation import PlayClip, RecordClip, StopClip
from robotix.scene.commands.attaching import Attach, Detach
from robotix.scene.commands.attributes import Hide, SetAttribute, SetColour, Show, Wireframe
from robotix.scene.commands.constraints import FollowPath, Hinge, Slide
from robotix.scene.commands.falling import Fall
from robotix.scene.commands.grabbing import Grab
from robotix.scene.commands.people import PEOPLE_COMMANDS
from robotix.scene.commands.physics import PHYSICS_COMMANDS
from robotix.scene.commands.plugins import CallPlugin
from robotix.scene.commands.robots import ROBOT_COMMANDS
from robotix.scene.commands.sweeping import ClearSweep, Sweep
from robotix.scene.scene import Command

__all__ = ["COMMANDS"]

COMMANDS: Mapping[str, type[Command]] = {
    "say": basic.Say,
    "play_sound": basic.PlaySound,
    "stop_sound": basic.StopSound,
    "snapshot": basic.TakeSnapshot,
    "emit": basic.Emit,
    "start_timer": basic.StartTimer,
    "stop_timer": basic.StopTimer,
    "wait": basic.Wait,
    "in_turn": basic.InTurn,
    "together": basic.Together,
    "repeat": basic.Repeat,
    "call": CallPlugin,
    "set": SetAttribute,
    "colour": SetColour,
    "wireframe": Wireframe,
    "show": Show,
    "hide": Hide,
    "attach": Attach,
    "detach": Detach,
    "grab": Grab,
    "hinge": Hinge,
    "slide": Slide,
    "follow_path": FollowPath,
    "fall": Fall,
    "sweep": Sweep,
    "clear_sweep": ClearSweep,
    "record_clip": RecordClip,
    "play_clip": PlayClip,
    "stop_clip": StopClip,
    **PHYSICS_COMMANDS,
    **PEOPLE_COMMANDS,
    **ROBOT_COMMANDS,
}
