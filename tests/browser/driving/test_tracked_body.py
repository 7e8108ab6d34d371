"""The body of a person in the room follows who wears a headset, and a robot protects it."""

from __future__ import annotations

from browser.conftest import Keeper
from browser.driving.worn import REST

from robotix.experiments.sharing.rooms import SharedSetup, shared_room
from robotix.safety.protection import ProtectionSettings

# Where a node, and the headset, are in the room.
WHERE = """((name) => {
  const { room, stage } = app
  const at = stage.camera.position.clone()
  const inRoom = (point) => room.root.worldToLocal(point).toArray()
  const body = inRoom(room.node(name).object.getWorldPosition(at.clone()))
  const { x, y, z } = window.xrDevice.position
  const worn = inRoom(stage.rig.localToWorld(at.clone().set(x, y, z)))
  return Math.hypot(...body.map((value, index) => value - worn[index]))
})('alex/head')"""


def test_the_body_follows_the_headset(keeper: Keeper) -> None:
    setup = SharedSetup(is_tracked=True, sex="m", stature=1.8)
    text = shared_room("one_bench", setup, ProtectionSettings(strategy="ssm"))
    page = keeper.page(keeper.room(text), query="emulate=quest3", is_drawn=False)
    page.until("document.querySelector('#tool-immersive-vr')")
    page.until("app.control.isMine")
    page.page.evaluate(REST)
    page.page.evaluate("() => document.querySelector('#tool-immersive-vr').click()")
    page.until("app.stage.renderer.xr.isPresenting")
    page.until(f"{WHERE} < 0.25")  # `head` is the origin of the segment, below the eyes
    near = page.ask(WHERE)
    page.page.evaluate(
        "() => { window.xrDevice.position.x += 0.5; window.xrDevice.position.z -= 0.1 }"
    )
    page.until(f"Math.abs({WHERE} - arg) < 0.03", near)
    page.page.evaluate("() => window.xrDevice.activeSession?.end()")
    keeper.close()
