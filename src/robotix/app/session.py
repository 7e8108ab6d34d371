"""Opens a scene with devices, page, recorder and console, and the loop that runs it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from robotix.app.file_writes import FileWrites, writing_aside
from robotix.app.inputs import make_controls, read_controls, with_console
from robotix.app.rule_files import reading_ahead

if TYPE_CHECKING:
    from robotix.devices import Controls, DeviceMap
    from robotix.scene.console.console_input import ConsoleInput
    from robotix.scene.loop import Consumer, InputSource, Loop
    from robotix.scene.recording.recorder import Recorder
    from robotix.scene.scene import Scene
    from robotix.server import RoomService

__all__ = ["RecordTo", "open_session"]


@dataclass(frozen=True)
class RecordTo:
    """Path of a recording, and values that replace those of the scene file."""

    path: Path
    rate: float | None = None
    seed: int | None = None
    on_problem: Callable[[str], None] = lambda problem: None

    @staticmethod
    def of(
        path: Path | None,
        rate: float | None,
        seed: int | None,
        on_problem: Callable[[str], None],
    ) -> RecordTo | None:
        """Return where to record; None without a path."""
        return None if path is None else RecordTo(path, rate, seed, on_problem)


@contextmanager
def open_session(
    scene: Scene,
    *,
    service: RoomService | None = None,
    devices: Sequence[Path] = (),
    record: RecordTo | None = None,
    console: ConsoleInput | None = None,
    on_tick: Sequence[Consumer] = (),
    on_end: Sequence[Consumer] = (),
    is_paced: bool = True,
    limit: Callable[[DeviceMap], DeviceMap] = lambda mapping: mapping,
) -> Iterator[Loop]:
    """Open everything that takes part in the run of a scene, and yield the loop that runs it.

    Args:
        scene: the scene; its plug-ins are closed at the end.
        service: connects it to pages; None without.
        devices: a mapping of devices, and recorded samples; without one, the default mapping.
        record: where to record it; None for no recording.
        console: lines typed in a terminal; None without.
        on_tick: called after every tick, on the loop's thread.
        on_end: called at the end of a run if files were written after its last tick, with the
            messages about them.
        is_paced: whether devices are read by the clock; otherwise by scene time. No tick of a paced
            scene reads or writes files.
        limit: takes out of the mapping of devices what must not count.
    """
    from robotix.scene.console.console_input import ConsoleInput
    from robotix.scene.loop import Loop
    from robotix.scene.writes import WriteQueue

    scene.saver = _save_room
    lines = ConsoleInput() if console is None else console
    with ExitStack() as stack:
        stack.callback(scene.plugins.close)
        writes = FileWrites(WriteQueue())
        source, consumers = _open_inputs(
            stack, scene, service, devices, is_paced=is_paced, limit=limit
        )
        if record is not None:
            consumers.append(_open_recorder(stack, scene, record))
        if is_paced:
            stack.enter_context(reading_ahead(scene))
            writes = stack.enter_context(writing_aside(scene))
        source = with_console(lines, source, on_quit=lambda: loop.stop())
        on_still = service.on_still if service is not None else ()
        loop = Loop(
            scene,
            source=source,
            on_tick=[writes.report, *consumers, *on_tick],
            has_lines=lambda: _has_lines(lines, service, writes),
            on_still=[writes.report, *on_still],
            on_end=lambda scene: writes.finish(scene, [*on_still, *on_end]),
            speed=math.inf,
        )
        if service is not None:
            service.attach(loop)
        yield loop


def _has_lines(lines: ConsoleInput, service: RoomService | None, writes: FileWrites) -> bool:
    is_asked = service is not None and service.has_lines()
    return lines.has_command() or is_asked or writes.has_done()


def _save_room(scene: Scene, file: str = "", *, robot: str = "") -> Path:
    from robotix.authoring.save.save import save_room

    return save_room(scene, file, robot=robot)


def _open_inputs(
    stack: ExitStack,
    scene: Scene,
    service: RoomService | None,
    devices: Sequence[Path],
    *,
    is_paced: bool,
    limit: Callable[[DeviceMap], DeviceMap],
) -> tuple[InputSource | None, list[Consumer]]:
    """Return the input source of the loop, and what it calls after every tick."""
    if service is not None:
        controls = stack.enter_context(make_controls(scene, devices, limit=limit))
        service.open(scene, controls)
        return service.source, [*service.on_tick]
    if not devices:
        return None, []
    controls = stack.enter_context(make_controls(scene, devices, limit=limit))
    return read_controls(controls, scene, is_paced=is_paced), [_problem_reporter(controls)]


def _problem_reporter(controls: Controls) -> Consumer:
    def report_problems(scene: Scene) -> None:
        while controls.problems:
            scene.send(controls.problems.popleft())

    return report_problems


def _open_recorder(stack: ExitStack, scene: Scene, record: RecordTo) -> Recorder:
    from robotix.scene.recording.origin import Origin, read_origin
    from robotix.scene.recording.recorder import Recorder

    origin = Origin()
    if scene.files.source is not None:
        origin = read_origin(
            scene.files.source,
            record.path,
            used=scene.files.used,
            rate=record.rate,
            seed=record.seed,
            disabled=[each.name for each in scene.plugins if not each.was_trusted],
        )
    recorder = Recorder(record.path, scene, origin=origin)

    def close() -> None:
        recorder.close()
        if recorder.problem:  # writing the last data may have failed
            record.on_problem(f"recording: {recorder.problem}")

    stack.callback(close)
    return recorder
