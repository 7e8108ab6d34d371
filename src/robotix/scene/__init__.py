"""Scenes: graph, events, rules, robots and people, advanced tick by tick.

Plug-ins import from here; the commands are in `robotix.scene.commands`.
"""

from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.contact.picking import Hit, pick
from robotix.scene.events.action import Action, Running, repeat, together, wait, wait_until
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
from robotix.scene.events.messages import Announcement, Message
from robotix.scene.events.rules import Rule
from robotix.scene.graph.body import BodyProperties
from robotix.scene.graph.content import Attributes, Light, Material, Region, Sound, Viewpoint
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.history import History
from robotix.scene.loop import Loop, LoopReport
from robotix.scene.people.person import Person
from robotix.scene.physics.settings import PhysicsSettings
from robotix.scene.recording.recorder import Recorder
from robotix.scene.recording.replay import replay
from robotix.scene.robots.driven import Drive, DrivenRobot
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Command, Scene, SceneRule

__all__ = [
    "Action",
    "Announcement",
    "Attributes",
    "Axis",
    "BodyProperties",
    "Button",
    "ButtonHeld",
    "ClientConnected",
    "Collision",
    "Command",
    "DeviceLink",
    "Drive",
    "DrivenRobot",
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
    "Person",
    "PhysicsSettings",
    "Problem",
    "Reading",
    "Recorder",
    "Region",
    "RegionEntry",
    "Robot",
    "RobotMoves",
    "Rule",
    "Running",
    "Scene",
    "SceneRule",
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
