import { Vector3 } from 'three'
import { describe, expect, test } from 'vitest'
import { makeBench } from '../../src/panels/wizard/bench'
import {
  addMesh,
  addPoint,
  addShape,
  branch,
  changeJoint,
  changeType,
  type Draft,
  EMPTY,
  freeName,
  heldParts,
  partOf,
  placeParts,
  removePart,
  renamePart,
  safeName,
  snap,
  snapAxis,
  type Triple,
  turnFromZ,
  wayDown,
  withinRange,
} from '../../src/panels/wizard/draft'
import { follow } from '../../src/panels/wizard/follow'

const POINTS: Triple[] = [
  [0, 0, 0],
  [0, 0, 0.4],
  [0.3, 0, 0.4],
]
/** A base, an upright link and a level one. */
const ARM = POINTS.reduce(addPoint, EMPTY)
const names = (draft: Draft) => draft.parts.map((part) => part.name)
const close = (actual: readonly number[], expected: readonly number[]) => {
  expect(actual).toHaveLength(expected.length)
  for (const [i, value] of expected.entries()) expect(actual[i]).toBeCloseTo(value, 4)
}

describe('building', () => {
  test('clicks make a base, then links from tip to tip', () => {
    expect(names(ARM)).toEqual(['base', 'link1', 'link2'])
    expect(ARM.tip).toEqual({ part: 'link2', point: [0.3, 0, 0.4] })
    expect(partOf(ARM, 'base')?.held).toBeNull()
    const [first, second] = heldParts(ARM)
    expect(first?.held).toMatchObject({ parent: 'base', joint: 'joint1', axis: [0, 0, 1] })
    expect(second?.held).toMatchObject({ parent: 'link1', point: [0, 0, 0.4], axis: [0, 1, 0] })
  })

  test('a link is a capsule between two points', () => {
    const solid = partOf(ARM, 'link2')?.solids[0]
    expect(solid?.shape).toMatchObject({ kind: 'capsule', length: 0.3 })
    close(solid?.position ?? [], [0.15, 0, 0.4])
  })

  test('a second click at the same place adds nothing', () => {
    expect(addPoint(ARM, [0.3, 0, 0.4])).toBe(ARM)
  })

  test('drafts are values: the old one stays as it was', () => {
    addShape(ARM, 'box')
    expect(names(ARM)).toHaveLength(3)
  })

  test.each([
    ['box', 0.7],
    ['sphere', 0.56],
    ['cylinder', 0.7],
  ] as const)('a %s stands on the tip', (kind, top) => {
    expect(addShape(ARM, kind).tip?.point[2]).toBeCloseTo(top)
  })

  test('a mesh is held at its foot, in metres, under the name of its file', () => {
    const bounds = { low: [0, 0, 100] as Triple, high: [20, 40, 300] as Triple }
    const draft = addMesh(ARM, 'Fore arm (v2).stl', 0.001, bounds)
    const part = draft.parts.at(-1)
    expect(part?.name).toBe('Fore_arm_v2')
    close(part?.held?.point ?? [], [0.01, 0.02, 0.1])
    close(draft.tip?.point ?? [], [0.01, 0.02, 0.3])
  })
})

describe('names', () => {
  test.each([
    ['Zwölf Achsen', 'Zwo_lf_Achsen'],
    ['3rd arm!', 'rd_arm'],
    ['___', ''],
    ['a'.repeat(60), 'a'.repeat(40)],
  ])('%s becomes %s', (text, expected) => {
    expect(safeName(text)).toBe(expected)
  })

  test('taken ones get a number, and tcp always does', () => {
    expect(freeName(ARM, 'link1')).toBe('link12')
    expect(freeName(ARM, 'tcp')).toBe('tcp2')
    expect(freeName(ARM, 'hand')).toBe('hand')
  })

  test('renaming keeps the tree together', () => {
    const draft = renamePart(ARM, 'link1', 'upper arm')
    expect(partOf(draft, 'link2')?.held?.parent).toBe('upper_arm')
    expect(renamePart(ARM, 'link2', 'hand').tip?.part).toBe('hand')
    expect(renamePart(ARM, 'link1', '!!')).toBe(ARM)
  })
})

describe('changing', () => {
  test('what hung on a removed part hangs on its parent', () => {
    const draft = removePart(ARM, 'link1')
    expect(names(draft)).toEqual(['base', 'link2'])
    expect(partOf(draft, 'link2')?.held?.parent).toBe('base')
  })

  test('without the base, the next part is the base', () => {
    const draft = removePart(ARM, 'base')
    expect(partOf(draft, 'link1')?.held).toBeNull()
    expect(partOf(draft, 'link2')?.held?.parent).toBe('link1')
  })

  test('without the last part, the tip goes back to its joint', () => {
    expect(removePart(ARM, 'link2').tip).toEqual({ part: 'link1', point: [0, 0, 0.4] })
  })

  test('without its only part, a draft is empty', () => {
    const draft = removePart(addPoint(EMPTY, [0, 0, 0]), 'base')
    expect(draft).toMatchObject({ parts: [], tip: null })
  })

  test('another type of joint gets a range that suits it', () => {
    const { held } = partOf(changeType(ARM, 'link1', 'prismatic'), 'link1') ?? {}
    expect(held).toMatchObject({ type: 'prismatic', lower: 0, upper: 0.3 })
    expect(partOf(changeType(ARM, 'link1', 'fixed'), 'link1')?.held?.lower).toBeNull()
    expect(changeType(ARM, 'base', 'fixed')).toBe(ARM)
  })

  test('a branch is a part and all that hang on it', () => {
    expect([...branch(ARM, 'link1')]).toEqual(['link1', 'link2'])
    expect(wayDown(ARM, 'link2').map((part) => part.name)).toEqual(['link2', 'link1'])
  })
})

