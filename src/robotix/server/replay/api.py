"""What pages ask about recordings over HTTP: contents, curves, tables."""

from __future__ import annotations

import asyncio
import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import msgspec
import numpy as np

from robotix.errors import RobotixError
from robotix.geometry import Array
from robotix.scene.recording.posing import TakePoser
from robotix.server.replay.channels import Channels
from robotix.server.replay.curves import Series, envelope, value_at
from robotix.server.replay.player import ReplayPlayer
from robotix.server.replay.second_take import PREFIX

__all__ = ["ReplayApi"]

MAX_STEPS = 10_000  # ticks that are skipped at once
MAX_POINTS = 4000  # of a curve
MAX_ROWS = 200_000  # of a table
MAX_CHANNELS = 24  # of a table
JSON_TYPE, CSV_TYPE = "application/json", "text/csv; charset=utf-8"
Response = tuple[int, str, bytes]  # status, type and contents


@dataclass(frozen=True, eq=False)
class _ShownTake:
    name: str
    poser: TakePoser
    channels: Channels
    notes: list[str]


class ReplayApi:
    """Answers requests below `/api/replay`."""

    def __init__(self, player: ReplayPlayer, *, notes: Sequence[Sequence[str]] = ()) -> None:
        """Describe the takes of a player; `notes` are sentences about each, besides their own."""
        self._player = player
        posers = [player.poser] + ([player.second.poser] if player.second is not None else [])
        self._takes = [
            _ShownTake(
                poser.take.path.name,
                poser,
                Channels(poser, self._evaluator(poser)),
                [*poser.take.notes, *_missing(poser), *(notes[k] if k < len(notes) else ())],
            )
            for k, poser in enumerate(posers)
        ]

    def change_pace(self, action: str, value: float) -> None:
        """Change what is played, and how; raise ValueError for an unknown action."""
        player = self._player
        match action:
            case "pause":
                player.pause()
            case "resume":
                player.resume()
            case "step":  # also backwards
                player.step(round(min(max(value, -MAX_STEPS), MAX_STEPS)))
            case "speed":
                player.set_speed(value)
            case "seek":
                player.seek(value)
            case "offset":
                player.set_offset(value)
            case _:
                known = "pause, resume, step, speed, seek or offset"
                raise ValueError(f"action must be {known}, got {action!r}")

    async def respond(self, path: str, query: Mapping[str, Sequence[str]]) -> Response:
        """Return the answer to a request; it is computed in another thread."""
        answers: dict[str, Callable[[Mapping[str, Sequence[str]]], Response]] = {
            "": self._contents,
            "curve": self._curve,
            "table.csv": self._table,
        }
        answer = answers.get(path)
        if answer is None:
            return _error(404, f"no {path!r} of a recording")
        try:
            return await asyncio.to_thread(answer, query)
        except (RobotixError, ValueError, msgspec.MsgspecError) as error:
            return _error(422, str(error))

    # -- contents ---------------------------------------------------------------------------

    def _contents(self, query: Mapping[str, Sequence[str]]) -> Response:
        return _json(
            {
                "takes": [self._describe(each) for each in self._takes],
                "time": self._player.time,
                "offset": self._player.offset,
                "second_prefix": PREFIX if len(self._takes) > 1 else "",
            }
        )

    def _describe(self, shown: _ShownTake) -> dict[str, Any]:
        take = shown.poser.take
        return {
            "name": shown.name,
            "start": take.start,
            "end": take.end,
            "dt": take.header.dt,
            "made_by": take.header.made_by,
            "notes": shown.notes,
            "marks": [asdict(mark) for mark in take.marks],
            "channels": [asdict(channel) for channel in shown.channels.offered],
            "nodes": shown.channels.nodes,
        }

    # -- curves -----------------------------------------------------------------------------

    def _curve(self, query: Mapping[str, Sequence[str]]) -> Response:
        shown, start, end = self._range(query)
        count = min(max(int(_first(query, "points", "600")), 2), MAX_POINTS)
        series = shown.channels.series(_channel(_first(query, "channel")), start=start, end=end)
        times, low, high = envelope(series, start=start, end=end, count=count)
        return _json(
            {
                "unit": series.unit,
                "is_held": series.is_held,
                "is_sampled": series.is_sampled,
                "times": times.tolist(),
                "low": _finite(low),
                "high": _finite(high),
            }
        )

    def _range(self, query: Mapping[str, Sequence[str]]) -> tuple[_ShownTake, float, float]:
        """Return the take and the range of its own times that are asked for."""
        number = int(_first(query, "take", "0"))
        if not 0 <= number < len(self._takes):
            raise ValueError(f"there are {len(self._takes)} takes, counted from 0; got {number}")
        shown = self._takes[number]
        take = shown.poser.take
        start, end = (
            float(_first(query, name, str(default)))
            for name, default in (("from", take.start), ("to", take.end))
        )
        if not (math.isfinite(start) and math.isfinite(end) and start <= end):
            raise ValueError(f"a range is two rising times, got {start} and {end}")
        return shown, start, end

    def _evaluator(self, poser: TakePoser) -> Callable[[Array, Callable[[], float]], Array]:
        """Return a function that measures the scene at some times; playback goes on meanwhile."""

        def evaluate(times: Array, measure: Callable[[], float]) -> Array:
            values = np.empty(len(times))
            for k, time in enumerate(times):
                with self._player.lock:
                    poser.pose(float(time))
                    values[k] = measure()
            self._player.invalidate()
            return values

        return evaluate

    # -- tables -----------------------------------------------------------------------------

    def _table(self, query: Mapping[str, Sequence[str]]) -> Response:
        """Return channels as a table; times are those of the first take."""
        asked = [_channel(text) for text in query.get("channel", ())]
        if not 0 < len(asked) <= MAX_CHANNELS:
            raise ValueError(f"a table has 1 to {MAX_CHANNELS} channels, got {len(asked)}")
        first, start, end = self._range(query)
        ticks = first.poser.take.tick_times
        times = ticks[(ticks >= start - 1e-9) & (ticks <= end + 1e-9)]
        times = times[:: max(1, math.ceil(len(times) / MAX_ROWS))]
        names, columns = ["time (s)"], [times]
        for channel in asked:
            for number, shown in enumerate(self._takes):
                series, own = self._column(shown, channel, times, number)
                if series is not None:
                    names.append(_heading(channel, series, number))
                    columns.append(value_at(series, own))
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(names)
        for row in zip(*(column.tolist() for column in columns), strict=True):
            writer.writerow(["" if math.isnan(value) else f"{value:.9g}" for value in row])
        return 200, CSV_TYPE, text.getvalue().encode()

    def _column(
        self, shown: _ShownTake, channel: tuple[str, ...], times: Array, number: int
    ) -> tuple[Series | None, Array]:
        """Return a channel of a take; None if the second take has no such channel."""
        own = times - (self._player.offset if number else 0.0)
        if not len(own):
            return None, own
        try:
            return shown.channels.series(channel, start=own[0], end=own[-1]), own
        except (RobotixError, ValueError):
            if number:
                return None, own
            raise


