import type { Close } from '../app'
import { closeAll } from '../listeners'
import { makeGlows } from './glows'
import type { OverlayContext } from './overlay'
import { makeTouchedFaces } from './touched_faces'
import { drawRobotTouches } from './touches'

/** Things that touch flash red, the faces that touch stay red, and red dots mark where robots touch what stops them. */
export function drawContacts(context: OverlayContext): Close {
  const { connection } = context
  const glows = makeGlows(context, { colour: '#ff3b3b', flash: 1, steady: 0.1, fade: 2 })
  const touches = new Map<string, number>() // by node: with how many things
  const touch = (name: string, isTouching: boolean) => {
    const count = Math.max(0, (touches.get(name) ?? 0) + (isTouching ? 1 : -1))
    touches.set(name, count)
    if (isTouching || count === 0) glows.set(name, isTouching)
  }
  const faces = makeTouchedFaces(context)
  const collisions = new Map<string, readonly [string, string]>() // that rules report
  let stopped: readonly (readonly [string, string])[] = [] // robots, and what stops them
  const showFaces = () => faces.set([...collisions.values(), ...stopped])
  return closeAll([
    glows.close,
    faces.close,
    drawRobotTouches(context),
    connection.on('happened', ({ what, names, state }) => {
      if (what !== 'collision') return
      for (const name of names) touch(name, state)
      const [first, second] = names
      if (first === undefined || second === undefined) return
      if (state) collisions.set(names.join('\n'), [first, second])
      else collisions.delete(names.join('\n'))
      showFaces()
    }),
    connection.on('touches', ({ contacts }) => {
      stopped = contacts
        .filter(({ force }) => !force.some((part) => part !== 0))
        .map((each) => [each.first, each.second] as const)
      showFaces()
    }),
    connection.on('room', () => {
      touches.clear()
      collisions.clear()
      glows.clear()
      showFaces()
    }),
  ])
}
