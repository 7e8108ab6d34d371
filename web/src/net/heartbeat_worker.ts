// Runs in a thread of its own, which no picture ever holds up: tells the room that the page lives.

const PERIOD_MS = 33
const RETRY_MS = 1000
const BEAT = '.'

interface Start {
  url: string
  key: string // of the page
}

function beat({ url, key }: Start): void {
  const socket = new WebSocket(url)
  let timer = 0
  socket.onopen = () => {
    socket.send(key)
    timer = self.setInterval(() => {
      if (socket.bufferedAmount === 0) socket.send(BEAT) // the network is not held up, either
    }, PERIOD_MS)
  }
  socket.onclose = () => {
    self.clearInterval(timer)
    self.setTimeout(() => beat({ url, key }), RETRY_MS)
  }
}

self.onmessage = ({ data }: MessageEvent<Start>) => beat(data)
