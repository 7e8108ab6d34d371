import type { App } from './app'

const WIDEST = 3840 // pixels

/** Draw what is seen, twice as fine as most screens, and hand it over as a file. */
export async function savePicture({ stage, shell, connection }: App): Promise<void> {
  const { clientWidth, clientHeight } = stage.canvas
  const scale = Math.min(2, WIDEST / Math.max(clientWidth, 1))
  try {
    const picture = await stage.snapshot({
      width: Math.round(clientWidth * scale),
      height: Math.round(clientHeight * scale),
      viewpoint: '',
    })
    const href = URL.createObjectURL(picture)
    const download = `${connection.welcome?.room || 'room'}.png`
    Object.assign(document.createElement('a'), { href, download }).click()
    window.setTimeout(() => URL.revokeObjectURL(href), 10_000)
    shell.toast('The picture was saved with your downloads.')
  } catch (error) {
    shell.toast(`No picture: ${error instanceof Error ? error.message : error}`, 'problem')
  }
}
