"""All deeds by the name that scene files use."""

from __future__ import annotations

from collections.abc import Mapping

from robotix.scene.commands import basic
from robotix.scene.commands.animation import PlayClip, RecordClip, StopClip
from robotix.scene.commands.attaching import Attach, Detach
from robotix.scene.commands.attributes import Colour, Hide, Set, Show, Wireframe
from robotix.scene.commands.constraints import FollowPath, Hinge, Slide
from robotix.scene.commands.falling import Fall
from robotix.scene.commands.grabbing import Grab
from robotix.scene.commands.people import PEOPLE_DEEDS
from robotix.scene.commands.robots import ROBOT_DEEDS
from robotix.scene.commands.sweeping import ClearSweep, Sweep
from robotix.scene.events.rules import Deed
from robotix.scene.plugins import Call

__all__ = ["DEEDS"]

DEEDS: Mapping[str, type[Deed]] = {
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
    "call": Call,
    "set": Set,
    "colour": Colour,
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
    **PEOPLE_DEEDS,
    **ROBOT_DEEDS,
}
