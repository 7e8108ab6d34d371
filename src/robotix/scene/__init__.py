"""The room: graph, events, rules, deeds, robots, one tick after the other."""

from robotix.scene.action import Action, repeat, together, wait, wait_until
from robotix.scene.events import (
    Axis,
    Button,
    Client,
    Collision,
    DeviceLink,
    EndOfStroke,
    Event,
    Hold,
    Mode,
    Motion,
    RegionEntry,
    Signal,
    Source,
    Timer,
)
from robotix.scene.graph import Graph
from robotix.scene.history import History
from robotix.scene.inputs import Inputs, Reading
from robotix.scene.loop import Loop, LoopReport
from robotix.scene.messages import Message, Problem
from robotix.scene.node import Attributes, Light, Material, Node, Region, Sound, Viewpoint
from robotix.scene.picking import Hit, pick
from robotix.scene.recording import Recorder
from robotix.scene.replaying import replay
from robotix.scene.robot import Robot
from robotix.scene.rules import Deed, Rule
from robotix.scene.scene import Scene

__all__ = [
    "Action",
    "Attributes",
    "Axis",
    "Button",
    "Client",
    "Collision",
    "Deed",
    "DeviceLink",
    "EndOfStroke",
    "Event",
    "Graph",
    "History",
    "Hit",
    "Hold",
    "Inputs",
    "Light",
    "Loop",
    "LoopReport",
    "Material",
    "Message",
    "Mode",
    "Motion",
    "Node",
    "Problem",
    "Reading",
    "Recorder",
    "Region",
    "RegionEntry",
    "Robot",
    "Rule",
    "Scene",
    "Signal",
    "Sound",
    "Source",
    "Timer",
    "Viewpoint",
    "pick",
    "repeat",
    "replay",
    "together",
    "wait",
    "wait_until",
]
