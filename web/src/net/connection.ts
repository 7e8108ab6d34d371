import type { Close, Connection, MessageOf } from '../app'
import { makeListeners } from '../listeners'
import { makeAnswers } from './answers'
import { type ToClient, type ToServer, VERSION, type Welcome } from './protocol'
import { makeReconnectingSocket } from './reconnecting_socket'
import { sessionKey } from './session'

/** A connection with what only its owner needs: binary frames, failures, closing. */
export interface LiveConnection extends Connection {
  readonly failures: number // attempts since it was open
  readonly parting: { code: number; reason: string } // what the last one closed with
  onBinary(handler: (buffer: ArrayBuffer) => void): Close
  /** Try at once rather than after the wait. */
  retry(): void
  close: Close
}

/** Open the connection to the room and keep it open. */
export function connect(url: string, name: string): LiveConnection {
  const states = makeListeners<[Connection['state']]>()
  const binaries = makeListeners<[ArrayBuffer]>()
  const messages = makeMessageListeners()
  const answers = makeAnswers()
  let state: Connection['state'] = 'connecting'
  let welcome: Welcome | undefined
  let reportedCode = 0

  const become = (next: Connection['state']) => {
    // A server that is back may refuse the page for another reason than that of the first loss.
    if (next === state && socket.parting.code === reportedCode) return
    state = next
    reportedCode = socket.parting.code
    states.tell(next)
  }
  const send = (message: ToServer) => socket.send(JSON.stringify(message))
  const receive = (data: string | ArrayBuffer) => {
    if (data instanceof ArrayBuffer) return binaries.tell(data)
    const message = readMessage(data)
    if (!message) return
    if (message.kind === 'welcome') {
      welcome = message
      socket.confirm()
      become('open')
    }
    if (message.kind === 'answer') answers.receive(message)
    messages.tell(message)
  }
  const socket = makeReconnectingSocket(url, {
    onOpen: () => send({ kind: 'hello', version: VERSION, name, key: sessionKey() }),
    onMessage(data) {
      try {
        receive(data)
      } catch (reason) {
        console.error('a message of the server was not understood', reason) // the next one may be
      }
    },
    onBeat: () => send({ kind: 'ping', sent: performance.now() / 1000 }),
    onLost() {
      answers.fail('The connection was lost.')
      become('lost')
    },
  })
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
      return socket.failures
    },
    get parting() {
      return socket.parting
    },
    send,
    command(line) {
      const { id, answer } = answers.expect()
      if (socket.isOpen) send({ kind: 'command', id, line })
      else answers.receive({ kind: 'answer', id, ok: false, text: 'There is no connection.' })
      return answer
    },
    on: messages.on,
    onState: states.on,
    onBinary: binaries.on,
    retry: socket.retry,
    close: socket.close,
  }
}

/** Read a message; undefined if the text is something else. */
function readMessage(text: string): ToClient | undefined {
  const value: unknown = JSON.parse(text)
  const isMessage = typeof value === 'object' && value !== null && 'kind' in value
  return isMessage ? (value as ToClient) : undefined
}

/** Handlers of messages, by kind. */
function makeMessageListeners(): Pick<Connection, 'on'> & { tell(message: ToClient): void } {
  const kinds = new Map<string, ReturnType<typeof makeListeners<[ToClient]>>>()
  return {
    on<K extends ToClient['kind']>(kind: K, handler: (message: MessageOf<K>) => void) {
      const listeners = kinds.get(kind) ?? makeListeners<[ToClient]>()
      kinds.set(kind, listeners)
      return listeners.on((message) => handler(message as MessageOf<K>))
    },
    tell: (message) => kinds.get(message.kind)?.tell(message),
  }
}
