const BEAT_PERIOD_MS = 1000
const SILENCE_TIMEOUT_MS = 5000 // without a message the connection is dead, whatever the browser thinks
const FIRST_WAIT_MS = 250 // doubled with each failure
const MAX_WAIT_MS = 4000

interface SocketEvents {
  onOpen(): void
  onMessage(data: string | ArrayBuffer): void
  onBeat(): void // once a second, while there is a socket
  onLost(): void
}

/** A socket that opens again whenever it closes, after longer and longer waits. */
interface ReconnectingSocket {
  readonly isOpen: boolean
  readonly failures: number // attempts since it was open
  readonly parting: { code: number; reason: string } // what the last one closed with
  send(text: string): void
  /** The other side has answered: the next failure counts as the first. */
  confirm(): void
  /** Try at once rather than after the wait. */
  retry(): void
  close(): void
}

export function makeReconnectingSocket(url: string, events: SocketEvents): ReconnectingSocket {
  let socket: WebSocket | undefined
  let failures = 0
  let parting = { code: 0, reason: '' }
  let heardAt = 0
  let timer = 0
  let isClosed = false

  const lose = (lost: WebSocket) => {
    if (socket !== lost) return
    socket = undefined
    lost.close()
    failures += 1
    events.onLost()
    if (!isClosed) timer = window.setTimeout(open, waitAfter(failures))
  }
  const open = () => {
    window.clearTimeout(timer)
    const mine = new WebSocket(url)
    socket = mine
    heardAt = performance.now()
    mine.binaryType = 'arraybuffer'
    mine.onopen = events.onOpen
    mine.onmessage = (event) => {
      if (socket !== mine) return
      heardAt = performance.now()
      events.onMessage(event.data)
    }
    mine.onclose = ({ code, reason }) => {
      if (socket === mine) parting = { code, reason }
      lose(mine)
    }
  }
  const beat = () => {
    if (!socket) return
    if (performance.now() - heardAt > SILENCE_TIMEOUT_MS) lose(socket)
    else events.onBeat()
  }
  open()
  const pulse = window.setInterval(beat, BEAT_PERIOD_MS)
  return {
    get isOpen() {
      return socket?.readyState === WebSocket.OPEN
    },
    get failures() {
      return failures
    },
    get parting() {
      return parting
    },
    send(text) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(text)
    },
    confirm() {
      failures = 0
    },
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

/** The wait before the next attempt, in ms, after a number of failures in a row. */
export function waitAfter(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), MAX_WAIT_MS)
}
