"""`robotix lab run`: a study with people."""

from __future__ import annotations

from typing import Annotated

import typer

from robotix.cli.compile import prepare_kernels
from robotix.cli.lab.options import StudyFolder
from robotix.cli.run import LanOption

__all__ = ["run"]

PORT = 8643


def run(
    folder: StudyFolder,
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of the pages; 0: any.")] = PORT,
    lan: LanOption = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Run a study with people: the experimenter's page, and from it one for each participant.

    Add a participant there, and open the link in a window for them: consent, training, tasks and
    questionnaires follow by themselves. Your page has emergency stop, resume, abort, repeat, notes
    and a live view. Both are pages of this machine; with --lan participants can use another one, a
    tablet or a headset. Ctrl-C ends; what is finished is stored, and the next run goes on there.
    """
    import signal
    import threading

    from robotix.app.lab_rooms import HostedRooms
    from robotix.app.page import lan_hosts
    from robotix.experiments.session import LabSession
    from robotix.experiments.store.store import StudyStore
    from robotix.experiments.study.study_file import load_study, study_path
    from robotix.experiments.study_check import check_study
    from robotix.server.http.hosting import free_port
    from robotix.server.lab.hosting import LabHosting
    from robotix.warm_up.rooms import warm_up

    check_study(load_study(folder), str(study_path(folder)))
    prepare_kernels()
    secure, names = lan_hosts() if lan else (None, [])
    rooms = HostedRooms(prepare=warm_up, port=free_port() if lan else 0, secure=secure, names=names)
    is_over = threading.Event()
    with StudyStore(folder) as store:
        if store.interrupted:
            typer.echo(f"{store.interrupted} trial was interrupted and will be repeated")
        session = LabSession(store, rooms)
        with LabHosting(session, folder, port=port, secure=secure, names=names) as hosting:
            typer.echo(f"open {hosting.experimenter_address()}")
            typer.echo("the experimenter's page, opened once; participants are added there")
            if lan:
                typer.echo(f"participants on other machines come in by {hosting.other_origins[0]}")
                typer.echo("the browser there will ask once whether to trust the certificate")
            if not no_open:
                hosting.open_browser()
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: is_over.set())
            is_over.wait()
            rooms.close()
    typer.echo("ended; what is finished is stored")
