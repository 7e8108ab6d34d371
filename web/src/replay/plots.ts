// Curves below the line of time: which are shown, how they are fetched, drawn and taken away.

import type { Close } from '../app'
import { closeAll } from '../listeners'
import { el, setText } from '../panels/dom'
import { makeButton } from '../shell/parts'
import { type Channel, type Contents, type Curve, fetchCurve } from './contents'
import { formatValue, valueAt, valueRange } from './curves'
import { beginSheet, type DrawnCurve, drawCurves, drawNow } from './drawing'
import type { Playback } from './playback'
import { lengthOf } from './scale'
import { setUpScrubbing, type TimeView } from './view'

const FETCH_DELAY_MS = 120 // while the range changes, none is fetched
const MAX_POINTS = 1200
const COLOURS = ['--accent', '--second'] as const // of the first and the second take

export interface Plots {
  readonly element: HTMLElement
  readonly channels: readonly Channel[]
  readonly canvases: readonly HTMLCanvasElement[]
  add(channel: Channel): void
  remove(channel: Channel): void
  draw(): void
  close: Close
}

interface Plot {
  channel: Channel
  element: HTMLElement
  canvas: HTMLCanvasElement
  value: HTMLElement
  state: HTMLElement // what cannot be shown, and why
  curves: (Curve | undefined)[] // of the takes
  close: Close
}

interface Parts {
  contents: Contents
  view: TimeView
  playback: Playback
  onChange: () => void
}

export function makePlots(parts: Parts): Plots {
  const { contents, view, playback } = parts
  const element = el('div', { class: 'replay-plots' })
  let plots: Plot[] = []
  let timer = 0
  const refresh = () => {
    for (const plot of plots) void fetchAll(plot, parts)
  }
  const later = () => {
    window.clearTimeout(timer)
    timer = window.setTimeout(refresh, FETCH_DELAY_MS)
  }
  const remove = (channel: Channel) => {
    const gone = plots.find((plot) => plot.channel === channel)
    gone?.close()
    gone?.element.remove()
    plots = plots.filter((plot) => plot !== gone)
    parts.onChange()
  }
  const closes = [view.onChange(later)]
  let offset = playback.offset
  closes.push(
    playback.onChange(() => {
      if (offset === playback.offset) return
      offset = playback.offset
      later()
    }),
  )
  return {
    element,
    get channels() {
      return plots.map((plot) => plot.channel)
    },
    get canvases() {
      return plots.map((plot) => plot.canvas)
    },
    add(channel) {
      if (plots.some((plot) => String(plot.channel.id) === String(channel.id))) return
      const plot = makePlot(channel, parts, () => remove(channel))
      plots.push(plot)
      element.append(plot.element)
      parts.onChange()
      void fetchAll(plot, parts)
    },
    remove,
    draw() {
      for (const plot of plots) drawPlot(plot, contents, view, playback)
    },
    close() {
      closeAll(closes)()
      for (const plot of plots) plot.close()
    },
  }
}

function makePlot(channel: Channel, { view, playback }: Parts, onRemove: () => void): Plot {
  const title = channel.group.includes(':')
    ? `${channel.group.split(':')[0]} ${channel.label}`
    : channel.label
  const canvas = el('canvas', { class: 'replay-curve', role: 'img', 'aria-label': title })
  const value = el('output', { class: 'replay-value' })
  const state = el('span', { class: 'replay-state' }, 'Reading…')
  const away = makeButton('close', `Take the curve of ${title} away`)
  away.addEventListener('click', onRemove)
  const head = el('div', { class: 'replay-plot-head' }, el('strong', {}, title), value, state, away)
  return {
    channel,
    element: el(
      'div',
      { class: 'replay-plot', 'data-channel': channel.id.join(' ') },
      head,
      canvas,
    ),
    canvas,
    value,
    state,
    curves: [],
    close: setUpScrubbing(canvas, view, playback.seek),
  }
}

/** Fetch the part that is seen, of all takes; one without this channel has no curve. */
async function fetchAll(plot: Plot, { contents, view, playback }: Parts): Promise<void> {
  const { range } = view
  const points = Math.min(Math.max(plot.canvas.clientWidth, 100), MAX_POINTS)
  const margin = 0.02 * lengthOf(range)
  let why = ''
  const curves = await Promise.all(
    contents.takes.map(async (_, number) => {
      const offset = number ? playback.offset : 0
      const asked = {
        start: range.start - offset - margin,
        end: range.end - offset + margin,
        points,
      }
      try {
        return await fetchCurve(number, plot.channel.id, asked)
      } catch (error) {
        if (!number) why = error instanceof Error ? error.message : String(error)
        return undefined
      }
    }),
  )
  if (view.range !== range) return // a newer one is on its way
  plot.curves = curves
  const sampled = curves.some((curve) => curve?.is_sampled)
  setText(plot.state, why || (sampled ? 'from recorded poses, sampled' : ''))
  drawPlot(plot, contents, view, playback)
}

function drawPlot(plot: Plot, contents: Contents, view: TimeView, playback: Playback): void {
  const sheet = beginSheet(plot.canvas)
  if (!sheet) return
  const drawn: DrawnCurve[] = []
  const words: string[] = []
  plot.curves.forEach((curve, number) => {
    if (!curve) return
    const offset = number ? playback.offset : 0
    drawn.push({ curve, offset, colour: COLOURS[number] ?? '--accent' })
    const text = formatValue(valueAt(curve, playback.time - offset), curve.unit)
    words.push(contents.takes.length > 1 ? `${number ? '2nd' : '1st'} ${text}` : text)
  })
  setText(plot.value, words.join('   '))
  const range = valueRange(drawn.map(({ curve }) => curve))
  if (range) drawCurves(sheet, view.range, drawn, range)
  drawNow(sheet, view.range, playback.time)
}
