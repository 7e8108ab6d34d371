"""What a newcomer tried in an early version of the flat, and what failed then: one page for all."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser.conftest import Keeper, Opened, OpenPage, Served
from browser.driving.patience import patient_devices
from browser.newcomer.hands import Pointer, Screen
from browser.newcomer.newcomer import IN_CHAIR, PLACE

DOOR = Path(__file__).parents[3] / "examples" / "scenes" / "door.yaml"
SIZE = (1280, 720)
HAND, CHAIR = IN_CHAIR.replace("arg", "'grip_point'"), PLACE.replace("arg", "'wheelchair'")
TOASTS = "[...document.querySelectorAll('.toast')].map((toast) => toast.textContent)"
SAY = """window.sockets.at(-1).dispatchEvent(new MessageEvent('message',
  {data: JSON.stringify({kind: 'said', text: arg[0], problem: arg[1]})}))"""
NO_GRAPHICS = "HTMLCanvasElement.prototype.getContext = () => null"


class MousePointer:
    """A finger, as a mouse has it."""

    def __init__(self, page: Opened) -> None:
        self._mouse = page.page.mouse

    def down(self, x: float, y: float) -> None:
        """Press at a place."""
        self._mouse.move(x, y)
        self._mouse.down()

    def move(self, x: float, y: float) -> None:
        """Go on to a place."""
        self._mouse.move(x, y, steps=3)

    def up(self) -> None:
        """Let go."""
        self._mouse.up()


@pytest.fixture(scope="module")
def flat(keeper: Keeper, tmp_path_factory: pytest.TempPathFactory) -> Served:
    """The room that `robotix run` shows."""
    devices = patient_devices(tmp_path_factory.mktemp("devices"))
    return keeper.room("", "--devices", str(devices))


@pytest.fixture
def page(flat: Served, keeper: Keeper) -> Opened:
    """A page in control, the arm at rest."""
    one = keeper.page(flat, size=SIZE, is_drawn=False)
    if not one.ask("app.control.isMine"):
        one.ask("app.control.ask(true)")
    one.until("app.control.isMine && !app.room.states.get('arm').is_moving")
    return one


def test_the_first_key_that_the_room_names_works(page: Opened) -> None:
    page.page.keyboard.down("t")
    page.until("app.room.states.get('arm').tracked_by === 'stick'")
    page.page.keyboard.up("t")
    start = page.ask(HAND)
    page.page.keyboard.down("ArrowUp")
    page.until(f"{HAND}[0] - arg > 0.02", start[0])
    page.page.keyboard.up("ArrowUp")
    said = " ".join(page.ask(TOASTS))
    assert "Error" not in said and "sign of life" not in said


def test_one_stick_moves_one_thing(page: Opened) -> None:
    finger: Pointer = MousePointer(page)
    screen = Screen(page, finger)
    chair, hand = page.ask(CHAIR), page.ask(HAND)
    screen.move_hand(2, 1, f"{HAND}[2] > {hand[2] + 0.02}")
    screen.move_hand(0, 1, f"{HAND}[0] > {hand[0] + 0.04}")
    page.until("!app.room.states.get('arm').is_moving")
    assert page.ask(CHAIR) == pytest.approx(chair, abs=1e-3)
    hand = page.ask(HAND)
    screen.drive(-1, 0, f"{CHAIR}[0] < {chair[0] - 0.05}")
    assert page.ask(HAND) == pytest.approx(hand, abs=2e-3)  # it comes along
    page.page.click(".stick-button")


def test_turn_turns(page: Opened) -> None:
    if page.page.locator(".drive-button").get_attribute("aria-pressed") == "false":
        page.page.click(".drive-button")
    page.page.locator(".drive-mode").select_option("turn")
    turn = "app.room.node('grip_point').object.quaternion.toArray()"
    before, hand = page.ask(turn), page.ask(HAND)
    page.page.keyboard.down("f")
    page.until(f"Math.abs({turn}.reduce((sum, v, k) => sum + v * arg[k], 0)) < 0.995", before)
    page.page.keyboard.up("f")
    page.until("!app.room.states.get('arm').is_moving")
    assert page.ask(HAND) == pytest.approx(hand, abs=0.06)  # the flange stays, the fingers turn
    page.page.locator(".drive-mode").select_option("move")
    page.page.click(".drive-button")


def test_the_key_of_the_room_steers_again_after_drive_was_switched_off(page: Opened) -> None:
    tracked = "app.room.states.get('arm').tracked_by"
    page.page.click(".drive-button")
    page.page.keyboard.down("ArrowUp")
    page.until(f"{tracked} === 'stick'")
    page.page.keyboard.up("ArrowUp")
    page.page.click(".drive-button")
    page.until(f"{tracked} === ''")
    for device in ("stick", ""):  # the room's own key binds nothing, so the device must still be
        page.page.keyboard.down("t")
        page.until(f"{tracked} === arg", device)
        page.page.keyboard.up("t")
        page.ticks(10)
    assert "bind one" not in " ".join(page.ask(TOASTS))


def test_help_marks_the_keys_that_one_needs(page: Opened) -> None:
    page.page.keyboard.press("F1")
    marked = set(page.page.locator(".p-key.room").all_inner_texts())
    first = page.page.locator(".p-keys").last.inner_text()
    page.page.keyboard.press("F1")
    assert {*"←↑→↓", "PgUp", "PgDn", *"WASD", "T", "G", *"1234", "X"} <= marked
    assert first.replace("\n", " ").startswith("Esc stop every robot")


def test_help_says_where_things_are(page: Opened) -> None:
    page.page.keyboard.press("F1")
    words = page.page.locator(".p-help").inner_text()
    page.page.keyboard.press("F1")
    assert "Connect it with the button at the top right" in words
    button = page.page.get_by_role("button", name="Connect a SpaceMouse").bounding_box()
    assert button is not None
    assert button["x"] > SIZE[0] / 2 and button["y"] < SIZE[1] / 4


def test_words_for_developers_are_not_put_before_people(page: Opened) -> None:
    page.ask(SAY, ["slower than real time", "loop"])
    page.ask(SAY, ["is stamped later than now", "keyboard"])
    page.ask(SAY, ["KeyError: 'legs'", "description"])
    page.ask(SAY, ["stopped 0.2 m short of its goal", "arm"])
    page.ask(SAY, ["The table is laid.", ""])
    page.until(f"{TOASTS}.includes('The table is laid.')")
    said = " ".join(page.ask(TOASTS))
    assert "slower" not in said and "stamped" not in said and "KeyError" not in said
    assert "description failed; Messages has the details." in said
    assert "arm: stopped 0.2 m short of its goal" in said
    assert page.page.locator(".slow-sign").is_visible()


def test_loading_words_have_a_ground(page: Opened) -> None:
    ground = page.ask(
        """(() => {
          const box = document.createElement('div')
          box.className = 'loading'
          box.append(document.createElement('div'))
          document.body.append(box)
          const { backgroundColor } = getComputedStyle(box.firstChild)
          box.remove()
          return backgroundColor
        })()"""
    )
    assert ground.startswith("rgb") and not ground.endswith(", 0)")


def test_viewpoints_are_visited_in_turn(page: Opened) -> None:
    seen = set()
    for _ in range(3):
        page.page.keyboard.press("Alt+v")
        page.still()
        seen.add(page.ask("app.stage.camera.position.toArray().map((v) => v.toFixed(2)).join()"))
    page.page.keyboard.press("Alt+h")
    page.still()
    assert len(seen) > 1


def test_eyes_meet_where_the_room_is(page: Opened) -> None:
    page.ask("app.shell.open('view', true)")
    page.page.evaluate(
        "document.querySelector(\"[data-id='stereo']\").closest('details').open = true"
    )
    page.page.locator("[data-id='stereo']").select_option("anaglyph")
    page.until("app.stage.stereo === 'anaglyph'")
    assert page.ask("app.stage.convergence") > 4  # m
    page.page.locator("[data-id='stereo']").select_option("off")
    page.ask("app.shell.open('view', false)")


def test_ellipsoids_say_what_they_are(page: Opened) -> None:
    page.ask("app.overlays.get('ellipsoid').toggle(true)")
    page.until("document.querySelector('.legends')?.textContent.includes('m/s')")
    page.ask("app.overlays.get('ellipsoid').toggle(false)")
    page.until("!document.querySelector('.legends')")


def test_distances_say_to_what(page: Opened) -> None:
    page.ask("app.stage.focus('arm')")
    words = "[...document.querySelectorAll('.label')].map((label) => label.textContent)"
    page.until(f"{words}.some((text) => / mm to /.test(text))")


def test_what_only_the_terminal_can_do_is_said(page: Opened) -> None:
    answer = page.ask("app.connection.command('press G')")
    assert not answer["ok"] and "on the keyboard here" in answer["text"]


def test_the_toolbar_is_one_stop_of_the_tab_key(page: Opened) -> None:
    tools = page.page.locator(".tools button:visible")
    stops = [tools.nth(k).get_attribute("tabindex") for k in range(tools.count())]
    assert len(stops) > 8 and stops.count("0") == 1 and set(stops) == {"0", "-1"}


def test_the_door_and_its_wall_are_seen(keeper: Keeper) -> None:
    page = keeper.page(keeper.room(DOOR.read_text()))
    for eye in ([-5.5, -3.5, 2.6], [5.5, 3.5, 2.6]):
        page.ask(
            "(() => { const at = app.stage.camera.position.clone().fromArray(arg)"
            "; app.stage.camera.position.copy(app.room.root.localToWorld(at))"
            "; app.stage.redraw() })()",
            eye,
        )
        page.frames(4)
        for name in ("wall", "door"):
            assert page.ask("app.room.node(arg).object.children.every((c) => c.visible)", name)
    assert not page.ask("app.room.node('mat').object.children.some((c) => c.castShadow)")
    page.page.reload()


def test_without_graphics_the_page_says_so_and_nothing_else_breaks(
    keeper: Keeper, open_page: OpenPage
) -> None:
    served = keeper.room(DOOR.read_text())
    one = open_page(
        served,
        init=NO_GRAPHICS,
        until="() => document.body.innerText.includes('WebGL')",
        allow_errors=True,
    )
    assert not [text for text in one.errors if "before initialization" in text]
