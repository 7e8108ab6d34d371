"""Links, joints and frames of an SDF model with all models inside it, and where they are.

Names inside a nested model are `MODEL::NAME`. The frame of the outermost model is called `""`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from robotix.files.xml_tree import Element
from robotix.geometry import Pose
from robotix.model.sdf.values import pose_of, relative_to, text_of

__all__ = ["WORLD", "Scope", "SdfFrames"]

MAX_NESTED = 16  # models inside each other
WORLD = "world"


@dataclass(frozen=True)
class Scope:
    """A model: what precedes the names inside it, and what its frame is called."""

    prefix: str
    frame: str

    def name(self, name: str) -> str:
        """Return the full name of what a text inside the model calls `name`."""
        return self.frame if name == "__model__" else self.prefix + name


@dataclass(frozen=True, eq=False)
class _Frame:
    element: Element
    parent: str
    pose: Pose
    attached: str = ""  # the frame that it moves with, if not a link
    placement: str = ""  # of a model: the frame inside it that `pose` places


@dataclass
class SdfFrames:
    """All that an SDF model names."""

    include: Callable[[Element], Element]  # returns the `<model>` that an `<include>` names
    links: dict[str, Element] = field(default_factory=dict)
    joints: dict[str, tuple[Element, Scope]] = field(default_factory=dict)
    points: list[str] = field(default_factory=list)  # frames that the file itself names
    _frames: dict[str, _Frame] = field(default_factory=dict)
    _joint_frames: dict[str, _Frame] = field(default_factory=dict)  # may have the name of a link
    _poses: dict[str, Pose] = field(default_factory=dict)

    def add_model(self, model: Element, scope: Scope, *, depth: int = 0) -> None:
        """Add all that is inside a model."""
        if depth > MAX_NESTED:
            raise model.bad(f"models nested deeper than {MAX_NESTED}", "a flatter description")
        for child in model.children:
            match child.tag:
                case "link":
                    self._add(child, scope, scope.frame)
                    self.links[scope.name(child.text("name"))] = child
                case "joint":
                    self._add_joint(child, scope)
                case "frame" if "name" in child.attributes:
                    self._add_frame(child, scope)
                case "model":
                    self._add_nested(child, child, scope, depth)
                case "include":
                    self._add_nested(self.include(child), child, scope, depth)

    def _add(self, element: Element, scope: Scope, default: str, *, attached: str = "") -> None:
        name = scope.name(element.text("name"))
        _refuse_second(name, element, self._frames)
        named = relative_to(element)
        parent = scope.name(named) if named else default
        self._frames[name] = _Frame(element, parent, pose_of(element), attached)

    def _add_joint(self, element: Element, scope: Scope) -> None:
        name = scope.name(element.text("name"))
        _refuse_second(name, element, self._joint_frames)
        parent = scope.name(relative_to(element) or text_of(element, "child"))
        self._joint_frames[name] = _Frame(element, parent, pose_of(element))
        self.joints[name] = element, scope

    def _add_frame(self, element: Element, scope: Scope) -> None:
        named = element.attributes.get("attached_to", "")
        attached = scope.name(named) if named else scope.frame
        self._add(element, scope, attached, attached=attached)
        self.points.append(scope.name(element.text("name")))

    def _add_nested(self, model: Element, holder: Element, scope: Scope, depth: int) -> None:
        """Add a model inside another one; an `<include>` may give it another name and pose."""
        is_include = holder.tag == "include"
        name = text_of(holder, "name", "") if is_include else ""
        name = name or model.text("name")
        frame = scope.name(name)
        merges = is_include and holder.attributes.get("merge") in ("true", "1")
        inside = Scope(scope.prefix if merges else f"{frame}::", frame)
        placer = holder if holder.all("pose") else model
        placement = text_of(holder, "placement_frame", "") if is_include else ""
        placement = placement or model.attributes.get("placement_frame", "")
        _refuse_second(frame, holder, self._frames)
        named = relative_to(placer)
        self._frames[frame] = _Frame(
            model,
            scope.name(named) if named else scope.frame,
            pose_of(placer),
            attached=self._canonical(model, inside),
            placement=inside.name(placement) if placement else "",
        )
        self.add_model(model, inside, depth=depth + 1)

    def _canonical(self, model: Element, scope: Scope) -> str:
        links = [link.text("name") for link in model.all("link")]
        first = model.attributes.get("canonical_link") or (links[0] if links else "")
        return scope.name(first) if first else ""

    # -- where things are -------------------------------------------------------------------

    def joint_pose(self, name: str) -> Pose:
        """Return the pose of a joint in the outermost model."""
        frame = self._joint_frames[name]
        return self.pose(frame.parent, frame.element) @ frame.pose

    def pose(self, name: str, element: Element) -> Pose:
        """Return the pose of a frame in the outermost model; `element` names it."""
        if name not in self._poses:
            self._poses[name] = self._resolve(name, element, "", frozenset())
        return self._poses[name]

    def _resolve(self, name: str, element: Element, stop: str, passed: frozenset[str]) -> Pose:
        """Return the pose of a frame in the frame `stop`."""
        if name in (stop, ""):
            return Pose()
        if name == WORLD and WORLD not in self._frames:
            return Pose()
        frame = self._frames.get(name) or self._joint_frames.get(name)
        if frame is None:
            expected = "the name of a link, joint, frame or model of this model"
            raise element.bad(f"unknown frame {name!r}", expected)
        if name in passed:
            raise element.bad(f"frame {name!r}, which is placed by itself", "frames without a loop")
        passed |= {name}
        pose = self._resolve(frame.parent, frame.element, stop, passed) @ frame.pose
        if not frame.placement:
            return pose
        inside = self._resolve(frame.placement, frame.element, name, frozenset())
        return pose @ inside.inverse()

    def link_of(self, name: str, element: Element) -> str:
        """Return the link that a frame moves with; empty for the world."""
        passed: set[str] = set()
        while name not in self.links:
            if name == WORLD:
                return ""
            if name in self.joints:
                joint, scope = self.joints[name]
                following = scope.name(text_of(joint, "child"))
            else:
                following = self._frames[name].attached if name in self._frames else ""
            if not following and name in ("", *self._frames):
                following = next(iter(self.links), "")
            if not following or name in passed:
                expected = "the name of a <link> of this model, or of a frame on one"
                raise element.bad(f"unknown link {name!r}", expected)
            passed.add(name)
            name = following
        return name

    def element(self, name: str) -> Element:
        """Return the element of a link, joint, frame or nested model."""
        return self._frames[name].element


def _refuse_second(name: str, element: Element, known: Mapping[str, _Frame]) -> None:
    if name in known:
        expected = f"another name than on line {known[name].element.line}"
        raise element.bad(f"a second {name!r}", expected, attribute="name")
