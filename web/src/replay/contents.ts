// What the server says about the recordings that are shown.

import { fetchWithKey } from '../net/session'

export interface Mark {
  time: number // s
  kind: 'event' | 'message' | 'problem'
  text: string
}

export interface Channel {
  id: string[]
  label: string
  unit: string
  group: string
}

export interface Take {
  name: string
  start: number // s
  end: number
  dt: number
  made_by: string
  notes: string[]
  marks: Mark[]
  channels: Channel[]
  nodes: string[] // between which distances can be plotted
}

export interface Contents {
  takes: Take[] // one, or two to compare
  time: number
  offset: number // s by which the second take is moved to later times
  second_prefix: string // of the names of its nodes; '' without a second take
}

export interface Curve {
  unit: string
  is_held: boolean // a value stays until the next
  is_sampled: boolean // evaluated at some times, not recorded at every tick
  times: number[]
  low: (number | null)[]
  high: (number | null)[]
}

export async function fetchContents(): Promise<Contents> {
  return (await fetchJson('api/replay')) as Contents
}

/** The curve of a channel of a take in a range of the take's own times. */
export async function fetchCurve(
  take: number,
  channel: readonly string[],
  range: { start: number; end: number; points: number },
): Promise<Curve> {
  const query = new URLSearchParams({
    take: String(take),
    channel: JSON.stringify(channel),
    from: String(range.start),
    to: String(range.end),
    points: String(range.points),
  })
  return (await fetchJson(`api/replay/curve?${query}`)) as Curve
}

/** Channels as a table, times being those of the first take. */
export async function fetchTable(
  channels: readonly (readonly string[])[],
  range: { start: number; end: number },
): Promise<Blob> {
  const query = new URLSearchParams({ from: String(range.start), to: String(range.end) })
  for (const channel of channels) query.append('channel', JSON.stringify(channel))
  return (await fetchGood(`api/replay/table.csv?${query}`)).blob()
}

async function fetchJson(address: string): Promise<unknown> {
  return (await fetchGood(address)).json()
}

async function fetchGood(address: string): Promise<Response> {
  const answer = await fetchWithKey(address, { cache: 'no-store' })
  if (answer.ok) return answer
  const { error } = (await answer.json()) as { error?: string }
  throw new Error(error ?? `The server answers ${answer.status}.`)
}
