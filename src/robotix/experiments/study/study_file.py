"""Study files: YAML, read with the line and column of every mistake."""

from __future__ import annotations

from pathlib import Path

from robotix.errors import BadFile
from robotix.experiments.study.study import Study
from robotix.files.source_file import read_text
from robotix.files.typed.reader import AlreadyReported, Reader
from robotix.files.yaml.parser import parse_yaml

__all__ = ["STUDY_FILE", "load_study", "parse_study", "study_path"]

STUDY_FILE = "study.yaml"
MAX_FILE_BYTES = 1 << 20  # bytes


def study_path(folder: str | Path) -> Path:
    """Return the study file of a folder; raise `BadFile` if there is none."""
    path = Path(folder) / STUDY_FILE
    if not path.is_file():
        expected = f"a folder with a {STUDY_FILE}, as `robotix lab new {folder}` makes it"
        raise BadFile(str(folder), f"no {STUDY_FILE} here", expected)
    return path


def load_study(folder: str | Path) -> Study:
    """Read the study of a folder."""
    path = study_path(folder)
    return parse_study(read_text(path, what="a study", limit=MAX_FILE_BYTES), path=str(path))


def parse_study(text: str, *, path: str = STUDY_FILE) -> Study:
    """Return the study that a text describes; raise `BadFile` at the first mistake."""
    root = parse_yaml(text, path=path)
    reader = Reader()
    try:
        study: Study = reader.record(root, Study)
    except AlreadyReported:
        pass
    if reader.problems:
        raise min(reader.problems, key=lambda problem: (problem.line, problem.column))
    return study
