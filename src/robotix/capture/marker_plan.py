"""Marker plans: the landmarks of the body that the markers of a recording define.

A plan is a TOML file. `[drive.…]` lists the landmarks that the six control points follow, `[check]`
those that are only compared; both give, for a landmark, the markers whose mean it is:

    [drive.right_foot]
    right_ankle = "RightFoot"                                # a joint centre of the manikin
    [drive.head]
    helmet = { markers = ["LFHD", "RFHD"], on = "head" }     # fixed to a segment

A joint centre is compared with that of the manikin. Any other landmark is fixed to a segment of the
trunk, at its position in one frame in which the subject stands upright.

`[rebuilt]` lists, for markers that only a static trial has, three or more others of their segment.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path

import numpy as np

from robotix.capture.markers import UNITS, MarkerSet, numbered
from robotix.errors import UnknownName
from robotix.files.source_file import read_text
from robotix.files.toml_table import TomlTable, parse_toml
from robotix.geometry.vectors import unit_rows

__all__ = [
    "CENTRES",
    "CONTROLS",
    "MarkerCentre",
    "MarkerPlan",
    "load_plan",
    "plan_names",
    "with_hips",
    "without_subject",
]

CONTROLS = ("pelvis", "head", "right_hand", "left_hand", "right_foot", "left_foot")
SEGMENTS = ("pelvis", "thorax", "head")  # upright in the frame in which the subject stands
_SIDED = ("hip", "knee", "ankle", "toe", "shoulder", "elbow", "wrist", "knuckle")
CENTRES = ("neck", *(f"{side}_{name}" for side in ("right", "left") for name in _SIDED))
_PELVIS = ("right_asis", "left_asis", "right_psis", "left_psis")
_KEYS = (
    "title",
    "unit",
    "first_row",
    "standing_row",
    "pelvis_markers",
    "drive",
    "check",
    "lengths",
    "rebuilt",
)


@dataclass(frozen=True)
class MarkerCentre:
    """A landmark of the body: the mean of some markers."""

    landmark: str
    markers: tuple[str, ...]
    segment: str = ""  # that it is fixed to; empty for a joint centre


@dataclass(frozen=True)
class Length:
    """A body measure as a fraction of the distance between two means of markers."""

    measure: str
    start: tuple[str, ...]
    end: tuple[str, ...]
    fraction: float = 1.0


@dataclass(frozen=True, eq=False)
class MarkerPlan:
    """Landmarks that drive a manikin, and landmarks that are only compared."""

    title: str
    drive: Mapping[str, tuple[MarkerCentre, ...]]  # by control point
    check: tuple[MarkerCentre, ...] = ()
    lengths: tuple[Length, ...] = ()
    pelvis_markers: Mapping[str, str] | None = None  # on the pelvic bones, by `right_asis`, …
    rebuilt: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # see `with_rebuilt`
    first_row: int = 0  # of the motion
    standing_row: int = 0  # the subject stands upright
    unit: str = "cm"  # of files that do not say theirs

    def check_markers(self, markers: MarkerSet) -> None:
        """Raise UnknownName if a recording lacks a marker."""
        bones = (self.pelvis_markers or {}).values()
        for name in {name for seen in self.everything() for name in seen.markers} | set(bones):
            if name in markers or (bones and name in _HIPS):
                continue
            if name in self.rebuilt:
                raise ValueError(
                    f"no marker {name!r}: it was taken off after the static trial; give that trial "
                    "by --standing (static=), and it is rebuilt"
                )
            raise UnknownName("marker", name, markers.names)

    def everything(self) -> Iterator[MarkerCentre]:
        """Yield all landmarks, driven and compared."""
        for part in self.drive.values():
            yield from part
        yield from self.check


def without_subject(markers: MarkerSet, plan: MarkerPlan) -> MarkerSet:
    """Return markers without the name of the subject (`Anna:LASI`), if the plan wants them so.

    Of several subjects and things in one file, the one with most markers of the plan counts.
    """
    wanted = {name for seen in plan.everything() for name in seen.markers}
    wanted |= set((plan.pelvis_markers or {}).values())
    if wanted & set(markers.names):
        return markers
    subjects = {name.rpartition(":")[0] for name in markers.names}
    found = {
        subject: [name for name in markers.names if name.rpartition(":")[0] == subject]
        for subject in sorted(subjects)
    }
    fits = {
        subject: len(wanted & {name.rpartition(":")[2] for name in names})
        for subject, names in found.items()
    }
    best = max(fits, key=lambda subject: fits[subject])
    if not fits[best]:
        return markers
    columns = [markers.names.index(name) for name in found[best]]
    plain = numbered([name.rpartition(":")[2] for name in found[best]])
    return replace(markers, names=tuple(plain), positions=markers.positions[:, columns])


def plan_names() -> tuple[str, ...]:
    """Return the names of the plans that come with the package."""
    folder = resources.files(__package__) / "data"
    names = (file.name for file in folder.iterdir())
    return tuple(
        sorted(
            name.removeprefix("markers_").removesuffix(".toml")
            for name in names
            if name.startswith("markers_") and name.endswith(".toml")
        )
    )


def load_plan(plan: str | os.PathLike[str]) -> MarkerPlan:
    """Read a plan: the name of one that comes with the package, or the path of a TOML file."""
    if isinstance(plan, str) and plan in plan_names():
        file = resources.files(__package__) / "data" / f"markers_{plan}.toml"
        return _read_plan(parse_toml(file.read_text(encoding="utf-8"), path=file.name))
    if isinstance(plan, str) and not plan.endswith(".toml"):
        raise UnknownName("marker plan", plan, (*plan_names(), "the path of a .toml file"))
    return _read_plan(parse_toml(read_text(Path(plan), what="a marker plan"), path=os.fspath(plan)))


# -- hips from the bones of the pelvis -------------------------------------------------------

_HIPS = {"right_hip_centre": 1.0, "left_hip_centre": -1.0}


def with_hips(markers: MarkerSet, plan: MarkerPlan) -> MarkerSet:
    """Return the markers with `right_hip_centre` and `left_hip_centre`, if the plan defines them.

    By [Bell1990]: from the midpoint of the anterior superior iliac spines, in fractions of their
    distance, 0.36 to the side, 0.19 back and 0.30 down.
    """
    if plan.pelvis_markers is None:
        return markers
    right, left, right_back, left_back = (markers[plan.pelvis_markers[key]] for key in _PELVIS)
    front, back = (right + left) / 2, (right_back + left_back) / 2
    width = np.linalg.norm(right - left, axis=1)[:, None]
    outward = (right - left) / width
    up = unit_rows(np.cross(unit_rows(front - back), -outward))
    forward = np.cross(-outward, up)
    base = front - width * (0.19 * forward + 0.30 * up)
    return markers.joined(
        {name: base + sign * 0.36 * width * outward for name, sign in _HIPS.items()}
    )


# -- reading ---------------------------------------------------------------------------------


def _read_plan(top: TomlTable) -> MarkerPlan:
    top.only(*_KEYS)
    drive = top.table("drive")
    drive.only(*CONTROLS)
    if "pelvis" not in drive:
        top.refuse(None, "no [drive.pelvis]", "what the pelvis follows; it says where the body is")
    parts = {name: tuple(_read_seen(drive.table(name))) for name in drive.data}
    for side in ("right", "left"):
        name = f"{side}_foot"
        wanted = {f"{side}_ankle", f"{side}_toe"}
        if name in parts and {seen.landmark for seen in parts[name]} != wanted:
            drive.refuse(name, f"[drive.{name}]", f"{' and '.join(sorted(wanted))}, no more")
    hips = {seen.landmark for seen in parts["pelvis"]}
    if not {"right_hip", "left_hip"} <= hips:
        drive.refuse("pelvis", f"[drive.pelvis] with {sorted(hips)}", "right_hip and left_hip")
    return MarkerPlan(
        title=top.text_of("title"),
        drive=parts,
        check=tuple(_read_seen(top.table("check"))),
        lengths=tuple(_read_lengths(top.table("lengths"))),
        pelvis_markers=_read_bones(top.table("pelvis_markers")),
        rebuilt=_read_rebuilt(top.table("rebuilt")),
        first_row=int(top.number("first_row", 0, low=0, high=1000)),
        standing_row=int(top.number("standing_row", 0, low=0, high=1000)),
        unit=top.choice("unit", tuple(UNITS), "cm"),
    )


def _read_seen(table: TomlTable) -> Iterator[MarkerCentre]:
    if len(table.data) > 200:
        table.refuse(None, f"{len(table.data)} places", "at most 200")
    for landmark, value in table.data.items():
        if not isinstance(value, dict):
            if landmark not in CENTRES:
                expected = f"a joint centre ({', '.join(CENTRES)}), or {{markers, on}}"
                table.refuse(landmark, f"{landmark!r}", expected)
            yield MarkerCentre(landmark, _markers(table, landmark))
            continue
        inner = table.table(landmark)
        inner.only("markers", "on")
        segment = inner.choice("on", SEGMENTS, "thorax")
        yield MarkerCentre(landmark, _markers(inner, "markers"), segment)


def _read_lengths(table: TomlTable) -> Iterator[Length]:
    table.only("upper_arm_length", "forearm_length", "thigh_length", "shank_length")
    for measure in table.data:
        inner = table.table(measure)
        inner.only("start", "end", "share")
        fraction = inner.number("share", 1.0, low=0.1, high=2.0)
        yield Length(measure, _markers(inner, "start"), _markers(inner, "end"), fraction)


def _read_bones(table: TomlTable) -> Mapping[str, str] | None:
    if not table.data:
        return None
    table.only(*_PELVIS)
    return {key: table.name_of(key) for key in _PELVIS}


def _read_rebuilt(table: TomlTable) -> dict[str, tuple[str, ...]]:
    found = {name: _markers(table, name) for name in table.data}
    for name, cluster in found.items():
        if len(cluster) < 3:
            table.refuse(name, f"{len(cluster)} markers", "three or more on the same segment")
    return found


def _markers(table: TomlTable, key: str) -> tuple[str, ...]:
    """Return one name, or a list of them."""
    value = table.data.get(key)
    names = (value,) if isinstance(value, str) else table.texts(key)
    if not names:
        table.refuse(key if key in table else None, f"no markers for {key!r}", "one name or more")
    return tuple(names)
