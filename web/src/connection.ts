import type { Close, Connection, MessageOf } from './app'
import { makeListeners } from './listeners'
import { type Answer, type ToClient, type ToServer, VERSION, type Welcome } from './protocol'

const PING_PERIOD = 1000 // ms
const SILENCE = 5000 // ms without a word: the connection is dead, whatever the browser thinks
const FIRST_WAIT = 250 // ms; doubled with each failure
const LONGEST_WAIT = 4000 // ms

/** A connection as its owner sees it: binary frames and the end of it, too. */
export interface LiveConnection extends Connection {
  readonly failures: number // attempts since it was open
  readonly parting: { code: number; reason: string } // what the last one closed with
  onBinary(handler: (buffer: ArrayBuffer) => void): Close
  /** Try at once rather than after the wait. */
  retry(): void
  close: Close
}

type Handler = (message: ToClient) => void

/** Open the way to the room and keep it open. */
export function connect(url: string, name: string): LiveConnection {
  const states = makeListeners<[Connection['state']]>()
  const binaries = makeListeners<[ArrayBuffer]>()
  const handlers = new Map<string, Set<Handler>>()
  const waiting = new Map<number, (answer: Answer) => void>()
  let state: Connection['state'] = 'connecting'
  let welcome: Welcome | undefined
  let socket: WebSocket | undefined
  let failures = 0
  let parting = { code: 0, reason: '' }
  let toldCode = 0
  let heard = 0
  let nextId = 1
  let timer = 0
  let isClosed = false

  const become = (next: Connection['state']) => {
    // A server that came back may refuse us for another reason than the one that made it go.
    if (next === state && parting.code === toldCode) return
    state = next
    toldCode = parting.code
    states.tell(next)
  }
  const send = (message: ToServer) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  const receive = (data: unknown) => {
    heard = performance.now()
    if (data instanceof ArrayBuffer) return binaries.tell(data)
    const message = JSON.parse(data as string) as ToClient
    if (message.kind === 'welcome') {
      welcome = message
      failures = 0
      become('open')
    }
    if (message.kind === 'answer') {
      waiting.get(message.id)?.(message)
      waiting.delete(message.id)
    }
    for (const handler of [...(handlers.get(message.kind) ?? [])]) handler(message)
  }
  const lose = (lost: WebSocket) => {
    if (socket !== lost) return
    socket = undefined
    lost.close()
    for (const [id, answer] of waiting)
      answer({ kind: 'answer', id, ok: false, text: 'The connection was lost.' })
    waiting.clear()
    failures += 1
    become('lost')
    if (!isClosed) timer = window.setTimeout(open, waitAfter(failures))
  }
  const open = () => {
    window.clearTimeout(timer)
    const mine = new WebSocket(url)
    socket = mine
    heard = performance.now()
    mine.binaryType = 'arraybuffer'
    mine.onopen = () => send({ kind: 'hello', version: VERSION, name })
    mine.onmessage = (event) => {
      if (socket === mine) receive(event.data)
    }
    mine.onclose = ({ code, reason }) => {
      if (socket === mine) parting = { code, reason }
      lose(mine)
    }
  }
  const beat = () => {
    if (!socket) return
    if (performance.now() - heard > SILENCE) return lose(socket)
    send({ kind: 'ping', sent: performance.now() / 1000 })
  }

  open()
  const pulse = window.setInterval(beat, PING_PERIOD)

  return {
    get state() {
      return state
    },
    get client() {
      return welcome?.client ?? ''
    },
    get welcome() {
      return welcome
    },
    get failures() {
      return failures
    },
    get parting() {
      return parting
    },
    send,
    command(line) {
      const id = nextId++
      if (socket?.readyState !== WebSocket.OPEN)
        return Promise.resolve({ kind: 'answer', id, ok: false, text: 'There is no connection.' })
      const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve))
      send({ kind: 'command', id, line })
      return answer
    },
    on<K extends ToClient['kind']>(kind: K, handler: (message: MessageOf<K>) => void) {
      const all = handlers.get(kind) ?? new Set()
      handlers.set(kind, all)
      const entry: Handler = (message) => handler(message as MessageOf<K>)
      all.add(entry)
      return () => all.delete(entry)
    },
    onState: states.on,
    onBinary: binaries.on,
    retry() {
      if (!socket) open()
    },
    close() {
      isClosed = true
      window.clearTimeout(timer)
      window.clearInterval(pulse)
      if (socket) lose(socket)
    },
  }
}

function waitAfter(failures: number): number {
  return Math.min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT)
}
