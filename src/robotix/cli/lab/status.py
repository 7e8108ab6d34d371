"""`robotix lab status`: whether the study file is right, and how far the study is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.lab.options import StudyFolder
from robotix.cli.output import print_json

__all__ = ["status"]


def status(folder: StudyFolder, *, json: JsonFlag = False) -> None:
    """Check the study file, and show how far each participant is."""
    document = _document(folder)
    if json:
        print_json(document)
    else:
        _print(document)
    if document["problems"]:
        raise typer.Exit(1)


def _print(document: dict[str, Any]) -> None:
    typer.echo(
        f"{document['study']}: {document['trials_of_one']} trials for each of"
        f" {document['planned']} participants"
    )
    for name, factor in document["factors"].items():
        typer.echo(
            f"  {name:<12} {', '.join(factor['levels'])} ({factor['vary']}, {factor['order']})"
        )
    typer.echo(f"  {'tasks':<12} {', '.join(document['tasks'])} ({document['task_order']})")
    for note in document["remarks"]:
        typer.echo(f"  note         {note}")
    for problem in document["problems"]:
        typer.echo(f"  problem      {problem}")
    for each in document["participants"]:
        left = f"next: {each['next']}" if each["next"] else "complete"
        typer.echo(
            f"  {each['participant']}  {each['done']}/{document['trials_of_one']} trials,"
            f" {each['interrupted']} interrupted, {each['running']} not ended; {left}"
        )


def _document(folder: Path) -> dict[str, Any]:
    from robotix.experiments.store.connection import DATABASE_FILE
    from robotix.experiments.store.reading import StudyReader
    from robotix.experiments.study.remarks import study_remarks
    from robotix.experiments.study.study_file import load_study
    from robotix.experiments.study_check import study_notes, study_problems

    study = load_study(folder)
    document: dict[str, Any] = {
        "study": study.study,
        "planned": study.participants,
        "trials_of_one": study.trials_of_one,
        "factors": {
            name: {"levels": factor.levels, "vary": factor.vary, "order": factor.order}
            for name, factor in study.factors.items()
        },
        "tasks": study.tasks,
        "task_order": study.task_order,
        "remarks": [*study_remarks(study), *study_notes(study)],
        "problems": study_problems(study),
        "participants": [],
    }
    if not (folder / DATABASE_FILE).exists():
        return document
    with StudyReader(folder) as reader:
        for person in reader.participants():
            trials = [each for each in reader.trials(person.name) if each.kind == "trial"]
            counted = Counter(each.status for each in trials if not each.is_discarded)
            done = sum(counted[each] for each in ("finished", "timeout", "aborted"))
            step = reader.next_step(person)
            is_complete = (done == study.trials_of_one and person.is_simulated) or step is None
            document["participants"].append({
                "participant": person.name, "simulated": person.is_simulated, "done": done,
                **{each: counted[each] for each in ("finished", "timeout", "aborted")},
                "interrupted": counted["interrupted"], "running": counted["running"],
                "next": None if is_complete or step is None
                else "trial" if person.is_simulated else step.kind,
            })  # fmt: skip
    return document
