"""What is known about a robot besides its model: where the numbers come from, how sure they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from robotix.errors import BadFile, BadModel, UnknownName
from robotix.files.toml_table import TomlTable
from robotix.model.tree import Model

__all__ = [
    "CONFIDENCE",
    "INFO_KEYS",
    "Provenance",
    "RobotFile",
    "RobotSummary",
    "read_info",
    "read_robot_file",
]

CONFIDENCE = ("high", "medium", "low", "assumed")  # best first
PARAMETERS = (
    "identity",
    "kinematics",
    "limits",
    "velocity",
    "acceleration",
    "effort",
    "mass",
    "inertia",
    "payload",
    "shape",
)
INFO_KEYS = (
    "version",
    "name",
    "title",
    "source",
    "confidence",
    "notes",
    "reach",
    "payload",
    "sources",
    "provenance",
)


@dataclass(frozen=True)
class Provenance:
    """Where one kind of parameter comes from."""

    parameter: str
    sources: tuple[str, ...]  # documents; none for what was assumed
    confidence: str  # high, medium, low or assumed
    note: str = ""
    unverified: bool = False  # no document was found for it, or for the part that the note names


@dataclass(frozen=True)
class RobotSummary:
    """Facts for a list of robots.

    `reach` is the largest distance that the tip gets from the axis of the arm's first joint within
    the joint limits; 0 when the file does not say. `mass` is that of all bodies, the base included.
    """

    name: str
    title: str
    n_dof: int
    reach: float  # m
    mass: float  # kg
    payload: float | None  # kg; None when not known
    source: str
    confidence: str  # that these numbers are those of the robot named
    notes: tuple[str, ...] = ()
    provenance: tuple[Provenance, ...] = ()


def read_info(top: TomlTable, model: Model) -> RobotSummary:
    """Return the facts in the top table of a robot file, checked."""
    if top.number("version", 1.0) != 1:
        top.refuse("version", f"version {top.data['version']}", "version 1")
    sources = top.table("sources")
    documents = {key: sources.text_of(key) for key in sources.data}
    return RobotSummary(
        name=model.name,
        title=top.text_of("title", model.name, longest=200),
        n_dof=model.n_dof,
        reach=top.number("reach", 0.0, low=0.0),
        mass=model.mass,
        payload=top.number("payload", low=0.0) if "payload" in top else None,
        source=top.text_of("source", ""),
        confidence=top.choice("confidence", CONFIDENCE, "assumed"),
        notes=top.texts("notes"),
        provenance=tuple(
            _read_provenance(parameter, table, documents)
            for parameter, table in top.named_tables("provenance")
        ),
    )


def _read_provenance(parameter: str, table: TomlTable, documents: dict[str, str]) -> Provenance:
    if parameter not in PARAMETERS:
        expected = f"one of {', '.join(PARAMETERS)}"
        table.refuse(None, f"provenance of {parameter!r}", expected)
    table.only("sources", "confidence", "note", "unverified")
    for key in table.texts("sources"):
        if key not in documents:
            table.refuse("sources", f"source {key!r}", "a key of the table [sources]")
    return Provenance(
        parameter,
        tuple(documents[key] for key in table.texts("sources")),
        table.choice("confidence", CONFIDENCE, "assumed"),
        table.text_of("note", ""),
        table.flag("unverified"),
    )


@dataclass(frozen=True, eq=False)
class RobotFile:
    """All that the file of a robot says."""

    model: Model
    info: RobotSummary


def read_robot_file(
    top: TomlTable, read_model: Callable[[TomlTable], Model], *, path: str
) -> RobotFile:
    """Return model and information of a file; raise BadFile if there can be no such model."""
    try:
        model = read_model(top)
    except BadFile:
        raise
    except (BadModel, UnknownName, ValueError) as error:
        raise BadFile(path, str(error), "a model that can exist") from None
    return RobotFile(model, read_info(top, model))
