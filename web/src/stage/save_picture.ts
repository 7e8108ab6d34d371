import type { App } from '../app'

const MAX_WIDTH = 3840 // pixels

/** Draw the current view at about twice the resolution of most screens, and download it. */
export async function savePicture({ stage, shell, connection }: App): Promise<void> {
  const { clientWidth, clientHeight } = stage.canvas
  const scale = Math.min(2, MAX_WIDTH / Math.max(clientWidth, 1))
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
