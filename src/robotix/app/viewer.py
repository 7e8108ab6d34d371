"""`show` and `serve`: a scene, a robot or a person in the browser, from a script or a notebook."""

from __future__ import annotations

import html
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from robotix.app.markers import (
    Slider,
    add_frame,
    add_point,
    add_slider,
    add_trail,
    remove_marker,
)
from robotix.app.page import hosted_page
from robotix.app.robot_scene import load_scene_or_robot, robot_scene
from robotix.app.session import open_session
from robotix.files.closing import Closing
from robotix.geometry import Array, Pose
from robotix.geometry.arrays import Rgb
from robotix.model import Model
from robotix.model.configuration import Configuration, as_configuration
from robotix.scene.page_controls import PageControl
from robotix.scene.scene import Scene

if TYPE_CHECKING:
    from robotix.authoring.trust import Trust
    from robotix.human import Manikin
    from robotix.scene.loop import Loop
    from robotix.scene.robots.robot import Robot

__all__ = ["Viewer", "serve", "show"]

T = TypeVar("T")
PORT = 8642  # of `serve`; `show` uses any free port
START_TIMEOUT = 60.0  # s
POINT_COLOUR = (0.9, 0.3, 0.1)
CALL_TIMEOUT = 10.0  # s; a paused scene has no ticks


