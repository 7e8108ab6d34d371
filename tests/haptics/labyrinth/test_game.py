"""The labyrinth: it can be played to its goal, and its walls, zones and score are felt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robotix.geometry import Array
from robotix.haptics.labyrinth.game import FULL_FORCE, LabyrinthGame, LabyrinthPhase
from robotix.haptics.labyrinth.plan import LABYRINTH

DT = 1 / 60


def towards(game: LabyrinthGame, goal: tuple[float, float]) -> Array:
    gap = np.array(goal) - game.position[:2]
    return np.asarray(np.clip(80 * gap, -FULL_FORCE, FULL_FORCE))


def play(game: LabyrinthGame, *, limit: float = 60.0) -> None:
    for goal in LABYRINTH.waypoints:
        while np.hypot(*(np.array(goal) - game.position[:2])) > 0.02:
            if game.phase is LabyrinthPhase.done or game.seconds > limit:
                return
            game.step(DT, towards(game, goal))


def test_the_game_is_played_to_its_goal() -> None:
    game = LabyrinthGame()
    assert game.score == 1000
    np.testing.assert_allclose(game.position, (*LABYRINTH.start, LABYRINTH.height), atol=1e-9)
    play(game)
    assert game.phase is LabyrinthPhase.done
    assert not game.is_stopped
    assert 0 < game.score < 1000
    assert abs(game.position[2] - LABYRINTH.height) < 0.01
    seconds = game.seconds
    game.step(0.5, (FULL_FORCE, 0.0))
    assert game.seconds == seconds  # over is over


def test_a_wall_holds_the_ball_and_costs_points() -> None:
    game = LabyrinthGame()
    for _ in range(90):
        game.step(DT, (0.0, FULL_FORCE))
    left = next(wall for wall in LABYRINTH.walls if wall.name == "left_wall")
    assert game.position[1] == pytest.approx(left.low[1] - LABYRINTH.ball_radius, abs=4e-3)
    assert game.touching == "left_wall"
    assert game.touches >= 1
    assert game.wall_force == pytest.approx(FULL_FORCE, rel=0.15)
    game.restart()
    assert game.score == 1000


def test_zones_slow_the_ball_and_pull_it() -> None:
    def speed_after(start: tuple[float, float], force: tuple[float, float]) -> Array:
        game = LabyrinthGame(replace(LABYRINTH, start=start))
        before = game.position
        for _ in range(30):
            game.step(DT, force)
        return game.position - before

    free = speed_after((0.45, 0.08), (-0.0, 0.0))
    damped, open_way = (speed_after(start, (-3.0, 0.0)) for start in ((0.58, 0.08), (0.7, 0.23)))
    assert abs(damped[0]) < 0.5 * abs(open_way[0])
    assert abs(free).max() < 2e-3
    game = LabyrinthGame(replace(LABYRINTH, start=LABYRINTH.spring_zone.centre))
    for _ in range(60):
        game.step(DT, (0.0, 2.0))
    pushed = game.position[1]
    for _ in range(60):
        game.step(DT, (0.0, 0.0))
    middle = LABYRINTH.spring_zone.centre[1]
    assert pushed - middle == pytest.approx(2.0 / 60.0, rel=0.2)  # force over stiffness
    assert abs(game.position[1] - middle) < 0.3 * (pushed - middle)


def test_the_plan_leaves_room_for_the_ball() -> None:
    previous = LABYRINTH.start
    for goal in LABYRINTH.waypoints:
        for s in np.linspace(0, 1, 50):
            x, y = (1 - s) * np.array(previous) + s * np.array(goal)
            gap = min(wall.distance(float(x), float(y)) for wall in LABYRINTH.walls)
            assert gap > LABYRINTH.ball_radius
        previous = goal
    assert LABYRINTH.goal.contains(*LABYRINTH.waypoints[-1])
    assert LABYRINTH.goal.size[0] > 0
