"""Sliders and buttons that a program adds to the page."""

from __future__ import annotations

import pytest

from robotix.errors import BadField, UnknownName
from robotix.scene import Scene
from robotix.scene.console.console import install_console, run_command
from robotix.scene.page_controls import PageControl, PageControls


def slider(**changes: float) -> PageControl:
    return PageControl("gain", "slider", **({"lower": 0.0, "upper": 10.0, "value": 2.0} | changes))


def test_a_slider_is_moved_and_says_so() -> None:
    heard: list[float] = []
    controls = PageControls()
    controls.add(slider(), heard.append)
    before = controls.all
    controls.use("gain", 7.5)
    assert heard == [7.5]
    assert controls["gain"].value == 7.5
    assert controls.all is not before
    same = controls.all
    controls.use("gain", 7.5)
    assert controls.all is same  # nothing to send


def test_a_button_is_pressed() -> None:
    heard: list[float] = []
    controls = PageControls()
    controls.add(PageControl("home", "button"), heard.append)
    controls.use("home")
    assert heard == [0.0]
    with pytest.raises(BadField, match="is a button"):
        controls.use("home", 1.0)


def test_controls_keep_their_order_and_are_replaced_by_name() -> None:
    controls = PageControls()
    controls.add(slider())
    controls.add(PageControl("home", "button"))
    controls.add(slider(upper=5.0))
    assert [each.name for each in controls.all] == ["gain", "home"]
    assert controls["gain"].upper == 5.0
    controls.remove("gain")
    assert [each.name for each in controls.all] == ["home"]


@pytest.mark.parametrize(
    "wrong",
    [{"upper": 0.0}, {"value": 11.0}, {"value": float("nan")}, {"step": -1.0}],
)
def test_wrong_sliders_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadField):
        slider(**wrong)


@pytest.mark.parametrize("name", ["", " ", "a;b", "a\nb"])
def test_wrong_names_are_refused(name: str) -> None:
    with pytest.raises(BadField, match="name"):
        PageControl(name, "button")


def test_the_console_uses_them() -> None:
    heard: list[float] = []
    scene = Scene()
    install_console(scene)
    scene.page_controls.add(slider(), heard.append)
    scene.page_controls.add(PageControl("go home", "button"), heard.append)
    assert run_command(scene, "use gain; 3") == ""
    assert run_command(scene, "use go home") == ""
    assert heard == [3.0, 0.0]
    assert "from 0 to 10" in run_command(scene, "use gain; 11")
    assert "no slider or button" in run_command(scene, "use nothing; 1")
    with pytest.raises(UnknownName):
        scene.page_controls.use("nothing")
