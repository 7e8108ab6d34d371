"""The room: graph, events, rules, commands, robots, one tick after the other."""

from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.contact.picking import Hit, pick
from robotix.scene.events.action import Action, repeat, together, wait, wait_until
from robotix.scene.events.events import (
    Axis,
    Button,
    ButtonHeld,
    ClientConnected,
    Collision,
    DeviceLink,
    EndOfStroke,
    Event,
    Mode,
    RegionEntry,
    RobotMoves,
    Signal,
    Source,
    Timer,
)
from robotix.scene.events.messages import Message
from robotix.scene.events.rules import Command, Rule
from robotix.scene.graph.graph import Graph
from robotix.scene.graph.node import Attributes, Light, Material, Node, Region, Sound, Viewpoint
from robotix.scene.history import History
from robotix.scene.loop import Loop, LoopReport
from robotix.scene.recording.recorder import Recorder
from robotix.scene.recording.replay import replay
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = [
    "Action",
    "Attributes",
    "Axis",
    "Button",
    "ButtonHeld",
    "ClientConnected",
    "Collision",
    "Command",
    "DeviceLink",
    "EndOfStroke",
    "Event",
    "Graph",
    "History",
    "Hit",
    "Inputs",
    "Light",
    "Loop",
    "LoopReport",
    "Material",
    "Message",
    "Mode",
    "Node",
    "Problem",
    "Reading",
    "Recorder",
    "Region",
    "RegionEntry",
    "Robot",
    "RobotMoves",
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