class Viewer(Closing):
    """A scene that runs in the background and is shown in the browser; made by `show`.

    Assign to `q` to move the joints of its first robot. `call` runs a function between two ticks,
    on the thread of the scene: the safe way to change anything else. `point`, `frame`, `trail`,
    `slider` and `button` add things in one line. In a notebook, a viewer as the value of a cell
    embeds the page.

    Examples:
        >>> with rx.show("planar_3r", open_browser=False) as view:
        ...     view.q = [0.1, 0.2, 0.3]
        ...     view.point("goal", [1.0, 0.5, 0.0])
    """

    def __init__(
        self, scene: Scene, *, port: int = 0, lan: bool = False, can_embed: bool = True
    ) -> None:
        """Start to serve and run a scene."""
        self.scene = scene
        self._calls: SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = SimpleQueue()
        self._loop: Loop | None = None
        self._error: BaseException | None = None
        self._is_open = threading.Event()
        self._stack = ExitStack()
        self._hosting = self._stack.enter_context(
            hosted_page(port=port, lan=lan, can_embed=can_embed)
        )
        scene.add_hook("calls", self._run_calls)
        self._thread = threading.Thread(target=self._run, name="scene", daemon=True)
        self._thread.start()
        self._is_open.wait(START_TIMEOUT)
        if self._error is not None:
            self.close()
            raise self._error

    # -- moving things --------------------------------------------------------------------------

    @property
    def robot(self) -> Robot:
        """The active robot, or the first one; a person counts as one."""
        return self.scene.robot()

    @property
    def q(self) -> Array:
        """Joint positions of `robot`, (n_dof,), rad or m. Assign to move it there at once."""
        return np.array(self.robot.q)

    @q.setter
    def q(self, q: Configuration) -> None:
        self.set_q(q)

    def set_q(self, q: Configuration, *, robot: str = "") -> None:
        """Move the joints of a robot at once, within their limits; the next tick shows it.

        A dictionary of joint names moves only these.
        """
        target = self.scene.robot(robot)
        given = dict(q) if isinstance(q, Mapping) else as_configuration(target.model, q)
        as_configuration(target.model, given)  # raises here, not between two ticks
        self._submit(lambda: target.set_q(as_configuration(target.model, given, rest=target.q)))

    def call(self, function: Callable[[], T], *, timeout: float = CALL_TIMEOUT) -> T:
        """Run a function between two ticks and return its result."""
        if threading.current_thread() is self._thread:
            return function()
        return self._submit(function).result(timeout)

    def _submit(self, function: Callable[[], T]) -> Future[T]:
        if not self.is_running:
            raise RuntimeError("this viewer is closed; show the scene again")
        future: Future[T] = Future()
        self._calls.put((function, future))
        return future

    def _run_calls(self, dt: float) -> None:
        for _ in range(self._calls.qsize()):
            function, future = self._calls.get_nowait()
            try:
                future.set_result(function())
            except Exception as error:  # raised in the calling thread
                future.set_exception(error)

    # -- adding things --------------------------------------------------------------------------

    def point(
        self,
        name: str,
        position: ArrayLike,
        *,
        colour: Rgb = POINT_COLOUR,
        radius: float = 0.02,
    ) -> None:
        """Show a ball at a position, m; given the same name again, it moves there."""
        self.call(lambda: add_point(self.scene, name, position, colour=colour, radius=radius))

    def frame(self, name: str, pose: Pose | ArrayLike, *, length: float = 0.15) -> None:
        """Show a frame with axes of `length` m; given the same name again, it moves there."""
        self.call(lambda: add_frame(self.scene, name, pose, length=length))

    def trail(self, node: str = "", *, length: int = 500, every: float = 0.01) -> None:
        """Draw a line behind a node, the end-effector when empty.

        `length` is the number of pieces that are kept, `every` their size in m.
        """
        name = node or f"{self.robot.name}/{self.robot.chain.point.body}"
        self.call(lambda: add_trail(self.scene, name, length=length, every=every))

    def slider(
        self,
        name: str,
        lower: float,
        upper: float,
        *,
        value: float | None = None,
        step: float = 0.0,
        on_change: Callable[[float], object] | None = None,
    ) -> Slider:
        """Add a slider to the page; `on_change` is called with its value, between two ticks.

        speed = view.slider("speed", 0.0, 1.0)
        speed.value  # follows the page
        """
        start = lower if value is None else value
        control = PageControl(name, "slider", float(lower), float(upper), step, float(start))
        return self.call(lambda: add_slider(self.scene, control, on_change))

    def button(self, name: str, on_press: Callable[[], object]) -> None:
        """Add a button to the page; `on_press` is called between two ticks."""
        control = PageControl(name, "button")
        self.call(lambda: self.scene.page_controls.add(control, lambda value: on_press()))

    def remove(self, name: str) -> None:
        """Remove a point, a frame, a slider, a button, or the trail of a node."""
        self.call(lambda: remove_marker(self.scene, name))

    # -- the page -------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """Address of the page on this machine, including the token."""
        return self._hosting.address

    @property
    def other_urls(self) -> list[str]:
        """Addresses for other machines; empty unless `lan`."""
        return self._hosting.other_addresses

    def open(self) -> None:
        """Open the page in the browser of this machine."""
        self._hosting.open_browser()

    def _repr_html_(self) -> str:
        """Embed the page in a notebook."""
        address = html.escape(self._hosting.embedded_address, quote=True)
        return (
            f'<iframe src="{address}" width="100%" height="480" style="border:0" '
            'allow="fullscreen; gamepad; xr-spatial-tracking"></iframe>'
        )

    # -- its end --------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether the scene runs."""
        return self._thread.is_alive()

    def wait(self) -> None:
        """Wait until the scene is closed, or Ctrl-C closes it."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.2)
        except KeyboardInterrupt:
            pass
        finally:
            self.close()

    def close(self) -> None:
        """Stop the scene and the page; may be called twice."""
        if self._loop is not None:
            self._loop.stop()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()
        self._stack.close()

    def _run(self) -> None:
        try:
            with open_session(self.scene, service=self._hosting.service) as loop:
                self._loop = loop
                loop.run(ticks=1)  # loads much code, so real time starts after it
                loop.set_speed(1.0)
                self._is_open.set()
                loop.run()
        except BaseException as error:
            self._error = error
        finally:
            self._is_open.set()


def show(
    what: Scene | Model | Manikin | str | Path,
    *,
    port: int = 0,
    lan: bool = False,
    open_browser: bool | None = None,
    trust: Trust = False,
) -> Viewer:
    """Show a scene, a robot, a person or a file in the browser; return at once.

    A string or path is a scene file, or a robot of the library or from a file. In a notebook the
    viewer embeds the page where it is displayed; elsewhere the browser opens it, unless
    `open_browser` says otherwise. `port` 0 is any free port. `trust` says which plug-ins of a scene
    file may run, as for `load_scene`.

    Examples:
        >>> view = rx.show("kuka_lwr", open_browser=False)
        >>> view.q = [0.0, -0.5, 0.0, 1.6, 0.0, 0.5, 0.0]
        >>> view.close()
    """
    viewer = Viewer(_scene_of(what, trust), port=port, lan=lan)
    if open_browser or (open_browser is None and not _is_in_notebook()):
        viewer.open()
    return viewer


def serve(
    what: Scene | Model | Manikin | str | Path,
    *,
    port: int = PORT,
    lan: bool = False,
    open_browser: bool = True,
    trust: Trust = False,
) -> None:
    """Show a scene, a robot, a person or a file in the browser until Ctrl-C.

    Examples:
        >>> rx.serve("panda")  # doctest: +SKIP
    """
    show(what, port=port, lan=lan, open_browser=open_browser, trust=trust).wait()


def _scene_of(what: Scene | Model | Manikin | str | Path, trust: Trust) -> Scene:
    if isinstance(what, Scene):
        return what
    if isinstance(what, str | Path):
        return load_scene_or_robot(what, trust=trust)
    return robot_scene(what)


def _is_in_notebook() -> bool:
    """Return whether a Jupyter kernel runs this process."""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"
