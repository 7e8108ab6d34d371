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

async function invite(participant) {
  const found = await send('invite', { participant })
  if (!found) return
  const link = element('a', `page of ${participant}`)
  link.href = found.address
  link.target = '_blank'
  link.rel = 'noopener'
  byId('invitation').replaceChildren('Open once, in the window of the participant: ', link)
}

function row(each) {
  const made = element('tr')
  made.dataset.participant = each.participant
  const levels = Object.values(each.levels).join(', ')
  const next = each.next === null ? 'complete' : [each.next, each.task, levels].filter(Boolean).join(' · ')
  const actions = element('td')
  if (!each.simulated) {
    actions.append(button('Invite', () => invite(each.participant)))
    actions.append(button('Repeat the last trial', () => send('repeat', { participant: each.participant })))
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
  for (const id of ['stop', 'resume', 'abort']) byId(id).disabled = !trial
  byId('watch').hidden = !trial?.watch
  if (trial?.watch) byId('watch').href = trial.watch
  if (!trial) {
    byId('trial').textContent = 'No trial is running.'
    return
  }
  const levels = Object.values(trial.levels).join(', ')
  const state = trial.is_stopped ? 'STOPPED' : `${trial.duration.toFixed(0)} s`
  byId('trial').textContent =
    `${trial.participant}: ${trial.task} (${levels}), ${state}, ${trial.errors} errors, ${trial.left} left. ${trial.instruction}`
}

let listed = ''
async function refresh() {
  const answer = await fetch('/experimenter/state')
  const state = await answer.json()
  if (!answer.ok) {
    byId('problem').textContent = state.error
    return
  }
  byId('study').textContent = state.study
  byId('progress').textContent = `${state.participants.length} of ${state.planned} participants`
  showRunning(state.running)
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
  byId('about').value = chosen
  byId('notes').replaceChildren(...state.notes.map((note) =>
    element('li', `${new Date(note.written * 1000).toLocaleTimeString()} ${note.participant ?? ''} ${note.text}`)))
}

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
