"""Arguments that the commands of the laboratory share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

__all__ = ["StudyFolder"]

StudyFolder: TypeAlias = Annotated[
    Path, typer.Argument(metavar="DIR", help="The folder of the study, with its study.yaml.")
]
