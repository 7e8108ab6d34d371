// The page of a participant: it shows the present step, and asks the server for the next one.
const byId = (id) => document.getElementById(id)
const POLL = 1000 // ms
let shown = ''
let room = ''

async function send(path, body) {
  const answer = await fetch(`/participant/${path}`, { method: 'POST', body: JSON.stringify(body ?? {}) })
  const result = await answer.json()
  if (!answer.ok) byId('content').querySelector('.problem')?.replaceChildren(result.error)
  return answer.ok ? result : null
}

function element(tag, text = '', attributes = {}) {
  const made = document.createElement(tag)
  made.textContent = text
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  return made
}

function button(text, act) {
  const made = element('button', text, { type: 'button' })
  made.addEventListener('click', async () => {
    made.disabled = true
    await act()
    await refresh()
    made.disabled = false
  })
  return made
}

function item(each) {
  const box = element('fieldset')
  box.append(element('legend', each.text))
  const scale = element('div', '', { class: 'scale' })
  scale.append(element('span', each.low_label))
  for (let value = each.low; value <= each.high; value += each.step) {
    const label = element('label', String(value))
    label.append(element('input', '', { type: 'radio', name: each.name, value, required: '' }))
    scale.append(label)
  }
  scale.append(element('span', each.high_label))
  box.append(scale)
  return box
}

function pair([first, second]) {
  return item({
    name: `${first} or ${second}`, text: 'Which contributed more to the workload?', low: 0, high: 1,
    step: 1, low_label: first, high_label: second,
  })
}

function showForm(step, form) {
  const whole = element('form')
  whole.append(element('h1', form.title), element('p', form.instruction))
  whole.append(...form.items.map(item), ...form.pairs.map(pair))
  whole.append(element('p', '', { class: 'problem' }), element('button', 'Send', { type: 'submit' }))
  whole.addEventListener('submit', async (event) => {
    event.preventDefault()
    const answers = {}
    for (const [name, value] of new FormData(whole)) answers[name] = Number(value)
    await send('answer', { step, answers })
    await refresh()
  })
  return [whole]
}

/** Paragraphs are parted by blank lines; other breaks are those of the study file. */
function paragraphs(text) {
  return text.trim().split(/\n\s*\n/).map((part) => element('p', part, { class: 'text' }))
}

function showText(title, text, action, act) {
  return [
    element('h1', title), ...paragraphs(text), element('p', '', { class: 'problem' }),
    button(action, act),
  ]
}

function showTrial(state) {
  const title = state.kind === 'training' ? `Training: ${state.title.toLowerCase()}` : state.title
  if (state.is_waiting) return [element('h1', title), element('p', 'Please wait for the experimenter.')]
  const limit = state.time_limit ? `You have ${spoken(state.time_limit)}, from the first movement.` : ''
  const words = ['The room opens when you start. It tells you what to do, what was wrong, and what is left.', state.how, limit]
  return showText(title, words.filter(Boolean).join('\n\n'), 'Start', () => send('begin', { step: state.step }))
}

function spoken(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} seconds`
  const minutes = seconds / 60
  return `${Number.isInteger(minutes) ? minutes : minutes.toFixed(1)} minutes`
}

function showBreak(state) {
  const go = button('Go on', () => send('go_on', { step: state.step }))
  const left = element('p')
  let seconds = Math.ceil(state.seconds)
  const count = () => {
    left.textContent = seconds > 0 ? `${seconds} s` : ''
    if (seconds-- > 0 && left.isConnected !== false) setTimeout(count, 1000)
  }
  count()
  return [element('h1', 'A break'), element('p', 'Rest a while. Go on when you are ready.'), left, go]
}

function steps(state) {
  const step = state.step
  switch (state.kind) {
    case 'briefing':
      return showText('Welcome', state.text, 'I have read this', () => send('go_on', { step }))
    case 'consent':
      return showText('Consent', state.text, 'I agree', () => send('consent', { step }))
    case 'form':
      return showForm(step, state.form)
    case 'break':
      return showBreak(state)
    case 'training':
    case 'trial':
      return showTrial(state)
    default:
      return [element('h1', 'Thank you'), element('p', 'The session is over.'),
        ...(step ? [button('Finish', () => send('go_on', { step }))] : [])]
  }
}

async function showRoom(state) {
  byId('stopped').hidden = !state.is_stopped
  byId('instruction').textContent = state.instruction
  byId('left').textContent = state.total > 1 ? `${state.left} of ${state.total} left` : ''
  byId('problem').textContent = state.problem
  byId('how').textContent = state.how
  if (room === String(state.step)) return
  const found = await send('room')
  if (found?.address) {
    room = String(state.step)
    byId('room').src = found.address
  }
}

async function refresh() {
  const answer = await fetch('/participant/state')
  const state = await answer.json()
  if (!answer.ok) {
    byId('content').replaceChildren(element('p', state.error, { class: 'problem' }))
    return
  }
  byId('study').textContent = state.study
  byId('who').textContent = state.participant
  byId('progress').textContent = state.steps ? `step ${state.step} of ${state.steps}` : ''
  byId('trial').hidden = !state.is_running
  byId('content').hidden = Boolean(state.is_running)
  document.body.dataset.kind = state.is_running ? 'running' : state.kind
  document.body.dataset.step = state.step
  if (state.is_running) {
    await showRoom(state)
  } else if (room) {
    room = ''
    byId('room').src = 'about:blank'
    byId('opening').hidden = false
  }
  const key = JSON.stringify([state.step, state.kind, state.is_running, state.is_waiting])
  if (key !== shown) {
    shown = key
    byId('content').replaceChildren(...steps(state))
  }
}

byId('room').addEventListener('load', () => {
  const isOpen = byId('room').getAttribute('src')?.includes('login')
  if (!isOpen) return
  byId('opening').hidden = true
  byId('room').focus() // so that keys drive at once
})

async function follow() {
  await refresh().catch(() => byId('progress').replaceChildren('no connection; trying again'))
  setTimeout(follow, POLL)
}
void follow()
