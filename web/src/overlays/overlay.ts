import type { App, Close, Overlay } from '../app'

/** What overlays draw upon. */
export type OverlayContext = Pick<
  App,
  'connection' | 'room' | 'stage' | 'selection' | 'shell' | 'labels' | 'people'
>

/** Something drawn over the room; `start` draws it until it is closed. */
export interface OverlayKind {
  name: string
  title: string
  icon: string
  isOnAtFirst: boolean
  about?: Overlay['about'] // robots, unless it says so
  start(context: OverlayContext): Close
}
