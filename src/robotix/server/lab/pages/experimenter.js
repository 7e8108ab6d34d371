// The page of the experimenter: progress, the running trial, notes.
const byId = (id) => document.getElementById(id)
const POLL = 1000 // ms

async function send(path, body) {
  const answer = await fetch(`/experimenter/${path}`, { method: 'POST', body: JSON.stringify(body ?? {}) })
  const result = await answer.json()
  byId('problem').textContent = answer.ok ? '' : result.error
  await refresh()
  return answer.ok ? result : null
}

function element(tag, text = '') {
  const made = document.createElement(tag)
  made.textContent = text
  return made
}

function button(text, act) {
  const made = element('button', text)
  made.type = 'button'
  made.className = 'plain'
  made.addEventListener('click', act)
  return made
}

/** An invitation is shown until the participant has come, which the first step that is done tells. */
let invited = { participant: '', done: 0 }
function forgetInvitation(participants) {
  const one = participants.find((each) => each.participant === invited.participant)
  if (!one || one.done === invited.done) return
  invited = { participant: '', done: 0 }
  byId('invitation').replaceChildren()
}

async function invite(participant) {
  const found = await send('invite', { participant })
  if (!found) return
  invited = { participant, done: known.find((each) => each.participant === participant)?.done ?? 0 }
  const link = element('a', `page of ${participant}`)
  link.href = found.address
  link.target = '_blank'
  link.rel = 'noopener'
  byId('invitation').replaceChildren(
    'Open once, within 15 minutes, in the window of the participant: ', link,
    '. A private window, or another browser, keeps your page out of reach.',
    ...elsewhere(found),
  )
}

/** The same address for another machine, a tablet or a headset: to type, or to take a picture of. */
function elsewhere({ others, squares }) {
  if (!others.length) return []
  const words = element('span', 'On another machine, or in a headset: ')
  words.className = 'elsewhere'
  const code = element('code', others[0])
  const picture = document.createElement('canvas')
  const margin = 4
  picture.width = picture.height = squares.length + 2 * margin
  picture.className = 'squares'
  picture.role = 'img'
  picture.ariaLabel = 'The address as a QR code'
  const ink = picture.getContext('2d')
  ink.fillStyle = '#fff'
  ink.fillRect(0, 0, picture.width, picture.height)
  ink.fillStyle = '#000'
  squares.forEach((row, y) => [...row].forEach((dark, x) => {
    if (dark === '1') ink.fillRect(x + margin, y + margin, 1, 1)
  }))
  words.append(code, picture)
  return [words]
}

/** The trial before no longer counts, so that is asked about. */
async function repeat(participant) {
  const words = `${participant} does the last trial again. The first one is kept, but does not count.`
  if (window.confirm(words)) await send('repeat', { participant })
}

function row(each) {
  const made = element('tr')
  made.dataset.participant = each.participant
  const levels = Object.values(each.levels).join(', ')
  const what = each.title || each.next
  const next = each.next === null ? 'complete' : [what, levels].filter(Boolean).join(' · ')
  const actions = element('td')
  if (!each.simulated) {
    actions.append(button('Invite', () => invite(each.participant)))
    if (each.can_repeat) actions.append(button('Repeat the last trial', () => repeat(each.participant)))
    if (['briefing', 'break', 'training'].includes(each.next)) {
      actions.append(button('Next', () => send('next', { participant: each.participant, step: each.number })))
    }
  }
  made.append(
    element('td', each.participant), element('td', `${each.done} of ${each.steps}`),
    element('td', each.trials), element('td', each.interrupted),
    element('td', each.is_waiting ? `${next} (waits for you)` : next), actions,
  )
  return made
}

