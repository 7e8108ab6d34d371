"""Motions of a study after the Brain Imaging Data Structure (BIDS), data type `motion`.

One file a trial, `sub-P001_task-shelf_tracksys-arm_run-1_motion.tsv`, with its channels and a
sidecar; `participants.tsv` and `*_scans.tsv` tell who did what under which levels of the factors.
Joint angles are channels of type JNTANG; lengths, such as that of a rail, of type MISC.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np

from robotix.errors import BadFile
from robotix.experiments.store.reading import StudyReader
from robotix.experiments.store.records import StoredTrial
from robotix.motion.coordinates import Dof
from robotix.motion.files import load_motion
from robotix.motion.motion import Motion
from robotix.scene.recording.take import Take
from robotix.version import __version__

__all__ = ["BIDS_VERSION", "export_bids"]

BIDS_VERSION = "1.11.0"
TRACKSYS = "arm"
MISSING = "n/a"
ABSENT_KINDS = ("ACCEL", "ANGACCEL", "GYRO", "LATENCY", "MAGN", "ORNT", "POS", "VEL")


def export_bids(reader: StudyReader, folder: Path) -> list[Path]:
    """Write all recorded trials as a BIDS data set; return its files."""
    files = [_write_json(folder / "dataset_description.json", _description(reader))]
    files.append(_write_text(folder / "README", _readme(reader)))
    people = []
    for person in reader.participants():
        trials = [
            trial
            for trial in reader.trials(person.name)
            if trial.kind == "trial" and trial.status in ("finished", "timeout", "aborted")
            and not trial.is_discarded and trial.recording is not None
            and (reader.folder / trial.recording).is_file()
        ]  # fmt: skip
        if trials:
            people.append(
                {
                    "participant_id": f"sub-{_label(person.name)}",
                    "simulated": "yes" if person.is_simulated else "no",
                }
            )
            files += _write_subject(reader, folder, person.name, trials)
    files.append(_write_tsv(folder / "participants.tsv", people, ("participant_id", "simulated")))
    files.append(_write_json(
        folder / "participants.json",
        {"simulated": {"Description": "Whether a simulated operator took the place of a person."}},
    ))  # fmt: skip
    return files


def _description(reader: StudyReader) -> dict[str, Any]:
    return {
        "Name": reader.study.study,
        "BIDSVersion": BIDS_VERSION,
        "DatasetType": "raw",
        "GeneratedBy": [{"Name": "robotix", "Version": __version__}],
    }


def _readme(reader: StudyReader) -> str:
    return (
        f"{reader.study.study}\n\nMotions of a robot arm, one file a trial, exported by robotix."
        " Joint angles are in rad, lengths in m. The levels of the factors are columns of the"
        " *_scans.tsv files.\n"
    )


def _write_subject(
    reader: StudyReader, folder: Path, name: str, trials: Sequence[StoredTrial]
) -> list[Path]:
    subject = f"sub-{_label(name)}"
    place = folder / subject / "motion"
    place.mkdir(parents=True, exist_ok=True)
    runs, files, scans = Counter[str](), [], []
    for trial in trials:
        runs[trial.task] += 1
        stem = f"{subject}_task-{_label(trial.task)}_tracksys-{TRACKSYS}_run-{runs[trial.task]}"
        motion = _motion_of(reader.folder / str(trial.recording))
        files += _write_motion(place, stem, trial, motion)
        levels = {key: trial.levels.get(key) or MISSING for key in reader.study.factors}
        scans.append({
            "filename": f"motion/{stem}_motion.tsv",
            "acq_time": datetime.fromtimestamp(trial.begun, UTC).strftime("%Y-%m-%dT%H:%M:%S"),
            "status": trial.status, "duration": trial.duration, "errors": trial.errors, **levels,
        })  # fmt: skip
    columns = ("filename", "acq_time", "status", "duration", "errors", *reader.study.factors)
    path = folder / subject / f"{subject}_scans.tsv"
    described = {
        "status": {"Description": "finished, timeout or aborted"},
        "duration": {"Description": "Completion time", "Units": "s"},
        "errors": {"Description": "Errors as the task counts them"},
    } | {name: {"Description": f"Level of the factor {name}"} for name in reader.study.factors}
    files.append(_write_tsv(path, scans, columns))
    files.append(_write_json(path.with_suffix(".json"), described))
    return files


def _motion_of(path: Path) -> Motion:
    """Return the motion in a file: a motion, or a recording of a scene, of its first robot."""
    try:
        return load_motion(path)
    except BadFile as error:
        refused = error
    try:
        with Take(path) as take:
            track = next((each for each in take.robots.values() if len(each.times)), None)
            if track is None:
                raise refused
            keep = np.r_[True, np.diff(track.times) > 0]
            dofs = tuple(Dof(name, _unit(unit)) for name, unit in track.dofs)
            return Motion(dofs, track.times[keep], track.rows(np.flatnonzero(keep)))
    except BadFile:
        raise refused from None


def _unit(text: str) -> Literal["rad", "m", "rotvec"]:
    return "m" if text == "m" else "rotvec" if text == "rotvec" else "rad"


def _write_motion(place: Path, stem: str, trial: StoredTrial, motion: Motion) -> list[Path]:
    rate = (len(motion.times) - 1) / motion.duration if motion.duration > 0 else 1.0
    regular = motion.resampled(1 / rate) if motion.duration > 0 else motion
    kinds = ["MISC" if dof.unit == "m" else "JNTANG" for dof in motion.dofs]
    rows = "".join(
        "\t".join(f"{value:.9g}" for value in row) + "\n" for row in np.asarray(regular.q)
    )
    channels = [
        {
            "name": dof.name, "component": MISSING, "type": kind, "tracked_point": dof.name,
            "units": "m" if dof.unit == "m" else "rad",
        }
        for dof, kind in zip(motion.dofs, kinds, strict=True)
    ]  # fmt: skip
    sidecar = {
        "TaskName": trial.task,
        "SamplingFrequency": rate,
        "SamplingFrequencyEffective": rate,
        "TrackingSystemName": TRACKSYS,
        "SoftwareVersions": f"robotix {__version__}",
        "MotionChannelCount": len(channels),
        "JNTANGChannelCount": kinds.count("JNTANG"),
        "MiscChannelCount": kinds.count("MISC"),
        "TrackedPointsCount": len(channels),
        "MissingValues": MISSING,
    } | {f"{kind}ChannelCount": 0 for kind in ABSENT_KINDS}
    columns = ("name", "component", "type", "tracked_point", "units")
    return [
        _write_text(place / f"{stem}_motion.tsv", rows),
        _write_json(place / f"{stem}_motion.json", sidecar),
        _write_tsv(place / f"{stem}_channels.tsv", channels, columns),
    ]


def _label(name: str) -> str:
    """Return a label as BIDS allows it: letters and digits only."""
    return re.sub(r"[^A-Za-z0-9]", "", name)


def _write_text(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _write_json(path: Path, document: Mapping[str, Any]) -> Path:
    return _write_text(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _write_tsv(path: Path, rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> Path:
    lines = ["\t".join(columns)]
    for row in rows:
        lines.append("\t".join(MISSING if row[c] is None else str(row[c]) for c in columns))
    return _write_text(path, "\n".join(lines) + "\n")
