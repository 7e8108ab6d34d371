import type { App, Close, Shell } from '../app'
import { codeOf } from '../key_codes'
import { closeAll, isTyping, listen } from '../listeners'
import type { LiveConnection } from '../net/connection'
import { VERSION } from '../net/protocol'
import { fetchWithKey } from '../net/session'
import { icon } from './icons'
import { onPageErrors, PAGE_FAILED } from './page_errors'
import { isQuiet, wordsFor } from './quiet'
import type { LiveShell } from './shell'

const SLOW = 'slower than real time' // as the loop says it
const ANSWER_PERIOD_MS = 5000 // between two answers to keys of a page that only watches
const DRIVEN = '.action, .touch-stick' // what acts by a pointer, for whoever is in control
const SLOW_TIME_MS = 3000 // that the sign stays after the last word of it
const OTHER_VERSION = 4409 // the socket closes with this

/** Shows the state of the connection, which page is in control, and problems. */
export function setUpStatus(app: App, connection: LiveConnection, shell: LiveShell): Close {
  return closeAll([
    showRoom(app, shell),
    showSlowness(app, shell),
    showLease(app, shell),
    showConnection(connection, shell),
    showVersion(app),
    showWords(app),
    showDriver(app),
    tellTaken(app),
    answerKeys(app),
    showGraphics(app),
    showErrors(app),
    drawSnapshots(app),
  ])
}

function showRoom(app: App, shell: LiveShell): Close {
  const name = Object.assign(document.createElement('div'), { className: 'room-name' })
  const dot = Object.assign(document.createElement('span'), { className: 'dot' })
  const words = Object.assign(document.createElement('span'), { className: 'words' })
  name.append(dot, words)
  shell.status.append(name)
  const update = () => {
    const { state, welcome } = app.connection
    words.textContent = welcome?.room || 'robotix'
    name.dataset.state = state
    name.title = { open: 'Connected', connecting: 'Connecting…', lost: 'Connection lost' }[state]
    document.title = welcome?.room ? `${welcome.room} · robotix` : 'robotix'
  }
  update()
  return closeAll([app.connection.onState(update), app.connection.on('welcome', update)])
}

function showLease(app: App, shell: LiveShell): Close {
  const button = document.createElement('button')
  button.className = 'lease'
  button.id = 'lease'
  shell.corner.prepend(button)
  const update = () => {
    const { isMine, holder } = app.control
    button.dataset.mine = String(isMine)
    const words = isMine ? 'In control' : holder ? 'Take control' : 'Get control'
    button.replaceChildren(icon(isMine ? 'unlock' : 'lock', 18), words)
    button.title = isMine
      ? 'This page moves the room. Click to let go.'
      : holder
        ? `Watching: ${holder} is in control. Click to take over.`
        : 'Watching: nobody is in control. Click to get it.'
    button.disabled = app.connection.state !== 'open'
  }
  const click = async () => {
    if (app.control.isMine) return app.control.give()
    const isGiven = await app.control.ask(true)
    if (!isGiven) app.shell.toast('Control was not given to this page.', 'problem')
  }
  button.addEventListener('click', click)
  update()
  return closeAll([app.control.onChange(update), app.connection.onState(update)])
}

function showConnection(connection: LiveConnection, shell: LiveShell): Close {
  let close: Close | undefined
  let run: string | undefined
  let hasFailed = false // there is no room to connect to, and the page says why
  const update = async () => {
    if (hasFailed && connection.state !== 'open') return
    close?.()
    close = undefined
    if (connection.state === 'open') {
      const now = connection.welcome?.run
      hasFailed = false
      if (run !== undefined)
        shell.toast(now === run ? 'Connected again.' : 'The room was loaded again.')
      run = now
    } else if (connection.state === 'lost') {
      const say = (text: string) => {
        close?.()
        close = shell.banner('connection', text, [
          { label: 'Try now', onClick: () => connection.retry() },
        ])
      }
      if (connection.parting.code === OTHER_VERSION) {
        close = tellVersion(shell)
        return
      }
      say('Connection lost. Robots driven from here have been let go. Trying again…')
      const isLost = () => connection.state === 'lost' // by the time of the answer
      if ((await isShutOut()) && isLost())
        say('This page is not let in any more. Open the address that “robotix run” prints.')
    }
  }
  void update()
  const closes = [
    connection.onState(() => void update()),
    connection.on('failed', ({ text }) => {
      hasFailed = true
      close?.()
      const words = `The room could not be opened. ${text}`
      close = shell.banner('failed', words, [{ label: 'Try now', onClick: connection.retry }])
    }),
  ]
  return () => {
    for (const each of closes) each()
    close?.()
  }
}

/** Whether the server is there, but does not know this page: it was restarted. */
async function isShutOut(): Promise<boolean> {
  try {
    const answer = await fetchWithKey('api/health', { cache: 'no-store' })
    return answer.status === 401 || answer.status === 403
  } catch {
    return false
  }
}

