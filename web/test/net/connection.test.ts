import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeAnswers } from '../../src/net/answers'
import { connect } from '../../src/net/connection'
import { waitAfter } from '../../src/net/reconnecting_socket'

class FakeSocket {
  static readonly OPEN = 1
  static all: FakeSocket[] = []
  readyState = 0
  sent: { kind: string; id?: number }[] = []
  onopen?: () => void
  onmessage?: (event: { data: unknown }) => void
  onclose?: (event: { code: number; reason: string }) => void

  constructor(readonly url: string) {
    FakeSocket.all.push(this)
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {
    this.readyState = 3
  }
  open() {
    this.readyState = FakeSocket.OPEN
    this.onopen?.()
  }
  receive(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

const WELCOME = { kind: 'welcome', client: 'page 1', run: 'a' }
const latest = () => FakeSocket.all.at(-1) as FakeSocket

beforeEach(() => {
  FakeSocket.all = []
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('window', globalThis)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a connection', () => {
  test('says hello, and is open once it is welcome', () => {
    const connection = connect('ws://room/live', 'me')
    const states: string[] = []
    connection.onState((state) => states.push(state))
    latest().open()
    expect(latest().sent[0]).toMatchObject({ kind: 'hello', name: 'me' })
    expect(connection.state).toBe('connecting')
    latest().receive(WELCOME)
    expect(connection.client).toBe('page 1')
    expect(states).toEqual(['open'])
  })

  test('hands messages to the handlers of their kind only', () => {
    const connection = connect('ws://room/live', '')
    const heard: string[] = []
    const close = connection.on('lease', ({ holder }) => heard.push(holder))
    connection.on('robots', () => heard.push('robots'))
    latest().open()
    latest().receive({ kind: 'lease', holder: 'page 2' })
    close()
    latest().receive({ kind: 'lease', holder: 'page 3' })
    expect(heard).toEqual(['page 2'])
  })

  test('answers commands, also when it is lost meanwhile', async () => {
    const connection = connect('ws://room/live', '')
    expect((await connection.command('too early')).text).toBe('There is no connection.')
    latest().open()
    const [done, lost] = [connection.command('hide box'), connection.command('show box')]
    const [id] = latest().sent.filter(({ kind }) => kind === 'command')
    latest().receive({ kind: 'answer', id: id?.id, ok: true, text: 'hidden' })
    latest().onclose?.({ code: 1006, reason: '' })
    expect((await done).text).toBe('hidden')
    expect(await lost).toMatchObject({ ok: false, text: 'The connection was lost.' })
    expect(connection.state).toBe('lost')
    expect(connection.parting.code).toBe(1006)
  })

  test('comes back after longer and longer waits, which a welcome resets', () => {
    const connection = connect('ws://room/live', '')
    for (const wait of [250, 500, 1000]) {
      latest().onclose?.({ code: 1006, reason: '' })
      const before = FakeSocket.all.length
      vi.advanceTimersByTime(wait - 1)
      expect(FakeSocket.all).toHaveLength(before)
      vi.advanceTimersByTime(1)
      expect(FakeSocket.all).toHaveLength(before + 1)
    }
    expect(connection.failures).toBe(3)
    latest().open()
    latest().receive(WELCOME)
    expect(connection.failures).toBe(0)
  })

  test('is given up when nothing is heard for five seconds', () => {
    const connection = connect('ws://room/live', '')
    latest().open()
    latest().receive(WELCOME)
    vi.advanceTimersByTime(5000)
    expect(connection.state).toBe('open')
    expect(latest().sent.filter(({ kind }) => kind === 'ping')).toHaveLength(5)
    vi.advanceTimersByTime(1000)
    expect(connection.state).toBe('lost')
  })

  test('stays closed when it was closed', () => {
    const connection = connect('ws://room/live', '')
    connection.close()
    vi.advanceTimersByTime(60_000)
    expect(FakeSocket.all).toHaveLength(1)
  })
})

test('waits double from a quarter of a second to four', () => {
  expect([1, 2, 3, 4, 5, 6, 20].map(waitAfter)).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000])
})

test('answers go to the command with their number', async () => {
  const answers = makeAnswers()
  const [first, second] = [answers.expect(), answers.expect()]
  answers.receive({ kind: 'answer', id: second.id, ok: true, text: 'second' })
  answers.receive({ kind: 'answer', id: 77, ok: true, text: 'of nobody' })
  answers.fail('gone')
  expect((await second.answer).text).toBe('second')
  expect(await first.answer).toEqual({ kind: 'answer', id: first.id, ok: false, text: 'gone' })
})
