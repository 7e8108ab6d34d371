import type { Close, Connection, Control } from '../app'
import { makeListeners } from '../listeners'

const ANSWER_TIMEOUT_MS = 3000 // after which a request for control counts as refused

/** Which page controls the room, as the server says. A page that wants it asks for control when no other has it. */
export function makeControl(connection: Connection, isWanted = true): Control & { close: Close } {
  const changes = makeListeners()
  let holder = ''
  let isMine = false
  const become = (nextHolder: string, nextIsMine: boolean) => {
    if (holder === nextHolder && isMine === nextIsMine) return
    holder = nextHolder
    isMine = nextIsMine
    changes.tell()
  }
  let isFirst = true // the first word after a connection: nobody there, so we may drive
  const closeLease = connection.on('lease', (lease) => {
    become(lease.holder, lease.is_mine)
    if (isFirst && isWanted && !lease.holder) connection.send({ kind: 'ask_control' })
    isFirst = false
  })
  const closeState = connection.onState(() => {
    isFirst = true
    if (connection.state !== 'open') become('', false)
  })

  return {
    get isMine() {
      return isMine
    },
    get holder() {
      return holder
    },
    ask(take = false) {
      if (isMine) return Promise.resolve(true)
      return new Promise((resolve) => {
        const end = () => {
          window.clearTimeout(timer)
          close()
          resolve(isMine)
        }
        const close = connection.on('lease', end)
        const timer = window.setTimeout(end, ANSWER_TIMEOUT_MS)
        connection.send({ kind: 'ask_control', take })
      })
    },
    give() {
      if (isMine) connection.send({ kind: 'give_control' })
    },
    onChange: changes.on,
    close() {
      closeLease()
      closeState()
    },
  }
}