function showVersion(app: App): Close {
  return app.connection.on('welcome', ({ version }) => {
    if (version !== VERSION) tellVersion(app.shell)
  })
}

function tellVersion(shell: Shell): Close {
  return shell.banner('version', 'The server is of another version than this page.', [
    { label: 'Reload', onClick: () => location.reload() },
  ])
}

function showWords(app: App): Close {
  return app.connection.on('said', ({ text, problem }) => {
    if (isQuiet(problem)) return
    app.shell.toast(wordsFor(problem, text), problem ? 'problem' : 'info')
  })
}

/** A room that cannot keep up says so quietly, in the bar. */
function showSlowness(app: App, shell: LiveShell): Close {
  const sign = Object.assign(document.createElement('span'), {
    className: 'slow-sign',
    textContent: 'slow',
    title: 'The room is slower than real time: this computer cannot keep up.',
    hidden: true,
  })
  shell.status.append(sign)
  let timer = 0
  let share = 1 // of real time
  const closeHealth = app.connection.on('health', ({ rate, speed, is_paused }) => {
    const wanted = (app.connection.welcome?.rate ?? 0) * Math.min(speed, 1)
    share = is_paused || wanted <= 0 ? 1 : rate / wanted
  })
  const close = app.connection.on('said', ({ text, problem }) => {
    if (problem !== 'loop' || text !== SLOW) return
    sign.hidden = false
    sign.textContent = share < 0.95 ? `slow: ${share.toFixed(1)}×` : 'slow'
    window.clearTimeout(timer)
    timer = window.setTimeout(() => {
      sign.hidden = true
    }, SLOW_TIME_MS)
  })
  return closeAll([close, closeHealth, () => window.clearTimeout(timer), () => sign.remove()])
}

/** When the page in control goes away, robots stop; the other pages say why. */
function showDriver(app: App): Close {
  let driver = '' // another page
  let close: Close | undefined
  const update = () => {
    close?.()
    close = undefined
    const { holder, isMine } = app.control
    if (driver && !holder && app.connection.state === 'open')
      close = app.shell.banner('driver', `${driver} is gone: the robots it drove have stopped.`, [
        { label: 'Take control', onClick: () => void app.control.ask() },
        { label: 'Close', onClick: () => close?.() },
      ])
    driver = isMine ? '' : holder
  }
  return app.control.onChange(update)
}

/** Somebody else has taken control: say who, rather than let the robot stop without a word. */
function tellTaken(app: App): Close {
  let wasMine = app.control.isMine
  return app.control.onChange(() => {
    const { isMine, holder } = app.control
    if (wasMine && !isMine && holder)
      app.shell.toast(`${holder} has taken control; what you drove has stopped.`)
    wasMine = isMine
  })
}

/** Keys and buttons of the room do nothing while one only watches: say why. */
function answerKeys(app: App): Close {
  const { control, connection, room, shell } = app
  let saidAt = Number.NEGATIVE_INFINITY // ms
  const answer = () => {
    if (control.isMine || connection.state !== 'open') return
    if (performance.now() - saidAt < ANSWER_PERIOD_MS) return
    saidAt = performance.now()
    const who = control.holder ? `${control.holder} is in control` : 'nobody is in control'
    shell.toast(`You are watching: ${who}. Take control at the top right to drive.`)
  }
  return closeAll([
    listen(window, 'keydown', (event) => {
      if (isTyping(event) || event.ctrlKey || event.altKey || event.metaKey) return
      const known = [...room.keys, ...room.deviceKeys]
      if (known.some(({ key }) => codeOf(key) === event.code)) answer()
    }),
    listen(window, 'pointerdown', ({ target }) => {
      if ((target as Element).closest?.(DRIVEN)) answer()
    }),
  ])
}

/** The graphics card can be taken away, by sleep or by another program; it comes back by itself. */
function showGraphics(app: App): Close {
  const { canvas } = app.stage
  let close: Close | undefined
  const onLost = () => {
    close = app.shell.banner('graphics', 'The graphics card was lost. Waiting for it…')
  }
  const onBack = () => close?.()
  canvas.addEventListener('webglcontextlost', onLost)
  canvas.addEventListener('webglcontextrestored', onBack)
  return () => {
    canvas.removeEventListener('webglcontextlost', onLost)
    canvas.removeEventListener('webglcontextrestored', onBack)
  }
}

/** Our own mistakes are seen, too, rather than only in the browser's log. */
function showErrors(app: App): Close {
  return onPageErrors(() => app.shell.toast(PAGE_FAILED, 'problem'))
}

function drawSnapshots(app: App): Close {
  return app.connection.on('snapshot', async (wish) => {
    const picture = await app.stage.snapshot(wish)
    await fetchWithKey(`api/snapshots/${wish.id}`, { method: 'POST', body: picture })
  })
}