def _heading(channel: tuple[str, ...], series: Series, number: int) -> str:
    unit = f" ({series.unit})" if series.unit else ""
    sampled = ", interpolated between samples" if series.is_sampled else ""
    return f"{'2nd take: ' if number else ''}{' '.join(channel)}{unit}{sampled}"


def _missing(poser: TakePoser) -> list[str]:
    """Return a sentence about nodes that were recorded and cannot be shown."""
    missing = poser.missing
    if not missing:
        return []
    names = ", ".join(missing[:5]) + (" …" if len(missing) > 5 else "")
    what = "thing was" if len(missing) == 1 else "things were"
    return [f"{len(missing)} {what} made while it ran; their shapes were not recorded: {names}."]


def _channel(text: str) -> tuple[str, ...]:
    """Return the id of a channel, which is written as a JSON list of texts."""
    return tuple(msgspec.json.decode(text, type=list[str]))


def _first(query: Mapping[str, Sequence[str]], name: str, default: str | None = None) -> str:
    values = query.get(name)
    if values:
        return values[0]
    if default is None:
        raise ValueError(f"{name!r} is missing")
    return default


def _finite(values: Array) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in values.tolist()]


def _json(document: Any) -> Response:
    return 200, JSON_TYPE, msgspec.json.encode(document)


def _error(status: int, words: str) -> Response:
    return status, JSON_TYPE, msgspec.json.encode({"error": words})
