import type { App, Close } from '../app'

/** What overlays draw upon. */
export type OverlayContext = Pick<
  App,
  'connection' | 'room' | 'stage' | 'selection' | 'shell' | 'labels'
>

/** Something drawn over the room; `start` draws it until it is closed. */
export interface OverlayKind {
  name: string
  title: string
  icon: string
  isOnAtFirst: boolean
  start(context: OverlayContext): Close
}
