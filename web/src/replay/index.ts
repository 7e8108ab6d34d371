// A recording in the page: a timeline below the picture, curves, a second take laid over.

import './replay.css'
import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import { el } from '../panels/dom'
import { savePicture } from '../stage/save_picture'
import { makeBar } from './bar'
import { makeChooser } from './chooser'
import { type Contents, fetchContents, fetchTable } from './contents'
import { download } from './download'
import { setUpReplayKeys } from './keys'
import { makePlayback } from './playback'
import { makePlots } from './plots'
import { tintSecondTake } from './second'
import { makeTrack } from './track'
import { makeVideo } from './video'
import { makeTimeView } from './view'

/** Shows the timeline once the server says that it shows a recording. */
export function setUpReplay(app: App, page: HTMLElement): Close {
  let close: Close | undefined
  let run = '' // of the server, that the timeline is for
  const begin = async () => {
    const { welcome } = app.connection
    if (!welcome?.is_replay || welcome.run === run) return
    run = welcome.run
    try {
      const contents = await fetchContents()
      close?.()
      close = showTimeline(app, page, contents)
    } catch (error) {
      run = ''
      const why = error instanceof Error ? error.message : String(error)
      app.shell.toast(`The recording cannot be shown: ${why}`, 'problem')
    }
  }
  return closeAll([
    app.connection.on('welcome', () => void begin()),
    app.connection.on('room', () => void begin()), // the first welcome comes before the recording
    () => close?.(),
  ])
}

function showTimeline(app: App, page: HTMLElement, contents: Contents): Close {
  const [take] = contents.takes
  if (!take) return () => {}
  document.documentElement.dataset.replay = contents.takes.length > 1 ? 'two' : 'one'
  const playback = makePlayback(app, contents.offset)
  const view = makeTimeView(take, take.dt)
  const draw = () => {
    bar.update({ canSaveTable: plots.channels.length > 0, isVideo: video.isRunning })
    track.draw()
    plots.draw()
  }
  const video = makeVideo(app, playback, () => draw())
  const track = makeTrack(contents, view, playback)
  const plots = makePlots({ contents, view, playback, onChange: () => draw() })
  const chooser = makeChooser(take, (channel) => {
    plots.add(channel)
    chooser.toggle(false)
  })
  const bar = makeBar(contents, playback, {
    plot: () => chooser.toggle(),
    picture: () => void savePicture(app),
    video: () => (video.isRunning ? video.stop() : video.start(view.range)),
    table: () => void saveTable(app, plots.channels, view.range),
    zoom: (factor) => view.zoom(factor, playback.time),
  })
  const element = el(
    'section',
    { class: 'replay', id: 'replay', 'aria-label': 'Timeline', 'data-covers': 'bottom' },
    chooser.element,
    bar.element,
    track.element,
    plots.element,
    noteLine(contents),
  )
  page.append(element)
  const size = new ResizeObserver(() => {
    const height = `${Math.ceil(element.offsetHeight)}px`
    document.documentElement.style.setProperty('--replay-height', height)
    draw()
  })
  size.observe(element)
  return closeAll([
    () => element.remove(),
    () => delete document.documentElement.dataset.replay,
    () => size.disconnect(),
    playback.close,
    track.close,
    plots.close,
    bar.close,
    setUpReplayKeys(app.shell, take, playback),
    tintSecondTake(app, contents.second_prefix),
    playback.onChange(() => {
      if (!playback.isPaused) view.follow(playback.time)
      draw()
    }),
    view.onChange(draw),
    app.shell.onTheme(draw),
    lookOnce(app),
  ])
}

/** Show the whole room once all of it is there: a recording that stands still moves nothing later. */
function lookOnce({ stage, room }: App): Close {
  const close = stage.onFrame(() => {
    if (document.querySelector('.loading') || room.nodes.length === 0) return
    close()
    if (stage.mode === 'orbit') stage.focus()
  })
  return close
}

/** What is missing, and that nothing is simulated. */
function noteLine(contents: Contents): HTMLElement {
  const notes = contents.takes.flatMap((take, k) =>
    take.notes.map((note) => (contents.takes.length > 1 ? `${k ? '2nd' : '1st'}: ${note}` : note)),
  )
  const names = contents.takes.map(({ name }, k) =>
    el('span', { class: k ? 'replay-second' : 'replay-first' }, name),
  )
  const words = 'Shown as it was recorded: nothing is simulated, and no plug-in runs.'
  return el(
    'p',
    { class: 'replay-notes', title: [words, ...notes].join('\n') },
    ...names,
    ` ${words} `,
    ...notes.map((note) => el('span', { class: 'replay-note' }, `${note} `)),
  )
}

async function saveTable(
  { shell }: App,
  channels: readonly { id: string[] }[],
  range: { start: number; end: number },
): Promise<void> {
  try {
    const table = await fetchTable(
      channels.map(({ id }) => id),
      range,
    )
    download(table, 'curves.csv')
    shell.toast('The table was saved with your downloads.')
  } catch (error) {
    shell.toast(`No table: ${error instanceof Error ? error.message : error}`, 'problem')
  }
}
