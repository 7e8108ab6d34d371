// Signs of life from a thread of their own: drawing may keep this one busy for longer than the room
// trusts a silent device. The server decides for how long they count; see server/live/heartbeat.py.

import type { Close, Connection, Control } from '../app'
import { closeAll } from '../listeners'

const ADDRESS = 'heartbeat'

/** Send signs of life while this page is in control. */
export function sendHeartbeats(connection: Connection, control: Control): Close {
  let worker: Worker | undefined
  const stop = () => {
    worker?.terminate()
    worker = undefined
  }
  const update = () => {
    const key = connection.state === 'open' && control.isMine ? connection.welcome?.key : undefined
    stop()
    if (!key) return
    const url = new URL(ADDRESS, location.href)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    url.search = url.hash = ''
    worker = new Worker(new URL('./heartbeat_worker.ts', import.meta.url), { type: 'module' })
    worker.postMessage({ url: url.href, key })
  }
  update()
  return closeAll([connection.onState(update), control.onChange(update), stop])
}
