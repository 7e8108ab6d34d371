"""Rules, their modes, actions under way, and the plain commands and those made of others."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.hands import problems, thing

from robotix.scene.commands import basic
from robotix.scene.commands.attributes import SetAttribute, SetColour
from robotix.scene.commands.registry import COMMANDS
from robotix.scene.events.action import Action, repeat, together, wait, wait_until
from robotix.scene.events.events import Event, Mode, Signal
from robotix.scene.events.messages import Announcement, SnapshotAsked, SoundStarted, SoundStopped
from robotix.scene.scene import MAX_EVENTS, Command, Scene

GO = Signal("go")


class Noted:
    """A command that notes when it is called, and lasts as long as it is let."""

    def __init__(self, *, lasts: bool = False) -> None:
        self.calls: list[bool] = []
        self.steps = 0
        self.ends = 0
        self.lasts = lasts

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        self.calls.append(event.state)
        return self._last() if self.lasts else None

    def _last(self) -> Action:
        try:
            while True:
                self.steps += 1
                yield
        finally:
            self.ends += 1


def run(scene: Scene, *states: bool) -> None:
    """Let the signal switch in one tick after the other."""
    for state in states:
        scene.emit("go", state=state)
        scene.step()


def said(scene: Scene) -> list[str]:
    return [each.text for each in scene.messages if isinstance(each, Announcement)]


# -- modes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "calls"),
    [("on", 2), ("off", 1), ("change", 3), ("reflect", 3)],
)
def test_modes_say_which_edge_counts(mode: Mode, calls: int) -> None:
    scene, command = Scene(), Noted()
    scene.on(GO, command, mode=mode)
    run(scene, True, False, True)
    assert len(command.calls) == calls


def test_reflect_passes_the_state_on() -> None:
    scene, command = Scene(), Noted()
    scene.on(GO, command, mode="reflect")
    run(scene, True, False, True)
    assert command.calls == [True, False, True]


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="mode"):
        Scene().on(GO, Noted(), mode="toggle")  # type: ignore[arg-type]


def test_reflect_stops_at_off_what_it_started() -> None:
    scene, command = Scene(), Noted(lasts=True)
    scene.on(GO, command, mode="reflect")
    run(scene, True)
    scene.step()
    assert (len(scene.actions), command.ends) == (1, 0)
    run(scene, False)
    assert (len(scene.actions), command.ends) == (0, 1)
    steps = command.steps
    scene.step()
    assert command.steps == steps


def test_a_second_on_starts_anew() -> None:
    scene, command = Scene(), Noted(lasts=True)
    scene.on(GO, command)
    run(scene, True, True)
    assert (len(scene.actions), command.ends) == (1, 1)


def test_rules_act_in_their_order() -> None:
    scene = Scene()
    for text in "abc":
        scene.on(GO, basic.Say(text))
    run(scene, True)
    assert said(scene) == ["a", "b", "c"]


def test_a_rule_that_was_removed_is_silent() -> None:
    scene = Scene()
    rule = scene.on(GO, basic.Say("a"))
    scene.on(GO, basic.Say("b"))
    scene.rules.remove(rule)
    run(scene, True)
    assert said(scene) == ["b"]
    assert len(scene.rules) == 1


def test_what_nobody_waits_for_is_ignored() -> None:
    scene = Scene()
    scene.emit("nobody")
    scene.step()
    assert scene.events == [Event(Signal("nobody"))]
    assert not scene.messages


def test_a_rule_that_fails_is_named_and_the_others_go_on() -> None:
    def fail(scene: Scene, event: Event) -> None:
        raise RuntimeError("broken")

    scene = Scene()
    scene.on(GO, fail, name="the broken one")
    scene.on(GO, basic.Say("still here"))
    run(scene, True)
    assert said(scene) == ["still here"]
    assert problems(scene) == ["RuntimeError: broken"]


def test_rules_that_set_each_other_off_for_ever_are_stopped() -> None:
    scene = Scene()
    scene.on(GO, basic.Emit("come"))
    scene.on(Signal("come"), basic.Emit("go"))
    run(scene, True)
    assert len(scene.events) <= MAX_EVENTS + 1
    assert "set each other off" in problems(scene)[0]
    scene.step()
    assert not problems(scene)


# -- the stage ------------------------------------------------------------------------------


def test_an_action_that_raises_is_over_and_named() -> None:
    def stumble() -> Action:
        yield
        raise KeyError("gone")

    scene, other = Scene(), Noted(lasts=True)
    scene.start(stumble(), name="stumble")
    scene.on(GO, other)
    run(scene, True)
    assert problems(scene) == ["KeyError: 'gone'"]
    assert len(scene.actions) == 1
    scene.step()
    assert not problems(scene)


def test_an_action_that_raises_while_it_is_stopped_is_named_too() -> None:
    def sulk() -> Action:
        try:
            while True:
                yield
        finally:
            raise ValueError("no")

    scene = Scene()
    running = scene.start(sulk())
    scene.actions.stop(running)
    scene.actions.stop(running)
    assert problems(scene) == ["no"]
    scene.step()
    assert len(scene.actions) == 0


def test_an_action_may_start_another() -> None:
    scene, command = Scene(), Noted(lasts=True)

    def parent() -> Action:
        yield
        action = command(scene, Event(GO))
        assert action is not None
        scene.start(action)

    scene.start(parent())
    for _ in range(3):
        scene.step()
    assert len(scene.actions) == 1
    assert command.steps >= 2


# -- time -----------------------------------------------------------------------------------


@given(ticks=st.integers(0, 50))
def test_a_wait_takes_its_time(ticks: int) -> None:
    scene = Scene()
    scene.start(wait(scene, ticks * scene.dt))
    while len(scene.actions):
        scene.step()
    assert abs(scene.tick - max(ticks, 1)) <= 1


def test_wait_until_looks_every_tick() -> None:
    scene = Scene()
    scene.start(wait_until(lambda: scene.tick == 7))
    while len(scene.actions):
        scene.step()
    assert scene.tick == 7


@given(counts=st.lists(st.integers(0, 6), max_size=5))
def test_together_lasts_as_long_as_the_longest(counts: list[int]) -> None:
    def count(number: int) -> Action:
        for _ in range(number):
            yield

    assert len(list(together(count(number) for number in counts))) == max(counts, default=0)


def test_together_stops_all_when_one_fails_or_it_is_stopped() -> None:
    ends = list[str]()

    def lasting(name: str, *, fails: bool = False) -> Action:
        try:
            yield
            if fails:
                raise RuntimeError(name)
            while True:
                yield
        finally:
            ends.append(name)

    scene = Scene()
    scene.start(together([lasting("a"), lasting("b", fails=True), lasting("c")]))
    scene.step()
    assert sorted(ends) == ["a", "b", "c"]
    assert problems(scene) == ["RuntimeError: b"]
    ends.clear()
    running = scene.start(together([lasting("a"), lasting("b")]))
    scene.actions.stop(running)
    assert ends == ["a", "b"]


@given(times=st.integers(1, 5), length=st.integers(0, 3))
def test_repeat_never_goes_round_twice_in_a_tick(times: int, length: int) -> None:
    def count() -> Action:
        for _ in range(length):
            yield

    assert len(list(repeat(count, times=times))) == times * max(length, 1)


# -- commands ----------------------------------------------------------------------------------


def test_plain_commands_tell_those_who_watch() -> None:
    scene = Scene()
    thing(scene, "bell", at=(0, 0, 0))
    commands: tuple[Command, ...] = (
        basic.Say("hello"),
        basic.PlaySound("ding.wav", "bell", True, 0.5),
        basic.TakeSnapshot("out/room.png", "bell"),
        basic.Emit("done"),
    )
    scene.on(GO, basic.Together(commands), mode="reflect")
    run(scene, True)
    assert scene.messages == [
        Announcement("hello"),
        SoundStarted("ding.wav", "bell", True, 0.5),
        SnapshotAsked("out/room.png", "bell"),
    ]
    assert Event(Signal("done"), True) in scene.events
    run(scene, False)
    assert scene.messages == [SoundStopped("ding.wav", "bell")]
    assert Event(Signal("done"), False) in scene.events


def test_stop_sound_stops() -> None:
    scene = Scene()
    scene.on(GO, basic.StopSound("ding.wav"))
    run(scene, True)
    assert scene.messages == [SoundStopped("ding.wav")]


def test_timers_are_started_and_stopped() -> None:
    scene = Scene()
    scene.on(GO, basic.StartTimer("beat", 0.1, again=True), mode="reflect")
    run(scene, True)
    assert "beat" in scene.timers
    run(scene, False)
    assert "beat" not in scene.timers
    scene.on(GO, basic.StopTimer("beat"))
    run(scene, True)
    assert "beat" not in scene.timers


def test_in_turn_waits_for_the_one_before() -> None:
    scene = Scene()
    turn = basic.in_turn([basic.Say("a"), basic.Wait(0.1), basic.Say("b")])
    scene.on(GO, turn)
    run(scene, True)
    texts = {scene.tick: said(scene)}
    while len(scene.actions):
        scene.step()
        texts[scene.tick] = said(scene)
    assert texts[1] == ["a"]
    (at,) = [tick for tick, text in texts.items() if text == ["b"]]
    assert abs(at - 1 - 12) <= 1


def test_one_command_in_turn_is_that_command() -> None:
    assert basic.in_turn([basic.Say("a")]) == basic.Say("a")


def test_repeat_does_it_so_many_times() -> None:
    scene, command = Scene(), Noted()
    scene.on(GO, basic.Repeat((command, basic.Wait(0.05)), times=3))
    run(scene, True)
    for _ in range(60):
        scene.step()
    assert command.calls == [True] * 3
    assert len(scene.actions) == 0


def test_a_composite_is_stopped_in_the_middle() -> None:
    scene, first, second = Scene(), Noted(lasts=True), Noted(lasts=True)
    whole = basic.InTurn((basic.Together((first, basic.Wait(9.0))), second))
    scene.on(GO, whole, mode="reflect")
    run(scene, True)
    scene.step()
    run(scene, False)
    assert first.ends == 1
    assert second.steps == 0
    assert len(scene.actions) == 0
    assert not problems(scene)


REFUSED: dict[str, Callable[[], object]] = {
    "too loud": lambda: basic.PlaySound("ding.wav", volume=1.5),
    "no volume": lambda: basic.PlaySound("ding.wav", volume=float("nan")),
    "no picture": lambda: basic.TakeSnapshot("room.txt"),
    "elsewhere": lambda: basic.TakeSnapshot("../room.png"),
    "anywhere": lambda: basic.TakeSnapshot("/room.png"),
    "no signal": lambda: basic.Emit(""),
    "no timer": lambda: basic.StartTimer("", 1.0),
    "no time": lambda: basic.StartTimer("beat", float("nan")),
    "back in time": lambda: basic.Wait(-1.0),
    "never": lambda: basic.Repeat((basic.Say("a"),), times=0),
    "too red": lambda: SetColour("cup", (2.0, 0.0, 0.0)),
    "too thin": lambda: SetAttribute("cup", opacity=-1.0),
    "nowhere": lambda: SetAttribute("cup", at=(0.0, 0.0, float("nan"))),
    "half a turn": lambda: SetAttribute("cup", rpy=(1.0,)),
    "nothing": lambda: SetAttribute("cup"),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_what_makes_no_sense_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"got|say what"):
        make()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_a_value_with_words_to_explain_it(name: str) -> None:
    command = COMMANDS[name]
    assert is_dataclass(command)
    assert command.__doc__ and not command.__doc__.startswith(f"{command.__name__}(")
    assert all(field.init for field in fields(command))
    assert name.isidentifier() and name == name.lower()
    with pytest.raises(FrozenInstanceError):
        object.__new__(command).anything = 1
