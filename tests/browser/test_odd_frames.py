"""Whatever the server sends, the page goes on, and shows the room when it is told of it again."""

from __future__ import annotations

import json

import pytest
from browser.conftest import OpenPage, ServeRoom
from conftest import Figures

ROOM = """
robotix: 1
robots: {arm: {model: planar_3r}}
objects:
  cup: {box: [0.1, 0.1, 0.1], at: [1, 0, 0.5]}
  lamp: {light: {kind: point}, at: [0, 0, 2]}
"""
# Keeps one genuine message of every kind, and one genuine frame, as patterns for odd ones.
KEEP_MESSAGES = """
window.genuine = new Map()
const Plain = window.WebSocket
window.WebSocket = class extends Plain {
  constructor(...args) {
    super(...args)
    this.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') window.genuine.set(JSON.parse(data).kind, data)
      else window.genuine.set('frame', data)
    })
  }
}
"""
# Receives so many odd messages, made from genuine ones by a random generator with a seed.
# In a task of its own, so that a page that hangs is found by a time limit.
FUZZ = """
([count, seed]) => {
  window.fuzzed = 0
  setTimeout(() => { window.fuzzed = fuzz(count, seed) })
  function fuzz(count, seed) {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
  const pick = (list) => list[Math.floor(random() * list.length)]
  const ODD = [null, true, '', 'x', -1, 0, 1e308, 2 ** 53, NaN, [], {}, [[]], '\\u0000', '../..',
    [null, null, null], 'x'.repeat(5000), { kind: 'mesh', key: 'none', scale: [0, 0, 0] }]
  const mutated = (value, depth = 0) => {
    if (random() < 0.08) return structuredClone(pick(ODD))
    if (Array.isArray(value)) {
      const found = value.map((each) => mutated(each, depth + 1))
      if (random() < 0.1) found.splice(Math.floor(random() * (found.length + 1)), 1)
      return found
    }
    if (value && typeof value === 'object')
      return Object.fromEntries(
        Object.entries(value)
          .filter(() => random() > 0.03)
          .map(([key, each]) => [key, key === 'kind' && !depth ? each : mutated(each, depth + 1)]),
      )
    return value
  }
  const garbage = () => pick([
    '', '{', 'null', '[]', '{}', '42', '"kind"', '{"kind":null}', '{"kind":"__proto__"}',
    '{"kind":"constructor"}', '[{"kind":"room"}]', '\\ud800', '{"kind":"toString"}',
  ])
  const binary = () => {
    const frame = window.genuine.get('frame')
    const bytes = new Uint8Array(frame.slice(0, Math.floor(random() * (frame.byteLength + 1))))
    for (let flips = Math.floor(random() * 8); flips > 0; flips--)
      if (bytes.length) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    return random() < 0.5 ? bytes.buffer : new Uint8Array([...new Uint8Array(frame)].map(
      (byte, at) => (at >= 16 && random() < 0.2 ? Math.floor(random() * 256) : byte))).buffer
  }
  const socket = window.sockets.at(-1)
  const kinds = [...window.genuine.keys()].filter((kind) => kind !== 'frame')
  for (let number = 0; number < count; number++) {
    const choice = random()
    const data = choice < 0.2 ? garbage() : choice < 0.4 ? binary()
      : JSON.stringify(mutated(JSON.parse(window.genuine.get(pick(kinds)))))
    socket.onmessage?.({ data })
  }
  return kinds.length
  }
}
"""
# Whatever is no part of a robot is attached to itself.
CIRCLE = """
() => {
  const room = JSON.parse(window.genuine.get('room'))
  for (const node of room.nodes) if (!node.robot) node.parent = node.row
  window.sockets.at(-1).onmessage?.({ data: JSON.stringify(room) })
}
"""


def bombard(
    serve: ServeRoom, open_page: OpenPage, figures: Figures, *, rounds: int, frames: int
) -> None:
    """Send the page odd frames, then cut the connection: the next one must show the room again."""
    served = serve(ROOM)
    one = open_page(served, init=KEEP_MESSAGES, is_drawn=False, allow_errors=True)
    one.until("app.control.isMine && window.genuine.size > 5")
    before = one.ask("app.room.nodes.map((node) => node.info.name)")
    for number in range(rounds):
        one.page.evaluate(FUZZ, [frames // rounds, number + 1])
        one.until("window.fuzzed > 4")  # kinds of messages
        one.ask("void window.sockets.at(-1).close()")
        names = "JSON.stringify(app.room.nodes.map((node) => node.info.name))"
        one.until(
            f"app.connection.state === 'open' && {names} === arg",
            json.dumps(before, separators=(",", ":"), ensure_ascii=False),
        )
        one.ticks(2)
        one.frames(2)  # pictures go on
        assert one.ask("app.connection.command('hide cup').then((answer) => typeof answer.ok)")
    figures(
        "odd messages do not break the page",
        f"{rounds * (frames // rounds):,} odd messages of {one.ask('window.fuzzed')} kinds, broken "
        "frames and garbage, in a real browser",
        f"the page shows the scene again after each of {rounds} rounds, and commands are answered",
    )


def test_odd_frames_do_not_break_the_page(
    serve: ServeRoom, open_page: OpenPage, figures: Figures
) -> None:
    bombard(serve, open_page, figures, rounds=3, frames=1_500)


def test_a_circle_of_parents_does_not_hang_the_page(serve: ServeRoom, open_page: OpenPage) -> None:
    one = open_page(serve(ROOM), init=KEEP_MESSAGES, allow_errors=True)
    one.until("app.control.isMine && window.genuine.has('robots')")
    one.page.evaluate(CIRCLE)
    one.ask("void app.connection.command('move @60;(20, 40, 60)')")  # what is below the hand?
    one.until("app.room.states.get('arm').q[0] > 0.3")
    one.frames(2)


@pytest.mark.soak
def test_a_hundred_thousand_odd_frames_do_not_break_the_page(
    serve: ServeRoom, open_page: OpenPage, figures: Figures
) -> None:
    bombard(serve, open_page, figures, rounds=100, frames=100_000)