describe('moving', () => {
  const tipAt = (draft: Draft, joints: [string, number][]) => {
    const tip = new Vector3(...(draft.tip?.point ?? [0, 0, 0]))
    const place = placeParts(draft, new Map(joints)).get(draft.tip?.part ?? '')
    return tip.applyMatrix4(place as NonNullable<typeof place>).toArray()
  }

  test('joints at zero leave the robot as it was drawn', () => {
    close(tipAt(ARM, []), [0.3, 0, 0.4])
  })

  test('joints turn all that they carry about their own points', () => {
    close(tipAt(ARM, [['link1', Math.PI / 2]]), [0, 0.3, 0.4])
    close(tipAt(ARM, [['link2', Math.PI / 2]]), [0, 0, 0.1])
    const both: [string, number][] = [
      ['link1', Math.PI / 2],
      ['link2', -Math.PI / 2],
    ]
    close(tipAt(ARM, both), [0, 0, 0.7])
  })

  test('slides shift, fixed joints do nothing', () => {
    close(tipAt(changeType(ARM, 'link1', 'prismatic'), [['link1', 0.2]]), [0.3, 0, 0.6])
    close(tipAt(changeType(ARM, 'link1', 'fixed'), [['link1', 1]]), [0.3, 0, 0.4])
  })

  test('a dragged point reaches a target in reach, within the ranges of the joints', () => {
    const grabbed = { part: 'link2', point: new Vector3(0.3, 0, 0.4) }
    const target = new Vector3(0.15, 0.2, 0.4 + Math.sqrt(0.3 ** 2 - 0.25 ** 2))
    const joints = follow(ARM, new Map(), grabbed, target)
    const place = placeParts(ARM, joints).get('link2')
    const hand = grabbed.point.clone().applyMatrix4(place as NonNullable<typeof place>)
    expect(hand.distanceTo(target)).toBeLessThan(1e-3)
    const narrow = changeJoint(ARM, 'link1', { lower: -0.1, upper: 0.1 })
    expect(follow(narrow, new Map(), grabbed, target).get('link1')).toBeCloseTo(0.1)
  })

  test('values stay in the range of a joint; without one, any will do', () => {
    const { held } = heldParts(ARM)[0] as { held: Parameters<typeof withinRange>[0] }
    expect(withinRange({ ...held, lower: 0.5, upper: 1 }, 0)).toBe(0.5)
    expect(withinRange({ ...held, lower: null, upper: null }, 99)).toBe(99)
  })
})

describe('places', () => {
  test('snap goes to the nearest of a grid, without a minus zero', () => {
    expect(snap(0.123, 0.05)).toBe(0.1)
    expect(Object.is(snap(-0.01, 0.05), 0)).toBe(true)
  })

  test('directions near an axis become that axis', () => {
    expect(snapAxis([0.1, 0, -2])).toEqual([0, 0, -1].map((value) => value + 0))
    close(snapAxis([1, 1, 0]), [Math.SQRT1_2, Math.SQRT1_2, 0])
  })

  test('z is turned to a direction', () => {
    const [x, y, z, w] = turnFromZ([1, 0, 0])
    close([x, y, z, w], [0, Math.SQRT1_2, 0, Math.SQRT1_2])
  })
})

describe('the bench', () => {
  test('undo and redo go through drafts; an edit forgets what was undone', () => {
    const bench = makeBench()
    for (const point of POINTS) bench.edit(addPoint(bench.draft, point))
    bench.undo()
    expect(names(bench.draft)).toEqual(['base', 'link1'])
    expect([bench.canUndo, bench.canRedo]).toEqual([true, true])
    bench.redo()
    expect(names(bench.draft)).toHaveLength(3)
    bench.undo()
    bench.edit(addShape(bench.draft, 'box'))
    expect(bench.canRedo).toBe(false)
  })

  test('a drag is one step back, however many drafts it passes', () => {
    const bench = makeBench()
    bench.edit(ARM)
    for (const x of [0.1, 0.2, 0.3])
      bench.edit(changeJoint(ARM, 'link1', { point: [x, 0, 0] }), true)
    bench.edit(changeJoint(ARM, 'link1', { point: [0.4, 0, 0] }))
    bench.undo()
    expect(bench.draft).toBe(ARM)
  })

  test('what is chosen and how joints stand follows the draft', () => {
    const bench = makeBench()
    bench.edit(ARM)
    bench.choose('link2')
    bench.pose(new Map([['link1', 2]]))
    bench.edit(changeJoint(bench.draft, 'link1', { upper: 1 }))
    expect(bench.joints.get('link1')).toBe(1)
    bench.edit(removePart(bench.draft, 'link2'))
    expect(bench.chosen).toBe('')
    expect([...bench.joints.keys()]).toEqual(['link1'])
  })
})
