"""Playback: what is shown follows the clock, and any time can be jumped to."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.recorded_rooms import make_room
from support.takes import record_take

from robotix.scene.recording.posing import TakePoser
from robotix.scene.recording.take import Take
from robotix.scene.scene import Scene
from robotix.server.replay.player import ReplayPlayer
from robotix.server.replay.second_take import PREFIX, SecondTake


class Clock:
    """A clock that is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def player(tmp_path: Path, clock: Clock) -> Iterator[ReplayPlayer]:
    record_take(tmp_path / "take.mcap")
    with Take(tmp_path / "take.mcap") as take:
        yield ReplayPlayer(TakePoser(make_room(), take), clock=clock)


def ticks_shown(player: ReplayPlayer) -> list[int]:
    ticks: list[int] = []

    def note(scene: Scene) -> None:
        ticks.append(scene.tick)

    player.follow([note])
    return ticks


def test_it_plays_at_its_speed_and_stops_at_the_end(player: ReplayPlayer, clock: Clock) -> None:
    ticks = ticks_shown(player)
    player.show()
    player.resume()
    for clock.now in (0.1, 0.2, 0.4):
        player.show()
    assert ticks == [0, 12, 24, 48]
    player.set_speed(0.5)
    clock.now = 0.6
    player.show()
    assert ticks[-1] == 60
    clock.now = 50.0
    player.show()
    assert ticks[-1] == 120 and player.is_paused and player.time == 1.0
    player.resume()
    assert player.time == 0.0


def test_any_time_can_be_jumped_to(player: ReplayPlayer) -> None:
    ticks = ticks_shown(player)
    for time in (0.5, 0.25, 99.0, -1.0):
        player.seek(time)
        player.show()
    assert ticks == [60, 30, 120, 0]
    player.step(3)
    player.step(-1)
    player.show()
    assert ticks[-1] == 2 and player.is_paused
    player.show()
    assert len(ticks) == 5, "nothing new, so nothing is shown"


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_times_that_are_none_are_refused(player: ReplayPlayer, wrong: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        player.seek(wrong)
    with pytest.raises(ValueError, match="speed"):
        player.set_speed(wrong)
    with pytest.raises(ValueError, match="offset"):
        player.set_offset(wrong)


def test_a_second_take_is_laid_over_with_its_offset(tmp_path: Path) -> None:
    first, second = tmp_path / "first.mcap", tmp_path / "second.mcap"
    record_take(first)
    seen = record_take(second, ticks=80, seed=3)
    with Take(first) as take, Take(second) as other:
        scene = make_room()
        laid_over = SecondTake(scene, TakePoser(make_room(seed=3), other), offset=0.1)
        player = ReplayPlayer(TakePoser(scene, take), second=laid_over)
        names = {PREFIX + name for name in ("arm", "table", "cup")}
        assert names <= set(laid_over.names)
        player.seek(0.5)
        player.show()
        for name in ("table", "cup", *(n for n in seen[48] if n.startswith("arm"))):
            row = scene.graph.world[scene.graph[PREFIX + name].row]
            assert row == pytest.approx(seen[48][name], abs=1e-9), name
        player.set_offset(-0.1)  # beyond its end: it stays there
        player.show()
        row = scene.graph.world[scene.graph[f"{PREFIX}table"].row]
        assert row == pytest.approx(seen[72]["table"], abs=1e-9)
