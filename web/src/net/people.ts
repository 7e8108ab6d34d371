// What people in the room carry. The server computes it only while some part of the page watches.

import type { Close, Connection, People } from '../app'
import { closeAll, makeListeners } from '../listeners'
import type { BackLimits, PersonState } from './protocol'

export function makePeople(connection: Connection): People & { close: Close } {
  const changes = makeListeners()
  const states = new Map<string, PersonState>()
  let limits: BackLimits | undefined
  let time = 0
  let watchers = 0
  let chosen = ''
  const ask = () => connection.send({ kind: 'watch_people', is_on: watchers > 0 })
  const forget = () => {
    if (!states.size) return
    states.clear()
    changes.tell()
  }
  const close = closeAll([
    connection.on('people', (message) => {
      if (!watchers) return // it was on its way
      states.clear()
      for (const state of message.people) states.set(state.name, state)
      limits = message.limits
      time = message.time
      changes.tell()
    }),
    connection.on('welcome', () => {
      forget()
      if (watchers) ask()
    }),
  ])
  return {
    states,
    get limits() {
      return limits
    },
    get time() {
      return time
    },
    get chosen() {
      return chosen
    },
    set chosen(name) {
      if (name === chosen) return
      chosen = name
      changes.tell()
    },
    watch() {
      watchers += 1
      if (watchers === 1) ask()
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        watchers -= 1
        if (watchers) return
        ask()
        forget()
      }
    },
    onChange: changes.on,
    close,
  }
}
