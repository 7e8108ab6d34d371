"""The commands that rules, scene files and the console can run.

A command is a value: called with the scene and an event, it acts at once, and returns an action
when there is more to do in later ticks. `COMMANDS` maps the words of scene files to them.
"""

from robotix.scene.commands.animation import PlayClip, RecordClip, StopClip
from robotix.scene.commands.attaching import Attach, Detach
from robotix.scene.commands.attributes import Hide, SetAttribute, SetColour, Show, Wireframe
from robotix.scene.commands.basic import (
    Emit,
    InTurn,
    PlaySound,
    Repeat,
    Say,
    StartTimer,
    StopSound,
    StopTimer,
    TakeSnapshot,
    Together,
    Wait,
)
from robotix.scene.commands.constraints import FollowPath, Hinge, Slide
from robotix.scene.commands.drag import Drag, DragPose
from robotix.scene.commands.edits import (
    GrabNode,
    LetGo,
    PlaceNode,
    Redo,
    SaveRobot,
    SaveRoom,
    SetVisibility,
    Undo,
)
from robotix.scene.commands.falling import Fall
from robotix.scene.commands.grabbing import Grab
from robotix.scene.commands.moves import (
    Follow,
    Home,
    JogJoints,
    JointTo,
    Move,
    MoveP2p,
    MoveXyz,
    Play,
    Save,
    Stop,
)
from robotix.scene.commands.people import Perform, TrackBody
from robotix.scene.commands.physics import Connect, Cut, PrintLinks, PushNode
from robotix.scene.commands.plugins import CallPlugin
from robotix.scene.commands.postures import (
    ForgetPosture,
    GoBack,
    GoToPosture,
    KeepPosture,
    PreferPosture,
)
from robotix.scene.commands.registry import COMMANDS
from robotix.scene.commands.robot_command import RobotCommand
from robotix.scene.commands.robots import Init, PrintPosture, Renew, SetRobot
from robotix.scene.commands.safety import ClearFaults, InjectFault, Protect
from robotix.scene.commands.settings import (
    ClearObstacles,
    DisplayEllipsoid,
    InitEllipsoid,
    SetDamping,
    SetEndEffector,
    SetEventEos,
    SetEventMove,
    SetFirstJoint,
    SetMethod,
    SetObstacle,
    SetStep,
    SetWeights,
    StopAtContact,
)
from robotix.scene.commands.sweeping import ClearSweep, Sweep, trace_name
from robotix.scene.commands.things import AddShape, ColourNode, CopyNode, DeleteNode
from robotix.scene.commands.tracking import (
    SetControlPoint,
    TrackExit,
    TrackInit,
    TrackInitScale,
    TrackSetScale,
    TrackToggle,
    TrackTurn,
)

__all__ = [
    "COMMANDS",
    "AddShape",
    "Attach",
    "CallPlugin",
    "ClearFaults",
    "ClearObstacles",
    "ClearSweep",
    "ColourNode",
    "Connect",
    "CopyNode",
    "Cut",
    "DeleteNode",
    "Detach",
    "DisplayEllipsoid",
    "Drag",
    "DragPose",
    "Emit",
    "Fall",
    "Follow",
    "FollowPath",
    "ForgetPosture",
    "GoBack",
    "GoToPosture",
    "Grab",
    "GrabNode",
    "Hide",
    "Hinge",
    "Home",
    "InTurn",
    "Init",
    "InitEllipsoid",
    "InjectFault",
    "JogJoints",
    "JointTo",
    "KeepPosture",
    "LetGo",
    "Move",
    "MoveP2p",
    "MoveXyz",
    "Perform",
    "PlaceNode",
    "Play",
    "PlayClip",
    "PlaySound",
    "PreferPosture",
    "PrintLinks",
    "PrintPosture",
    "Protect",
    "PushNode",
    "RecordClip",
    "Redo",
    "Renew",
    "Repeat",
    "RobotCommand",
    "Save",
    "SaveRobot",
    "SaveRoom",
    "Say",
    "SetAttribute",
    "SetColour",
    "SetControlPoint",
    "SetDamping",
    "SetEndEffector",
    "SetEventEos",
    "SetEventMove",
    "SetFirstJoint",
    "SetMethod",
    "SetObstacle",
    "SetRobot",
    "SetStep",
    "SetVisibility",
    "SetWeights",
    "Show",
    "Slide",
    "StartTimer",
    "Stop",
    "StopAtContact",
    "StopClip",
    "StopSound",
    "StopTimer",
    "Sweep",
    "TakeSnapshot",
    "Together",
    "TrackBody",
    "TrackExit",
    "TrackInit",
    "TrackInitScale",
    "TrackSetScale",
    "TrackToggle",
    "TrackTurn",
    "Undo",
    "Wait",
    "Wireframe",
    "trace_name",
]
