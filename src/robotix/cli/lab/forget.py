"""`robotix lab forget`: delete one participant."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.lab.options import StudyFolder
from robotix.cli.output import print_json

__all__ = ["forget"]


def forget(
    folder: StudyFolder,
    participant: Annotated[str, typer.Argument(metavar="PARTICIPANT", help="The pseudonym.")],
    *,
    json: JsonFlag = False,
) -> None:
    """Delete one participant: trials, recordings, answers, consent and notes, and their traces."""
    from robotix.experiments.store.connection import DATABASE_FILE
    from robotix.experiments.store.forgetting import forget_participant
    from robotix.experiments.store.reading import StudyReader
    from robotix.experiments.store.store import StudyStore

    if not (folder / DATABASE_FILE).exists():
        StudyReader(folder).close()  # says that there is nothing
    with StudyStore(folder) as store:
        removed = forget_participant(store, participant)
    if json:
        print_json(asdict(removed))
        return
    typer.echo(
        f"deleted {participant}: {removed.trials} trials, {removed.recordings} recordings"
        f" ({removed.bytes} bytes), {removed.answers} answers, {removed.consents} consents,"
        f" {removed.notes} notes"
    )
    for name in removed.exports:
        typer.echo(f"  {name} has data of {participant}: write it again, or delete it")