function showRunning(trial) {
  byId('stop').disabled = !trial || trial.is_stopped
  byId('resume').disabled = !trial?.is_stopped
  byId('abort').disabled = !trial
  document.body.classList.toggle('is-stopped', Boolean(trial?.is_stopped))
  showLive(trial)
  if (!trial) {
    byId('trial').textContent = 'No trial is running.'
    byId('said').textContent = ''
    return
  }
  const levels = Object.values(trial.levels).join(', ')
  const who = trial.trial === 0 ? 'Trying a room' : trial.participant
  const state = trial.is_stopped ? 'STOPPED' : `${trial.duration.toFixed(0)} s`
  const errors = trial.errors === 1 ? '1 error' : `${trial.errors} errors`
  byId('trial').textContent =
    `${who}: ${trial.task} (${levels}) · ${state} · ${errors} · ${trial.left} of ${trial.total} left`
  byId('said').textContent = [trial.instruction, trial.problem].filter(Boolean).join(' ')
}

/** The room as it is, without anything to drive it by; drawn on request, since that takes its share of the machine. */
let live = 0
function showLive(trial) {
  const isThere = Boolean(trial?.watch) && trial.trial > 0
  byId('watch').hidden = byId('show').hidden = !isThere
  if (isThere) byId('watch').href = trial.watch
  const number = isThere && byId('show').ariaPressed === 'true' ? trial.trial : 0
  byId('live').hidden = !number
  if (number === live) return
  live = number
  byId('live').src = number ? trial.watch : 'about:blank'
}

/** Which robot and which test environment can be tried. */
function showMenu(menu) {
  for (const [name, levels] of Object.entries(menu)) {
    const list = byId(`try-${name}`)
    if (list.options.length) continue
    list.append(...levels.map((level) => new Option(level.replaceAll('_', ' '), level)))
    if (name === 'mounting') list.value = 'rail'
  }
}

byId('trying').addEventListener('submit', async (event) => {
  event.preventDefault()
  byId('tried').hidden = true
  const task = byId('try-task').value
  const isShared = byId('try-task').selectedIndex >= 4
  const levels = isShared ? {} : { arm: byId('try-arm').value, mounting: byId('try-mounting').value }
  if (!(await send('try', { task, levels }))) return
  const found = await send('tried')
  if (!found?.address) return
  byId('tried').href = found.address
  byId('tried').hidden = false
})

let listed = ''
let known = []
async function refresh() {
  const answer = await fetch('/experimenter/state')
  const state = await answer.json()
  if (!answer.ok) {
    byId('problem').textContent = state.error
    return
  }
  byId('study').textContent = state.study
  byId('progress').textContent = `${state.participants.length} of ${state.planned} participants`
  known = state.participants
  forgetInvitation(known)
  showMenu(state.menu)
  showRunning(state.running)
  if (state.running?.trial !== 0) byId('tried').hidden = true
  const key = JSON.stringify([state.participants, state.notes])
  if (key === listed) return
  listed = key
  byId('participants').replaceChildren(...state.participants.map(row))
  const chosen = byId('about').value
  const names = ['', ...state.participants.map((each) => each.participant)]
  byId('about').replaceChildren(...names.map((name) => {
    const option = element('option', name || 'the study')
    option.value = name
    return option
  }))
  byId('about').value = chosen || state.running?.participant || ''
  byId('notes').replaceChildren(...state.notes.map((note) =>
    element('li', `${new Date(note.written * 1000).toLocaleString()} ${note.participant ?? ''} ${note.text}`)))
}

byId('show').addEventListener('click', () => {
  byId('show').ariaPressed = String(byId('show').ariaPressed !== 'true')
  void refresh()
})
for (const name of ['stop', 'resume', 'abort']) byId(name).addEventListener('click', () => send(name))
byId('add').addEventListener('click', async () => {
  const found = await send('add')
  if (found) await invite(found.participant)
})
byId('note').addEventListener('submit', async (event) => {
  event.preventDefault()
  const kept = await send('note', { text: byId('text').value, participant: byId('about').value || null })
  if (kept) byId('text').value = ''
})

async function follow() {
  await refresh().catch(() => byId('progress').replaceChildren('no connection; trying again'))
  setTimeout(follow, POLL)
}
void follow()
