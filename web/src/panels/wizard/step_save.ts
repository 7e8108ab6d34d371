import type { App } from '../../app'
import type { WizardSaved } from '../../net/protocol'
import { fetchWithKey } from '../../net/session'
import { lookedAt } from '../../stage/looked_at'
import { whoDrives } from '../commands'
import { button, el, numberField, row, toggle } from '../dom'
import { plain } from '../units'
import type { Bench, Step } from './bench'
import { heldParts } from './draft'
import { problemOf, toBase64 } from './mesh_files'

const DEGREE = Math.PI / 180

/** Save it, and put it into the room. */
export function makeSaveStep(
  app: App,
  bench: Bench,
  tools: { close(): void; onSaved(): void },
): Step {
  const summary = el('p', {})
  const place = placeFields()
  const intoRoom = toggle({ label: 'Put it into the room', value: true, id: 'into-room' })
  const outcome = el('div', { class: 'w-outcome', role: 'status', 'data-id': 'outcome' })
  const save = async (replace: boolean) => {
    saving.disabled = true
    outcome.replaceChildren(el('p', { class: 'p-hint' }, 'Saving…'))
    try {
      if (!app.control.isMine && !(await app.control.ask())) {
        refused(whoDrives(app), 0)
        saving.disabled = false
        return
      }
      const answer = await post(app, bench, replace)
      if (answer.ok) await done((await answer.json()) as WizardSaved)
      else refused(await problemOf(answer), answer.status)
    } catch {
      refused('The room cannot be reached; try again when it is back.', 0)
    }
    saving.disabled = false
  }
  const refused = (problem: string, status: number) => {
    const again =
      status === 409 ? button('Replace it', () => void save(true), { id: 'replace' }) : null
    outcome.replaceChildren(
      el('p', { class: 'bad', 'data-id': 'save-problem' }, problem),
      ...(again ? [again] : []),
    )
  }
  const done = async (saved: WizardSaved) => {
    tools.onSaved()
    const put = intoRoom.value ? await putIn(app, saved, place.values) : undefined
    const words = put && !put.problem ? 'Saved, and standing in the room.' : 'Saved.'
    const more = put && !put.problem ? [await writeIn(app, put.name)] : []
    outcome.replaceChildren(
      el('p', { class: 'good' }, words),
      ...more,
      ...aboutSaved(saved, put?.problem ?? ''),
      row(button('Close', tools.close, { class: 'primary', id: 'wizard-done' })),
    )
  }
  const saving = button('Save the robot', () => void save(false), {
    class: 'primary w-save',
    id: 'save-robot',
  })
  return {
    id: 'save',
    title: 'Save',
    element: el(
      'div',
      { class: 'w-step' },
      summary,
      intoRoom.element,
      place.element,
      saving,
      outcome,
    ),
    enter() {
      bench.tool = 'drag'
      place.set(lookedAt(app))
      outcome.replaceChildren()
      bench.refresh()
    },
    show() {
      const joints = heldParts(bench.draft).filter((part) => part.held.type !== 'fixed').length
      summary.textContent = `“${bench.draft.name}”: ${bench.draft.parts.length} parts, ${joints} joint${joints === 1 ? '' : 's'} that move${joints === 1 ? 's' : ''}.`
    },
    problem: () => '',
  }
}

/** Where the robot goes on the floor of the room: x, y in m, and its angle in degrees. */
function placeFields() {
  const where = ['x', 'y'].map((label) =>
    numberField({
      label,
      unit: 'm',
      digits: 2,
      step: 0.1,
      min: -100,
      max: 100,
      id: `room-${label}`,
    }),
  )
  const turn = numberField({
    label: 'turned',
    unit: '°',
    digits: 0,
    step: 15,
    min: -360,
    max: 360,
    id: 'room-turn',
  })
  return {
    element: el('div', { class: 'p-place' }, ...where.map((each) => each.element), turn.element),
    get values() {
      return [...where, turn].map((each) => each.value)
    },
    set([x, y]: [number, number]) {
      where[0]?.set(x)
      where[1]?.set(y)
    },
  }
}

/** Where the file is and how Python loads it; first why it is not in the room, if so. */
function aboutSaved(saved: WizardSaved, problem: string): HTMLElement[] {
  const code = `import robotix as rx\nrobot = rx.load(${JSON.stringify(saved.path)})`
  const words = `It could not be put into the room: ${problem}`
  return [
    ...(problem ? [el('p', { class: 'bad', 'data-id': 'put-in-problem' }, words)] : []),
    el('p', { class: 'p-hint' }, 'The file is'),
    el('code', { class: 'p-code', 'data-id': 'saved-path' }, saved.path),
    el('p', { class: 'p-hint' }, 'In Python:'),
    el('code', { class: 'p-code' }, code),
  ]
}

async function post(app: App, bench: Bench, replace: boolean): Promise<Response> {
  const files: Record<string, string> = {}
  const used = new Set(
    bench.draft.parts.flatMap((part) =>
      part.solids.map(({ shape }) => (shape.kind === 'file' ? shape.file : '')),
    ),
  )
  for (const [name, file] of bench.files)
    if (used.has(name)) files[name] = await toBase64(file.bytes)
  return fetchWithKey(`api/wizard${replace ? '?replace=1' : ''}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Robotix-Page': app.connection.welcome?.key ?? '',
    },
    body: JSON.stringify({ ...bench.draft, files }),
  })
}

/** Load the file into the room by commands, so that it is recorded like all else; say what failed. */
async function putIn(
  app: App,
  saved: WizardSaved,
  place: readonly number[],
): Promise<{ name: string; problem: string }> {
  const failed = (problem: string) => ({ name: '', problem })
  if (!app.control.isMine && !(await app.control.ask())) return failed(whoDrives(app))
  const before = new Set(app.room.robots.keys())
  const loaded = await app.connection.command(`init ${saved.file}`)
  if (!loaded.ok) return failed(loaded.text || 'the room refused the file')
  const name = await newRobot(app, before, saved.name)
  const [x = 0, y = 0, degrees = 0] = place
  const half = (degrees * DEGREE) / 2
  const turn = `(${plain(Math.cos(half), 8)}, 0, 0, ${plain(Math.sin(half), 8)})`
  for (const line of [
    `place ${name}; (${plain(x, 4)}, ${plain(y, 4)}, 0); ${turn}`,
    `set_robot ${name}`,
  ]) {
    const answer = await app.connection.command(line)
    if (!answer.ok) return failed(answer.text)
  }
  app.stage.focus(name)
  return { name, problem: '' }
}

/** Write it into the file of the room, so that it is there the next time; say how that went. */
async function writeIn(app: App, name: string): Promise<HTMLElement> {
  const { ok, text } = await app.connection.command(`save_robot ${name}`)
  const words = ok
    ? 'It is in the room’s file, and will be there the next time.'
    : `It stays until the room is loaded again: ${text}`
  return el('p', { class: 'p-hint', 'data-id': 'written-in' }, words)
}

/** What the room calls it: a second robot of a name gets a number. */
function newRobot(app: App, before: ReadonlySet<string>, wish: string): Promise<string> {
  const find = () => [...app.room.robots.keys()].find((name) => !before.has(name))
  return new Promise((resolve) => {
    const found = find()
    if (found) return resolve(found)
    const end = () => {
      window.clearTimeout(timer)
      stop()
      resolve(find() ?? wish)
    }
    const stop = app.room.onChange(() => find() && end())
    const timer = window.setTimeout(end, 3000)
  })
}
