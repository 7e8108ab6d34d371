"""`rx.show`: three lines show a robot in the browser and move it; notebooks embed the page."""

from __future__ import annotations

import http.server
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser.conftest import PATIENCE, READY, Opened
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, Route
from support.public_robots import public_urdfs

import robotix as rx

RAISED = [0.0, -0.5, 0.0, 1.6, 0.0, 0.5, 0.0]
EYE = "() => window.robotix.stage.camera.position.toArray()"
SETTLED = "() => window.robotix.stage.isSettled"
CELL = """
import robotix as rx
view = rx.show("kuka_lwr")
view
"""


@pytest.fixture(autouse=True)
def own_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def opened(browser: Browser, url: str) -> Opened:
    page = browser.new_context(viewport={"width": 640, "height": 360}).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(url)
    page.wait_for_function(READY, timeout=PATIENCE)
    return Opened(page, errors)


def tip_is(opened: Opened, posture: rx.Posture) -> None:
    """Wait until the page shows the tip where forward kinematics puts it."""
    near = "Math.hypot(...app.room.states.get('kuka_lwr').tip.map((v, i) => v - arg[i])) < 1e-3"
    opened.until(f"app.room.states.get('kuka_lwr') && {near}", posture.position().tolist())


def test_three_lines_show_a_robot_and_move_it(browser: Browser) -> None:
    model = rx.load("kuka_lwr")
    with rx.show(model, open_browser=False) as view:
        page = opened(browser, view.url)
        view.q = RAISED
        tip_is(page, rx.Posture(model, RAISED))
        assert view.call(lambda: view.robot.q.tolist()) == RAISED
        page.page.context.close()
        assert page.errors == []


def test_a_robot_is_framed_with_all_of_its_meshes(browser: Browser) -> None:
    model = rx.load(public_urdfs()["ur_description/urdf/ur10_robot.urdf"])
    page = browser.new_context(viewport={"width": 640, "height": 480}).new_page()
    held: list[Route] = []
    asked: list[Route] = []

    def hold(route: Route) -> None:
        """Let the first mesh come, and keep all others."""
        asked.append(route)
        if len(asked) == 1:
            route.continue_()
        else:
            held.append(route)

    page.route("**/mesh/*", hold)
    with rx.show(model, open_browser=False) as view:
        view.q = {"shoulder_lift_joint": -1.57}  # upright
        page.goto(view.url)
        page.wait_for_function("() => window.robotix?.stage.frames > 5", timeout=PATIENCE)
        for route in held:
            route.continue_()
        page.unroute("**/mesh/*")
        page.wait_for_function(READY, timeout=PATIENCE)
        page.wait_for_function(SETTLED, timeout=PATIENCE)
        first = page.evaluate(EYE)
        page.evaluate("() => { window.robotix.stage.focus() }")  # as `Show all` does
        page.wait_for_timeout(300)
        page.wait_for_function(SETTLED, timeout=PATIENCE)
        assert page.evaluate(EYE) == pytest.approx(first, abs=0.02)
        page.context.close()


def test_sliders_and_buttons_of_a_program_work_in_the_page(browser: Browser) -> None:
    heard: list[float] = []
    with rx.show("kuka_lwr", open_browser=False) as view:
        page = opened(browser, view.url)
        page.until("document.querySelector('.page-controls').hidden")
        bend = view.slider("bend", -1.0, 1.0, value=0.0, step=0.5, on_change=heard.append)
        view.button("go home", lambda: heard.append(99.0))
        view.point("goal", [0.5, 0.0, 0.5])
        page.until("app.room.nodes.some((each) => each.info.name === 'goal')")
        slider = page.page.get_by_label("bend")
        slider.wait_for(timeout=PATIENCE)
        slider.focus()
        page.page.keyboard.press("ArrowRight")
        page.until("app.room.controls[0].value === 0.5")
        assert bend.value == 0.5
        page.page.get_by_role("button", name="go home").click()
        page.until("app.room.controls.length === 2")
        while 99.0 not in view.call(lambda: list(heard)):
            pass  # the click is on its way
        assert heard == [0.5, 99.0]
        view.call(lambda: view.scene.page_controls.use("bend", -1.0))
        page.until("document.querySelector('.page-slider output').textContent.startsWith('-1')")
        view.remove("bend")
        page.until("app.room.controls.length === 1")
        page.page.context.close()
        assert page.errors == []


def test_a_person_and_a_scene_can_be_shown(browser: Browser, tmp_path: Path) -> None:
    scene = rx.Scene(name="empty")
    for what, node in ((rx.make_manikin(rx.make_anthropometry(sex="f")), "person"), (scene, None)):
        with rx.show(what, open_browser=False) as view:
            if node is None:
                view.call(lambda: scene.add_robot("arm", rx.load("scara")))
            page = opened(browser, view.url)
            page.until("app.room.nodes.some((each) => each.info.name === arg)", node or "arm")
            page.page.context.close()


@contextmanager
def page_around(text: str) -> Iterator[str]:
    """Serve a page with this text, as a notebook server on another port and host name does."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html>{text}".encode())

        def log_message(self, *_: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_notebook_cell_embeds_the_page(browser: Browser) -> None:
    cells = [new_code_cell(CELL), new_code_cell(f"view.q = {RAISED}")]
    notebook = new_notebook(cells=cells)
    client = NotebookClient(notebook, timeout=PATIENCE / 1000, kernel_name="python3")
    with client.setup_kernel():
        client.execute_cell(notebook.cells[0], 0)
        (output,) = notebook.cells[0].outputs
        with page_around(output["data"]["text/html"]) as url:
            page = browser.new_context(viewport={"width": 640, "height": 500}).new_page()
            page.goto(url)
            handle = page.wait_for_selector("iframe")
            assert handle is not None
            frame = handle.content_frame()
            assert frame is not None
            frame.wait_for_function(READY, timeout=PATIENCE)
            client.execute_cell(notebook.cells[1], 1)
            goal = rx.Posture(rx.load("kuka_lwr"), RAISED).position().tolist()
            frame.wait_for_function(
                "(goal) => { const s = window.robotix.room.states.get('kuka_lwr');"
                " return s && Math.hypot(...s.tip.map((v, i) => v - goal[i])) < 1e-3 }",
                arg=goal,
                timeout=PATIENCE,
            )
            page.context.close()


def test_a_stranger_may_not_embed_the_page(browser: Browser) -> None:
    with rx.show("scara", open_browser=False) as view:
        request = urllib.request.Request(view.url.replace("/login", "/nowhere"))
        try:
            headers = urllib.request.urlopen(request).headers
        except urllib.error.HTTPError as error:
            headers = error.headers
        policy = headers["content-security-policy"]
        ancestors = policy.split("frame-ancestors ")[1].split()
        assert all(
            each.startswith(("http://localhost:", "http://127.0.0.1:", "vscode-webview:"))
            for each in ancestors
        )
